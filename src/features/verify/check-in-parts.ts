/**
 * Checking a long collection some items at a time: all of its items as values take many times the memory of its text. Each
 * part is checked as the collection that it would be alone, and begins with the last item of the one before it, so that
 * their order is checked too. Where a part is not as it should be, the whole is checked, and told of.
 */
import type { Content } from '../../core/api/endpoints.ts';
import { closingQuote } from '../../core/model/json.ts';
import { type CheckedAnswer, type CheckedRequest, type CheckedResponse, checkAnswer } from './check-answer.ts';

/** Of UTF-16 code units. */
const PART = 1 << 20;

/** The collections that grow with a registry without being paged, of which all that is checked is checked item by item. */
const UNBOUNDED: readonly Content[] = ['resources', 'node-search', 'node-group'];

/** One answer after the other, of which the last has all findings, and all of them together all links. */
export function* checkInParts(asked: CheckedRequest, answer: CheckedResponse, length = PART): Generator<CheckedAnswer> {
  const isLong = UNBOUNDED.includes(asked.endpoint.content) && answer.body.length > length;
  for (const { body, isLast } of isLong ? partsOf(answer.body, length) : []) {
    const checked = checkAnswer(asked, { ...answer, body });
    if (checked.findings.length > 0) break;
    yield checked;
    if (isLast) return;
  }
  yield checkAnswer(asked, answer);
}

interface Part {
  readonly body: string;
  readonly isLast: boolean;
}

const HEAD = /^\{"total":(\d+),"offset":(\d+),"items":\[(?=\{)/;
const [QUOTE, COMMA, OPEN, CLOSE] = [34, 44, 123, 125];

/** None that is the last where the text is not of the form of a collection, or does not have as many items as it says. */
function* partsOf(text: string, length: number): Generator<Part> {
  const [head = '', total, offset] = HEAD.exec(text) ?? [];
  if (total === undefined) return;
  const end = text.lastIndexOf('],"version":');
  const bodyOf = (from: number, to: number, count: number) =>
    `{"total":${count},"offset":${offset},"items":[${text.slice(from, to)}${text.slice(end)}`;
  let [start, inPart, inAll] = [head.length, 0, 0];
  for (let item = start; ; ) {
    const after = endOfObject(text, item);
    if (after < 0 || after > end) return;
    inPart++;
    inAll++;
    if (after === end) {
      if (String(inAll) === total) yield { body: bodyOf(start, end, inPart), isLast: true };
      return;
    }
    if (text.charCodeAt(after) !== COMMA) return;
    if (after - start > length) {
      yield { body: bodyOf(start, after, inPart), isLast: false };
      [start, inPart] = [item, 1];
    }
    item = after + 1;
  }
}

/** Where an object that opens at `start` has closed; -1 where it does not. */
function endOfObject(text: string, start: number): number {
  if (text.charCodeAt(start) !== OPEN) return -1;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(text, at);
      if (at < 0) return -1;
    } else if (code === OPEN) depth++;
    else if (code === CLOSE && --depth === 0) return at + 1;
  }
  return -1;
}
