import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldRules } from '../../../../src/core/model/field-classes.ts';
import { isJsonObject, type Json, setOwn } from '../../../../src/core/model/json.ts';
import { NODE } from '../../../../src/core/model/kinds.ts';
import { newBodyEncoder } from '../../../../src/core/table/body-encoder.ts';
import { type OwnFields, ownFields, sharedValue } from '../../../../src/core/table/own-fields.ts';
import { jsonObject, partsObject, smallObject } from '../../../support/values/arbitraries.ts';

/** The same by values. */
function without(value: Json, fields: OwnFields): Json {
  if (Array.isArray(value)) return value.map((item) => without(item, fields));
  if (!isJsonObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [name, held] of Object.entries(value)) {
    const field = fields.below(name);
    if (!field.isOwn) setOwn(kept, name, without(held, field));
  }
  return kept;
}

const nodes = fieldRules(NODE);
const bodies = fc.oneof(jsonObject, smallObject, partsObject);

test('leaves out what is about components or named, and nothing else', () => {
  const named = [['a', 'b'], [''], ['gpu', 'size'], ['__proto__', 'a']];
  const fields = ownFields(nodes, named);
  fc.assert(
    fc.property(bodies, (body) => {
      expect(sharedValue(body, fields)).toEqual(without(body, fields));
    }),
  );
});

test("has each field at the top in a column, and tells of what is the node's own", () => {
  const fields = ownFields(nodes, [['x/y']]);
  fc.assert(
    fc.property(fc.array(bodies, { maxLength: 4 }), (several) => {
      const { columns, encode } = newBodyEncoder(fields);
      for (const body of several) {
        const own: [string, Json][] = [];
        const row = encode(JSON.stringify(body), ({ way }, value) => own.push([way.join('.'), value]));
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

function* ownValues(value: Json, fields: OwnFields): Generator<[string, Json]> {
  if (Array.isArray(value)) for (const item of value) yield* ownValues(item, fields);
  if (!isJsonObject(value)) return;
  for (const [name, held] of Object.entries(value)) {
    const field = fields.below(name);
    if (field.isOwn) yield [field.way.join('.'), held];
    else yield* ownValues(held, field);
  }
}
