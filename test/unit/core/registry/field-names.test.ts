import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { KINDS } from '../../../../src/core/model/kinds.ts';
import { jsonSchema } from '../../../../src/core/registry/editor-schemas.ts';
import { strayFields } from '../../../../src/core/registry/field-names.ts';

const look = strayFields(new Map(KINDS.all.map(({ name, schema }) => [name, jsonSchema(schema(), 'input')])));

function suggestions(kind: string, body: JsonObject): string[] {
  return look(kind, body).map(
    (stray) => `${stray.path.join('.')}: ${stray.suggestion}${stray.kind === kind ? '' : ` of a ${stray.kind}`}`,
  );
}

describe('a field name that resembles a known one', () => {
  test.each<[string, JsonObject, string[]]>([
    ['node', { main_memory: { ram_sise: 1 } }, ['main_memory.ram_sise: ram_size']],
    ['node', { main_memory: { ram_size: 1, ram_sise: 1 } }, ['main_memory.ram_sise: ram_size']],
    ['node', { processor: { model: 'x' }, procesor: { model: 'x' } }, ['procesor: processor']],
    ['node', { main_memory: { ramSize: 1 } }, ['main_memory.ramSize: ram_size']],
    ['node', { 'node-name': 'a' }, ['node-name: node_name']],
    ['node', { gpus: {} }, ['gpus: gpu']],
    ['node', { procesor: { model: 'x' } }, ['procesor: processor']],
    ['node', { storage_devices: [{ serail: 'x' }] }, ['storage_devices.0.serail: serial']],
    ['node', { ram_size: 1 }, ['ram_size: main_memory.ram_size']],
    ['node', { latitude: 1 }, ['latitude: latitude of a site']],
    ['site', { longtitude: 1 }, ['longtitude: longitude']],
    ['site', { node_type: 'x' }, ['node_type: node_type of a node']],
    ['flavor', { vcpu: 1 }, ['vcpu: vcpus']],
  ])('is reported for a %s: %j', (kind, body, expected) => {
    expect(suggestions(kind, body)).toEqual(expected);
  });
});

describe('a field name that is known or different enough', () => {
  test.each<[string, JsonObject]>([
    // Known fields of any form.
    ['node', { main_memory: null, gpu: [{ gpu_count: 1 }], network_adapters: [{ rate: 1 }] }],
    // Fields of the registry itself.
    ['node', { rack_unit: 4, performance: { hpl: 1 }, nodeset: 'a', software: { version: '1' } }],
    // Fields next to the known field that they resemble.
    ['node', { processor: { cache_l1: 1, cache_l1d: 1, cache_l4: 1 } }],
    ['node', { main_memory: { ram_size: 1, ram_sizes: [1], rom_size: 1 } }],
    // Words with a common meaning.
    ['node', { description: 'a', name: 'b', size: 1, model: 'c', serial: 'd', version: 'e' }],
    // Fields that the schema does not describe.
    ['cluster', { labels: { ram_sise: 1 } }],
  ])('is accepted for a %s: %j', (kind, body) => {
    expect(suggestions(kind, body)).toEqual([]);
  });
});
