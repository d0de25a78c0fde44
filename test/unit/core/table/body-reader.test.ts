import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldRules } from '../../../../src/core/model/field-classes.ts';
import { isJsonObject, type Json, setOwn } from '../../../../src/core/model/json.ts';
import { NODE } from '../../../../src/core/model/kinds.ts';
import { newBodyReader, sharedText } from '../../../../src/core/table/body-reader.ts';
import { type OwnFields, ownFields } from '../../../../src/core/table/own-fields.ts';
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
      expect(JSON.parse(sharedText(JSON.stringify(body), fields))).toEqual(without(body, fields));
    }),
  );
});

test('tells of each field at the top, whether it read such a body before or not', () => {
  const fields = ownFields(nodes, [['x/y']]);
  fc.assert(
    fc.property(fc.array(bodies, { maxLength: 4 }), (several) => {
      const reader = newBodyReader(fields);
      for (const body of several) {
        const shared: Record<string, Json> = {};
        const own: [string, Json][] = [];
        reader.read(
          JSON.stringify(body),
          (field, json) => setOwn(shared, field.fields.way[0] ?? '', JSON.parse(json)),
          (field, json) => own.push([field.fields.way.join('.'), JSON.parse(json)]),
        );
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
