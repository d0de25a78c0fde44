import { expect, test } from 'vitest';
import { tableIn } from '../../../../src/core/client/table-document.ts';
import type { Json } from '../../../../src/core/model/json.ts';
import { fieldTitle, namedByTitle } from '../../../../src/explorer/fleet/field-titles.ts';
import { fleetOf } from '../../../../src/explorer/fleet/fleet.ts';
import { type SearchOutcome, search } from '../../../../src/explorer/fleet/search.ts';

const GIB = 1024 ** 3;
const NODES = [
  { model: 'A100', count: 2, mac: '0c:42:a1:b2:c3:d4', ram: 256 * GIB },
  { model: 'A100', count: 4, mac: '0c:42:a1:b2:c3:d5', ram: 512 * GIB },
  { model: 'V100', count: 2, mac: '0c:42:a1:b2:c3:d6', ram: 512 * GIB },
  { model: null, count: 0, mac: '1c:42:a1:b2:c3:d7', ram: 1024 * GIB },
];
const columns = [
  { name: 'type', values: NODES.map(() => 'node') },
  { name: 'node_name', values: NODES.map((_, i) => `c${i}`) },
  { name: 'node_type', values: NODES.map(({ model }) => (model ? `gpu_${model.toLowerCase()}` : 'compute')) },
  { name: 'gpu', values: NODES.map(({ model, count }) => (model ? { gpu: true, gpu_count: count } : { gpu: false })) },
  { name: 'main_memory', values: NODES.map(({ ram }) => ({ ram_size: ram })) },
  { name: 'network_adapters', values: NODES.map(({ mac }) => [{ mac, interface: 'InfiniBand' }]) },
  {
    name: 'bios',
    values: ['2024-02-01', '02/01/2024', '2022-02-01', '2022-02-01'].map((release_date) => ({ release_date })),
  },
].map((column) => ({ ...column, rows: [0, 1, 2, 3] }));
const labels = [
  { name: 'label.gpu', of: [{ column: 'gpu', values: NODES.map(({ model }) => model) }] },
  { name: 'label.ram', of: [{ column: 'main_memory', values: NODES.map(({ ram }) => ram) }] },
];
const clusters = [
  { site: 'uc', cluster: 'main', nodes: 3 },
  { site: 'tacc', cluster: 'main', nodes: 1 },
];
const SITES = new Map([['chi@uc', 'uc']]);

function outcomeOf(
  text: string,
  all: readonly { readonly values: readonly Json[] }[] = columns,
): SearchOutcome | undefined {
  const table = tableIn({ total: 4, uids: ['u0', 'u1', 'u2', 'u3'], clusters, columns: all, labels });
  if (!table) throw new Error('the table is inconsistent');
  return search(fleetOf(table), text, SITES);
}

function found(text: string) {
  const outcome = outcomeOf(text);
  if (outcome?.kind !== 'rows') throw new Error(`${text} is wrong: ${outcome?.problem}`);
  return outcome;
}

test.each([
  ['main_memory.ram_size >= 256', 'main_memory.ram_size is in B, so 256 means 256 B. Add a unit, such as 256GiB.'],
  ['ram >= 256', 'label.ram is in B, so 256 means 256 B. Add a unit, such as 256GiB.'],
  ['ram:>=256', 'label.ram is in B, so 256 means 256 B. Add a unit, such as 256GiB.'],
  ['ram:256', 'No node has “256”. label.ram is in B. Add a unit, such as 256GiB.'],
  ['gpus BETWEEN 4 AND 2', 'BETWEEN matches nothing, because 4 is the larger bound. Write the smaller bound first.'],
  ["site = 'uct'", 'No node has the value uct in site. Did you mean uc?'],
  [
    "bios.release_date < DATE('2024-01-01')",
    '1 node has a value in bios.release_date that is not a date, such as "02/01/2024". The comparison ignores this value. Dates have the form 2026-03-01.',
  ],
  ["type = 'compute'", 'The column of this name is the field node_type, not type.'],
  ['A1OO', 'No node has “A1OO”. Did you mean A100?'],
  ['infinband', 'No node has “infinband”. Did you mean InfiniBand?'],
  ['A100 uct', 'No node has “uct”. Did you mean uc?'],
  ['site uc', 'No node has “site”. It is a field: write site:VALUE.'],
  ['2 A100', '“2 A100” means exactly 2. For 2 or more, write “gpus:2.. A100”.'],
  ['4 GPUs', '“4 GPUs” means exactly 4. For 4 or more, write “gpus:4..”.'],
  [
    "NOT gpu = 'A100'",
    '1 node has no label.gpu and matches neither the condition nor its negation. To include it, add OR label.gpu IS NULL.',
  ],
  [
    "label.gpu <> 'A100'",
    '1 node has no label.gpu and matches neither the condition nor its negation. To include it, add OR label.gpu IS NULL.',
  ],
] as const)('the search %s gives the note %s', (text, note) => {
  expect(found(text).notes).toContain(note);
});

test.each([
  "label.gpu = 'A100'",
  "NOT label.gpu <> 'A100'",
  "NOT label.gpu = 'A100' OR label.gpu IS NULL",
  'ram >= 256GiB',
  'A100 uc',
  '-A100',
  'GPU',
])('the search %s gives no notes', (text) => {
  expect(found(text).notes).toEqual([]);
});

