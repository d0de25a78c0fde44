import { useMemo } from 'preact/hooks';
import { versionUrl } from '../../core/api/urls.ts';
import { isJsonObject, itemsIn, type Json, type JsonObject } from '../../core/model/json.ts';
import { pointerTokens } from '../../core/model/json-pointer.ts';
import type { AppState, ViewProps } from '../app-state.ts';
import { historyOf, revisionIndex, tableAt } from '../data/history.ts';
import { linkTo, objectsIn, text } from '../data/reader.ts';
import { type Fleet, fleetOf } from '../fleet/fleet.ts';
import { ShortList, Tags } from '../parts/links.tsx';
import { Notice } from '../parts/notice.tsx';
import { Read } from '../parts/read.tsx';
import { FieldLabel } from '../parts/table.tsx';
import { counted, dayOf, shortRevision, Value, visible } from '../parts/value.tsx';
import { linkWithin } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';

/** A revision: its message, and its changes. Equal changes of several resources are shown once. */
export function Revision({ state }: ViewProps) {
  const { place, reader } = state;
  const id = place.path.split('/').at(-1) ?? '';
  const loaded = useLoaded(place.path, () => reader.read(versionUrl('', id)));
  return (
    <Read of={loaded}>
      {(read) =>
        read ? (
          <RevisionPage state={state} id={id} read={read} />
        ) : (
          <>
            <h1 tabIndex={-1}>Revision {shortRevision(id)}</h1>
            <Notice kind="info" title="This revision is not available.">
              {reader.isLocal
                ? 'The offline copy does not include single revisions. Serve the folder with gridpress serve.'
                : 'The link belongs to another registry, or the revision is older than the published history.'}
            </Notice>
          </>
        )
      }
    </Read>
  );
}

/** The maximum number of resources that one group names at first. */
const MOST_NAMED = 40;

function RevisionPage({ state, id, read }: ViewProps & { readonly id: string; readonly read: JsonObject }) {
  const { place, reader, registry } = state;
  const [subject = '', ...rest] = text(read['message']).trim().split(/\r?\n/);
  const parent = linkTo(read, 'predecessor-version')?.split('/').at(-1);
  const at = id === registry.newest ? undefined : shortRevision(id);
  const groups = groupsOf(read);
  const fleets = useFleets(state, id, parent);
  return (
    <>
      <h1 tabIndex={-1}>{visible(subject) || `Revision ${shortRevision(id)}`}</h1>
      <p class="under">
        <time dateTime={text(read['timestamp'])}>{dayOf(text(read['timestamp']))}</time> ·{' '}
        {visible(text(read['author']))} · <code>{id}</code> · <a href={reader.urlOf(versionUrl('', id))}>JSON</a>
      </p>
      {rest.join('').trim() === '' ? null : <pre>{rest.map(visible).join('\n').trim()}</pre>}
      <ul class="inline">
        <li>
          <a href={linkWithin(place, 'nodes', { at })}>The nodes at this revision</a>
        </li>
        {parent === undefined ? null : (
          <li>
            <a href={linkWithin(place, 'time', { at, than: shortRevision(parent) })}>Compare with another revision</a>
          </li>
        )}
      </ul>
      <h2>
        {counted(
          groups.reduce((sum, { paths }) => sum + paths.length, 0),
          'changed resource',
        )}
      </h2>
      {groups.map((group) => (
        <details key={group.key} class="class" open={groups.length <= MOST_OPEN}>
          <summary>
            {group.paths.length > MOST_IN_SUMMARY
              ? counted(group.paths.length, 'resource')
              : group.paths.map((path) => nameOf(path, fleets)).join(', ')}{' '}
            {group.action} <Tags names={group.classes} />
          </summary>
          <FieldChanges fields={group.fields} />
          <Resources
            state={state}
            fleets={fleets}
            // The parent is the last revision that has a removed node.
            at={group.action === 'removed' && parent !== undefined ? shortRevision(parent) : at}
            paths={group.paths}
          />
        </details>
      ))}
    </>
  );
}

