import { expect, test } from 'vitest';
import { findingRecord } from '../../../../src/core/diagnostics/render.ts';
import { parseQuery } from '../../../../src/core/query/parse.ts';
import { queryHints, valueHints } from '../../../../src/core/query/value-hints.ts';
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
  expect(hints('slots > 7 OR slots <> 9')).toEqual([]);
  expect(hints("rack <> 'noth-1'")).toHaveLength(1);
  expect(hints("CASEI(rack) = 'NORTH-1'")).toEqual([]);
});

const GPUS = fleetOfBodies(
  ['GA100 [A100 PCIe 40GB]', 'GA100 [A100 PCIe 80GB]', 'Tesla P100'].map((model, i) => ({
    body: { gpu: { gpu_model: model, gpu_count: 2 + 2 * i }, main_memory: { ram_size: (128 << i) * 2 ** 30 } },
    labels: { gpu: i < 2 ? 'A100' : 'P100', ram: (128 << i) * 2 ** 30 },
  })),
);

test.each([
  [
    "gpu.gpu_model = 'A100'",
    'No node has the value A100 in gpu.gpu_model.',
    "Did you mean GA100 [A100 PCIe 40GB] or GA100 [A100 PCIe 80GB] or label.gpu = 'A100'?",
  ],
  [
    'main_memory.ram_size = 256GB',
    'No node has the value 256GB in main_memory.ram_size.',
    'Did you mean 256GiB or 128GiB?',
  ],
  ['gpu.gpu_count IN (5)', 'No node has the value 5 in gpu.gpu_count.', 'Did you mean 4 or 6?'],
  ["gpu.gpu_model LIKE '*A100*'", 'In LIKE, * matches only itself: *A100*.', "Use % for any text: '%A100%'."],
  ['label.ram >= 256', 'label.ram is in B, so 256 means 256 B.', 'Add a unit, such as 256GiB.'],
  ["label.gpu = 'a100'", 'No node has the value a100 in label.gpu.', 'Did you mean A100?'],
  [
    "label.gpu LIKE 'a100%'",
    'No node has a value like a100% in label.gpu, because upper and lower case matter.',
    "To ignore case, write CASEI(label.gpu) LIKE 'a100%'.",
  ],
  [
    'label.ram >= 99999999999999999999999999999999999GiB',
    'No node matches this bound. The largest value of label.ram is 512GiB.',
    'Check the number and its unit.',
  ],
  [
    'gpu.gpu_count <= 1',
    'No node matches this bound. The smallest value of gpu.gpu_count is 2.',
    'Check the number and its unit.',
  ],
  [
    'gpu.gpu_count BETWEEN 7 AND 9',
    'No node matches this bound. The largest value of gpu.gpu_count is 6.',
    'Check the number and its unit.',
  ],
])('%s', (text, message, fix) => {
  const found = queryHints(parseQuery(text), GPUS, text).map(findingRecord);
  expect(found.map((each) => [each.message, each.fix])).toEqual([[message, fix]]);
});

const MIXED = fleetOfBodies([
  { body: { rack: '7', released: '2024-03-01', size: 5, built: '2024-03-01' } },
  { body: { rack: 8, released: '03/01/2024', size: 6 } },
  { body: { rack: ['', 'x'], released: '03/02/2024', slashed: '12/31/2023' } },
]);

test.each([
  ['rack < 9', '2 nodes have a value in rack that is not a number, such as "7". The comparison ignores this value.'],
  ["rack > '8'", '1 node has a value in rack that is not a text, such as 8. The comparison ignores this value.'],
  [
    "released > DATE('2024-01-01')",
    '2 nodes have a value in released that is not a date, such as "03/01/2024". The comparison ignores this value.',
  ],
  ["released > '2024-01-01'", "'2024-01-01' is compared as text, not as a date."],
  ["built < '2024'", "'2024' is compared as text, not as a date."],
  ["slashed < '01/01/2024'", "'01/01/2024' is compared as text, not as a date."],
  ["released LIKE '2024'", 'LIKE without % matches only the whole text: 2024.'],
  ['size BETWEEN 9MB AND 1MB', 'BETWEEN matches nothing, because 9MB is the larger bound.'],
  [
    "built BETWEEN DATE('2025-01-01') AND DATE('2024-01-01')",
    "BETWEEN matches nothing, because DATE('2025-01-01') is the larger bound.",
  ],
  ["size BETWEEN '9 MB' AND 1MB", "BETWEEN matches nothing, because '9 MB' is the larger bound."],
])('%s is probably a mistake', (text, message) => {
  expect(queryHints(parseQuery(text), MIXED, text).map((each) => findingRecord(each).message)).toEqual([message]);
});

