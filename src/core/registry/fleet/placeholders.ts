/** Texts that stand where a value should: what firmware and inventory tools write when they know nothing. */
import type { FieldClass } from '../../model/field-classes.ts';
import type { StatedValue, TypeColumns } from './columns.ts';
import type { FleetNode, Placeholder } from './fact.ts';

const CLASSES: ReadonlySet<FieldClass> = new Set<FieldClass>(['hardware', 'firmware', 'component', 'placement']);

const WORDS = [
  ...['-+', '\\?+', 'n/?a', 'none', 'null', 'nil', 'undefined', 'unknown', 'tbd', 'todo', 'x{3,}', 'empty'],
  ...['not (available|applicable|specified|provided|present)', 'no asset (tag|information)'],
  ...['to be filled by o\\.?e\\.?m\\.?', 'default string', 'system (manufacturer|product name|version)'],
  '(system |chassis |(base ?)?board )?serial ?number',
];
const ANYWHERE = new RegExp(`^[<([]?(${WORDS.join('|')})?[>)\\]]?$`, 'i');
/** What only is a placeholder where each part has its own. */
const FOR_PARTS = /^(0x)?(0[0:.-]*|f[f:.-]*)$|^0?123456789(0|abcdef)?$/i;

/** Whether a value says nothing; `isOfPart`: where it should tell one part from all others. */
export function isPlaceholder(value: unknown, isOfPart = false): boolean {
  if (typeof value !== 'string') return isOfPart && value === 0;
  const text = value.trim();
  return ANYWHERE.test(text) || (isOfPart && FOR_PARTS.test(text));
}

/** One fact for each placeholder that a field has at any node of a type. */
export function placeholders({ members, columns }: TypeColumns): Placeholder[] {
  const facts: Placeholder[] = [];
  for (const { field, rule, cells } of columns) {
    if (!CLASSES.has(rule.class)) continue;
    const found = new Map<StatedValue, FleetNode[]>();
    const isOfPart = rule.class === 'component';
    for (const [node, { values }] of cells) {
      const member = members[node];
      for (const value of member ? new Set(values) : []) {
        if (!member || !isPlaceholder(value, isOfPart)) continue;
        const known = found.get(value);
        if (known) known.push(member);
        else found.set(value, [member]);
      }
    }
    for (const [value, those] of found) {
      facts.push({
        ...({ check: 'placeholder', kind: 'placeholder', field, members: those } as const),
        value: JSON.stringify(value),
        isMeant: (other) => other === value,
      });
    }
  }
  return facts;
}
