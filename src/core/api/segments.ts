/** Texts as segments of paths: values of fields and names of nodes may be anything, but stand in URLs and in file names. */
import { sha256 } from '../model/digest.ts';
import { byCodeUnit } from '../model/json.ts';
import { NODE } from '../model/kinds.ts';
import { uidProblem } from '../model/uid.ts';
import { RAW_ENDING_PATTERN } from './raw-forms.ts';

/** How names of files end that are no JSON, or are made from other files. */
const TAKEN_ENDING = new RegExp(`(?:\\.(?:html?|gz|br)|${RAW_ENDING_PATTERN})$`, 'i');
const LONGEST = 100;
const DIGITS = 8;

/**
 * A segment for each of some texts, all different, whatever the case of letters. A text that can be a segment is its own; of any other
 * all that cannot stand in one becomes a hyphen, and where that is not enough to tell it from others, some digits of its digest follow.
 */
export function segmentsOf(texts: Iterable<string>): ReadonlyMap<string, string> {
  const sorted = [...new Set(texts)].sort(byCodeUnit);
  const segments = new Map<string, string>();
  const taken = new Set<string>();
  const take = (text: string, segment: string): boolean => {
    const folded = segment.toLowerCase();
    if (taken.has(folded) || !isSegment(segment)) return false;
    taken.add(folded);
    segments.set(text, segment);
    return true;
  };
  const others = sorted.filter((text) => !take(text, text));
  for (const text of others) {
    const plain = plainSegment(text);
    let digest = sha256(text);
    for (let segment = plain; !take(text, segment); digest = sha256(digest))
      segment = `${plain}${plain === '' ? '' : '-'}${digest.slice(0, DIGITS)}`;
  }
  return segments;
}

function isSegment(text: string): boolean {
  return (
    text !== '' &&
    text.length <= LONGEST + DIGITS + 1 &&
    uidProblem(text, NODE, 'name') === undefined &&
    !TAKEN_ENDING.test(text)
  );
}

function plainSegment(text: string): string {
  const plain = text.slice(0, LONGEST).replaceAll(/[^A-Za-z0-9_.~]+/g, '-');
  return plain.replace(/^[-_.]+/, '').replace(/[-.]+$/, '');
}
