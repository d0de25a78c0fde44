import { onOneLine } from '../../core/diagnostics/finding.ts';
import type { Palette } from '../../core/diagnostics/palette.ts';
import { truncated } from '../../core/diagnostics/words.ts';
import type { FieldChange } from '../../core/model/differences/difference.ts';
import type { Json } from '../../core/model/json.ts';
import { itemAt } from '../../core/platform/lookups.ts';

const WIDEST_VALUE = 60;
const WIDEST_PART = 240;

export function describeValues({ from, to, order }: FieldChange, palette: Palette): string {
  if (order) return palette.quiet('in another order');
  const old = from === undefined ? palette.quiet('nothing') : palette.error(shown(from));
  const now = to === undefined ? palette.quiet('nothing') : palette.good(shown(to));
  return `${old} -> ${now}`;
}

function shown(value: Json): string {
  const most = typeof value === 'object' ? WIDEST_PART : WIDEST_VALUE;
  return truncated(onOneLine(JSON.stringify(value)), most);
}

export function subjectLine(message: string): string {
  return onOneLine(itemAt(message.split('\n'), 0));
}
