/** Reports with values of any type in any place: each is read, or is a finding. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failure } from '../../../../src/core/diagnostics/finding.ts';
import { isJsonObject, itemsIn, type Json } from '../../../../src/core/model/json.ts';
import { FORMATS } from '../../../../src/core/observe/formats.ts';
import { mergeMachine } from '../../../../src/core/observe/merge.ts';
import { machinesIn } from '../../../support/reports/observed.ts';
import * as reports from '../../../support/reports/reports.ts';

const REPORTS: readonly Json[] = [
  reports.ironicReport(1),
  reports.redfishReport(1),
  reports.slurmReport([reports.slurmNode(1)]),
  reports.lshwReport(1),
  { 'lyra-c01': reports.g5kNode(1) },
  reports.ansibleReport(1),
];
const ODD = [
  null,
  true,
  0,
  -1,
  1e300,
  '',
  'x',
  '\u001b[31m',
  [],
  [[]],
  {},
  { a: [] },
  '0x',
  'N/A',
  ['a', 1],
  { __proto__: 1 },
];

/** Replaces the value that is the nth in a walk over a report. */
function replaced(value: Json, n: { left: number }, by: Json): Json {
  if (n.left-- === 0) return by;
  if (Array.isArray(value)) return itemsIn(value).map((item) => replaced(item, n, by));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, n, by)]));
}

test.each(FORMATS.map((format, i) => [format.name, format, REPORTS[i] ?? null] as const))('%s', (_, format, report) => {
  expect(format.recognises(report)).toBe(true);
  fc.assert(
    fc.property(fc.nat(400), fc.constantFrom(...ODD), fc.nat(400), fc.constantFrom(...ODD), (a, one, b, other) => {
      const changed = replaced(replaced(report, { left: a }, one), { left: b }, other);
      if (!format.recognises(changed)) return;
      try {
        for (const machine of machinesIn(format, changed)) mergeMachine({}, machine);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    }),
    { numRuns: 1000 },
  );
});

test('each report is recognised by one format only', () => {
  for (const [i, report] of REPORTS.entries())
    expect(FORMATS.filter(({ recognises }) => recognises(report))).toEqual([FORMATS[i]]);
});
