/** Bodies as the table has them: without the fields that every node has its own of, so that both can be compared. */
import { wayOfField } from '../../core/model/fields/field-name.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { ownFields, withoutOwnFields } from '../../core/table/own-fields.ts';

/** `leftOut` has the names of those fields. */
export function sharedFields(body: JsonObject, leftOut: readonly string[]): JsonObject {
  const ways = leftOut.flatMap((name) => [wayOfField(name) ?? []]);
  return withoutOwnFields(body, ownFields(undefined, ways));
}
