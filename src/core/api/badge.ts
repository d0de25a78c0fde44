/** Badges as SVG: two fields with a text in each. Texts have the widths that are set, whatever font a reader has. */

import type { ChangeFeed } from '../history/change-feed.ts';
import { classNames } from '../model/field-classes.ts';
import { isNodePath } from '../model/resource-path.ts';
import { utcTimestamp } from '../model/revision.ts';
import { escapedHtml } from '../platform/text.ts';
import { badgeUrl, revisionBadgeUrl } from './deep-and-badge-paths.ts';
import { idAt, type Publication, revisionAt } from './publication.ts';

/** Of a node whose hardware a revision changed last. */
export function renderNodeBadge(publication: Publication, path: string, since: number): string {
  const day = utcTimestamp(revisionAt(publication, since).date).slice(0, 'YYYY-MM-DD'.length);
  return badge(badgeUrl(path), 'hardware unchanged since', day, SAME);
}

/** Of a revision that an experiment ran at: how many of its nodes changed since. */
export function renderRevisionBadge(publication: Publication, { index, nodes, changed }: RevisionHardware): string {
  const id = idAt(publication, index);
  const label = `hardware since ${id.slice(0, SHORT_ID)}`;
  const [text, colour] = changed === 0 ? ['unchanged', SAME] : [`${changed} of ${nodes} nodes changed`, CHANGED];
  return badge(revisionBadgeUrl(id), label, text, colour);
}

const SHORT_ID = 8;

/** On which white can be read (WCAG 2.2, 1.4.3). */
const PLAIN = '#444';
const SAME = '#1b6e3c';
const CHANGED = '#8a4b00';

const HEIGHT = 20;
const MARGIN = 6;
/** How wide a letter of 11 px is made. */
const LETTER = 6.5;

function badge(url: string, label: string, text: string, colour: string): string {
  const widthOf = (said: string) => Math.round(said.length * LETTER) + 2 * MARGIN;
  const [first, second] = [widthOf(label), widthOf(text)];
  const field = (x: number, width: number, fill: string) =>
    `<rect x="${x}" width="${width}" height="${HEIGHT}" fill="${fill}"/>`;
  const words = (x: number, width: number, said: string) =>
    `<text x="${x + MARGIN}" y="14" textLength="${width - 2 * MARGIN}">${escapedHtml(said)}</text>`;
  const said = escapedHtml(`${label}: ${text}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${first + second}" height="${HEIGHT}" role="img" aria-label="${said}">`,
    `<title>${said}</title><metadata>${escapedHtml(url)}</metadata>`,
    field(0, first, PLAIN) + field(first, second, colour),
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    `${words(0, first, label)}${words(first, second, text)}</g>`,
    '</svg>\n',
  ].join('');
}

/**
 * Since when hardware is what it is: on the line of first parents of the head, which revision last changed a field of the
 * class `hardware` of each node, or brought the node. One way through the feed of all changes tells it of every node, and
 * of every revision how many of its nodes are still as they were.
 */
export interface HardwareTimes {
  /** The index of that revision, by the paths of the nodes that there are now. */
  readonly since: ReadonlyMap<string, number>;
  /** For each revision of the line at which anything changed, the oldest first. */
  readonly revisions: readonly RevisionHardware[];
}

interface RevisionHardware {
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
