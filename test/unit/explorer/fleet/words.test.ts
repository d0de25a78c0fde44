import { expect, test } from 'vitest';
import { tableIn } from '../../../../src/core/client/table-document.ts';
import { ABSENT } from '../../../../src/core/table/node-table.ts';
import { type Fleet, fleetOf } from '../../../../src/explorer/fleet/fleet.ts';
import { search } from '../../../../src/explorer/fleet/search.ts';

const GIB = 1024 ** 3;
const UIDS = ['0aac1211', '77c12fa5', 'e4c12000', 'f0000000'].map((start) => `${start}-0000-4000-8000-000000000000`);
const NAMES = ['node7', 'c12-3', 'rack-c12', 'x'];

interface Column {
  readonly name: string;
  readonly values: readonly (string | number | object)[];
}

const COLUMNS: readonly Column[] = [
  { name: 'node_name', values: ['c12', 'c13', 'c14', 'c15'] },
  {
    name: 'gpu',
    values: ['GA100 [A100 PCIe 40GB]', 'GA100GL [A30 PCIe]', 'GV100', 'none'].map((gpu_model, row) => ({
      gpu_model,
      ...(row < 3 ? { gpu_count: [1, 2, 4][row] } : {}),
    })),
  },
  {
    name: 'main_memory',
    values: [256 * GIB, 256_000_000_000, 3840 * GIB, 1024 * GIB].map((ram_size) => ({ ram_size })),
  },
  { name: 'network_adapters', values: [100e9, 25e9, 10e9, 10e9].map((rate) => [{ rate }]) },
  {
    name: 'architecture',
    values: [
      [1, 32],
      [2, 64],
      [2, 128],
      [4, 64],
    ].map(([smp_size, smt_size]) => ({ smp_size, smt_size })),
  },
  { name: 'processor', values: ['EPYC 7763', 'EPYC 7763', 'Xeon Gold 6126', 'EPYC 7763'].map((model) => ({ model })) },
  { name: 'fpga', values: [{ board_model: 'Alveo U280' }] },
  { name: 'storage_devices', values: [1e12, 1_920_383_410_176, 40e9, 256e9].map((size) => [{ size }]) },
];
const LABELS = {
  cpu: ['EPYC 7763', 'EPYC 7763', 'Xeon Gold 6126', 'EPYC 7763'],
  gpu: ['A100', 'A30', 'V100', null],
  ram: [256 * GIB, 256_000_000_000, 3840 * GIB, 1024 * GIB],
};

function fleet(uids = UIDS): Fleet {
  const rows = [0, 1, 2, 3];
  const table = tableIn({
    total: 4,
    uids,
    clusters: [{ site: 'uc', cluster: 'main', nodes: 4 }],
    columns: COLUMNS.map(({ name, values }) => ({
      name,
      values: JSON.parse(JSON.stringify(values)),
      rows: rows.map((row) => (row < values.length ? row : ABSENT)),
    })),
    labels: [
      { name: 'label.cpu', of: [{ column: 'processor', values: LABELS.cpu }] },
      { name: 'label.gpu', of: [{ column: 'gpu', values: LABELS.gpu }] },
      { name: 'label.ram', of: [{ column: 'main_memory', values: LABELS.ram }] },
    ],
  });
  if (!table) throw new Error('the table is inconsistent');
  return fleetOf(table);
}

function found(text: string, uids?: string[]): readonly number[] {
  const outcome = search(fleet(uids), text);
  if (outcome?.kind !== 'rows') throw new Error(`${text} is no search`);
  return outcome.rows;
}

test.each([
  ['256 GiB', [0]],
  ['256\u202fGiB', [0]],
  ['256GiB', [0]],
  ['256gib', [0]],
  ['256 GB', [1, 3]],
  ['256G', [0, 1, 3]],
  // No node has 1024 GB, so it means 1024 GiB.
  ['1024GB', [3]],
  ['3.75 TiB', [2]],
  // The page shows 1,920,383,410,176 bytes as 1.92 TB.
  ['1.92 TB', [1]],
  // A quantity of a node has precedence over the text of a model.
  ['40GB', [2]],
  ['100 Gbps', [0]],
  ['100G', [0]],
  ['ram:256 GiB', [0]],
  ['-256 GiB', [1, 2, 3]],
  ['256 GiB OR 3.75 TiB', [0, 2]],
  ['ram:1tib..', [2, 3]],
  ['RAM:>=1tib', [2, 3]],
  ['ram:> 1 TiB', [2]],
  ['-ram:>=1TiB', [0, 1]],
  ['256 GiB of RAM', [0]],
  ['1 TiB or more RAM', [2, 3]],
  ['at least 1TiB of RAM', [2, 3]],
  ['ram:1TiB OR at most 256 GB of ram', [1, 3]],
  ['3 TiB or more', [2]],
] as const)('the quantity %s finds the nodes %j', (text, rows) => {
  expect(found(text)).toEqual(rows);
});

