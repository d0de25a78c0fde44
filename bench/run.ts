/**
 * `npm run bench`: measures speed and memory as ratios to baselines of the same run.
 *
 *     npm run bench                          every row, about an hour
 *     npm run bench -- --quick               small inputs and few runs, as a test of the benchmark
 *     npm run bench -- --only 20k --only 222
 */
import { parseArgs } from 'node:util';
import { LARGE_REGISTRY, LARGEST_REGISTRY } from '../test/support/page-budgets.ts';
import { EXPLORER, EXPLORER_LARGE, explorerTimes } from './explorer.ts';
import { EXPLORER_HISTORY, explorerHistoryTimes } from './explorer-history.ts';
import { compare } from './measure.ts';
import { PUBLISH, publishRequests } from './publish-requests.ts';
import { line, type Measured, table } from './report.ts';
import type { Row } from './row.ts';
import { rows } from './rows.ts';
import { openScratch } from './scratch.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', multiple: true } },
});
/** The bytes of a tree of 100,000 nodes and of its registry. */
const EXPLORER_ROOM = (values.quick ? 1 : 8) * 2 ** 30;
const all = rows(values.quick);
const names = [...all.map(({ name }) => name), PUBLISH, EXPLORER_LARGE, EXPLORER, EXPLORER_HISTORY];
const unknown = values.only?.filter((name) => !names.includes(name)) ?? [];
if (unknown.length > 0) {
  console.error(`no row is named ${unknown.join(', ')}; there are ${names.join(', ')}`);
  process.exit(2);
}
// `exit` removes the inputs and outputs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

const measured: Measured[] = [];
for (const row of all) {
  if (values.only && !values.only.includes(row.name)) continue;
  const each = await measure(row);
  // Prints each result immediately, because the other rows can take an hour.
  console.error(`${row.name}: ${line(each)}`);
  measured.push(each);
}
if (measured.length > 0) console.log(`\n${table(measured)}`);
if (!values.only || values.only.includes(PUBLISH)) console.log(`\n${await publishRequests(values.quick ? 50 : 500)}`);
for (const [name, nodes, budgets] of [
  [EXPLORER_LARGE, 20_000, LARGE_REGISTRY],
  [EXPLORER, 100_000, LARGEST_REGISTRY],
] as const) {
  if (values.only && !values.only.includes(name)) continue;
  const scratch = openScratch(EXPLORER_ROOM, false);
  try {
    console.log(`\n${await explorerTimes(values.quick ? 500 : nodes, budgets, scratch)}`);
  } finally {
    scratch.clearAll();
  }
}

if (!values.only || values.only.includes(EXPLORER_HISTORY)) {
  const scratch = openScratch(EXPLORER_ROOM, false);
  try {
    const size = values.quick
      ? { commits: 24, firstNodes: 50, lastNodes: 100 }
      : { commits: 222, firstNodes: 500, lastNodes: 1_000 };
    console.log(`\n${await explorerHistoryTimes(size, scratch)}`);
  } finally {
    scratch.clearAll();
  }
}

async function measure(row: Row): Promise<Measured> {
  const scratch = openScratch(row.room, row.isOnDisk);
  try {
    console.error(`${row.name}: making the input ${scratch.isInMemory ? 'in memory' : 'on disk'}`);
    const { ours, baseline } = await row.prepare(scratch);
    console.error(`${row.name}: measuring ${row.pairs} pairs`);
    return { row, comparison: await compare(ours, baseline, row.pairs, scratch) };
  } finally {
    scratch.clearAll();
  }
}
