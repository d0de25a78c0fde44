import { onOneLine } from '../../core/diagnostics/finding.ts';
import type { Palette } from '../../core/diagnostics/palette.ts';
import { truncated } from '../../core/diagnostics/words.ts';
import type { FieldChange } from '../../core/model/differences/difference.ts';
import type { Json } from '../../core/model/json.ts';
import { itemAt } from '../../core/platform/lookups.ts';

const WIDEST_VALUE = 60;
const WIDEST_PART = 240;
/** The number of characters before a difference that a cut value shows. */
const CONTEXT = 20;

export function describeValues({ from, to, order }: FieldChange, palette: Palette): string {
  if (order) return palette.quiet('in another order');
  const old = from === undefined ? palette.quiet('nothing') : palette.error(shown(from, to));
  const now = to === undefined ? palette.quiet('nothing') : palette.good(shown(to, from));
  return `${old} -> ${now}`;
}

/** Cuts the end of a long value. Cuts the beginning, too, if the other value differs only after it. */
function shown(value: Json, other: Json | undefined): string {
  const most = typeof value === 'object' ? WIDEST_PART : WIDEST_VALUE;
  const text = onOneLine(JSON.stringify(value));
  const common = other === undefined ? 0 : commonLength(text, onOneLine(JSON.stringify(other)));
  const isCut = text.length > most && common > most - CONTEXT;
  return truncated(isCut ? `…${text.slice(common - CONTEXT)}` : text, most);
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

export function subjectLine(message: string): string {
  return onOneLine(itemAt(message.split('\n'), 0));
}
