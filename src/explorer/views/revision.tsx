import { useEffect, useMemo } from 'preact/hooks';
import { versionUrl } from '../../core/api/urls.ts';
import { type JsonObject, textOf } from '../../core/model/json.ts';
import type { ViewProps } from '../app-state.ts';
import { type FleetHistory, type HistoryRevision, historyOf } from '../data/history.ts';
import { readRevision, versionsOf } from '../data/nodes.ts';
import { type DocumentReader, linkTo } from '../data/reader.ts';
import { ChangeGroups, changesOfRevision, changesSummary, fieldsOfChange, groupsOf } from '../parts/change-groups.tsx';
import { Tags } from '../parts/links.tsx';
import { Loading, Notice } from '../parts/notice.tsx';
import { Read } from '../parts/read.tsx';
import { dayOf, shortRevision, visible } from '../parts/value.tsx';
import { atParam } from '../state/at-param.ts';
import { adjust, linkWithin } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';

export function Revision({ state }: ViewProps) {
  const { place, reader } = state;
  const start = place.path.split('/').at(-1) ?? '';
  const loaded = useLoaded(place.path, async () => {
    const id = await wholeId(reader, start);
    return { id, read: id === start ? await readRevision(reader, id) : undefined };
  });
  const id = loaded.kind === 'done' ? loaded.value.id : start;
  useEffect(() => {
    if (id !== undefined && id !== start) adjust(`versions/${id}`, place.params);
  }, [id, start]);
  return (
    <Read of={loaded}>
      {({ id, read }) =>
        read && id !== undefined ? (
          <RevisionPage state={state} id={id} read={read} />
        ) : id !== undefined && id !== start ? (
          <Loading />
        ) : (
          <>
            <h1 tabIndex={-1}>Revision {shortRevision(start)}</h1>
            <Notice kind="info" title="This revision is not available.">
              {reader.isLocal
                ? 'The offline copy does not include single revisions. Serve the folder with gridpress serve.'
                : 'No revision starts with this id, or several do. The link can also belong to another registry, or the revision is older than the published history.'}
            </Notice>
          </>
        )
      }
    </Read>
  );
}

/** The number of hexadecimal digits in a SHA-1 id. Ids from other hash functions are longer. */
const SHORTEST_ID = 40;

/** Returns the only id that begins with `start`. Returns undefined if no id or several ids match. */
async function wholeId(reader: DocumentReader, start: string): Promise<string | undefined> {
  if (start.length >= SHORTEST_ID) return start;
  const [found, ...others] = ((await versionsOf(reader, '')) ?? []).filter(({ id }) => id.startsWith(start));
  return others.length > 0 ? undefined : found?.id;
}

function RevisionPage({ state, id, read }: ViewProps & { readonly id: string; readonly read: JsonObject }) {
  const { place, reader, registry } = state;
  const [subject = '', ...rest] = textOf(read['message']).trim().split(/\r?\n/);
  const parent = linkTo(read, 'predecessor-version')?.split('/').at(-1);
  const at = atParam(registry.newest, id);
  const changes = useMemo(() => changesOfRevision(read), [read]);
  const loaded = useLoaded('history', () => historyOf(reader, registry));
  const later = loaded.kind === 'done' ? laterThan(loaded.value, id) : undefined;
  const groups = useMemo(() => groupsOf(changes), [changes]);
  const [[first] = []] = groups;
  return (
    <>
      <h1 tabIndex={-1}>{visible(subject) || `Revision ${shortRevision(id)}`}</h1>
      <p class="under">
        <time dateTime={textOf(read['timestamp'])}>{dayOf(textOf(read['timestamp']))}</time> ·{' '}
        {visible(textOf(read['author']))} · <code>{id}</code> · <a href={reader.urlOf(versionUrl('', id))}>JSON</a>
      </p>
      {rest.join('').trim() === '' ? null : <pre>{rest.map(visible).join('\n').trim()}</pre>}
      {/* A link that appears later would move the changes. */}
      {loaded.kind === 'loading' ? (
        <Loading />
      ) : (
        <>
          <ul class="inline">
            {parent === undefined ? null : (
              <li>
                <a href={linkWithin(place, `versions/${parent}`)}>Earlier</a>
              </li>
            )}
            {later ? (
              <li>
                <a href={linkWithin(place, `versions/${later.id}`)}>Later</a>
              </li>
            ) : null}
            <li>
              <a href={linkWithin(place, 'nodes', { at })}>The nodes at this revision</a>
            </li>
            {parent === undefined ? null : (
              <li>
                {/* The view of time also compares with the first parent. */}
                <a href={linkWithin(place, 'time', { at })}>Compare with another revision</a>
              </li>
            )}
          </ul>
          <h2>
            {changesSummary(changes, fieldsOfChange)}{' '}
            {groups.length === 1 && first ? <Tags names={first.classes} /> : null}
          </h2>
          <ChangeGroups state={state} groups={groups} id={id} parent={parent} />
        </>
      )}
    </>
  );
}

/** Returns the revision that follows the given one on the head's first-parent line. */
function laterThan(history: FleetHistory | undefined, id: string): HistoryRevision | undefined {
  const { revisions, line } = history ?? { revisions: [], line: [] };
  const at = line.findIndex((index) => revisions[index]?.id === id);
  return at < 0 ? undefined : revisions[line[at + 1] ?? -1];
}
