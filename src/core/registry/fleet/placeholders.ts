import type { FieldClass } from '../../model/field-classes.ts';
import { membersByValue, type TypeColumns } from './columns.ts';
import { type Placeholder, statedValue } from './fact.ts';

/** Fields of these classes should have a value in every node of a type. */
export const EXPECTED_CLASSES: ReadonlySet<FieldClass> = new Set<FieldClass>([
  ...(['hardware', 'firmware', 'component', 'placement'] as const),
]);

const WORDS = [
  ...['-+', '\\?+', 'n/?a', 'none', 'null', 'nil', 'undefined', 'unknown', 'tbd', 'todo', 'x{3,}', 'empty'],
  ...['not (available|applicable|specified|provided|present)', 'no asset (tag|information)'],
  ...['to be filled by o\\.?e\\.?m\\.?', 'default string', 'system (manufacturer|product name|version)'],
  '(system |chassis |(base ?)?board )?serial ?number',
];
const ANYWHERE = new RegExp(`^[<([]?(${WORDS.join('|')})?[>)\\]]?$`, 'i');
/**
 * Matches texts such as `0000`, which are placeholders in fields that identify a part, but valid in all other fields.
 */
const FOR_PARTS = /^(0x)?(0[0:.-]*|f[f:.-]*)$|^0?123456789(0|abcdef)?$/i;

export function isPlaceholder(value: unknown, isOfPart = false): boolean {
  if (typeof value !== 'string') return isOfPart && value === 0;
  const text = value.trim();
  return ANYWHERE.test(text) || (isOfPart && FOR_PARTS.test(text));
}

export function placeholders({ members, columns }: TypeColumns): Placeholder[] {
  return columns.flatMap((column) => {
    const { field, rule } = column;
    if (!EXPECTED_CLASSES.has(rule.class)) return [];
    const found = [...membersByValue(column, members)];
    return found
      .filter(([value]) => isPlaceholder(value, rule.class === 'component'))
      .map(([value, those]) => ({
        check: 'placeholder',
        kind: 'placeholder',
        field,
        members: those,
        ...statedValue(value),
      }));
  });
}
