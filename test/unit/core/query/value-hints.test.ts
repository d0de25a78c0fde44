import { expect, test } from 'vitest';
import { findingRecord } from '../../../../src/core/diagnostics/render.ts';
import { parseQuery } from '../../../../src/core/query/parse.ts';
import { valueHints } from '../../../../src/core/query/value-hints.ts';
import { fleetOfBodies } from '../../../support/values/query-fleet.ts';

const FLEET = fleetOfBodies([{ body: { rack: 'north-1', slots: 2 } }, { body: { rack: 'west-1', slots: '3' } }]);

function hints(text: string): unknown[] {
  return valueHints(parseQuery(text), FLEET, text)
    .map(findingRecord)
    .map(({ column, message, fix }) => [column, message, fix]);
}

test('values that no node has are reported with similar values', () => {
  expect(hints("rack = 'noth-1' OR rack IN ('north-1', 'West-1') OR slots = '3'")).toEqual([
    [8, 'No node has the value noth-1 in rack.', 'Did you mean north-1?'],
    [40, 'No node has the value West-1 in rack.', 'Did you mean west-1?'],
  ]);
  expect(hints("rack <> 'x' AND slots = 7")).toEqual([]);
});

test('at most ten values are reported', () => {
  const many = Array.from({ length: 2000 }, (_, n) => `'east-${n}'`);
  const told = hints(`rack IN (${many.join(', ')})`);
  expect(told).toHaveLength(10);
  expect(told[9]).toEqual([
    100,
    'No node has the value east-9 in rack.',
    'List the fields and their values with "gridpress find --fields".',
  ]);
});
