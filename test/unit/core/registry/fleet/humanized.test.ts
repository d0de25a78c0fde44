import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/core/model/json.ts';
import { openHumanized } from '../../../../../src/core/registry/fleet/implausible.ts';
import { formatFact, member } from '../../../../support/values/fleet.ts';

function facts(bodies: Readonly<Record<string, JsonObject>>) {
  const open = openHumanized();
  for (const [name, body] of Object.entries(bodies)) open.add(member(name), body);
  return open.close().map(formatFact);
}

const memory = (ram_size: number, humanized_ram_size: string | JsonObject) => ({
  main_memory: { ram_size, humanized_ram_size },
});

describe('a humanized size that contradicts the size in bytes', () => {
  test('is reported once for several nodes, with the bytes', () => {
    const wrong = memory(549_755_813_888, '521 GiB');
    expect(facts({ n1: wrong, n2: memory(549_755_813_888, '512 GiB'), n3: wrong })).toEqual([
      {
        about: 'n1,n3 main_memory.humanized_ram_size',
        kind: 'implausible',
        problem: 'humanized',
        value: '"521 GiB" beside 549755813888',
      },
    ]);
  });

  test.each<[number, string | JsonObject]>([
    [480_103_981_056, '500 GB'],
    [1_200_243_695_616, '1.5 TB'],
    [206_158_430_208, { value: 256, unit: 'GiB' }],
    [256, '256 GiB'],
  ])('is reported: %d and %j', (size, humanized_size) => {
    expect(facts({ n1: { storage_devices: [{ size, humanized_size }] } })).toHaveLength(1);
  });
});

describe('a humanized size that matches the size in bytes', () => {
  test.each<[number, string | JsonObject]>([
    [549_755_813_888, '512 GiB'],
    [480_103_981_056, '480 GB'],
    [480_103_981_056, '447 GiB'],
    [1_200_243_695_616, '1.2 TB'],
    [206_158_430_208, { value: 192, unit: 'GiB' }],
    // Units that people confuse.
    [274_877_906_944, '256 GB'],
    // The memory that an operating system reports for these modules.
    [67_445_407_744, '64 GiB'],
    // Words without a size.
    [1, 'large'],
  ])('is accepted: %d and %j', (size, humanized_size) => {
    expect(facts({ n1: { storage_devices: [{ size, humanized_size }] } })).toEqual([]);
  });
});
