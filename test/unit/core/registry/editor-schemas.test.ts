import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { revisionFileSchema, writeRevisionFile } from '../../../../src/core/history/revision-file.ts';
import { editorSchemas, modeline } from '../../../../src/core/registry/editor-schemas.ts';
import { readYaml } from '../../../../src/core/registry/yaml/read-yaml.ts';

const schemas = editorSchemas(revisionFileSchema());

function accepts(name: string, value: unknown): boolean {
  const schema = schemas.get(`${name}.schema.json`);
  return new Ajv2020({ strict: false }).validate(schema ?? false, value);
}

describe('the schemas for editors', () => {
  test('exist for each kind of file that people write', () => {
    expect([...schemas.keys()]).toEqual([
      'gridpress.schema.json',
      'grid.schema.json',
      'site.schema.json',
      'cluster.schema.json',
      'node.schema.json',
      'flavor.schema.json',
      'server.schema.json',
      'pdu.schema.json',
      'network_equipment.schema.json',
      'environment.schema.json',
      'revision.schema.json',
    ]);
  });

  test('omit required fields with a default, and describe fields', () => {
    expect(accepts('gridpress', { cluster_uid: 'main' })).toBe(true);
    expect(accepts('gridpress', { cluster_uid: 'main', cluster: 'x' })).toBe(false);
    expect(JSON.stringify(schemas.get('gridpress.schema.json'))).toContain(
      'The form of node uids: UUIDs or short names.',
    );
  });

  test('accept unknown fields of resources, and check known ones', () => {
    expect(accepts('node', { type: 'node', uid: 'n1', anything: [1], gpu: [{ gpu: true }] })).toBe(true);
    expect(accepts('node', { type: 'node', uid: 'n1', main_memory: { ram_size: 'much' } })).toBe(false);
    expect(accepts('node', { type: 'site', uid: 'n1' })).toBe(false);
    expect(accepts('site', { type: 'site', uid: 'x' })).toBe(false);
  });

  test('accept a recorded revision', () => {
    const text = writeRevisionFile({
      header: {
        id: 'a'.repeat(40),
        parents: [],
        date: '2026-01-01T12:00:00Z',
        author: 'Ada Brown',
        message: 'First',
        origin: 'recorded',
        state: 'b'.repeat(64),
      },
      changes: [{ action: 'added', path: '', value: { type: 'grid', uid: 'g' } }],
    });
    const read = readYaml('f', text);
    expect(accepts('revision', read.findings ? null : read.value)).toBe(true);
    expect(accepts('revision', { id: 'x' })).toBe(false);
  });
});

test('the first line of a file tells an editor the path of the schema', () => {
  expect(modeline('../schemas', 'node')).toBe('# yaml-language-server: $schema=../schemas/node.schema.json\n');
});
