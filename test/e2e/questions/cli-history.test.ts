import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { commit } from '../../support/registries/revisions.ts';
import {
  nodeFile,
  nodeText,
  nodeUid,
  type RevisionName,
  type Testbed,
  writeFirstRevision,
  writeTestbed,
} from '../../support/registries/testbed.ts';

let bed: Testbed;

beforeAll(() => {
  bed = writeTestbed(newFolder());
});

const run = (...args: string[]) => gridpress(args, { cwd: bed.folder });
const short = (name: RevisionName) => bed.revisions[name].id.slice(0, 8);

async function outputOf(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(...args);
  expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: '' });
  return stdout;
}

async function refused(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(...args);
  expect({ args, status, stdout }).toEqual({ args, status: 2, stdout: '' });
  return stderr;
}

const NODES = 'sites/lyra/clusters/main/nodes';
const NODE_4 = `sites/vega/clusters/main/nodes/${nodeUid(4)}`;

describe('gridpress log', () => {
  test('lists all revisions, unrelated ones by date', async () => {
    expect(
      await outputOf('log'),
    ).toBe(`${short('joined')} 2026-01-12T08:00:00Z Join, without the note Ada Brown (no changes)
${short('described')} 2026-01-11T08:00:00Z Describe lyra Ada Brown (1 updated: 1 administrative)
${short('given')} 2026-01-10T08:00:00Z A note that is given up Ada Brown (1 updated: 1 unknown)
${short('closed')} 2026-01-09T08:00:00Z Close vega Ada Brown (3 removed: 1 hardware, 2 administrative)
${short('flavored')} 2026-01-08T08:00:00Z Start the cloud anew Ada Brown (1 added: 1 hardware)
${short('flavorless')} 2026-01-07T08:00:00Z Stop the cloud Ada Brown (2 removed: 2 hardware)
${short('readded')} 2026-01-06T08:00:00Z Bring node-2 back, with a GPU Ada Brown (1 added: 1 hardware)
${short('merged')} 2026-01-05T08:00:00Z Merge the firmware update Ada Brown (1 updated: 1 firmware)
${short('pruned')} 2026-01-04T08:00:00Z Give dune up Ada Brown (1 removed: 1 administrative)
${short('side')} 2026-01-04T08:00:00Z Update the firmware; try dune Ada Brown (1 added, 1 updated: 1 firmware, 1 administrative)
${short('replaced')} 2026-01-03T20:00:00Z Replace the disk of node-4 Ada Brown (1 replaced: 1 component)
${short('shrunk')} 2026-01-03T08:00:00Z Remove node-2 Ada Brown (1 removed: 1 hardware)
${short('grown')} 2026-01-02T08:00:00Z Add "vega" & the cloud Ada Brown (6 added: 3 hardware, 3 administrative)
${short('first')} 2026-01-01T07:00:00Z First revision Ada Brown (6 added: 2 hardware, 4 administrative)
`);
  });

  test('counts the omitted revisions', async () => {
    expect(await outputOf('log', '-n', '1')).toBe(
      `${short('joined')} 2026-01-12T08:00:00Z Join, without the note Ada Brown (no changes)\nand 13 older revisions of /\n`,
    );
  });

  test('lists the revisions of a removed resource by its path or its name', async () => {
    const vega = `${short('closed')} 2026-01-09T08:00:00Z Close vega Ada Brown removed (3 removed: 1 hardware, 2 administrative)
${short('replaced')} 2026-01-03T20:00:00Z Replace the disk of node-4 Ada Brown (1 replaced: 1 component)
${short('grown')} 2026-01-02T08:00:00Z Add "vega" & the cloud Ada Brown added (3 added: 1 hardware, 2 administrative)
`;
    expect(await outputOf('log', 'sites/vega')).toBe(vega);
    expect(await outputOf('log', '/sites/vega/')).toBe(vega);
    const node = `${short('closed')} 2026-01-09T08:00:00Z Close vega Ada Brown removed (1 removed: 1 hardware)
${short('replaced')} 2026-01-03T20:00:00Z Replace the disk of node-4 Ada Brown (1 replaced: 1 component)
${short('grown')} 2026-01-02T08:00:00Z Add "vega" & the cloud Ada Brown added (1 added: 1 hardware)
`;
    expect(await outputOf('log', NODE_4)).toBe(node);
    expect(await outputOf('log', 'node-4')).toBe(node);
    expect(await outputOf('log', nodeUid(4))).toBe(node);
  });

  test('lists the revisions of a restored resource, of a side branch and of a collection', async () => {
    expect(
      await outputOf('log', 'node-2'),
    ).toBe(`${short('readded')} 2026-01-06T08:00:00Z Bring node-2 back, with a GPU Ada Brown returned (1 added: 1 hardware)
${short('shrunk')} 2026-01-03T08:00:00Z Remove node-2 Ada Brown removed (1 removed: 1 hardware)
${short('first')} 2026-01-01T07:00:00Z First revision Ada Brown added (1 added: 1 hardware)
`);
    expect(
      await outputOf('log', 'sites/dune'),
    ).toBe(`${short('pruned')} 2026-01-04T08:00:00Z Give dune up Ada Brown removed (1 removed: 1 administrative)
${short('side')} 2026-01-04T08:00:00Z Update the firmware; try dune Ada Brown added (1 added: 1 administrative)
`);
    expect(
      await outputOf('log', 'sites/cirrus/flavors'),
    ).toBe(`${short('flavored')} 2026-01-08T08:00:00Z Start the cloud anew Ada Brown (1 added: 1 hardware)
${short('flavorless')} 2026-01-07T08:00:00Z Stop the cloud Ada Brown (2 removed: 2 hardware)
${short('grown')} 2026-01-02T08:00:00Z Add "vega" & the cloud Ada Brown (2 added: 2 hardware)
`);
  });

  test('shows where a node was before its site got another uid, and where it is now', async () => {
    const folder = newFolder();
    const { id: first } = writeFirstRevision(folder, 'cluster_uid: main\n');
    const renamed = ['rename', 'sites/lyra', 'lyra-2', '-m', 'Rename', '--author', 'Ada Brown', '--json'];
    const { recorded } = JSON.parse((await gridpress(renamed, { cwd: folder })).stdout);
    const [old, now] = ['lyra', 'lyra-2'].map((site) => `sites/${site}/clusters/main/nodes/${nodeUid(1)}`);
    const linesOf = async (path = '') => {
      const { stdout } = await gridpress(['log', path], { cwd: folder });
      return stdout.replaceAll(/ \d{4}-\S+/g, '');
    };
    const [one, two] = [first, recorded].map((id: string) => id.slice(0, 8));
    expect(await linesOf('node-1')).toBe(`${two} Rename Ada Brown added, moved from /${old} (1 added: 1 hardware)\n`);
    expect(await linesOf(old)).toBe(
      `${two} Rename Ada Brown removed, moved to /${now} (1 removed: 1 hardware)
${one} First revision Ada Brown added (1 added: 1 hardware)
`,
    );
    const { stdout } = await gridpress(['log', 'node-1', '--json'], { cwd: folder });
    expect(JSON.parse(stdout).revisions).toMatchObject([{ event: 'added', moved: `/${old}` }]);
  });

  test('prints dates that --at accepts for the same revision', async () => {
    const folder = newFolder();
    const first = writeFirstRevision(folder, 'cluster_uid: main\n');
    const note = (text: string) => ({ [nodeFile('lyra', 1)]: nodeText(1, `note: ${text}\n`) });
    // Both revisions have the same day in UTC, and the authors of the first one had another day.
    const east = { parents: [first], message: 'East', date: '2026-01-03T01:00:00+09:00', edits: note('east') };
    const second = commit(folder, east);
    const west = { parents: [second], message: 'West', date: '2026-01-02T18:00:00-01:00', edits: note('west') };
    const third = commit(folder, west);
    const { stdout } = await gridpress(['log'], { cwd: folder });
    const dates = stdout.split('\n').flatMap((line) => line.split(' ')[1] ?? []);
    expect(dates).toEqual(['2026-01-02T19:00:00Z', '2026-01-02T16:00:00Z', '2026-01-01T00:00:00Z']);
    for (const [i, { id }] of [third, second, first].entries()) {
      const shown = await gridpress(['show', 'node-1', '--at', dates[i] ?? '', '--json'], { cwd: folder });
      expect(JSON.parse(shown.stdout)).toMatchObject({ revision: id });
    }
  });

  test('--json lists all details', async () => {
    const { first } = bed.revisions;
    const { revisions, ...rest } = JSON.parse(await outputOf('log', 'sites/lyra', '--json'));
    // The merge and the discarded note are not listed for lyra: in both cases a parent has the same lyra.
    const names = ['described', 'readded', 'side', 'shrunk', 'first'] as const;
    expect(rest).toEqual({ ok: true, resource: '/sites/lyra', total: names.length, findings: [] });
    expect(revisions.map(({ id }: { id: string }) => id)).toEqual(names.map((name) => bed.revisions[name].id));
    expect(revisions.at(-1)).toEqual({
      id: first.id,
      date: '2026-01-01T08:00:00+01:00',
      author: 'Ada Brown',
      message: 'First revision\n\nOne site with two nodes.',
      // The site, its cluster and two nodes.
      event: 'added',
      changes: { added: 4, updated: 0, removed: 0, replaced: 0, classes: { hardware: 2, administrative: 2 } },
    });
  });

  test('rejects unknown resources', async () => {
    expect(await refused('log', 'sites/lyra/clusters/mian')).toBe(
      'error: There is no resource "sites/lyra/clusters/mian". [unknown-resource]\n  Did you mean "sites/lyra/clusters/main"?\n',
    );
    expect(JSON.parse((await run('log', 'nothing', '--json')).stdout)).toEqual({
      ok: false,
      findings: [
        {
          code: 'unknown-resource',
          severity: 'error',
          message: 'There is no resource "nothing".',
          fix: 'Use the form sites/SITE/clusters/CLUSTER/nodes/NODE.',
        },
      ],
    });
  });
});

