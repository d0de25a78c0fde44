import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
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

beforeEach(() => {
  bed = writeTestbed(newFolder());
});

const run = (...args: string[]) => gridpress(args, { cwd: bed.folder });
const id = (name: RevisionName) => bed.revisions[name].id;
const short = (name: RevisionName) => id(name).slice(0, 8);

/** Runs diff and returns its output; status 1 means differences. */
async function outputOf(status: 0 | 1, ...args: string[]): Promise<string> {
  const answer = await run(...args);
  expect({ args, status: answer.status, stderr: answer.stderr }).toEqual({ args, status, stderr: '' });
  return answer.stdout;
}

const LYRA_NODES = 'sites/lyra/clusters/main/nodes';
const DISK = (n: number, serial: string, more = '') =>
  `type: node\nuid: ${nodeUid(n)}\nnode_name: node-${n}\nmain_memory:\n  ram_size: 274877906944\n  humanized_ram_size: 256 GB\nstorage_devices:\n  - device: nvme0\n    size: 960\n  - device: sda\n    serial: "${serial}"\n${more}`;

describe('gridpress diff', () => {
  test('reports a replaced part by the name of the part', async () => {
    expect(await outputOf(1, 'diff', id('shrunk'), id('replaced'))).toBe(`- ${short('shrunk')} 2026-01-03T08:00:00Z
+ ${short('replaced')} 2026-01-03T20:00:00Z

sites/vega
  replaced node-4 nodes/${nodeUid(4)} (component)
    storage_devices[sda].serial  "0004" -> "0104"  component

1 replaced: 1 component
`);
  });

  test('groups nodes by site, with added and removed nodes', async () => {
    expect(await outputOf(1, 'diff', '2026-01-08', 'head')).toBe(`- ${short('flavored')} 2026-01-08T08:00:00Z
+ ${short('joined')} 2026-01-12T08:00:00Z

sites/lyra
  updated  LYRA sites/lyra (administrative)
    description  "The site lyra" -> "The first site lyra"  administrative

sites/vega
  removed  VEGA sites/vega (administrative)
  removed  clusters/main (administrative)
  removed  node-4 nodes/${nodeUid(4)} (hardware)

1 updated, 3 removed: 1 hardware, 3 administrative
`);
  });

  test('compares with the registry files, and parts by their keys', async () => {
    writeFileSync(join(bed.registry, nodeFile('lyra', 1)), DISK(1, '0009', 'bios:\n  version: "2"\n'));
    expect(await outputOf(1, 'diff', 'head', 'worktree')).toBe(`- ${short('joined')} 2026-01-12T08:00:00Z
+ the files of the registry

sites/lyra
  updated  node-1 nodes/${nodeUid(1)} (hardware, firmware, component, derived)
    main_memory.humanized_ram_size  "256 GiB" -> "256 GB"  derived
    storage_devices[sda].serial     "0001" -> "0009"  component
    storage_devices[nvme0]          nothing -> {"device":"nvme0","size":960}  hardware
    bios.version                    "1.10" -> "2"  firmware

1 updated: 1 hardware, 1 firmware, 1 component, 1 derived
`);
    expect(
      await outputOf(1, 'diff', 'head', 'worktree', '--class', 'component'),
    ).toBe(`- ${short('joined')} 2026-01-12T08:00:00Z
+ the files of the registry

sites/lyra
  updated  node-1 nodes/${nodeUid(1)} (component)
    storage_devices[sda].serial  "0001" -> "0009"  component

1 updated: 1 component
`);
    expect(await outputOf(0, 'diff', 'head', 'worktree', '--class', 'placement,identity')).toBe(
      `- ${short('joined')} 2026-01-12T08:00:00Z\n+ the files of the registry\n\nno changes\n`,
    );
  });

  test('limits the output to one resource, by any of its names', async () => {
    for (const resource of ['node-2', nodeUid(2), `/${LYRA_NODES}/${nodeUid(2)}`]) {
      expect(
        await outputOf(1, 'diff', id('first'), id('shrunk'), resource),
      ).toBe(`- ${short('first')} 2026-01-01T07:00:00Z
+ ${short('shrunk')} 2026-01-03T08:00:00Z
@ /${LYRA_NODES}/${nodeUid(2)}

sites/lyra
  removed  node-2 nodes/${nodeUid(2)} (hardware)

1 removed: 1 hardware
`);
    }
    expect(await outputOf(0, 'diff', id('first'), 'head', 'node-1', '--class', 'hardware', '--summary')).toBe(
      `- ${short('first')} 2026-01-01T07:00:00Z\n+ ${short('joined')} 2026-01-12T08:00:00Z\n@ /${LYRA_NODES}/${nodeUid(1)}\n\nno changes\n`,
    );
  });

  test('--json lists all details', async () => {
    const side = (name: RevisionName, date: string) => ({ revision: id(name), date });
    const heads = {
      ok: false,
      from: side('shrunk', '2026-01-03T08:00:00Z'),
      to: side('replaced', '2026-01-03T20:00:00Z'),
      resource: '/sites/vega',
      counts: { added: 0, updated: 0, removed: 0, replaced: 1, classes: { component: 1 } },
    };
    const asked = ['diff', id('shrunk'), id('replaced'), 'sites/vega', '--json'];
    expect(JSON.parse(await outputOf(1, ...asked, '--summary'))).toEqual({ ...heads, findings: [] });
    expect(JSON.parse(await outputOf(1, ...asked))).toEqual({
      ...heads,
      changes: [
        {
          resource: `/sites/vega/clusters/main/nodes/${nodeUid(4)}`,
          name: 'node-4',
          action: 'replaced',
          classes: ['component'],
          fields: [
            {
              field: 'storage_devices[sda].serial',
              class: 'component',
              at: '/storage_devices/0/serial',
              from: '0004',
              to: '0104',
            },
          ],
        },
      ],
      findings: [],
    });
  });

  test('finds an unrecorded resource by its name', async () => {
    writeFileSync(join(bed.registry, nodeFile('lyra', 7)), nodeText(7));
    const shown = await outputOf(1, 'diff', 'head', 'worktree', 'node-7', '--summary');
    expect(shown.split('\n').slice(2)).toEqual([`@ /${LYRA_NODES}/${nodeUid(7)}`, ...['', '1 added: 1 hardware', '']]);
  });

  test('reports errors in the registry as errors, not as differences', async () => {
    writeFileSync(join(bed.registry, nodeFile('lyra', 1)), 'type: [node\n');
    const files = await run('diff', 'head', 'worktree');
    expect([files.status, files.stdout]).toEqual([2, '']);
    expect(files.stderr).toContain('[yaml-syntax]');
    expect(files.stderr).toContain(
      'error: Nothing was compared. [not-compared]\n  There may still be differences. Correct the errors above first.\n',
    );
    // The recorded history is valid, so comparing two revisions works.
    expect(await outputOf(0, 'diff', 'head', 'head')).toContain('no changes');

    const folder = join(bed.registry, 'history');
    const [first = ''] = readdirSync(folder).sort();
    const file = join(folder, first);
    writeFileSync(file, readFileSync(file, 'utf8').replace('site_class: baremetal', 'site_class: kvm'));
    const { status, stdout, stderr } = await run('diff', 'head', 'worktree');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('[revision-state]');
  });

  test('rejects unknown arguments', async () => {
    expect(await run('diff', 'head', 'worktree', '--class', 'hardwear')).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: option '--class <names>' argument 'hardwear' is invalid. The classes are hardware, firmware, component, placement, identity, derived, administrative, unknown.\n(See gridpress diff --help)\n`,
    });
    for (const names of [',', 'hardware,', '']) {
      expect([names, (await run('diff', 'head', 'head', '--class', names)).status]).toEqual([names, 2]);
    }
    expect((await run('diff', 'head', '2025-01-01')).stderr).toBe(
      'error: The history begins after 2025-01-01. [before-history]\n  Name 2026-01-01T08:00:00+01:00 or a later date.\n',
    );
  });
});

describe('gridpress log', () => {
  const ids = async (...args: string[]) =>
    JSON.parse(await outputOf(0, 'log', '--json', ...args)).revisions.map((each: { id: string }) => each.id);

  test('filters by class, author and date', async () => {
    expect(await ids('--class', 'component,firmware')).toEqual([id('merged'), id('side'), id('replaced')]);
    expect(await ids('--since', '2026-01-11')).toEqual([id('joined'), id('described')]);
    expect(await ids('--until', '2026-01-02')).toEqual([id('grown'), id('first')]);
    expect(await ids('--since', '2026-01-02T08:00:00Z', '--until', '2026-01-02T08:00:00Z')).toEqual([id('grown')]);
    expect(await ids('--author', 'BROWN', '-n', '1')).toEqual([id('joined')]);
    expect(await ids('--author', 'nobody')).toEqual([]);
    expect(await outputOf(0, 'log', '--author', 'nobody')).toBe('no matching revision of /\n');
  });
});

describe('gridpress record', () => {
  const files = () => readdirSync(join(bed.registry, 'history')).sort();
  const said2 = ['--author', 'Ada Brown', '--date', '2026-02-01T00:00:00Z'];

  test('prints the difference before it writes, and --dry-run writes nothing', async () => {
    writeFileSync(join(bed.registry, nodeFile('lyra', 1)), nodeText(1, 'bios:\n  version: "2"\n'));
    const before = files();
    const dry = await outputOf(0, 'record', '-m', 'Update', ...said2, '--dry-run');
    expect(files()).toEqual(before);
    const real = await outputOf(0, 'record', '-m', 'Update', ...said2);
    const [file = '', ...others] = files().filter((each) => !before.includes(each));
    const recorded = /^id: "?([0-9a-f]{40})/.exec(readFileSync(join(bed.registry, 'history', file), 'utf8'))?.[1];
    expect(others).toEqual([]);
    const shown = `sites/lyra
  updated  node-1 nodes/${nodeUid(1)} (firmware)
    bios.version  "1.10" -> "2"  firmware
`;
    expect(real).toBe(`${shown}\nRecorded ${recorded} in registry-data/history/${file}.\n`);
    expect(dry).toBe(`${shown}\nNothing was written; it would have been registry-data/history/${file}.\n`);
  });

  test('prints the start of a large difference and the command for the rest', async () => {
    const measured = Array.from({ length: 22 }, (_, i) => `measured_${i}: ${i}\n`).join('');
    writeFileSync(join(bed.registry, nodeFile('lyra', 1)), nodeText(1, measured));
    const dry = await outputOf(0, 'record', '-m', 'Update', '--allow-unknown', ...said2, '--dry-run');
    const real = await outputOf(0, 'record', '-m', 'Update', '--allow-unknown', ...said2);
    const whole = /^"gridpress (diff .*)" shows all of it\.$/m.exec(real)?.[1] ?? '';
    const fields = (told: string) => told.match(/^ {4}measured_.*$/gm);
    expect(fields(dry)).toHaveLength(22);
    expect(fields(real)).toEqual(fields(dry)?.slice(0, -3));
    expect(real).toContain('\n    and 3 more fields\n');
    expect(fields(await outputOf(1, ...whole.split(' ')))).toEqual(fields(dry));
  });

  test('names the successors of removed resources', async () => {
    rmSync(join(bed.registry, nodeFile('lyra', 2)));
    writeFileSync(join(bed.registry, nodeFile('lyra', 7)), nodeText(7));
    for (const pair of ['node-2=node-9', 'node-1=node-7', 'node-2', `node-2=${nodeUid(2)}`, 'node-2=node-7=3']) {
      expect(await run('record', '-m', 'Swap', ...said2, '--successor', pair)).toEqual({
        status: 2,
        stdout: '',
        stderr: `error: "${pair}" does not name one removed resource and one remaining resource of the same collection. [successor-of-none]\n  Write --successor REMOVED=STAYING. Use a uid, a name or a path for each.\n`,
      });
    }
    const told = JSON.parse(
      await outputOf(0, 'record', '-m', 'Swap', ...said2, '--successor', 'node-2=node-7', '--json'),
    );
    const text = readFileSync(join(bed.folder, told.file), 'utf8');
    expect(told.changes.find(({ action }: { action: string }) => action === 'removed').successor).toBe(nodeUid(7));
    expect(text.slice(text.indexOf('changes:'))).toContain(
      `  - removed: ${LYRA_NODES}/${nodeUid(2)}\n    successor: ${nodeUid(7)}\n`,
    );
    expect(await outputOf(0, 'check')).toBe('No errors: 8 resources, 15 revisions.\n');
    // The identifier of the revision covers the successor.
    writeFileSync(join(bed.folder, told.file), text.replace(`successor: ${nodeUid(7)}`, `successor: ${nodeUid(1)}`));
    expect((await run('check')).stdout).toContain('[revision-id]');
    writeFileSync(join(bed.folder, told.file), text.replace(`successor: ${nodeUid(7)}`, `successor: ${nodeUid(8)}`));
    expect((await run('check')).stdout).toContain(
      `error: ${LYRA_NODES}/${nodeUid(2)} has the successor "${nodeUid(8)}", which is not in the same collection after the revision. [change-no-successor]`,
    );
  });
});
