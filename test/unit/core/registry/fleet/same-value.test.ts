import { expect, test } from 'vitest';
import type { StatedValue } from '../../../../../src/core/registry/fleet/columns.ts';
import { comparisonKeys } from '../../../../../src/core/registry/fleet/differences.ts';
import { fleetOf } from '../../../../support/values/fleet.ts';

/** Returns the normalized values of a field of processors or memory. */
function keys(field: string, values: readonly StatedValue[]): string[] {
  const bodies = values.map((value, i) => [`n${i}`, { processor: { [field]: value } }] as const);
  const { columns } = fleetOf(Object.fromEntries(bodies));
  const column = columns.find((each) => each.field.at(-1) === field);
  return column ? values.map(comparisonKeys(column)) : [];
}

test('texts are equal regardless of case, white space and the revision that PCI tools append', () => {
  expect(keys('model', [' Xeon  6126', 'xeon 6126', 'XEON 6126 (rev 0a)', 'Xeon 6136'])).toEqual([
    ...['xeon 6126', 'xeon 6126', 'xeon 6126', 'xeon 6136'],
  ]);
});

test('company names are equal regardless of their legal form', () => {
  const dell = ['Dell', 'Dell Inc.', 'DELL, Inc'];
  const broadcom = ['Broadcom', 'Broadcom Corporation', 'Broadcom Inc. and subsidiaries'];
  expect(keys('vendor', [...dell, ...broadcom, 'Incspur'])).toEqual([
    ...['dell', 'dell', 'dell', 'broadcom', 'broadcom', 'broadcom', 'incspur'],
  ]);
  expect(keys('model', ['Dell', 'Dell Inc.'])).toEqual(['dell', 'dell inc.']);
});

test('a rotational disk is an HDD', () => {
  expect(keys('media_type', ['Rotational', 'HDD', 'SSD'])).toEqual(['hdd', 'hdd', 'ssd']);
});

test('sizes in bytes equal the most frequent size within 3 %', () => {
  const sizes = [206_158_430_208, 205_084_688_384, 206_158_430_208, 192_000_000_000];
  expect(keys('ram_size', sizes)).toEqual(['206158430208', '206158430208', '206158430208', '192000000000']);
});

test('a difference of one memory module of 24 is not ignored; counts and other numbers are exact', () => {
  expect(keys('ram_size', [240e9, 230e9])).toEqual(['240000000000', '230000000000']);
  expect(keys('smt_size', [100, 99])).toEqual(['100', '99']);
  expect(keys('clock_speed', [2_400_000_000, 2_410_000_000])).toEqual(['2400000000', '2410000000']);
});