test.each([
  ['2 A100', "gpu.gpu_count = 2 AND label.gpu = 'A100'", [0]],
  ['2x a100', "gpu.gpu_count = 2 AND label.gpu = 'A100'", [0]],
  ['4 x A100 uc', "site = 'uc' AND gpu.gpu_count = 4 AND label.gpu = 'A100'", [1]],
  ['2 GPUs', 'gpu.gpu_count = 2', [0, 2]],
  ['GPU', 'label.gpu IS NOT NULL', [0, 1, 2]],
  ['-gpu', 'label.gpu IS NULL', [3]],
  ['A100 OR nobody', "label.gpu = 'A100'", [0, 1]],
  ['A100 nobody', 'FALSE', []],
  ['-nobody A100', "label.gpu = 'A100'", [0, 1]],
  ['CHI@UC A100', "site = 'uc' AND label.gpu = 'A100'", [0, 1]],
  ['site:chi@uc', "site = 'uc'", [0, 1, 2]],
  ['GPUs:2', 'gpu.gpu_count = 2', [0, 2]],
  ['Type:compute', "node_type = 'compute'", [3]],
  ['gpus >= 4', 'gpu.gpu_count >= 4', [1]],
  ["CASEI(Type) LIKE 'gpu%' AND RAM > 256GiB", "CASEI(node_type) LIKE 'gpu%' AND label.ram > 256GiB", [1, 2]],
  ["gpu = 'A100'", "label.gpu = 'A100'", [0, 1]],
  ['gpus IN (2,3)', 'gpu.gpu_count IN (2,3)', [0, 2]],
  ['gpus in (4)', 'gpu.gpu_count in (4)', [1]],
  ['ram in (256GiB, 1 TiB)', 'label.ram in (256GiB, 1 TiB)', [0, 3]],
  ["Type in ('compute')", "node_type in ('compute')", [3]],
  ['2 GPUs in (uc)', "site = 'uc' AND gpu.gpu_count = 2", [0, 2]],
  ['uc (2 GPUs)', "site = 'uc' AND gpu.gpu_count = 2", [0, 2]],
  ['0C-42-A1-B2-C3-D5', "network_adapters.mac = '0c:42:a1:b2:c3:d5'", [1]],
  ['0c42a1b2c3d5', "network_adapters.mac = '0c:42:a1:b2:c3:d5'", [1]],
  ['0c42.a1b2.c3d5', "network_adapters.mac = '0c:42:a1:b2:c3:d5'", [1]],
  ['{"op":"=","args":[{"property":"site"},"tacc"]}', "site = 'tacc'", [3]],
  ['{"op":"like","args":[{"property":"site"},"ta%"]}', "site LIKE 'ta%'", [3]],
  ['{"op":"isNull","args":[{"property":"label.gpu"}]}', 'label.gpu IS NULL', [3]],
] as const)('the text %s means %s', (text, query, rows) => {
  expect(found(text)).toMatchObject({ translatedQuery: query, rows });
});

test('a negated constant is a query', () => {
  expect(found('NOT FALSE')).toMatchObject({ translatedQuery: undefined, rows: [0, 1, 2, 3] });
});

test('a field that contains other fields keeps its name in IS NULL, as in other queries', () => {
  expect(found('gpu IS NULL')).toMatchObject({ translatedQuery: undefined, rows: [] });
});

test.each([
  ["site IN 'uc'", "Expected a parenthesis before the list, but found 'uc'.", 9],
  ['site IN uc', 'Expected a parenthesis before the list, but found uc.', 9],
  ['label.gpu', 'Expected =, <>, <, <=, >, >=, IN, BETWEEN, LIKE or IS NULL, but found the end of the query.', 10],
  ['gpu.gpu_count between 2', 'Expected AND between the two bounds, but found the end of the query.', 24],
  ["gpus > 'a' AND ramm > 1", 'gpu.gpu_count contains numbers, so this comparison with text is not possible.', 8],
  ['{"op":"nand","args":[]}', 'The query in CQL2-JSON has the operator "nand", which is not supported.', undefined],
  ['{"op"', expect.stringContaining('not valid JSON'), undefined],
])('the text %s is a wrong query: %s', (text, problem, column) => {
  expect(outcomeOf(text)).toMatchObject({ kind: 'wrong', problem, column });
});

test('in IS NULL, the name of a field that is null in all nodes means this field', () => {
  const allNull = columns.map((column) =>
    column.name === 'bios' ? { ...column, name: 'ram', values: [null] } : column,
  );
  const rows = allNull.map((column) => ({ ...column, rows: column.name === 'ram' ? [0, 0, 0, 0] : column.rows }));
  expect(outcomeOf('ram IS NULL', rows)).toMatchObject({ translatedQuery: undefined, rows: [0, 1, 2, 3] });
});

test('a title names its field, even if a field of the same name is null in a node', () => {
  const withNull = columns.map((column) =>
    column.name === 'gpu' ? { ...column, values: [...column.values.slice(0, 3), null] } : column,
  );
  expect(outcomeOf("gpu = 'A100'", withNull)).toMatchObject({ translatedQuery: "label.gpu = 'A100'", rows: [0, 1] });
});

test('the titles of columns name fields', () => {
  const fields = ['site', 'cluster', 'node_name', 'node_type', 'gpu.gpu_count', 'label.gpu', 'label.cpu', 'label.ram'];
  const others = ['label.disk', 'label.network', 'architecture.smt_size', 'architecture.smp_size'];
  for (const field of [...fields, ...others]) expect(namedByTitle(fieldTitle(field))).toBe(field);
});

test.each([
  ['gpu.gpu_count >', /^Write a field, an operator and a value/],
  ['something.unknown = 1', /^The view “Fields” lists all fields/],
  ["gpu.gpu_count = 'x'", /^The view “Fields” lists all fields/],
])('the hint about %s names no command', (text, hint) => {
  const outcome = outcomeOf(text);
  expect(outcome?.kind === 'wrong' ? outcome.hint : outcome?.notes).toMatch(hint);
});
