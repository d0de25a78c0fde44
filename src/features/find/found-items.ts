/** Found nodes as JSON: whole, or some of their fields. */
import type { Labelling } from '../../core/labels/labels.ts';
import type { NodeState } from '../../core/lock/lock-format.ts';
import { LABEL_PREFIX, PLACE_NAMES } from '../../core/model/fields/field-name.ts';
import { type Json, type JsonObject, setOwn } from '../../core/model/json.ts';
import type { NamedField } from '../../core/query/field-values.ts';

const BESIDE: readonly string[] = [...PLACE_NAMES, LABEL_PREFIX];

/** Where the node is, its own fields, and its labels. */
export function wholeItem({ path, body }: NodeState, labels: Labelling): JsonObject {
  const [, site = '', , cluster = ''] = path.split('/');
  const own = Object.entries(body).filter(([name]) => !BESIDE.includes(name));
  const item: Record<string, Json> = { site, cluster };
  for (const [name, value] of own) setOwn(item, name, value);
  const label = labels.of(body);
  return Object.keys(label).length > 0 ? { ...item, [LABEL_PREFIX]: label } : item;
}

/** By the whole names of fields: a value, or several in a list; what a node has not is left out. */
export function partialItem(fields: readonly NamedField[], row: number): JsonObject {
  const item: Record<string, Json> = {};
  for (const { name, valuesOf } of fields) {
    const values = valuesOf(row);
    const [only] = values;
    if (only !== undefined) setOwn(item, name, values.length === 1 ? only : values);
  }
  return item;
}
