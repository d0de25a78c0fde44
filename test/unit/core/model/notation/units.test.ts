import { describe, expect, test } from 'vitest';
import {
  quantityOf,
  quantityText,
  quantityTexts,
  unitNames,
  unitOfField,
} from '../../../../../src/core/model/units.ts';

test.each([
  ['256GiB', 274_877_906_944, 'B'],
  ['256 GiB', 274_877_906_944, 'B'],
  ['1.92TB', 1_920_000_000_000, 'B'],
  ['1.3GiB', 1_395_864_371, 'B'],
  ['1kB', 1000, 'B'],
  ['1B', 1, 'B'],
  ['40Gbps', 40_000_000_000, 'bit/s'],
  ['2.5 Gbit/s', 2_500_000_000, 'bit/s'],
  ['100Mb/s', 100_000_000, 'bit/s'],
  ['2.4GHz', 2_400_000_000, 'Hz'],
  ['.5MHz', 500_000, 'Hz'],
  ['1e3kB', 1_000_000, 'B'],
])('%s is %d', (text, value, base) => {
  expect(quantityOf(text)).toMatchObject({ value, unit: { base } });
});

test.each(['', 'GiB', '12', '12 gb', '12gib', '12 G', '1,000GB', '1 GB 2', '1e400GB', `${'1'.repeat(100_000)}x`])(
  '%s is not a quantity',
  (text) => {
    expect(quantityOf(text)).toBeUndefined();
  },
);

test.each([
  [206_158_430_208, 'B', '192 GiB'],
  [205_084_688_384, 'B', '191 GiB'],
  [480_000_000_000, 'B', '480 GB'],
  [1_920_000_000_000, 'B', '1.92 TB'],
  [249_510_756_352, 'B', '249.51 GB'],
  [32_768, 'B', '32 KiB'],
  [0, 'B', '0 B'],
  [25_000_000_000, 'bit/s', '25 Gbps'],
  [2_400_000_000, 'Hz', '2.4 GHz'],
  [2_411_724_800, 'Hz', '2.41 GHz'],
] as const)('%d %s is formatted as %s', (value, base, text) => {
  expect(quantityText(value, base)).toBe(text);
});

test.each([
  [
    [137_438_953_472, 1_649_267_441_664],
    ['128 GiB', '1536 GiB'],
  ],
  [
    [0, 480_000_000_000, 1_920_000_000_000],
    ['0 GB', '480 GB', '1920 GB'],
  ],
  [
    [32_768, 34_078],
    ['32 KiB', '33.28 KiB'],
  ],
  [
    [0, 0],
    ['0 B', '0 B'],
  ],
  [[], []],
] as const)('%j bytes are formatted in one unit', (values, texts) => {
  expect(quantityTexts(values, 'B')).toEqual(texts);
});

test('units of bytes are not units of bits', () => {
  expect(unitNames('B')).toContain('GiB');
  expect(unitNames('B')).not.toContain('Gbps');
});

describe('the unit of a field', () => {
  test.each([
    ['main_memory.ram_size', 'B'],
    ['storage_devices.size', 'B'],
    ['processor.cache_l1d', 'B'],
    ['processor.clock_speed', 'Hz'],
    ['network_adapters.rate', 'bit/s'],
    ['gpu_devices.nvidia0.memory', 'B'],
    ['label.ram', 'B'],
    ['label.network', 'bit/s'],
  ])('%s is in %s', (field, unit) => {
    expect(unitOfField(field.split('.'))).toBe(unit);
  });

  test.each(['architecture.smp_size', 'main_memory.humanized_ram_size', 'label.gpu', 'gpu.gpu_count', ''])(
    '%s has no unit',
    (field) => {
      expect(unitOfField(field.split('.'))).toBeUndefined();
    },
  );
});
