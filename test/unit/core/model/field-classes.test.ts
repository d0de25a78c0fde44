import { describe, expect, test } from 'vitest';
import { revisionFileSchema } from '../../../../src/core/history/revision-file.ts';
import { classRulesDigest } from '../../../../src/core/model/class-digests.ts';
import { classesAt, classNames, classSet, FIELD_CLASSES } from '../../../../src/core/model/field-classes.ts';
import { isJsonObject, type Json } from '../../../../src/core/model/json.ts';
import { KINDS, kindNamed, NODE } from '../../../../src/core/model/kinds.ts';
import { editorSchemas } from '../../../../src/core/registry/editor-schemas.ts';
import { FIELD_KEYWORDS } from '../../../../src/core/registry/layout.ts';

test.each([
  ['node', '', 'hardware'],
  ['node', '/node_type', 'identity'],
  ['node', '/processor/cache_l3', 'hardware'],
  ['node', '/processor/never_heard_of', 'hardware'],
  ['node', '/bios/version', 'firmware'],
  ['node', '/bios/release_date', 'derived'],
  ['node', '/gpu/0/uuid', 'component'],
  ['node', '/storage_devices/12/rev', 'firmware'],
  ['node', '/storage_devices/0/firmware_version', 'firmware'],
  ['node', '/network_adapters/0/enabled', 'administrative'],
  ['node', '/network_adapters/0/mac', 'component'],
  ['node', '/main_memory/humanized_ram_size/unit', 'derived'],
  ['node', '/never_heard_of', 'unknown'],
  ['node', '/never_heard_of/0/serial', 'component'],
  ['node', '/never_heard_of/humanized_size', 'derived'],
  ['node', '/toString', 'unknown'],
  ['site', '/latitude', 'placement'],
  ['site', '', 'administrative'],
  ['flavor', '/ram', 'hardware'],
] as const)('the class of %s %s is %s', (kind, pointer, name) => {
  expect(classNames(classesAt(kindNamed(kind), [pointer]))).toEqual([name]);
});

test('rules have a digest for each kind, and the digest for nodes never changes', () => {
  const former = '4e14e673943e4a07bbad1f71464e7cb3e90124235742ba2fee876b617095ce1d';
  expect(classRulesDigest(NODE)).toBe(former);
  expect(classRulesDigest({ ...NODE, about: 'placement' })).not.toBe(former);
  const kinds = ['grid', 'site', 'cluster', 'node', 'flavor'].map((name) => kindNamed(name));
  expect(new Set(kinds.map(classRulesDigest)).size).toBe(kinds.length);
});

test('every field of an unknown kind has the class of the kind', () => {
  const pdu = { name: 'pdu', about: 'hardware' } as const;
  const classes = ['', '/vendor', '/ports/1', '/uid', '/serial'].map((at) => classNames(classesAt(pdu, [at])));
  expect(classes.flat()).toEqual(['hardware', 'hardware', 'hardware', 'identity', 'component']);
});

test('a set of classes lists its names in fixed order', () => {
  expect(classNames(classSet(['unknown', 'hardware', 'derived', 'hardware']))).toEqual([
    'hardware',
    'derived',
    'unknown',
  ]);
  expect(classNames(classSet(FIELD_CLASSES))).toEqual(FIELD_CLASSES);
  expect(classNames(0)).toEqual([]);
});

describe('the schema of a kind', () => {
  const schemas = editorSchemas(revisionFileSchema());

  /** Returns the paths of properties without a class or with an unknown one. */
  function unclassed(schema: Json | undefined, way: string): string[] {
    if (Array.isArray(schema)) return schema.flatMap((each) => unclassed(each, way));
    if (!isJsonObject(schema)) return [];
    const { properties, items, anyOf } = schema;
    const below = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, field]) => {
      const own = isJsonObject(field) ? field[FIELD_KEYWORDS.class] : undefined;
      const isKnown = FIELD_CLASSES.some((each) => each === own && each !== 'unknown');
      return [...(isKnown ? [] : [`${way}/${name}`]), ...unclassed(field, `${way}/${name}`)];
    });
    return [...below, ...unclassed(items, `${way}/*`), ...unclassed(anyOf, way)];
  }

  test.each(KINDS.all.map(({ name }) => name))('gives every field of a %s a class', (name) => {
    expect(unclassed(schemas.get(`${name}.schema.json`), '')).toEqual([]);
  });
});
