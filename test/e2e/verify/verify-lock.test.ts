/**
 * Locks of an older revision of the sample registry, taken over HTTP, from its tree and from the registry, and verified
 * later.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FieldClass } from '../../../src/core/model/field-classes.ts';
import { describeVerdicts } from '../../../src/features/lock/describe-lock.ts';
import { lock } from '../../../src/features/lock/take-lock.ts';
import { type VerifyResult, verifyLock } from '../../../src/features/lock/verify-lock.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { writeTestbed } from '../../support/registries/testbed.ts';
import { serviceOf } from '../../support/services/service.ts';
import { buildAndServe, type Served } from '../../support/trees/served.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', '..', 'registry-data');
/** The first revision that contains all nodes below, and their later changes according to the sample's log. */
const LOCKED = '3470b9f7';
const NODES = ['aquila-c04', 'aquila-c05', 'aquila-m02', 'carina-c06', 'lyra-c01', 'lyra-c03'];
const REACH = { timeout: 10, maxRequests: 1000, pauseMs: 1 };
const ASKED: readonly FieldClass[] = ['hardware', 'component', 'firmware'];

const folder = newFolder();
const file = join(folder, 'experiment.lock.json');
let old: Served;
let head: Served;
let legacy: Served;
let places: Readonly<Record<string, string>>;

beforeAll(async () => {
  old = await buildAndServe(SAMPLE, { at: LOCKED, snapshots: 'none' });
  head = await buildAndServe(SAMPLE, { snapshots: [LOCKED, '46455c8c'] });
  legacy = await buildAndServe(SAMPLE, { dialect: 'legacy', snapshots: 'none' });
  places = {
    HTTP: `http://127.0.0.1:${head.port}`,
    'HTTP in the legacy dialect': `http://127.0.0.1:${legacy.port}/`,
    'the tree': head.out,
    'the legacy tree': legacy.out,
    'the registry': SAMPLE,
  };
  await lock({ ...REACH, nodes: NODES, from: `http://127.0.0.1:${old.port}`, out: file });
});

const placeOf = (name: string) => places[name] ?? '';
const verify = (against?: string, more = {}) => verifyLock({ ...REACH, file, against, class: ASKED, ...more });
/** Returns the statuses, classes and fields by node name. */
const statusByNode = ({ nodes }: VerifyResult) =>
  Object.fromEntries(
    nodes.map(({ node_name, status, fails, classes, revisions }) => [
      node_name,
      { status, fails, classes, in: revisions?.map(({ revision }) => revision.slice(0, 8)) },
    ]),
  );

test.each(['HTTP', 'the registry'])('an altered digest contradicts %s at the same revision', async (name) => {
  const altered = join(folder, 'altered.lock.json');
  const { text } = await lock({ ...REACH, nodes: NODES, from: placeOf(name) });
  const value = JSON.parse(text);
  value.nodes[0].digest = '0'.repeat(64);
  writeFileSync(altered, JSON.stringify(value));
  const { status, stdout, stderr } = await gridpress(['verify-lock', altered, '--against', placeOf(name)]);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(
    /^error: The lock file and \S+ have the same revision \w+, but differ in "aquila-m02"\. One of the two was altered\. \[lock-contradiction\]\n/,
  );
  expect(stderr).toContain('[not-verified]');
});

