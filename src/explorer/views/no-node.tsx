import type { ViewProps } from '../app-state.ts';
import { type FleetHistory, historyOf } from '../data/history.ts';
import { type LifeSpan, type PastNode, pastNodes, removalOf } from '../fleet/past-nodes.ts';
import { Loading, Notice } from '../parts/notice.tsx';
import { Timeline, useVersions } from '../parts/timeline.tsx';
import { dayOf, shortRevision, visible } from '../parts/value.tsx';
import { linkWithin } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';

export function NoNode({ state }: ViewProps) {
  const { reader, registry, place } = state;
  const loaded = useLoaded('history', () => historyOf(reader, registry));
  const versions = useVersions(state, place.path);
  const history = loaded.kind === 'done' ? loaded.value : undefined;
  const node = history && pastNodes(history).find(({ path }) => path === place.path);
  return (
    <>
      <h1 tabIndex={-1}>{node?.name ?? 'Node not found'}</h1>
      {loaded.kind === 'loading' ? (
        <Loading />
      ) : history && node ? (
        <PastNodeNotice state={state} history={history} node={node} />
      ) : (
        <Notice kind="info" title={`There is no node at ${visible(place.path)} at this revision.`}>
          It was removed, or the link belongs to another registry. <a href={linkWithin(place, 'nodes')}>All nodes</a>
        </Notice>
      )}
      <Timeline state={state} path={place.path} of={versions} />
    </>
  );
}

interface PastNodeNoticeProps extends ViewProps {
  readonly history: FleetHistory;
  readonly node: PastNode;
}

function PastNodeNotice({ state: { registry, place }, history, node }: PastNodeNoticeProps) {
  const { revisions, line } = history;
  const { name, path, spans } = node;
  const dayAt = (index: number) => dayOf(revisions[index]?.date ?? '');
  const spanText = ({ from, until }: LifeSpan) =>
    until === undefined ? `since ${dayAt(from)}` : `from ${dayAt(from)} to ${dayAt(until)}`;
  const removal = removalOf(node);
  const isLatest = registry.version === registry.newest;
  const lastState = revisions[line[line.indexOf(removal ?? -1) - 1] ?? -1];
  return (
    <Notice
      kind="info"
      title={
        isLatest && removal !== undefined
          ? `${name} was removed on ${dayAt(removal)}.`
          : `${name} did not exist on ${dayOf(registry.date)}.`
      }
    >
      It existed {spans.map(spanText).join(', and ')}.{' '}
      {lastState ? (
        <a href={linkWithin(place, path, { at: shortRevision(lastState.id) })}>Show its last state</a>
      ) : (
        <a href={linkWithin(place, path, { at: undefined })}>Show its current state</a>
      )}{' '}
      · <a href={linkWithin(place, 'nodes')}>All nodes</a>
    </Notice>
  );
}
