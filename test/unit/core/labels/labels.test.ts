import { describe, expect, test } from 'vitest';
import { labelling } from '../../../../src/core/labels/labels.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';

const GiB = 2 ** 30;
const GB = 1e9;
const shipped = labelling(undefined);

const gpu = (model: string) => shipped.of({ gpu: { gpu: true, gpu_model: model } })['gpu'];
const cpu = (processor: JsonObject) => shipped.of({ processor })['cpu'];
const ram = (size: number) => shipped.of({ main_memory: { ram_size: size } })['ram'];
const disk = (...sizes: number[]) => shipped.of({ storage_devices: sizes.map((size) => ({ size })) })['disk'];

describe('the GPU label', () => {
  test.each([
    ['GA100 [A100 PCIe 80GB]', 'A100'],
    ['GA100 [A100 SXM4 80GB]', 'A100'],
    ['NVIDIA A100-PCIE-40GB', 'A100'],
    ['A100', 'A100'],
    ['Tesla V100-SXM2-32GB', 'V100'],
    ['GV100GL [Tesla V100 PCIe 16GB]', 'V100'],
    ['GP100GL [Tesla P100 SXM2 16GB]', 'P100'],
    ['GK210GL [Tesla K80]', 'K80'],
    ['GA100GL [A30 PCIe]', 'A30'],
    ['GH100 [H100 SXM5 94GB]', 'H100'],
    ['NVIDIA GH200 480GB', 'GH200'],
    ['TU102GL [Quadro RTX 6000/8000]', 'Quadro RTX 6000/8000'],
    ['GA102GL [RTX A6000]', 'RTX A6000'],
    ['GeForce RTX 2080 Ti', 'GeForce RTX 2080 Ti'],
    ['Arcturus GL-XL [Instinct MI100]', 'MI100'],
    ['Vega 20 [Radeon Instinct MI50 32GB]', 'MI50'],
    ['AMD Instinct MI250X', 'MI250X'],
    ['Ponte Vecchio XT (2 Tile) [Data Center GPU Max 1550]', 'Max 1550'],
  ])('for %s is %s', (model, label) => {
    expect(gpu(model)).toBe(label);
  });

  test('is missing for a node without GPU', () => {
    expect([{ gpu: { gpu: false } }, { gpu: {} }, { gpu: null }, {}].map((body) => shipped.of(body))).toEqual([
      ...[{}, {}, {}, {}],
    ]);
  });

  test('accepts equal models, differing models and a mapping by device', () => {
    const list = (...models: string[]) => shipped.of({ gpu: models.map((model) => ({ gpu_model: model })) });
    expect(list('P100', 'Tesla P100-PCIE-16GB')).toEqual({ gpu: 'P100' });
    expect(list('V100', 'P100')).toEqual({ gpu: ['P100', 'V100'] });
    const devices = { nvidia0: { vendor: 'Nvidia', model: 'A100-SXM4-40GB' }, nvidia1: { model: 'A100-SXM4-40GB' } };
    expect(shipped.of({ gpu_devices: devices })).toEqual({ gpu: 'A100' });
  });

  test('is the model itself if no rule matches', () => {
    expect(gpu('Foo Accelerator 9000')).toBe('Foo Accelerator 9000');
    expect(shipped.spellings('gpu', { gpu_model: 'Foo Accelerator 9000' })).toEqual([
      { spelling: 'Foo Accelerator 9000', label: 'Foo Accelerator 9000', isCovered: false },
    ]);
  });
});

describe('the CPU label', () => {
  test.each([
    ['Intel(R) Xeon(R) Gold 6240R CPU @ 2.40GHz', 'Xeon Gold 6240R'],
    ['Intel(R) Xeon(R) Platinum 8468', 'Xeon Platinum 8468'],
    ['INTEL(R) XEON(R) PLATINUM 8592+', 'Xeon Platinum 8592+'],
    ['INTEL(R) XEON(R) SILVER 4514Y', 'Xeon Silver 4514Y'],
    ['Intel(R) Xeon(R) CPU E5-2670 v3 @ 2.30GHz', 'Xeon E5-2670 v3'],
    ['Intel(R) Xeon(R) CPU           X5550  @ 2.67GHz', 'Xeon X5550'],
    ['Intel(R) Xeon(R) CPU E3-1284L v4 @ 2.90GHz', 'Xeon E3-1284L v4'],
    ['Intel(R) Xeon(R) 6787P', 'Xeon 6787P'],
    ['AMD EPYC 7763 64-Core Processor', 'EPYC 7763'],
    ['AMD EPYC 4545P 16-Core Processor', 'EPYC 4545P'],
    ['AMD EPYC 8534PN 64-Core Processor', 'EPYC 8534PN'],
    ['AMD Ryzen 9 7950X 16-Core Processor', 'Ryzen 9 7950X'],
    ['AMD Opteron(tm) Processor 6164 HE', 'Opteron 6164'],
    ['Intel(R) Core(TM) i7-8700 CPU @ 3.20GHz', 'Core i7-8700'],
    ['Intel(R) Atom(TM) CPU  C2750  @ 2.40GHz', 'Atom C2750'],
    ['Cavium ThunderX2(R) CPU CN9980 v2.2 @ 2.20GHz', 'ThunderX2 CN9980'],
    ['Ampere(R) Altra(R) Processor Q80-30', 'Altra Q80-30'],
    ['461F0010', 'A64FX'],
  ])('for %s is %s', (model, label) => {
    expect(cpu({ model })).toBe(label);
  });

  test('uses the description if the model names only a family', () => {
    const model = 'Intel Xeon';
    expect(cpu({ model, other_description: 'Intel(R) Xeon(R) Gold 6126 CPU @ 2.60GHz', version: null })).toBe(
      'Xeon Gold 6126',
    );
    expect(cpu({ model, version: 'E5-2650 v3' })).toBe('Xeon E5-2650 v3');
    expect(cpu({ model, version: 'Model 85 Stepping 4' })).toBe('Intel Xeon');
  });
});