describe('a lock', () => {
  test.each(['/', '/snapshots'])('is the same from every source: %s', async (from) => {
    const place =
      from === '/' ? old.out : `${placeOf('HTTP')}/snapshots/${JSON.parse(readFileSync(file, 'utf8')).revision.id}`;
    const { lock: taken } = await lock({ ...REACH, nodes: NODES, from: place });
    const { from: _, ...expected } = JSON.parse(readFileSync(file, 'utf8'));
    const { from: __, ...found } = taken;
    expect(found).toEqual(expected);
  });

  test.each(['HTTP', 'the tree', 'the registry'])(
    'of an older revision is the same with --at, from %s',
    async (name) => {
      const run = async (...args: string[]) => await gridpress(['lock', '--from', placeOf(name), ...args]);
      const { from: _, ...expected } = JSON.parse(readFileSync(file, 'utf8'));
      for (const at of [LOCKED, '2023-10-24']) {
        const { status, stdout, stderr } = await run(...NODES, '--at', at);
        expect([status, stderr]).toEqual([0, '']);
        const { from: __, ...found } = JSON.parse(stdout);
        expect(found).toEqual(expected);
      }
      expect((await run('lyra-c99', '--at', LOCKED)).stderr).toContain(
        'There is no node "lyra-c99" at revision 3470b9f7. [unknown-node]',
      );
    },
  );

  test('of the files of a registry is a lock of the head', async () => {
    const run = async (...args: string[]) => (await gridpress(['lock', 'lyra-c01', '--from', SAMPLE, ...args])).stdout;
    expect(await run('--at', 'worktree')).toBe(await run());
  });

  test('of the head is the same over HTTP, from the tree and from the registry', async () => {
    const locks = await Promise.all(
      Object.values(places).map((from) => lock({ ...REACH, nodes: ['lyra-c01', 'aquila-m02'], from })),
    );
    const [first, ...others] = locks.map(({ lock: { from: _, ...rest } }) => rest);
    for (const other of others) expect(other).toEqual(first);
    expect(first?.nodes.map(({ node_name }) => node_name)).toEqual(['aquila-m02', 'lyra-c01']);
  });

  test('stores its source: a base URL, or a folder relative to the lock file', () => {
    expect(JSON.parse(readFileSync(file, 'utf8')).from).toEqual({
      kind: 'url',
      place: `http://127.0.0.1:${old.port}/`,
    });
  });

  test('accepts paths and uids, and contains each node once', async () => {
    const { nodes } = (await lock({ ...REACH, nodes: ['lyra-c01'], from: SAMPLE })).lock;
    const [{ path = '', uid = '' } = {}] = nodes;
    const taken = await lock({ ...REACH, nodes: [uid, path, `/${path}/`, 'lyra-c01'], from: SAMPLE });
    expect(taken.lock.nodes).toEqual(nodes);
  });

  test('of a query is rejected with the command for queries', async () => {
    expect(await failureOf(() => lock({ ...REACH, nodes: ["label.gpu = 'A100'"], from: SAMPLE }))).toBe(
      `error: There is no node "label.gpu = 'A100'". [unknown-node]\n  To lock the nodes of a query, run: gridpress find QUERY --lock FILE.\n`,
    );
  });

  test.each(['HTTP', 'the tree', 'the registry'])('of an unknown node is rejected, from %s', async (name) => {
    const from = placeOf(name);
    expect(await failureOf(() => lock({ ...REACH, nodes: ['lyra-c99'], from }))).toBe(
      'error: There is no node "lyra-c99". [unknown-node]\n  Did you mean "lyra-c09" or "lyra-c01" or "lyra-c02"? If the node was renamed or removed, add --at with an earlier date.\n',
    );
    expect(await failureOf(() => lock({ ...REACH, nodes: ['sites/lyra'], from }))).toBe(
      'error: There is no node "sites/lyra". [unknown-node]\n  Did you mean "lyra-c01" or "lyra-c02" or "lyra-c03"? If the node was renamed or removed, add --at with an earlier date.\n',
    );
  });
});

