/**
 * Since when hardware is what it is: on the line of first parents of the head, which revision last changed a field of the
 * class `hardware` of each node, or brought the node. One way through the feed of all changes tells it of every node, and
 * of every revision how many of its nodes are still as they were.
 */
import type { ChangeFeed } from '../../history/change-feed.ts';
import { classNames } from '../../model/field-classes.ts';
import { isNodePath } from '../../model/resource-path.ts';

export interface HardwareTimes {
  /** The index of that revision, by the paths of the nodes that there are now. */
  readonly since: ReadonlyMap<string, number>;
  /** For each revision of the line at which anything changed, the oldest first. */
  readonly revisions: readonly RevisionHardware[];
}

export interface RevisionHardware {
  readonly index: number;
  /** How many nodes there were. */
  readonly nodes: number;
  /** How many of them changed in hardware since, or went. */
  readonly changed: number;
}

/** The feed is of all changes; undefined where nothing ever changed. */
export function hardwareTimes(feed: ChangeFeed | undefined): HardwareTimes {
  if (!feed) return { since: new Map(), revisions: [] };
  const since = new Map<string, number>();
  const counts: { readonly index: number; nodes: number }[] = [];
  for (let n = 0; n < feed.size; n++) {
    const { index, change } = feed.entryAt(n);
    const { path, action, classes } = change;
    if (isNodePath(path)) {
      if (action === 'removed') since.delete(path);
      else if (!since.has(path) || action === 'added' || classNames(classes).includes('hardware'))
        since.set(path, index);
    }
    const last = counts.at(-1);
    if (last?.index === index) last.nodes = since.size;
    else counts.push({ index, nodes: since.size });
  }
  return { since, revisions: withChanged(counts, since) };
}

/** A node is as it was at a revision if it was there, and nothing has changed its hardware since: the line grows with its indexes. */
function withChanged(
  counts: readonly { readonly index: number; readonly nodes: number }[],
  since: ReadonlyMap<string, number>,
): RevisionHardware[] {
  const starts = new Map<number, number>();
  for (const index of since.values()) starts.set(index, (starts.get(index) ?? 0) + 1);
  let same = 0;
  return counts.map(({ index, nodes }) => {
    same += starts.get(index) ?? 0;
    return { index, nodes, changed: nodes - same };
  });
}
