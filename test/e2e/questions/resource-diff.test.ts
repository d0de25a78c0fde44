/**
 * `gridpress diff NODE_A NODE_B`: compares two nodes, or a node at two revisions. The tests do not change the registry.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import {
  nodeFile,
  nodeText,
  nodeUid,
  type RevisionName,
  type Testbed,
  writeTestbed,
} from '../../support/registries/testbed.ts';

let bed: Testbed;

beforeAll(() => {
  bed = writeTestbed(newFolder());
  // Unrecorded: two nodes with the same name, one with different memory and disks.
  writeFileSync(join(bed.registry, nodeFile('lyra', 7)), nodeText(7).replace('274877906944', '137438953472'));
  writeFileSync(join(bed.registry, nodeFile('lyra', 8)), nodeText(8).replace('node-8', 'node-7'));
});

const run = (...args: string[]) => gridpress(args, { cwd: bed.folder });
const id = (name: RevisionName) => bed.revisions[name].id;
const short = (name: RevisionName) => id(name).slice(0, 8);
const path = (n: number, site = 'lyra') => nodeFile(site, n).replace(/\.yaml$/, '');

async function diffOutput(status: 0 | 1, ...args: string[]): Promise<string> {
  const answer = await run('diff', ...args);
  expect({ args, status: answer.status, stderr: answer.stderr }).toEqual({ args, status, stderr: '' });
  return answer.stdout;
}

test('diff compares two nodes by any name, hardware first', async () => {
  const told = `- node-1 /${path(1)} at ${short('joined')} 2026-01-12T08:00:00Z
+ node-2 /${path(2)} at ${short('joined')} 2026-01-12T08:00:00Z

gpu                          nothing -> {"gpu":true}  hardware
bios                         {"version":"1.10"} -> nothing  firmware
storage_devices[sda].serial  "0001" -> "0002"  component
uid                          "${nodeUid(1)}" -> "${nodeUid(2)}"  identity
node_name                    "node-1" -> "node-2"  identity

5 fields: 1 hardware, 1 firmware, 1 component, 2 identity
`;
  for (const [a, b] of [
    ['node-1', 'node-2'],
    [nodeUid(1), `/${path(2)}`],
  ] as const)
    expect(await diffOutput(1, a, b)).toBe(told);
});

test('diff compares a node at two revisions, and two nodes at earlier revisions', async () => {
  expect(
    await diffOutput(1, 'node-4@2026-01-02', `node-4@${short('replaced')}`),
  ).toBe(`- node-4 /${path(4, 'vega')} at ${short('grown')} 2026-01-02T08:00:00Z
+ node-4 /${path(4, 'vega')} at ${short('replaced')} 2026-01-03T20:00:00Z

storage_devices[sda].serial  "0004" -> "0104"  component

1 field: 1 component
`);
  expect(
    await diffOutput(0, 'node-1', 'node-4', '--at', id('grown'), '--class', 'hardware,firmware'),
  ).toBe(`- node-1 /${path(1)} at ${short('grown')} 2026-01-02T08:00:00Z
+ node-4 /${path(4, 'vega')} at ${short('grown')} 2026-01-02T08:00:00Z

no differences
`);
  expect(await diffOutput(1, 'node-2', `${nodeUid(7)}@worktree`, '--class', 'hardware')).toBe(
    `- node-2 /${path(2)} at ${short('joined')} 2026-01-12T08:00:00Z
+ node-7 /${path(7)} at the files of the registry

main_memory.ram_size  274877906944 -> 137438953472  hardware
gpu                   {"gpu":true} -> nothing  hardware

2 fields: 2 hardware
`,
  );
});

test('diff compares resources of other kinds', async () => {
  expect(await diffOutput(1, 'sites/lyra', 'sites/kit', '--class', 'administrative', '--summary')).toBe(
    `- LYRA /sites/lyra at ${short('joined')} 2026-01-12T08:00:00Z
+ KIT /sites/kit at ${short('joined')} 2026-01-12T08:00:00Z

1 field: 1 administrative
`,
  );
});

test('diff --json lists all details', async () => {
  const side = (n: number) => ({
    resource: `/${path(n)}`,
    name: `node-${n}`,
    revision: id('grown'),
    date: '2026-01-02T08:00:00Z',
  });
  const heads = { ok: false, from: side(1), to: side(2), classes: { component: 1 }, findings: [] };
  const asked = ['node-1', 'node-2', '--at', '2026-01-02', '--class', 'component', '--json'];
  expect(JSON.parse(await diffOutput(1, ...asked, '--summary'))).toEqual(heads);
  const field = { field: 'storage_devices[sda].serial', class: 'component' };
  const change = { at: '/storage_devices/0/serial', from: '0001', to: '0002' };
  expect(JSON.parse(await diffOutput(1, ...asked))).toEqual({ ...heads, fields: [{ ...field, ...change }] });
});

test.each<[args: string[], told: string]>([
  [['node-1', 'nod-2'], 'There is no resource "nod-2". [unknown-resource]\n  Did you mean "node-2" or "node-1"?'],
  [
    ['node-1@worktree', 'node-7@worktree'],
    `"node-7" names several resources. [several-resources]\n  Name one of them by its path: ${path(7)} or ${path(8)}.`,
  ],
  [
    ['node-1', 'node-4'],
    `sites/vega/clusters/main/nodes/${nodeUid(4)} does not exist at revision SHORT. [resource-not-at]\n  "gridpress log sites/vega/clusters/main/nodes/${nodeUid(4)}" shows when it existed.`,
  ],
  [
    ['node-1', 'node-2@0000000'],
    'There is no revision "0000000". [unknown-revision]\n  Write a date as 2026-03-31, or name a revision: "gridpress log" lists them.',
  ],
  [
    ['node-1', 'sites/lyra'],
    `/${path(1)} is a node, but /sites/lyra is a site. [kinds-differ]\n  Name two nodes, or two other resources of the same kind.`,
  ],
  [
    ['sites/lyra/clusters', 'sites/kit'],
    'sites/lyra/clusters is a collection. Only its members can be compared. [collection-not-compared]\n  "gridpress diff FROM TO sites/lyra/clusters" lists what changed in it between two revisions or dates.',
  ],
  [
    ['node-1', '2026-01-01'],
    '"node-1" is neither a revision nor a date, so it cannot be compared with 2026-01-01. [moment-or-resource]\n  To compare a node with its earlier state, write "gridpress diff node-1@2026-03-01 node-1". To list its changes, write "gridpress diff 2026-03-01 head node-1".',
  ],
  [
    ['head', 'worktree', '--at', 'head'],
    '--at applies to the comparison of two nodes, but head and worktree are revisions or dates. [at-of-moments]\n  Omit the option.',
  ],
])('diff rejects %j', async (args, told) => {
  expect(await run('diff', ...args)).toEqual({
    status: 2,
    stdout: '',
    stderr: `error: ${told.replace('SHORT', short('joined'))}\n`,
  });
});