describe.each(['HTTP', 'HTTP in the legacy dialect', 'the tree', 'the legacy tree', 'the registry'])(
  'a lock verified against %s',
  (name) => {
    test('reports for each node the same changes as the log', async () => {
      expect(statusByNode(await verify(placeOf(name)))).toEqual({
        'aquila-c04': { status: 'changed', fails: true, classes: ['component'], in: ['c421f9e4'] },
        'aquila-c05': { status: 'same', fails: false, classes: [], in: [] },
        'aquila-m02': { status: 'changed', fails: false, classes: ['placement'], in: ['2060342a'] },
        'carina-c06': { status: 'removed', fails: true, classes: [], in: ['46455c8c', 'a9b92053'] },
        'lyra-c01': {
          status: 'changed',
          fails: true,
          classes: ['hardware', 'firmware', 'derived'],
          in: ['3d2dda99', 'd3ff39f7'],
        },
        'lyra-c03': {
          status: 'changed',
          fails: true,
          classes: ['hardware', 'firmware', 'component', 'derived'],
          in: ['3d2dda99', 'd3ff39f7', '47cb544f'],
        },
      });
    });

    test('gives the same verdict as against the registry', async () => {
      const { against: _, ...found } = await verify(placeOf(name));
      const { against: __, ...expected } = await verify(SAMPLE);
      expect(found).toEqual(expected);
    });

    test('passes if nothing of the requested classes changed', async () => {
      const some = join(folder, 'some.lock.json');
      await lock({ ...REACH, nodes: ['aquila-c05', 'aquila-m02'], from: old.out, out: some });
      expect((await verify(placeOf(name), { file: some })).ok).toBe(true);
      expect((await verify(placeOf(name), { file: some, class: ['placement'] })).ok).toBe(false);
    });

    test('reports no date if the history differs', async () => {
      const foreign = join(folder, 'foreign.lock.json');
      const { latest_version: _, ...node } = JSON.parse(readFileSync(file, 'utf8')).nodes[5];
      const { nodes: __, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
      writeFileSync(foreign, JSON.stringify({ ...rest, nodes: [node] }));
      const { nodes } = await verify(placeOf(name), { file: foreign });
      expect(nodes.map(({ status, classes, revisions, fields }) => ({ status, classes, revisions, fields }))).toEqual([
        { status: 'changed', revisions: undefined, fields: undefined, classes: ['hardware', 'firmware', 'derived'] },
      ]);
    });
  },
);

test('a lock verified against a snapshot is compared with that revision', async () => {
  const { revision } = old.manifest;
  const { client } = head;
  const { items } = JSON.parse((await client.get('/snapshots')).body);
  const at = items.map(({ uid }: { uid: string }) => uid).find((uid: string) => uid !== revision);
  const result = await verify(`${placeOf('HTTP')}/snapshots/${at}`);
  expect(result.to.id).toBe(at);
  expect(statusByNode(result)).toMatchObject({
    'aquila-m02': { status: 'same' },
    'carina-c06': { status: 'removed', in: ['46455c8c', 'a9b92053'] },
  });
  expect((await verify(`${placeOf('HTTP')}/snapshots/${revision}`)).ok).toBe(true);
});

test('a base URL may have a path, with or without a trailing slash', async () => {
  const service = await serviceOf((path) => {
    if (!path.startsWith('/api/v1/')) return { status: 404 };
    const url = path.slice('/api/v1'.length);
    const found = head.manifest.documents.find((document) => document.path === url);
    return found ? { body: readFileSync(join(head.out, found.file), 'utf8') } : { status: 404 };
  });
  const expected = statusByNode(await verify(SAMPLE));
  for (const base of [`${service.origin}/api/v1`, `${service.origin}/api/v1/`])
    expect(statusByNode(await verify(base))).toEqual(expected);
  expect(service.asked.filter((path) => !path.startsWith('/api/v1/'))).toEqual([]);
});

test('verify-lock requests only the root, the sites, the collections of each site, and histories', async () => {
  const service = await serviceOf((path) => {
    const found = head.manifest.documents.find((document) => document.path === path);
    return found ? { body: readFileSync(join(head.out, found.file), 'utf8') } : { status: 404 };
  });
  await verify(service.origin);
  // All seven sites, five of them with nodes, because a removed node can have another path now; five nodes with
  // histories of 1, 1, 2, 2 and 3 versions, the version before, and its list.
  expect(service.asked.length).toBe(2 + (7 + 5) + 5 * 2 + (1 + 1 + 2 + 2 + 3));
  expect(new Set(service.asked).size).toBe(service.asked.length);
});

test('verify-lock lists nodes by name, and highlights requested classes', async () => {
  const some = join(folder, 'told.lock.json');
  await lock({ ...REACH, nodes: ['aquila-c04', 'aquila-m02', 'carina-c06'], from: old.out, out: some });
  const result = await verify(head.out, { file: some });
  const tag = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
  const palette = { error: tag('e'), good: tag('g'), warning: tag('w'), quiet: tag('q'), strong: tag('s') };
  const [m02, c04, c06] = result.nodes.map(({ path }) => path);
  expect(describeVerdicts(result, palette).split('\n')).toEqual([
    `<e>changed </e> <s>${c04}</s> (aquila-c04): <e>component</e>`,
    '  network_adapters[ens3f0np0].mac  <e>"ba:3f:d2:16:09:b0"</e> -> <g>"ba:3f:d2:90:9c:e2"</g>  <q>component</q>',
    '  network_adapters[ens3f1np1].mac  <e>"ba:3f:d2:16:09:b1"</e> -> <g>"ba:3f:d2:90:9c:e3"</g>  <q>component</q>',
    '  <w>c421f9e4</w> 2024-06-06T09:47:09Z aquila-c04: new network card <q>Håkon Veldre</q> <q>(replaced, component)</q>',
    `<w>changed </w> <s>${m02}</s> (aquila-m02): placement`,
    '  <q>and 2 fields of other classes</q>',
    '  <w>2060342a</w> 2025-03-06T15:18:03Z Move aquila-m02 to rack 3 <q>Håkon Veldre</q> <q>(updated, placement)</q>',
    `<e>removed </e> <s>${c06}</s> (carina-c06)`,
    '  <w>46455c8c</w> 2025-01-24T15:22:15Z carina: swap carina-c06 <q>Delphine Karroway</q> <q>(removed, hardware)</q>',
    '  <w>a9b92053</w> 2024-11-15T14:33:47Z carina: rename the node type cpu_icelake to cpu_icelake_r650 <q>Marit Osvane</q> <q>(updated, identity)</q>',
    '    <q>and 1 field of other classes</q>',
    '<e>2 of 3 nodes not the same from 3470b9f7 (2023-10-24) to 8b5c9412 (2026-05-06): 1 changed in component, 1 removed, 1 changed otherwise.</e>',
    '',
  ]);
});

test('verify-lock labels the fields of single revisions', async () => {
  const some = join(folder, 'labelled.lock.json');
  await lock({ ...REACH, nodes: ['lyra-c03'], from: old.out, out: some });
  for (const place of ['HTTP', 'the registry']) {
    const { nodes } = await verify(placeOf(place), { file: some });
    const fields = nodes.flatMap(({ revisions = [] }) => revisions.flatMap((step) => step.fields));
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.filter(({ field }) => field === undefined)).toEqual([]);
  }
});

