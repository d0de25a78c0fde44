import { useMemo } from 'preact/hooks';
import {
  byCodeUnit,
  byNaturalOrder,
  isJsonObject,
  itemsIn,
  type Json,
  type JsonObject,
} from '../../core/model/json.ts';
import { pointerTokens } from '../../core/model/json-pointer.ts';
import type { AppState } from '../app-state.ts';
import { type FleetHistory, historyOf, revisionIndex, tableAt } from '../data/history.ts';
import { objectsIn, text } from '../data/reader.ts';
import { type Fleet, fleetOf } from '../fleet/fleet.ts';
import { siteTitle } from '../fleet/site-titles.ts';
import { linkWithin } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { ShortList, Tags } from './links.tsx';
import { FieldLabel } from './table.tsx';
import { counted, shortRevision, Value, visible } from './value.tsx';

export interface ResourceChange {
  /** The path of the resource without a leading slash. The path of the grid is empty. */
  readonly path: string;
  readonly action: string;
  readonly classes: readonly string[];
  /** The changed fields, in the format of a revision document. Empty if the document does not list the fields. */
  readonly fields: readonly JsonObject[];
}

export function changesOfRevision({ changes }: JsonObject): ResourceChange[] {
  return objectsIn(changes).map(({ href, action, classes, fields }) => ({
    path: text(href).replace(/^.*?\/(?=sites|versions)|\/?versions\/\w+$/g, ''),
    action: text(action),
    classes: itemsIn(classes).map(text),
    fields: objectsIn(fields),
  }));
}

const isNode = (path: string) => /\/nodes\/[^/]+$/.test(path);

/** Returns a text such as `18 nodes`, or `18 resources` if some resources are not nodes. */
export function countedResources(changes: readonly Pick<ResourceChange, 'path'>[], before = ''): string {
  return counted(changes.length, `${before}${changes.every(({ path }) => isNode(path)) ? 'node' : 'resource'}`);
}

/** Groups resources whose changes are equal. */
export function groupsOf(changes: readonly ResourceChange[]): readonly (readonly ResourceChange[])[] {
  const keyOf = ({ action, classes, fields }: ResourceChange) => JSON.stringify([action, classes, fields]);
  return [...Map.groupBy(changes, keyOf).values()];
}

interface ChangeGroupsProps {
  readonly state: AppState;
  readonly groups: ReturnType<typeof groupsOf>;
  /** The id of the revision. */
  readonly id: string;
  /** The previous revision, which contains the removed nodes. */
  readonly parent: string | undefined;
}

/** The maximum number of groups that are open at first. If there are more groups, all groups are closed. */
const MOST_OPEN = 8;
/** The maximum number of resource names in the summary. For more resources, the summary shows a number. */
const MOST_IN_SUMMARY = 3;

/** Shows the changes of a revision in groups, the largest group first. A single group needs no summary. */
export function ChangeGroups({ state, groups, id, parent }: ChangeGroupsProps) {
  const loaded = useLoaded('history', () => historyOf(state.reader, state.registry));
  const history = loaded.kind === 'done' ? loaded.value : undefined;
  // The document of a merge links to the newest parent, but lists the changes since the first parent.
  const before = history?.revisions[history.revisions[revisionIndex(history, id)]?.parent ?? -1]?.id ?? parent;
  const fleets = useFleets(state, history, [id, before ?? '']);
  const firstName = ([first = NO_CHANGE]: readonly ResourceChange[]) => nameOf(first.path, fleets);
  const sorted = groups.toSorted((a, b) => b.length - a.length || byNaturalOrder(firstName(a), firstName(b)));
  return sorted.map((members) => {
    const [{ path, action, classes, fields } = NO_CHANGE] = members;
    const revision = action === 'removed' && before !== undefined ? before : id;
    const at = revision === state.registry.newest ? undefined : shortRevision(revision);
    const about = <Members state={state} fleets={fleets} at={at} fields={fields} members={members} />;
    if (groups.length === 1) return about;
    const isShort = members.length <= MOST_IN_SUMMARY;
    return (
      <details key={path} class="class" open={groups.length <= MOST_OPEN}>
        <summary>
          {isShort ? members.map(({ path }) => nameOf(path, fleets)).join(', ') : countedResources(members)} {action}{' '}
          <Tags names={classes} />
        </summary>
        {about}
      </details>
    );
  });
}

const NO_CHANGE: ResourceChange = { path: '', action: '', classes: [], fields: [] };

/** Returns the nodes at each revision. Returns the shown nodes if the page has no history. */
function useFleets({ fleet }: AppState, history: FleetHistory | undefined, ids: readonly string[]): readonly Fleet[] {
  return useMemo(() => {
    const indexes = history ? ids.map((each) => revisionIndex(history, each)) : [];
    const past = indexes.flatMap((index) => (history && index >= 0 ? [fleetOf(tableAt(history, index))] : []));
    return [...past, fleet];
  }, [history, ids.join(), fleet]);
}

/** Returns the name of a resource. A node gets its name from the first fleet that contains the node. */
function nameOf(path: string, fleets: readonly Fleet[]): string {
  const fleet = fleets.find((each) => each.rowOf(path) >= 0);
  return fleet ? fleet.nameOf(fleet.rowOf(path)) : visible(path.split('/').at(-1) ?? '') || 'the grid';
}

/** The maximum number of resources that the page lists at first for each site. */
const MOST_NAMED = 40;

interface MembersProps extends Pick<ResourceChange, 'fields'> {
  readonly state: AppState;
  readonly fleets: readonly Fleet[];
  readonly at: string | undefined;
  readonly members: readonly ResourceChange[];
}

/** Shows the changed fields, and lists the changed resources by site. */
function Members({ state: { place, reader }, fleets, at, fields, members }: MembersProps) {
  const named = members
    .map(({ path }) => ({ path, name: nameOf(path, fleets) }))
    .sort((a, b) => byNaturalOrder(a.name, b.name));
  const bySite = [...Map.groupBy(named, ({ path }) => path.split('/')[1] ?? '')].sort(([a], [b]) => byCodeUnit(a, b));
  return (
    <dl class="fields changes">
      {fields.map(({ at: pointer, from, to }) => {
        const path = pointerTokens(text(pointer)) ?? [];
        const field = path.filter((part) => !/^\d+$/.test(part)).join('.');
        return (
          <div key={text(pointer)}>
            <dt>
              <FieldLabel label={path.join('.')} />
            </dt>
            <dd>
              <ChangedValue value={from} field={field} /> → <ChangedValue value={to} field={field} />
            </dd>
          </div>
        );
      })}
      {bySite.map(([site, all]) => (
        <div key={site}>
          <dt>{siteTitle(site) || 'all sites'}</dt>
          <dd>
            <ShortList
              items={all}
              most={MOST_NAMED}
              show={({ path, name }) => (
                <li key={path}>
                  <a href={isNode(path) ? linkWithin(place, path, { at }) : reader.urlOf(`/${path}`)}>{name}</a>
                </li>
              )}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function ChangedValue({ value, field }: { readonly value: Json | undefined; readonly field: string }) {
  const isLong = isJsonObject(value) || Array.isArray(value);
  return isLong ? <code>{visible(JSON.stringify(value))}</code> : <Value value={value} field={field} />;
}
