import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldRules } from '../../../../src/core/model/field-classes.ts';
import { isJsonObject, type Json, setOwn } from '../../../../src/core/model/json.ts';
import { NODE } from '../../../../src/core/model/kinds.ts';
import { newBodyEncoder } from '../../../../src/core/table/body-encoder.ts';
import { type PerNodeFields, perNodeFields, sharedValue } from '../../../../src/core/table/per-node-fields.ts';
import { jsonObject, partsObject, smallObject } from '../../../support/values/arbitraries.ts';

/** Removes the same fields from a value. */
function without(value: Json, fields: PerNodeFields): Json {
  if (Array.isArray(value)) return value.map((item) => without(item, fields));
  if (!isJsonObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [name, held] of Object.entries(value)) {
    const field = fields.below(name);
    if (!field.isPerNode) setOwn(kept, name, without(held, field));
  }
  return kept;
}

const nodes = fieldRules(NODE);
const bodies = fc.oneof(jsonObject, smallObject, partsObject);

test('sharedValue removes only component fields and named fields', () => {
  const named = [['a', 'b'], [''], ['gpu', 'size'], ['__proto__', 'a']];
  const fields = perNodeFields(nodes, named);
  fc.assert(
    fc.property(bodies, (body) => {
      expect(sharedValue(body, fields)).toEqual(without(body, fields));
    }),
  );
});

test('each top-level field is a column, and removed fields are reported', () => {
  const fields = perNodeFields(nodes, [['x/y']]);
  fc.assert(
    fc.property(fc.array(bodies, { maxLength: 4 }), (several) => {
      const { columns, encode } = newBodyEncoder(fields);
      for (const body of several) {
        const own: [string, Json][] = [];
        const row = encode(JSON.stringify(body), ({ path }, value) => own.push([path.join('.'), value]));
        const shared: Record<string, Json> = {};
        for (const [place, { name, values }] of columns.entries()) {
          const value = values[row[place] ?? -1];
          if (value !== undefined) setOwn(shared, name, value);
        }
        expect(shared).toEqual(without(body, fields));
        expect(own).toEqual([...ownValues(body, fields)]);
      }
    }),
  );
});

function* ownValues(value: Json, fields: PerNodeFields): Generator<[string, Json]> {
  if (Array.isArray(value)) for (const item of value) yield* ownValues(item, fields);
  if (!isJsonObject(value)) return;
  for (const [name, held] of Object.entries(value)) {
    const field = fields.below(name);
    if (field.isPerNode) yield [field.path.join('.'), held];
    else yield* ownValues(held, field);
  }
}
