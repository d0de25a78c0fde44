/** Badges are SVG images with fixed text widths, because the reader's fonts are unknown. */

import { shortId } from '../diagnostics/words.ts';
import type { ChangeFeed } from '../history/change-feed.ts';
import { classNames } from '../model/field-classes.ts';
import { isNodePath } from '../model/resource-path.ts';
import { utcTimestamp } from '../model/revision.ts';
import { escapedHtml } from '../platform/text.ts';
import { idAt, type Publication, revisionAt } from './publication.ts';
import { badgeUrl, revisionBadgeUrl } from './urls.ts';

/** Renders the date of a node's last hardware change. `since` is the index of the revision that made this change. */
export function renderNodeBadge(publication: Publication, path: string, since: number): string {
  const day = utcTimestamp(revisionAt(publication, since).date).slice(0, 'YYYY-MM-DD'.length);
  return badge(badgeUrl(path), 'hardware unchanged since', day, SAME);
}

export function renderRevisionBadge(publication: Publication, { index, nodes, changed }: RevisionHardware): string {
  const id = idAt(publication, index);
  const label = `hardware since ${shortId(id)}`;
  const [text, colour] = changed === 0 ? ['unchanged', SAME] : [`${changed} of ${nodes} nodes changed`, CHANGED];
  return badge(revisionBadgeUrl(id), label, text, colour);
}

/** White text has enough contrast on these colours (WCAG 2.2, 1.4.3). */
const PLAIN = '#444';
const SAME = '#1b6e3c';
const CHANGED = '#8a4b00';

const HEIGHT = 20;
const MARGIN = 6;
const CHARACTER_WIDTH = 6.5;

function badge(url: string, label: string, text: string, colour: string): string {
  const widthOf = (words: string) => Math.round(words.length * CHARACTER_WIDTH) + 2 * MARGIN;
  const [first, second] = [widthOf(label), widthOf(text)];
  const field = (x: number, width: number, fill: string) =>
    `<rect x="${x}" width="${width}" height="${HEIGHT}" fill="${fill}"/>`;
  const line = (x: number, width: number, words: string) =>
    `<text x="${x + MARGIN}" y="14" textLength="${width - 2 * MARGIN}">${escapedHtml(words)}</text>`;
  const title = escapedHtml(`${label}: ${text}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${first + second}" height="${HEIGHT}" role="img" aria-label="${title}">`,
    `<title>${title}</title><metadata>${escapedHtml(url)}</metadata>`,
    field(0, first, PLAIN) + field(first, second, colour),
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    `${line(0, first, label)}${line(first, second, text)}</g>`,
    '</svg>\n',
  ].join('');
}

export interface HardwareTimes {
  /** Maps the path of a current node to the revision that added the node or last changed its hardware. */
  readonly since: ReadonlyMap<string, number>;
  readonly revisions: readonly RevisionHardware[];
}

interface RevisionHardware {
  readonly index: number;
  readonly nodes: number;
  /** The number of nodes in this revision whose hardware changed later, or that were removed later. */
  readonly changed: number;
}

/** `feed` contains all changes of the registry. Undefined if there are no changes. */
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