describe('the RAM label', () => {
  test.each([2 ** 53, 1e18, 1e300])('for the impossible size of %d bytes is that size', (size) => {
    expect(ram(size)).toBe(size);
  });

  test.each([
    [206_158_430_208, 192],
    [205_084_688_384, 192],
    [200_789_721_088, 192],
    [192_000_000_000, 192],
    [134_929_256_448, 128],
    [135_291_469_824, 128],
    [128_000_000_000, 128],
    [4_123_168_604_160, 3840],
    [8_201_035_776, 8],
  ])('for %d bytes is %d GiB', (size, gib) => {
    expect(ram(size)).toBe(gib * GiB);
  });

  test('is the size itself if no modules have that sum', () => {
    expect(ram(178_000_000_000)).toBe(178_000_000_000);
    expect(shipped.spellings('ram', { ram_size: 178_000_000_000 })).toMatchObject([{ isCovered: false }]);
  });
});

describe('the disk label', () => {
  test.each([
    [[480_103_981_056], 480],
    [[249_510_756_352], 250],
    [[2_000_398_934_016, 400_088_457_216], 2400],
    [[7_681_000_000_000], 7680],
    [[119_453_777_920], 120],
  ])('for %j is %d GB', (sizes, gb) => {
    expect(disk(...sizes)).toBe(gb * GB);
  });

  test('is missing for a node without disks', () => {
    expect(disk()).toBeUndefined();
    expect(shipped.of({ storage_devices: [{ device: 'sda', size: null }] })).toEqual({});
  });
});

describe('the network label', () => {
  const network = (...adapters: JsonObject[]) => shipped.of({ network_adapters: adapters })['network'];
  const GBPS = 1e9;

  test('is the fastest rate of an enabled adapter', () => {
    expect(
      network(
        { rate: 100 * GBPS, enabled: false },
        { rate: 25 * GBPS, enabled: true },
        { rate: 40 * GBPS, enabled: 'false' },
        { rate: 50 * GBPS, management: true },
        { rate: 10 * GBPS },
        { rate: null },
      ),
    ).toBe(25 * GBPS);
  });

  test('is the fastest rate if no adapter is enabled', () => {
    expect(network({ rate: GBPS, enabled: false }, { rate: 10 * GBPS, enabled: false })).toBe(10 * GBPS);
  });
});

describe('configured labels', () => {
  const configured = labelling({
    gpu: [{ label: 'Foo', match: ['foo *', 'bar'] }],
    ram: [{ label: '192GiB', match: [178_000_000_000] }],
  });

  test('match more values, case-insensitively', () => {
    expect(configured.of({ gpu: { gpu_model: 'FOO Accelerator' } })).toEqual({ gpu: 'Foo' });
    expect(configured.of({ main_memory: { ram_size: 178_000_000_000 } })).toEqual({ ram: 192 * GiB });
    expect(configured.spellings('gpu', { gpu_model: 'Bar' })).toEqual([
      { spelling: 'Bar', label: 'Foo', isCovered: true, rule: 0 },
    ]);
  });

  test('have priority over built-in rules', () => {
    const own = labelling({ gpu: [{ label: 'Accelerator', match: ['*A100*'] }] });
    expect(own.of({ gpu: { gpu_model: 'A100' } })).toEqual({ gpu: 'Accelerator' });
  });
});

test('labels ignore prototypes and accept unusual bodies', () => {
  const odd: JsonObject[] = [
    JSON.parse('{"__proto__": {"gpu": {"gpu_model": "A100"}}}'),
    { gpu: 'A100', processor: 5, main_memory: [], storage_devices: 'sda', network_adapters: { eth0: 1 } },
    { gpu: [[null], 5, { gpu_model: 7 }], main_memory: { ram_size: -1 }, storage_devices: [{ size: '5' }] },
  ];
  expect(odd.map((body) => shipped.of(body))).toEqual([{}, {}, {}]);
});

test('a spelling of a megabyte is ignored', () => {
  const name = `Xeon ${'9'.repeat(1_000_000)}`;
  expect(shipped.spellings('cpu', { model: name })).toMatchObject([{ isCovered: false }]);
});
