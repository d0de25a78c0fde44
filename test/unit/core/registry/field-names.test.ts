import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { KINDS } from '../../../../src/core/model/kinds.ts';
import { jsonSchema } from '../../../../src/core/registry/editor-schemas.ts';
import { strayFields } from '../../../../src/core/registry/field-names.ts';

const look = strayFields(new Map(KINDS.all.map(({ name, schema }) => [name, jsonSchema(schema(), 'input')])));

function told(kind: string, body: JsonObject): string[] {
  return look(kind, body).map(
    (stray) => `${stray.path.join('.')}: ${stray.suggestion}${stray.kind === kind ? '' : ` of a ${stray.kind}`}`,
  );
}

describe('a field is taken for another', () => {
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
  ])('%s %j', (kind, body, expected) => {
    expect(told(kind, body)).toEqual(expected);
  });
});

describe('a field is what it says', () => {
  test.each<[string, JsonObject]>([
    // Known, and of any form.
    ['node', { main_memory: null, gpu: [{ gpu_count: 1 }], network_adapters: [{ rate: 1 }] }],
    // Others of the registry's own.
    ['node', { rack_unit: 4, performance: { hpl: 1 }, nodeset: 'a', software: { version: '1' } }],
    // Next to the one that it could be taken for.
    ['node', { processor: { cache_l1: 1, cache_l1d: 1, cache_l4: 1 } }],
    ['node', { main_memory: { ram_size: 1, ram_sizes: [1], rom_size: 1 } }],
    // Words that mean something anywhere.
    ['node', { description: 'a', name: 'b', size: 1, model: 'c', serial: 'd', version: 'e' }],
    // What no schema looks into.
    ['cluster', { labels: { ram_sise: 1 } }],
  ])('%s %j', (kind, body) => {
    expect(told(kind, body)).toEqual([]);
  });
});