test.each(['1969-12-31T23:59:59Z', '0001-01-01T00:00:00Z', '2026-03-01'])(
  'record rejects the date %s',
  async (date) => {
    const folder = newFolder();
    writeFirstRevision(folder, 'cluster_uid: main\n');
    writeFileSync(join(folder, 'registry-data', nodeFile('lyra', 1)), nodeText(1, 'note: new\n'));
    const record = ['record', '-m', 'Early', '--author', 'Ada Brown', '--date', date];
    expect(await gridpress(record, { cwd: folder })).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: "${date}" is not a date that a revision can have. [bad-moment]\n  Write a date from 1970 to 9999 with a time and an offset, such as 2026-03-01T12:00:00+01:00.\n`,
    });
  },
);

describe('gridpress show', () => {
  const node4 = (serial: string, name: RevisionName, date: string) => `# /${NODE_4} at ${short(name)}, ${date}
type: node
uid: ${nodeUid(4)}
node_name: node-4
main_memory:
  ram_size: 274877906944
  humanized_ram_size: 256 GiB
storage_devices:
  - device: sda
    serial: "${serial}"
`;

  test('shows a resource at the head', async () => {
    expect(await outputOf('show', 'sites/lyra')).toBe(`# /sites/lyra at ${short('joined')}, 2026-01-12T08:00:00Z
type: site
uid: lyra
name: LYRA
description: The first site lyra
latitude: 47.5
longitude: 8.25
site_class: baremetal
`);
    expect(await outputOf('show', '/')).toBe(
      `# / at ${short('joined')}, 2026-01-12T08:00:00Z\ntype: grid\nuid: testgrid\n`,
    );
    expect(await outputOf('show', NODES)).toBe(
      `# /${NODES} at ${short('joined')}, 2026-01-12T08:00:00Z\n${nodeUid(1)}\n${nodeUid(2)}\n`,
    );
  });

  test('shows a resource at a revision, by full or abbreviated id', async () => {
    const { id } = bed.revisions.grown;
    const then = node4('0004', 'grown', '2026-01-02T08:00:00Z');
    expect(await outputOf('show', 'node-4', '--at', id)).toBe(then);
    expect(await outputOf('show', 'node-4', '--at', id.slice(0, 7))).toBe(then);
    expect(await outputOf('show', 'node-4', '--at', bed.revisions.readded.id)).toBe(
      node4('0104', 'readded', '2026-01-06T08:00:00Z'),
    );
    expect(await outputOf('show', NODES, '--at', bed.revisions.merged.id)).toBe(
      `# /${NODES} at ${short('merged')}, 2026-01-05T08:00:00Z\n${nodeUid(1)}\n`,
    );
  });

  test('shows a resource at a date, on the line of first parents', async () => {
    // A date means the end of that day. The older revisions of the side branch were not part of the state then.
    const before = node4('0104', 'replaced', '2026-01-03T20:00:00Z');
    expect(await outputOf('show', 'node-4', '--at', '2026-01-03')).toBe(before);
    expect(await outputOf('show', 'node-4', '--at', '2026-01-04')).toBe(before);
    expect(await outputOf('show', 'node-4', '--at', '2026-01-03T20:59:59+01:00')).toBe(
      node4('0004', 'shrunk', '2026-01-03T08:00:00Z'),
    );
    expect(await outputOf('show', 'node-4', '--at', '2026-01-03T21:00:00+01:00')).toBe(before);
    // The time zone of the process does not matter.
    const { stdout } = await gridpress(['show', 'node-4', '--at', '2026-01-03'], {
      cwd: bed.folder,
      env: { TZ: 'Pacific/Auckland' },
    });
    expect(stdout).toBe(before);
  });

  test('--json shows an item or the uids of a collection', async () => {
    const { id } = bed.revisions.replaced;
    const at = ['--at', '2026-01-03', '--json'];
    expect(JSON.parse(await outputOf('show', NODES, ...at))).toEqual({
      ok: true,
      resource: `/${NODES}`,
      revision: id,
      date: '2026-01-03T20:00:00Z',
      body: [nodeUid(1)],
      findings: [],
    });
    expect(JSON.parse(await outputOf('show', 'sites/kit', ...at)).body).toEqual({
      type: 'site',
      uid: 'kit',
      name: 'KIT',
      description: 'The site kit',
      latitude: 47.5,
      longitude: 8.25,
      site_class: 'edge',
    });
  });

  test('rejects resources that do not exist at the revision', async () => {
    const gone = (path: string, name: RevisionName) =>
      `error: ${path} does not exist at revision ${short(name)}. [resource-not-at]\n  "gridpress log ${path}" shows when it existed.\n`;
    expect(await refused('show', 'node-4')).toBe(gone(NODE_4, 'joined'));
    expect(await refused('show', 'sites/vega', '--at', bed.revisions.first.id)).toBe(gone('sites/vega', 'first'));
    expect(await refused('show', `${NODES}/${nodeUid(2)}`, '--at', '2026-01-04')).toBe(
      gone(`${NODES}/${nodeUid(2)}`, 'replaced'),
    );
    expect(JSON.parse((await run('show', 'node-4', '--json')).stdout)).toEqual({
      ok: false,
      findings: [
        {
          code: 'resource-not-at',
          severity: 'error',
          message: `${NODE_4} does not exist at revision ${short('joined')}.`,
          fix: `"gridpress log ${NODE_4}" shows when it existed.`,
        },
      ],
    });
  });

  test('rejects dates before the history and invalid dates', async () => {
    expect(await refused('show', 'sites/lyra', '--at', '2025-12-31')).toBe(
      'error: The history begins after 2025-12-31. [before-history]\n  Name 2026-01-01T08:00:00+01:00 or a later date.\n',
    );
    for (const date of ['2026-13-01', '2026-01-03T20:00:00', '2026-01', 'node-4', '03-01-2026']) {
      expect(await refused('show', 'sites/lyra', '--at', date)).toBe(
        `error: "${date}" is not a date. [bad-date]
  Write it in the form 2026-03-01T12:00:00+01:00, or 2026-03-01 if the day is enough.
`,
      );
    }
  });

  test('rejects unknown revisions', async () => {
    const { id } = bed.revisions.grown;
    const wrong = `${id.slice(0, 4)}${'0'.repeat(36)}`;
    expect(await refused('show', 'sites/lyra', '--at', wrong)).toBe(
      `error: There is no revision "${wrong}". [unknown-revision]\n  Did you mean "${short('grown')}"?\n`,
    );
    expect(await refused('show', 'sites/lyra', '--at', 'tomorrow')).toBe(
      'error: There is no revision "tomorrow". [unknown-revision]\n  Write a date as 2026-03-31, or name a revision: "gridpress log" lists them.\n',
    );
  });

  test('suggests similar resources', async () => {
    expect(await refused('show', 'sites/lyrra')).toBe(
      'error: There is no resource "sites/lyrra". [unknown-resource]\n  Did you mean "sites/lyra"?\n',
    );
    expect(await refused('show', 'site/lyra')).toBe(
      'error: There is no resource "site/lyra". [unknown-resource]\n  Did you mean "sites"?\n',
    );
    // Many nodes share this prefix, so a uid alone is ambiguous.
    expect(await refused('show', `${NODES}/00000000-0000-4000-8000-000000000009`)).toBe(
      `error: There is no resource "${NODES}/00000000-0000-4000-8000-000000000009". [unknown-resource]
  Did you mean "${NODES}/${nodeUid(1)}" or "${NODES}/${nodeUid(2)}"?
`,
    );
  });
});
