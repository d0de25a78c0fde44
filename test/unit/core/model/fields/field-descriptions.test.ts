import { expect, test } from 'vitest';
import { describedField } from '../../../../../src/core/model/fields/field-descriptions.ts';
import { isJsonObject, type Json } from '../../../../../src/core/model/json.ts';
import { KINDS, NODE } from '../../../../../src/core/model/kinds.ts';
import { jsonSchema, withFieldNotes } from '../../../../../src/core/registry/editor-schemas.ts';
import { FIELD_KEYWORDS } from '../../../../../src/core/registry/layout.ts';

/** Yields the paths of all properties of a JSON Schema with their annotations. */
function* propertiesIn(schema: Json | undefined, way: readonly string[] = []): Generator<[string, Json]> {
  if (!isJsonObject(schema)) return;
  const { properties, items, anyOf } = schema;
  for (const [name, below] of Object.entries(isJsonObject(properties) ? properties : {})) {
    yield [[...way, name].join('.'), below];
    yield* propertiesIn(below, [...way, name]);
  }
  for (const each of Array.isArray(anyOf) ? anyOf : [items]) yield* propertiesIn(each, way);
}

test.each(KINDS.all)('every field in the schema of a $name has a description', (kind) => {
  const noted = withFieldNotes(jsonSchema(kind.schema(), 'input'), kind);
  const undescribed = [...propertiesIn(noted)].flatMap(([way, field]) =>
    isJsonObject(field) && typeof field['description'] === 'string' ? [] : [way],
  );
  expect(undescribed).toEqual([]);
});

test('numbers have units, and terms have sources', () => {
  expect(describedField('node', ['main_memory', 'ram_size'])?.unit).toBe('B');
  expect(describedField('node', ['network_adapters', 'rate'])).toEqual({
    text: 'The maximum data rate.',
    unit: 'bit/s',
    source: 'ethtool',
  });
  expect(describedField('site', ['latitude'])?.unit).toBe('deg');
  expect(describedField('flavor', ['ram'])?.unit).toBe('MiB');
  expect(describedField('node', ['nobody', 'knows'])).toBe(undefined);
  expect(describedField('node', ['__proto__'])).toBe(undefined);
  expect(describedField('node', ['constructor'])).toBe(undefined);
});

test('schemas describe fields of unknown type, but not fields of the API', () => {
  const schema = { properties: { version: { type: 'string' }, links: {}, placement: { properties: {} } } };
  const { properties } = withFieldNotes(schema, NODE, ['version', 'links']);
  const noted = isJsonObject(properties) ? properties : {};
  expect([noted['version'], noted['links']]).toEqual([{ type: 'string' }, {}]);
  expect(noted['bmc_version']).toEqual({
    description: 'The firmware version of the baseboard management controller.',
    [FIELD_KEYWORDS.class]: 'firmware',
    [FIELD_KEYWORDS.source]: 'ipmitool mc info',
  });
  expect(noted['placement']).toMatchObject({ properties: { rack: { description: 'The rack.' } } });
});