test.each(["released LIKE '2024-03-01'", "released LIKE '%*%'", 'size < 1MB', 'rack IS NULL'])(
  '%s is no mistake',
  (text) => {
    expect(queryHints(parseQuery(text), MIXED, text)).toEqual([]);
  },
);

const VERSIONS = fleetOfBodies(['2.8.2', '2.10.0', 'D3DJ004', 'x'].map((version) => ({ body: { version } })));

test.each([
  ["version >= '2.10.0'", ["'2.10.0' is compared as text, not as a version. So '2.8.2' is larger."]],
  ["version < '2.9'", ["'2.9' is compared as text, not as a version. So '2.10.0' is smaller."]],
  ["version BETWEEN '2.1' AND '2.10.0'", ["'2.10.0' is compared as text, not as a version. So '2.8.2' is larger."]],
  ["version > '3.0'", []],
  ["version > 'D3DJ003'", []],
  ["version = '2.10.0'", []],
])('%s warns if texts and versions have another order', (text, messages) => {
  const found = queryHints(parseQuery(text), VERSIONS, text).map(findingRecord);
  expect(found.map(({ message }) => message)).toEqual(messages);
  for (const { fix } of found) expect(fix).toBe('Compare versions with =, IN or LIKE.');
});

const GIB = 2 ** 30;
const MEMORIES = fleetOfBodies(
  [126, 128, 190, 192].map((size, i) => ({
    body: { main_memory: { ram_size: size * GIB }, rack: i },
    labels: { ram: (size < 130 ? 128 : 192) * GIB },
  })),
);

test.each([
  ['main_memory.ram_size >= 128GiB', 1, '1 more node matches'],
  ['main_memory.ram_size < 192GiB', 1, '1 fewer node matches'],
  ['rack = 2 AND NOT main_memory.ram_size < 192GiB', 18, '1 more node matches'],
  ['main_memory.ram_size BETWEEN 127GiB AND 191GiB', 1, '1 more and 1 fewer nodes match'],
  ["main_memory.ram_size IN ('128 GiB', '192 GiB')", 1, '2 more nodes match'],
  ['main_memory.ram_size >= 100GiB', 0, undefined],
  ['rack = 3 AND main_memory.ram_size >= 192GiB', 0, undefined],
  ['main_memory.ram_size IS NULL', 0, undefined],
  ['label.ram >= 128GiB', 0, undefined],
])('%s: the nominal size of the memory finds other nodes', (text, column, others) => {
  const found = queryHints(parseQuery(text), MEMORIES, text).map(findingRecord);
  const message = `main_memory.ram_size is the recorded size of the memory. With label.ram, the nominal size, ${others}.`;
  const fix = 'To compare nominal sizes, write label.ram.';
  expect(found).toMatchObject(others === undefined ? [] : [{ code: 'query-nominal', column, message, fix }]);
});

test('a suggestion shows spaces at its ends', () => {
  const fleet = fleetOfBodies([{ body: { mac: ' 98:03:9b' } }]);
  const text = "mac = '98:03:9b'";
  expect(queryHints(parseQuery(text), fleet, text).map((each) => findingRecord(each).fix)).toEqual([
    "Did you mean ' 98:03:9b'?",
  ]);
});

test.each([
  ["built < '2024'", "Write a day, such as DATE('2024-01-01')."],
  ["built < '2024-02'", "Write a day, such as DATE('2024-02-01')."],
  ["built < '2024-02-03'", "Write DATE('2024-02-03')."],
  ["slashed < '01/01/2024'", "Write a day, such as DATE('2026-03-01')."],
])('%s: a day is suggested', (text, fix) => {
  expect(queryHints(parseQuery(text), MIXED, text).map((each) => findingRecord(each).fix)).toEqual([fix]);
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

test('the advice for LIKE without % ignores case only if it must', () => {
  const fixOf = (text: string) => queryHints(parseQuery(text), GPUS, text).map((found) => findingRecord(found)['fix']);
  expect(fixOf("gpu.gpu_model LIKE 'A100'")).toEqual([
    "To find it anywhere in a text, write '%A100%'. Upper and lower case matter.",
  ]);
  expect(fixOf("gpu.gpu_model LIKE 'a100'")).toEqual([
    "To find it anywhere in a text and ignore case, write CASEI(gpu.gpu_model) LIKE '%a100%'.",
  ]);
});
