/** Found nodes as JSON: whole, as exports have them, or some of their fields. */
import { nodeItem } from '../../core/exports/whole-node.ts';
import type { Labelling } from '../../core/labels/labels.ts';
import type { NodeState } from '../../core/lock/lock-format.ts';
import { type Json, type JsonObject, setOwn } from '../../core/model/json.ts';
import type { NamedField } from '../../core/query/columns.ts';

export function wholeItem({ path, uid, body }: NodeState, labels: Labelling): JsonObject {
  const [, site = '', , cluster = ''] = path.split('/');
  return nodeItem({ site, cluster, uid, body, labels: labels.of(body) });
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