test.each([
  ['A100', [0]],
  ['a100', [0]],
  ['gpu:a100', [0]],
  ['-A100', [1, 2, 3]],
  ['NOT A100', [1, 2, 3]],
  ['uc not A100', [1, 2, 3]],
  ['uc without A100', [1, 2, 3]],
  ['no GPU', [3]],
  ['c14 OR no GPU', [2, 3]],
  ['NOT -A100', [0]],
  ['NOT A100 uc', [1, 2, 3]],
  ['A100 OR V100', [0, 2]],
  ['A100 OR V100 -c12', [2]],
  ['-c12 A100 OR V100', [2]],
  ['(A100 OR V100) -c12', [2]],
  ['c14 (A100 OR V100)', [2]],
  ['gpu:A100,V100', [0, 2]],
  ['gpu:A100,X9', [0]],
  ['-gpu:A100,V100', [1, 3]],
  // No label equals it, so the contents of fields count.
  ['GA100', [0, 1]],
] as const)('a word that equals a label finds only nodes with this label: %s finds %j', (text, rows) => {
  expect(found(text)).toEqual(rows);
});

test.each([
  ['c12', [0]],
  ['77c12fa', [1]],
  ['77C12F', [1]],
  ['77c12', []],
  ['c12000', []],
  ['uid:77c', [1]],
] as const)('a word of at least six characters finds uids that begin with it: %s finds %j', (text, rows) => {
  expect(found(text)).toEqual(rows);
});

test.each([
  ['node7', [0]],
  ['c12', [0, 1, 2]],
  ['-c12', [3]],
] as const)('a word is found in uids that are names: %s finds %j', (text, rows) => {
  expect(found(text, NAMES)).toEqual(rows);
});

test.each([
  ['2 or more GPUs', [1, 2]],
  ['at least 2 GPUs', [1, 2]],
  ['2 or less GPUs', [0, 1]],
  ['at most 2 gpus', [0, 1]],
  ['2 GPUs or A100', [0, 1]],
  ['2 or more V100', [2]],
  ['2 or more GPUs and 3.75 TiB of RAM', [2]],
  ['1 or more GPUs and 256 GiB of RAM', [0, 2]],
  ['2 or more GPUs OR 256 GiB of RAM', [0, 1, 2]],
  ['2 × EPYC 7763', [1]],
  ['2 "EPYC 7763"', [1]],
  ['EPYC 7763 A100', [0]],
  ['2 Xeon', [2]],
  ['2 sockets', [1, 2]],
  ['1 socket', [0]],
  ['64 threads', [1, 3]],
  ['at least 64 threads', [1, 2, 3]],
] as const)('a phrase bounds the number of devices: %s finds %j', (text, rows) => {
  expect(found(text)).toEqual(rows);
});

test.each([
  ['FPGA', [0]],
  ['fpgas', [0]],
  ['-fpga', [1, 2, 3]],
] as const)('%s finds the nodes %j, although no value contains the word', (text, rows) => {
  expect(found(text)).toEqual(rows);
});

test('a bound applies to the fields that reach it, without a warning about the other fields', () => {
  const outcome = search(fleet(), 'at least 3TB');
  expect(outcome).toMatchObject({ rows: [2], notes: [] });
  const outOfRange = search(fleet(), 'at least 9TB');
  expect(outOfRange?.kind === 'rows' && outOfRange.notes[0]).toMatch(/^No node matches this bound\. The largest value/);
});

test.each(["site IN ('CHI@UC')", "site = 'CHI@UC'"])('%s suggests the uid of the site', (text) => {
  const outcome = search(fleet(), text, new Map([['chi@uc', 'uc']]));
  expect(outcome?.kind === 'rows' && outcome.notes.join()).toContain('CHI@UC is the name of a site. Did you mean uc?');
});
