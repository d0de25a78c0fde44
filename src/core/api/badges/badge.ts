/** Badges as SVG: two fields with a text in each. Texts have the widths that are set, whatever font a reader has. */
import { utcTimestamp } from '../../model/revision.ts';
import { escapedHtml } from '../../platform/html.ts';
import { idAt, type Publication, revisionAt } from '../publication.ts';
import { badgeUrl, revisionBadgeUrl } from './badge-paths.ts';
import type { RevisionHardware } from './unchanged-since.ts';

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
