/**
 * The fields in which two bodies differ, in words: what `gridpress diff` prints of a resource then and now or of two nodes,
 * and what the explorer has side by side.
 */
import { difference, type FieldChange } from '../differences/difference.ts';
import { type ClassedKind, type FieldClass, fieldRules, ruleAt } from '../field-classes.ts';
import type { JsonObject } from '../json.ts';
import { fieldLabel } from './field-label.ts';

export interface DifferingField extends FieldChange {
  /** The field with its parts by name: `storage_devices[sda].serial`. */
  readonly field: string;
  readonly class: FieldClass;
}

/** In the order of the difference, which is known already where both are versions of one resource. */
export function differingFields(
  kind: ClassedKind,
  before: JsonObject,
  after: JsonObject,
  changes: readonly FieldChange[] = difference(before, after, fieldRules(kind)),
): DifferingField[] {
  const rules = fieldRules(kind);
  return changes.map((change) => ({
    field: fieldLabel(change, before, after, rules),
    class: change.order === undefined ? ruleAt(kind, change.at).class : 'derived',
    ...change,
  }));
}