/** The maximum number of groups that are open at first. */
const MOST_OPEN = 8;
/** The maximum number of resources whose names replace their number. */
const MOST_IN_SUMMARY = 3;

/** Returns the nodes after and before the revision. Without the history of all nodes, returns the nodes shown. */
function useFleets({ reader, registry, fleet }: AppState, id: string, parent: string | undefined): readonly Fleet[] {
  const loaded = useLoaded('history', () => historyOf(reader, registry));
  const history = loaded.kind === 'done' ? loaded.value : undefined;
  return useMemo(() => {
    const indexes = history ? [id, parent ?? ''].map((each) => revisionIndex(history, each)) : [];
    const past = indexes.flatMap((index) => (history && index >= 0 ? [fleetOf(tableAt(history, index))] : []));
    return [...past, fleet];
  }, [history, id, parent, fleet]);
}

function nameOf(path: string, fleets: readonly Fleet[]): string {
  const fleet = fleets.find((each) => each.rowOf(path) >= 0);
  return fleet ? fleet.nameOf(fleet.rowOf(path)) : visible(path.split('/').at(-1) ?? '') || 'the grid';
}

interface ChangeGroup {
  readonly key: string;
  readonly action: string;
  readonly classes: readonly string[];
  readonly fields: readonly JsonObject[];
  readonly paths: readonly string[];
}

/** Returns the groups of resources with equal changes. The largest group comes first. */
function groupsOf({ changes }: JsonObject): ChangeGroup[] {
  const keyOf = ({ action, classes, fields }: JsonObject) => JSON.stringify([action, classes, fields]);
  const groups = Map.groupBy(objectsIn(changes), keyOf);
  return [...groups]
    .map(([key, [first = {}, ...others]]) => ({
      key,
      action: text(first['action']),
      classes: itemsIn(first['classes']).map(text),
      fields: objectsIn(first['fields']),
      paths: [first, ...others].map(({ href }) =>
        text(href).replace(/^.*?\/(?=sites|versions)|\/?versions\/\w+$/g, ''),
      ),
    }))
    .sort((a, b) => b.paths.length - a.paths.length);
}

function FieldChanges({ fields }: Pick<ChangeGroup, 'fields'>) {
  if (fields.length === 0) return null;
  return (
    <dl class="fields changes">
      {fields.map(({ at, from, to }) => {
        const path = pointerTokens(text(at)) ?? [];
        const [label = '', field = ''] = [path, path.filter((part) => !/^\d+$/.test(part))].map((parts) =>
          parts.join('.'),
        );
        return (
          <div key={text(at)}>
            <dt>
              <FieldLabel label={label} />
            </dt>
            <dd>
              <ChangedValue value={from} field={field} /> → <ChangedValue value={to} field={field} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function ChangedValue({ value, field }: { readonly value: Json | undefined; readonly field: string }) {
  const isLong = isJsonObject(value) || Array.isArray(value);
  return isLong ? <code>{visible(JSON.stringify(value))}</code> : <Value value={value} field={field} />;
}

interface ResourcesProps {
  readonly state: AppState;
  readonly fleets: readonly Fleet[];
  readonly at: string | undefined;
  readonly paths: readonly string[];
}

function Resources({ state: { place, reader }, fleets, at, paths }: ResourcesProps) {
  return (
    <ShortList
      items={paths}
      most={MOST_NAMED}
      show={(path) => (
        <li key={path}>
          <a href={/\/nodes\/[^/]+$/.test(path) ? linkWithin(place, path, { at }) : reader.urlOf(`/${path}`)}>
            {nameOf(path, fleets)}
          </a>{' '}
          <span class="absent">{path.split('/')[1]}</span>
        </li>
      )}
    />
  );
}