describe('verify-lock', () => {
  test('reports changes in its exit status', async () => {
    const run = (...args: string[]) => gridpress(['verify-lock', file, '--against', head.out, ...args]);
    const failing = await run();
    expect(failing.status).toBe(1);
    expect(failing.stdout.trimEnd().split('\n').at(-1)).toBe(
      '4 of 6 nodes not the same from 3470b9f7 (2023-10-24) to 8b5c9412 (2026-05-06): 3 changed in hardware, firmware, component, 1 removed, 1 changed otherwise.',
    );
    const twice = await run('--class', 'placement', '--class', 'hardware', '--json');
    expect(JSON.parse(twice.stdout).classes).toEqual(['hardware', 'placement']);
    const json = await run('--json');
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, classes: ['hardware', 'firmware', 'component'] });
    expect((await run('--class', 'hardwear')).stderr).toBe(
      `error: option '--class <names>' argument 'hardwear' is invalid. The classes are hardware, firmware, component, placement, identity, derived, administrative, unknown.\n(See gridpress verify-lock --help)\n`,
    );
  });

  test('finds the registry next to it, from the path in the lock file', async () => {
    const cwd = newFolder();
    cpSync(SAMPLE, join(cwd, 'registry-data'), { recursive: true });
    cpSync(join(SAMPLE, '..', 'gridpress.yaml'), join(cwd, 'gridpress.yaml'));
    const locked = await gridpress(['lock', 'lyra-c01', 'lyra-c03', '-o', 'locks/a.lock.json'], { cwd });
    expect(locked).toEqual({
      status: 0,
      stderr: '',
      stdout: 'Locked 2 nodes at 8b5c9412 (2026-05-06) in locks/a.lock.json.\n',
    });
    expect(JSON.parse(readFileSync(join(cwd, 'locks/a.lock.json'), 'utf8')).from).toEqual({
      kind: 'registry',
      place: '../registry-data',
    });
    const verified = await gridpress(['verify-lock', join(cwd, 'locks', 'a.lock.json')]);
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    expect(verified.stdout.split('\n').at(-2)).toBe(
      '2 nodes: unchanged in hardware, firmware, component at 8b5c9412 (2026-05-06).',
    );
    const printed = await gridpress(['lock', 'lyra-c01', 'lyra-c03'], { cwd });
    expect(printed.stdout).toBe(
      readFileSync(join(cwd, 'locks/a.lock.json'), 'utf8').replace('../registry-data', 'registry-data'),
    );
  });

  test('finds the registry from each path of the lock file, if links lead to the lock file or its folder', async () => {
    const cwd = newFolder();
    cpSync(SAMPLE, join(cwd, 'project/registry-data'), { recursive: true });
    cpSync(join(SAMPLE, '..', 'gridpress.yaml'), join(cwd, 'project/gridpress.yaml'));
    mkdirSync(join(cwd, 'project/runs/one'), { recursive: true });
    symlinkSync('project/runs/one', join(cwd, 'runs'));
    symlinkSync('project/runs/one/a.lock.json', join(cwd, 'a.lock.json'));
    symlinkSync('project', join(cwd, 'current'));
    await gridpress(['lock', 'lyra-c01', '--from', 'current/registry-data', '-o', 'runs/a.lock.json'], { cwd });
    const paths = ['runs/a.lock.json', 'project/runs/one/a.lock.json', 'current/runs/one/a.lock.json', 'a.lock.json'];
    for (const path of paths) {
      const { status, stderr } = await gridpress(['verify-lock', path], { cwd });
      expect([path, status, stderr]).toEqual([path, 0, '']);
    }
  });

  test('reads the absolute path that the explorer writes for a tree in a folder', async () => {
    const { text } = await lock({ ...REACH, nodes: NODES, from: head.out });
    const saved = join(newFolder(), 'gridpress.lock');
    writeFileSync(saved, JSON.stringify({ ...JSON.parse(text), from: { kind: 'tree', place: `${head.out}/` } }));
    expect(await verifyLock({ ...REACH, file: saved, class: ASKED })).toMatchObject({ ok: true });
  });

  test('warns about a place that is earlier than the lock file, or of another testbed', async () => {
    const cwd = newFolder();
    await gridpress(['lock', 'aquila-c04', '--from', head.out, '-o', 'new.lock.json'], { cwd });
    const earlier = await gridpress(['verify-lock', 'new.lock.json', '--against', old.out], { cwd });
    expect(earlier.status).toBe(1);
    expect(earlier.stderr).toMatch(
      /^warning: The lock file is of 2026-05-06\. \S+ is older: it shows the nodes of 2023-10-24\. \[lock-later\]/,
    );
    const other = writeTestbed(newFolder()).registry;
    await gridpress(['lock', 'aquila-c04', '--from', old.out, '-o', 'old.lock.json'], { cwd });
    const elsewhere = await gridpress(['verify-lock', 'old.lock.json', '--against', other], { cwd });
    expect([elsewhere.status, elsewhere.stderr]).toEqual([1, expect.stringContaining('[lock-elsewhere]')]);
  });

  test('names the new path of nodes whose site was renamed', async () => {
    const cwd = newFolder();
    cpSync(SAMPLE, join(cwd, 'registry-data'), { recursive: true });
    cpSync(join(SAMPLE, '..', 'gridpress.yaml'), join(cwd, 'gridpress.yaml'));
    await gridpress(['lock', 'aquila-m01', 'aquila-m02', 'lyra-c01', '-o', 'a.lock.json'], { cwd });
    await gridpress(['rename', 'sites/aquila', 'eagle', '-m', 'Rename a site', '--author', 'Ada Brown'], { cwd });
    await gridpress(['set', 'aquila-m02', 'bios.version=9.9.9', '-m', 'Update a BIOS', '--author', 'Ada Brown'], {
      cwd,
    });
    const warning =
      /^warning: 1 removed node has another path now, but the same fields\. For example, sites\/aquila\/(\S+) is now sites\/eagle\/\1\. \[lock-moved\]/;
    await gridpress(['build', '--no-fsync'], { cwd });
    for (const place of ['registry-data', 'dist']) {
      const { status, stdout, stderr } = await gridpress(['verify-lock', 'a.lock.json', '--against', place], { cwd });
      expect([status, stderr]).toEqual([1, expect.stringMatching(warning)]);
      expect(stdout).toContain('2 of 3 nodes not the same');
    }
    const { stdout } = await gridpress(['verify-lock', 'a.lock.json', '--json'], { cwd });
    const { moved, nodes } = JSON.parse(stdout);
    const [{ path }] = nodes;
    expect(moved).toEqual([{ from: path, to: path.replace('aquila/', 'eagle/') }]);
  });

  test('does not call a registry earlier because its newest revision has an older date', async () => {
    const cwd = newFolder();
    cpSync(SAMPLE, join(cwd, 'registry-data'), { recursive: true });
    cpSync(join(SAMPLE, '..', 'gridpress.yaml'), join(cwd, 'gridpress.yaml'));
    await gridpress(['lock', 'lyra-c01', '-o', 'a.lock.json'], { cwd });
    await gridpress(['set', 'lyra-c01', 'bios.version=9.9.9'], { cwd });
    const record = ['record', '-m', 'New firmware', '--author', 'Ada Brown', '--date', '2024-01-01T00:00:00Z'];
    expect((await gridpress(record, { cwd })).status).toBe(0);
    const { status, stderr } = await gridpress(['verify-lock', 'a.lock.json'], { cwd });
    expect([status, stderr]).toEqual([1, expect.not.stringContaining('lock-later')]);
  });

  test('with --summary, counts the nodes by class, and lists equal changes once', async () => {
    const command = ['verify-lock', file, '--against', SAMPLE];
    const [details, summary] = [await gridpress(command), await gridpress([...command, '--summary'])];
    expect([summary.status, details.stdout]).toEqual([1, (await gridpress([...command, '--details'])).stdout]);
    const [lines, shown] = [details, summary].map(({ stdout }) => stdout.trimEnd().split('\n'));
    expect(shown?.slice(-2)).toEqual([
      `--details lists the changes and revisions of each node (${lines?.length} lines).`,
      lines?.at(-1),
    ]);
    const json = JSON.parse((await gridpress([...command, '--summary', '--json'])).stdout);
    const { nodes } = JSON.parse((await gridpress([...command, '--json'])).stdout);
    const counts = new Map<string, number>();
    for (const { status } of nodes) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect(json.nodes).toMatchObject({ total: NODES.length, ...Object.fromEntries(counts) });
    expect(json).toMatchObject({ ok: false, changed: expect.arrayContaining([{ ...json.changed[0] }]) });
    expect(json).not.toHaveProperty('revisions');
  });

  test('reports invalid input as an error, not as a change', async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'bad.json'), '{"gridpress_lock": 1}');
    expect((await gridpress(['verify-lock', 'bad.json'], { cwd })).status).toBe(2);
    writeFileSync(join(cwd, 'oar.json'), '{"421": {"assigned_nodes": ["lyra-c01"]}}');
    expect(await gridpress(['verify-lock', 'oar.json'], { cwd })).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'error: oar.json is not a lock file. [lock-other-file]\n  To lock its nodes, run: gridpress lock --from-oar oar.json -o experiment.lock.json\n',
    });
    expect(await gridpress(['verify-lock', 'none.json'], { cwd })).toMatchObject({
      status: 2,
      stderr:
        'error: none.json cannot be read: no such file or folder. [read-failed]\n  Check that it exists, and that you may read it.\n',
    });
    expect(await gridpress(['verify-lock', file, '--against', 'nowhere'], { cwd })).toMatchObject({
      status: 2,
      stderr:
        'error: "nowhere" is neither a base URL nor the folder of a tree or a registry. [no-source]\n  Name a URL such as https://api.example.org/, a folder that "gridpress build" wrote, or a registry. Unpack an archive first, and apply a bundle first. If a lock file names this place, add --against.\n',
    });
    cpSync(SAMPLE, join(cwd, 'registry-data'), { recursive: true });
    cpSync(join(SAMPLE, '..', 'gridpress.yaml'), join(cwd, 'gridpress.yaml'));
    writeFileSync(join(cwd, 'registry-data', 'history', '000035-x.yaml'), 'id: none\n');
    const broken = await gridpress(['verify-lock', file, '--against', 'registry-data'], { cwd });
    expect(broken.status).toBe(2);
    expect(broken.stderr).toContain('error: The lock file could not be verified. [not-verified]\n');
  });
});

test('prints the address of a server that only the lock file names, before it connects', async () => {
  const { stderr } = await gridpress(['verify-lock', file]);
  expect(stderr).toBe(
    `Reading http://127.0.0.1:${old.port}/, the source that the lock file names (change it with --against).\n`,
  );
  const named = await gridpress(['verify-lock', file, '--against', placeOf('HTTP')]);
  expect(named.stderr).not.toContain('Asking');
});
