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

test('texts that no node has, with those that are like them', () => {
  expect(hints("rack = 'noth-1' OR rack IN ('north-1', 'West-1') OR slots = '3'")).toEqual([
    [8, 'No node has noth-1 in rack.', 'Did you mean north-1?'],
    [40, 'No node has West-1 in rack.', 'Did you mean west-1?'],
  ]);
  expect(hints("rack <> 'x' AND slots = 7")).toEqual([]);
});

test('no more than ten: who asks for many has not mistyped each', () => {
  const many = Array.from({ length: 2000 }, (_, n) => `'east-${n}'`);
  const told = hints(`rack IN (${many.join(', ')})`);
  expect(told).toHaveLength(10);
  expect(told[9]).toEqual([100, 'No node has east-9 in rack.', 'gridpress find --fields lists what fields hold.']);
});
