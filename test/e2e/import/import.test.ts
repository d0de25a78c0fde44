import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gridpress } from '../../support/processes/cli.ts';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import {
  BASE,
  CLUSTER,
  GRID,
  NODE,
  NODE_BODY,
  NODE_FILE,
  SITE_BODY,
  SITE_FILE,
  warning,
} from '../../support/registries/imported.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

const NODES = `${GRID}/${CLUSTER}/nodes`;

/** The first line of gridpress.yaml, with the schema for editors. */
const EDITOR_LINE = '# yaml-language-server: $schema=./schemas/gridpress.schema.json\n';

describe('gridpress import', () => {
  test('creates a registry with its history and a configuration, ready for all commands', async () => {
    const repository = gitRepository();
    const first = repository.commit({
      files: { ...BASE, [SITE_FILE]: json({ ...SITE_BODY, site_class: 'baremetal' }) },
    });
    const second = repository.commit({
      message: 'Replace the disk of n1\n\nIt made noises.\n',
      files: {
        [NODE_FILE]: json({
          ...NODE_BODY,
          cores: 16,
          serial: '0012',
          disks: [{ device: 'sda', serial: '1E5', firmware: 'x'.repeat(40), note: 'y'.repeat(40) }],
        }),
        [`${NODES}/n2.json`]: json({ type: 'node', uid: 'n2', mac: null }),
      },
    });
    const third = repository.commit({
      files: { [NODE_FILE]: null, [`${NODES}/n2.json`]: '{"uid":"n2","mac":null,"type":"node"}' },
    });
    const cwd = temporaryFolder();

    expect(await gridpress(['import', repository.folder, '-o', 'registry-data'], { cwd })).toEqual({
      status: 0,
      stdout:
        'Imported 3 revisions and 4 resources into registry-data.\nWrote gridpress.yaml with values from the registry. Review it.\n',
      stderr: '',
    });
    const contents = folderContents(cwd);
    const digests = (id: string) =>
      /^state: sha256:[0-9a-f]{64}\ncontents: sha256:[0-9a-f]{64}$/m.exec(
        Object.entries(contents).find(([file]) => file.includes(id.slice(0, 8)))?.[1] ?? '',
      )?.[0];
    const isSchema = (file: string) => file.startsWith('schemas/');
    expect(Object.keys(contents).filter(isSchema)).toContain('schemas/node.schema.json');
    expect(Object.fromEntries(Object.entries(contents).filter(([file]) => !isSchema(file)))).toEqual({
      '.gitignore': expect.stringContaining('\n.*.gridpress*\n'),
      'gridpress.yaml': `${EDITOR_LINE}cluster_uid: main\nnode_uid: name\n`,
      'registry-data/grid.yaml': 'type: grid\nuid: testbed\n',
      'registry-data/sites/lyra/site.yaml': 'type: site\nuid: lyra\nname: Lyra\nsite_class: baremetal\n',
      'registry-data/sites/lyra/clusters/main/cluster.yaml': 'type: cluster\nuid: main\n',
      'registry-data/sites/lyra/clusters/main/nodes/n2.yaml': 'uid: n2\nmac: null\ntype: node\n',
      [`registry-data/history/000001-${first.slice(0, 8)}.yaml`]: `id: ${plain(first)}
date: "2023-11-14T23:13:20+01:00"
author: Ada Brown
message: Commit 1
origin: git
${digests(first)}
changes:
  - added: /
    value:
      type: grid
      uid: testbed
  - added: sites/lyra
    value:
      type: site
      uid: lyra
      name: Lyra
      site_class: baremetal
  - added: ${CLUSTER}
    value:
      type: cluster
      uid: main
  - added: ${NODE}
    value:
      type: node
      uid: n1
      node_type: compute
      cores: 8
`,
      [`registry-data/history/000002-${second.slice(0, 8)}.yaml`]: `id: ${plain(second)}
parents:
  - ${plain(first)}
date: "2023-11-14T23:14:20+01:00"
author: Ada Brown
message: |-
  Replace the disk of n1

  It made noises.
origin: git
${digests(second)}
changes:
  - updated: ${NODE}
    fields:
      - {at: /cores, from: 8, to: 16}
      - {at: /serial, to: "0012"}
      - at: /disks
        to:
          - device: sda
            serial: "1E5"
            firmware: ${'x'.repeat(40)}
            note: ${'y'.repeat(40)}
  - added: ${CLUSTER}/nodes/n2
    value:
      type: node
      uid: n2
      mac: null
`,
      [`registry-data/history/000003-${third.slice(0, 8)}.yaml`]: `id: ${plain(third)}
parents:
  - ${plain(second)}
date: "2023-11-14T23:15:20+01:00"
author: Ada Brown
message: Commit 3
origin: git
${digests(third)}
changes:
  - removed: ${NODE}
  - touched: ${CLUSTER}/nodes/n2
`,
    });
    expect(await gridpress(['check'], { cwd })).toMatchObject({
      status: 0,
      stdout: 'No errors: 4 resources, 3 revisions.\n',
      stderr: '',
    });
    expect((await gridpress(['show', 'n1', '--at', second.slice(0, 8)], { cwd })).stdout).toBe(
      `# /${NODE} at ${second.slice(0, 8)}, 2023-11-14T22:14:20Z
type: node
uid: n1
node_type: compute
cores: 16
serial: "0012"
disks:
  - device: sda
    serial: "1E5"
    firmware: ${'x'.repeat(40)}
    note: ${'y'.repeat(40)}
`,
    );
  });

  test('adds the locks to an existing .gitignore once', async () => {
    const repository = gitRepository();
    repository.commit({ files: BASE });
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, '.gitignore'), 'secrets');
    const imported = async () => {
      expect((await gridpress(['import', repository.folder, '-o', 'registry-data'], { cwd })).status).toBe(0);
      return readFileSync(join(cwd, '.gitignore'), 'utf8');
    };
    const ignored = await imported();
    expect(ignored).toMatch(/^secrets\nnode_modules\/\n(.*\n)+\.\*\.gridpress\*\n$/);
    expect(await imported()).toBe(ignored);
  });

  test('reports the number of new revisions, and keeps an existing configuration', async () => {
    const repository = gitRepository();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'gridpress.yaml'), 'cluster_uid: other\n');
    const again = () => gridpress(['import', repository.folder, '-o', 'registry-data'], { cwd });
    repository.commit({ files: BASE });
    expect((await again()).stdout).toBe('Imported 1 revision and 4 resources into registry-data.\n');
    repository.commit({ files: { [NODE_FILE]: null } });
    expect((await again()).stdout).toBe('Imported 1 new revision of 2 and 3 resources into registry-data.\n');
    expect((await again()).stdout).toBe('Imported 0 new revisions of 2 and 3 resources into registry-data.\n');
    expect(readFileSync(join(cwd, 'gridpress.yaml'), 'utf8')).toBe('cluster_uid: other\n');
  });

  test.each([
    [['main', 'main'], 'main'],
    [['old', 'main'], 'any'],
  ])('writes a configuration for nodes with UUIDs and clusters called %j: cluster_uid %s', async (uids, expected) => {
    const repository = gitRepository();
    const cluster = (site: string, uid: string) => `${GRID}/sites/${site}/clusters/${uid}/${uid}.json`;
    const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    repository.commit({
      files: {
        [`${GRID}/testbed.json`]: '{"type": "grid", "uid": "testbed"}',
        ...Object.fromEntries(
          uids.flatMap((uid, i) => [
            [`${GRID}/sites/s${i}/s${i}.json`, json({ type: 'site', uid: `s${i}`, name: uid })],
            [cluster(`s${i}`, uid), json({ type: 'cluster', uid })],
          ]),
        ),
        [`${GRID}/sites/s0/clusters/${uids[0]}/nodes/${uuid}.json`]: json({ type: 'node', uid: uuid }),
      },
    });
    const cwd = temporaryFolder();
    await gridpress(['import', repository.folder, '-o', 'registry-data'], { cwd });
    expect(readFileSync(join(cwd, 'gridpress.yaml'), 'utf8')).toBe(`${EDITOR_LINE}cluster_uid: ${expected}\n`);
  });

  test('prints the first fifty warnings and the number of further warnings, and succeeds', async () => {
    const repository = gitRepository();
    const uids = Array.from({ length: 53 }, (_, i) => `x${String(i).padStart(2, '0')}`);
    const id = repository.commit({
      files: { ...BASE, ...Object.fromEntries(uids.map((uid) => [`${NODES}/${uid}.json`, json({ type: 'node' })])) },
    });
    const cwd = temporaryFolder();
    const { status, stdout, stderr } = await gridpress(['import', repository.folder, '-o', 'registry-data'], { cwd });
    const warnings = uids.map((uid) =>
      warning(id, `${NODES}/${uid}.json has no uid.`, 'import-identity', 'The import derives the value from the path.'),
    );
    expect(stderr).toBe(`${warnings.slice(0, 50).join('\n')}\n… and 3 more findings\n`);
    expect(stdout.split('\n')[0]).toBe('Imported 1 revision and 57 resources into registry-data.');
    expect(status).toBe(0);
  });

  test('summarizes ignored files by folder if there are many', async () => {
    const repository = gitRepository();
    const vlans = ['lyra', 'vega'].flatMap((site) =>
      Array.from({ length: 5 }, (_, i) => `${GRID}/sites/${site}/vlans/v${i}.json`),
    );
    const files = Object.fromEntries([...vlans, `${GRID}/access.json`].map((path) => [path, '{}']));
    repository.commit({ files: { ...BASE, ...files } });
    repository.commit({ files: { [vlans[0] ?? '']: '{"a": 1}' } });
    const run = (...args: string[]) =>
      gridpress(['import', repository.folder, '-o', 'registry-data', ...args], { cwd: temporaryFolder() });
    expect((await run()).stderr).toBe(
      `warning: 11 files of the repository and its history are not resources: 10 in ${GRID}/sites/*/vlans/, 1 in ${GRID}/. [import-left-out]\n` +
        '  The import omits them. --json lists each with its commit. To import the files of a folder, declare its kind under "kinds" in gridpress.yaml.\n',
    );
    const { findings } = JSON.parse((await run('--json')).stdout);
    expect(findings.map(({ code }: { code: string }) => code)).toEqual(Array(12).fill('import-no-resource'));
  });

  test('--json prints the same for programs, with all warnings', async () => {
    const repository = gitRepository();
    const id = repository.commit({ files: { ...BASE, [NODE_FILE]: '{"type": "node", "cores": 8}' } });
    const cwd = temporaryFolder();
    const { status, stdout, stderr } = await gridpress(['import', repository.folder, '-o', 'registry-data', '--json'], {
      cwd,
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.endsWith('}\n')).toBe(true);
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      out: 'registry-data',
      head: id,
      revisions: 1,
      resources: 4,
      added: 1,
      configuration: 'gridpress.yaml',
      is_merge_due: false,
      findings: [
        {
          code: 'import-identity',
          severity: 'warning',
          message: `${id.slice(0, 8)}: ${NODE_FILE} has no uid.`,
          fix: 'The import derives the value from the path.',
        },
      ],
    });
  });

  test('--first-parent, --ref and --path select the imported commits and folder', async () => {
    const repository = gitRepository();
    const first = repository.commit({ files: { ...BASE, 'second/second.json': '{"type": "grid", "uid": "second"}' } });
    const side = repository.commit({ branch: 'side', parents: [first], files: { [NODE_FILE]: null } });
    repository.commit({ branch: 'side', parents: [first, side], files: { [NODE_FILE]: null } });
    repository.commit();
    const cwd = temporaryFolder();
    const flags = ['--first-parent', '--ref', 'side', '--path', 'second'];
    const { stdout } = await gridpress(['import', repository.folder, ...flags, '-o', 'registry-data'], { cwd });
    expect(stdout.split('\n')[0]).toBe('Imported 2 revisions and 1 resource into registry-data.');
  });

  test('fails with status 2 and writes nothing if there is nothing to import', async () => {
    const cwd = temporaryFolder();
    const args = ['import', 'nowhere', '-o', 'registry-data'];
    const fix = 'Name a clone, a bare repository or a bundle that "git log" can read.';
    const message = 'nowhere cannot be read as a git repository: git is not installed, or there is no such folder.';
    expect(await gridpress(args, { cwd })).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: ${message} [not-a-repository]\n  ${fix}\n`,
    });
    const { status, stdout, stderr } = await gridpress([...args, '--json'], { cwd });
    expect([status, stderr]).toEqual([2, '']);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      findings: [{ code: 'not-a-repository', severity: 'error', message, fix }],
    });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test.each([
    [['import', '-o', 'x'], "error: missing required argument 'repository'"],
    [['import', '.'], "error: required option '-o, --out <folder>' not specified"],
    [
      ['import', '.', '-o', 'x', '--first-parents'],
      "error: unknown option '--first-parents'\n(Did you mean --first-parent?)",
    ],
  ])('rejects the arguments %j', async (args, message) => {
    expect(await gridpress(args, { cwd: temporaryFolder() })).toEqual({
      status: 2,
      stdout: '',
      stderr: `${message}\n(See gridpress import --help)\n`,
    });
  });
});

/** Returns an identifier as YAML, quoted if it could be a number. */
function plain(id: string): string {
  return /^\d+(e\d+)?$/.test(id) ? `"${id}"` : id;
}
