/** `lock --describe`, `describe-lock`, and the hardware tables of a tree: the same nodes, counted once more here. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { needs } from '../../support/processes/programs.ts';
import { CONFIGURATION, NODE, registryOf } from '../../support/registries/registry.ts';
import { buildAndServe, serveTree } from '../../support/trees/served.ts';

const NODES = ['lyra-g01', 'lyra-g02', 'aquila-c01', 'aquila-c02'];

let folder = '';
let tree = '';
let url = '';
let revision = '';

const run = (...args: readonly string[]) => gridpress(args, { cwd: folder });

beforeAll(async () => {
  folder = newFolder();
  const registry = join(folder, 'registry-data');
  cpSync(join(import.meta.dirname, '../../../registry-data'), registry, { recursive: true });
  writeFileSync(
    join(folder, 'gridpress.yaml'),
    `cluster_uid: main
citation:
  title: Nodes & 100 % of {Meridian}
  authors:
    - {family_names: Brown, given_names: Ada}
    - {name: Operators of A and B_C}
  publisher: Meridian
  license: CC-BY-4.0
  doi: 10.1234/meridian_1
`,
  );
  tree = join(folder, 'dist');
  await build({ registry, out: tree, snapshots: 'none', showsProgress: false });
  url = `http://127.0.0.1:${(await buildAndServe(registry)).port}/`;
  revision = JSON.parse(readFileSync(join(tree, 'index.json'), 'utf8')).version;
});

describe.each(['registry', 'tree', 'url'] as const)('from a %s', (kind) => {
  const from = () => ({ registry: 'registry-data', tree: 'dist', url })[kind];

  test('a lock file is described with its counts, its revision and its hardware', async () => {
    const file = `${kind}.lock.json`;
    const { status, stdout, stderr } = await run('lock', ...NODES, '--from', from(), '-o', file, '--describe', 'text');
    expect([status, stderr]).toEqual([0, expect.stringContaining('Locked 4 nodes')]);
    expect(stdout.split('\n')[0]).toBe(
      `The setup consists of 4 nodes: 2 at Aquila (aquila-c01 and aquila-c02) and 2 at Lyra (lyra-g01 and lyra-g02). The table lists their hardware at revision ${revision} of 2026-05-06 of the registry "Nodes & 100 % of {Meridian}"${kind === 'url' ? ` (${url}explorer/index.htm?revision=${revision})` : ''}.`,
    );
    const cells = stdout
      .split('\n')
      .slice(2, -1)
      .map((line) => line.split(/ {2,}/));
    expect(cells[0]).toEqual(['Site', 'Node type', 'CPU', 'Threads', 'Memory', 'GPU', 'Disk', 'Network', 'Nodes']);
    expect(cells.slice(1).map((row) => [row[0], row[1], row[5], row[8]])).toEqual([
      ['Aquila', 'cpu_zen3', '-', '2'],
      ['Lyra', 'gpu_a100x4', '3 × A100 PCIe 80GB', '1'],
      ['Lyra', 'gpu_a100x4', '4 × A100 PCIe 80GB', '1'],
    ]);
    expect((await run('describe-lock', file)).stdout).toBe(stdout);
    const record = await run('lock', ...NODES, '--from', from(), '-o', file, '--describe', 'text', '--json');
    expect(JSON.parse(record.stdout)).toMatchObject({ ok: true, file, description: stdout });
  });

  test('40 nodes have a row for each group, and the paragraph lists the sites', async () => {
    const hosts = join(folder, 'hosts.txt');
    writeFileSync(hosts, (await run('find', '--from', from(), '--limit', '40', '--uids')).stdout);
    await run('lock', '--hosts', 'hosts.txt', '--from', from(), '-o', `${kind}.many.lock.json`);
    const { stdout } = await run('describe-lock', `${kind}.many.lock.json`);
    const [paragraph = '', , , ...rows] = stdout.trimEnd().split('\n');
    expect(paragraph).toMatch(
      /^The setup consists of 40 nodes: 16 at Aquila, 13 at Carina, 10 at Corvus and 1 at Fornax\. The table lists .*\. The lock file \w+\.many\.lock\.json lists the nodes\.$/,
    );
    expect(rows).toHaveLength(10);
    expect(rows.reduce((sum, row) => sum + Number(row.split(' ').at(-1)), 0)).toBe(40);
  });

  test('its revision has a BibTeX entry with the citation of the configuration', async () => {
    const file = `${kind}.bib.lock.json`;
    await run('lock', 'lyra-g01', '--from', from(), '-o', file);
    const { status, stdout } = await run('describe-lock', file, '--as', 'bibtex');
    expect(status).toBe(0);
    expect(stdout.split('\n')).toEqual([
      `@misc{Meridian-${revision.slice(0, 8)},`,
      '  author = {Brown, Ada and {Operators of A and B\\_C}},',
      '  title = {{Nodes \\& 100 \\% of \\textbraceleft{}Meridian\\textbraceright{}}},',
      '  publisher = {Meridian},',
      '  year = {2026},',
      `  note = {Revision ${revision} of 2026-05-06${kind === 'url' ? `, \\url{${url}explorer/index.htm?revision=${revision}}` : ''}},`,
      '  doi = {10.1234/meridian_1},',
      '  howpublished = {\\url{https://doi.org/10.1234/meridian_1}},',
      '}',
      '',
    ]);
  });
});

test.each(['registry', 'tree'])(
  'from a %s with a public URL, the description has the URL of the revision',
  async (kind) => {
    const config = join(folder, 'public.yaml');
    writeFileSync(
      config,
      `${readFileSync(join(folder, 'gridpress.yaml'), 'utf8')}base_url: https://api.example.org/v1\nbase_path: /v1\n`,
    );
    const out = join(folder, 'public');
    await build({ registry: join(folder, 'registry-data'), config, out, snapshots: 'none', showsProgress: false });
    const from = kind === 'tree' ? ['--against', 'public'] : ['--against', 'registry-data', '--config', config];
    await run('lock', 'lyra-g01', '-o', 'public.lock.json');
    const permalink = `https://api.example.org/v1/explorer/index.htm?revision=${revision}`;
    const { stdout } = await run('describe-lock', 'public.lock.json', ...from);
    expect(stdout.split('\n')[0]).toContain(`(${permalink}).`);
    const { stdout: entry } = await run('describe-lock', 'public.lock.json', '--as', 'bibtex', ...from);
    expect(entry).toContain(`note = {Revision ${revision} of 2026-05-06, \\url{${permalink}}},`);
  },
);

test('without the explorer, the URL is that of the JSON document', async () => {
  const config = join(folder, 'plain.yaml');
  writeFileSync(config, 'cluster_uid: main\nbase_url: https://api.example.org\nexplorer: false\n');
  const out = join(folder, 'plain');
  await build({ registry: join(folder, 'registry-data'), config, out, snapshots: 'none', showsProgress: false });
  await run('lock', 'lyra-g01', '-o', 'plain.lock.json');
  const places = [
    ['--against', 'registry-data', '--config', config],
    ['--against', `http://127.0.0.1:${(await serveTree(join(folder, 'registry-data'), out)).port}/`],
  ];
  for (const place of places) {
    const { stdout } = await run('describe-lock', 'plain.lock.json', ...place);
    expect(stdout.split('\n')[0]).toMatch(new RegExp(`\\(https?://[^/]*/versions/${revision}\\)\\.$`));
  }
});

test('the caption of a lock file is the caption of find', async () => {
  await run('lock', 'lyra-g01', '-o', 'caption.lock.json');
  const caption = `\\caption{Hardware of 1 node at revision ${revision.slice(0, 8)} of 2026-05-06.}`;
  expect((await run('describe-lock', 'caption.lock.json', '--as', 'latex')).stdout).toContain(caption);
  expect((await run('find', 'lyra-g01', '--latex', '--at', 'head')).stdout).toContain(caption);
});

test('a long table has the advice to group the nodes', async () => {
  const { status, stderr } = await run('find', '--latex');
  expect([status, stderr.split('\n').slice(0, 2)]).toEqual([
    0,
    [
      'warning: The table has a row for each of the 60 nodes. [table-long]',
      '  To combine equal nodes in one row, add: --group-by site,node_type',
    ],
  ]);
  expect((await run('find', '--latex', '--group-by', 'site')).stderr).not.toContain('table-long');
});

test('the title of a registry is not introduced as a registry again', async () => {
  const config = join(folder, 'default.yaml');
  writeFileSync(config, 'cluster_uid: main\n');
  await run('lock', 'lyra-g01', '-o', 'title.lock.json');
  const { stdout } = await run('describe-lock', 'title.lock.json', '--config', config);
  expect(stdout).toContain(' of 2026-05-06 of "Registry of the testbed meridian".\n');
});

test('a tree without the snapshot of a revision can be cited, and cannot describe the nodes', async () => {
  await run('lock', 'lyra-g01', '--at', '2025-04-01', '-o', 'old.lock.json');
  const { revision: old } = JSON.parse(readFileSync(join(folder, 'old.lock.json'), 'utf8'));
  const cited = await run('describe-lock', 'old.lock.json', '--against', 'dist', '--as', 'bibtex');
  expect(cited.stderr).toBe('');
  expect(cited.stdout).toContain(`Revision ${old.id} of ${old.date.slice(0, 10)}`);
  const described = await run('describe-lock', 'old.lock.json', '--against', 'dist');
  expect(described.status).toBe(2);
  expect(described.stderr).toContain('[no-snapshot]');
  expect(described.stderr).toContain('with --from (for a lock file: --against).');
});

test('the date and the names come from the registry and not from an altered lock file', async () => {
  const lock = JSON.parse((await run('lock', 'lyra-g01')).stdout);
  lock.revision.date = '2020-01-01T00:00:00Z';
  lock.nodes[0].node_name = 'lyra-g99';
  writeFileSync(join(folder, 'renamed.lock.json'), JSON.stringify(lock));
  const { stdout } = await run('describe-lock', 'renamed.lock.json');
  expect(stdout).toContain('1 node at Lyra (lyra-g01).');
  expect(stdout).toContain(`at revision ${revision} of 2026-05-06 of`);
  const { stdout: entry } = await run('describe-lock', 'renamed.lock.json', '--as', 'bibtex');
  expect(entry).toContain('year = {2026}');
});

test('a node that the place does not have is a finding', async () => {
  const lock = JSON.parse((await run('lock', 'lyra-g01')).stdout);
  const [node] = lock.nodes;
  const uid = '00000000-0000-4000-8000-000000000000';
  lock.nodes = [{ ...node, uid, path: node.path.replace(node.uid, uid) }];
  writeFileSync(join(folder, 'other.lock.json'), JSON.stringify(lock));
  const { status, stderr } = await run('describe-lock', 'other.lock.json');
  expect(status).toBe(2);
  expect(stderr).toContain(`${uid}, which the source does not have at revision ${revision.slice(0, 8)}. [setup-node]`);
});

test('--describe needs --out', async () => {
  const { status, stderr } = await run('lock', 'lyra-g01', '--describe', 'latex');
  expect([status, stderr]).toEqual([2, expect.stringContaining('--describe needs --out')]);
});

const pdflatex = needs('pdflatex');

describe.skipIf(pdflatex.isMissing)(`pdflatex${pdflatex.because}`, () => {
  test.each(['onecolumn', 'twocolumn'])('compiles the description and the bibliography in %s', async (layout) => {
    await run('lock', ...NODES, '--from', url, '-o', 'paper.lock.json');
    const { stdout } = await run('describe-lock', 'paper.lock.json', '--as', 'latex');
    writeFileSync(join(folder, 'paper.bib'), (await run('describe-lock', 'paper.lock.json', '--as', 'bibtex')).stdout);
    writeFileSync(
      join(folder, 'paper.tex'),
      `\\documentclass[${layout}]{article}\n\\usepackage{array,booktabs,graphicx,url}\n\\begin{document}\n${stdout}\\nocite{*}\n\\bibliographystyle{plain}\n\\bibliography{paper}\n\\end{document}\n`,
    );
    const program = (name: string, ...args: readonly string[]) =>
      execFileSync(name, args, { cwd: folder, encoding: 'utf8' });
    const compiled = () =>
      program('pdflatex', '-interaction=nonstopmode', '-halt-on-error', '-no-shell-escape', 'paper.tex');
    compiled();
    program('bibtex', 'paper');
    compiled();
    expect(compiled()).toContain('Output written on paper.pdf');
    const log = readFileSync(join(folder, 'paper.log'), 'latin1');
    // The note of the bibliography contains a revision, which has no place for a line break.
    const ofTable = log.slice(0, log.indexOf('paper.bbl')).match(/Overfull \\hbox[^\n]*/g);
    expect([ofTable, log.match(/undefined|multiply/g)]).toEqual([null, null]);
    const bibliography = readFileSync(join(folder, 'paper.bbl'), 'utf8');
    expect(bibliography).toMatch(/Ada Brown and \{Operators of A and B\\_C\}/);
    expect(bibliography).toContain('\\url{https://doi.org/10.1234/meridian_1}');
  });
});

test('the tables of a tree count each node once, in the section of its site', () => {
  const sites = JSON.parse(readFileSync(join(tree, 'sites.json'), 'utf8')).items;
  const sections = readFileSync(join(tree, 'exports/hardware.md'), 'utf8').split('\n## ').slice(1);
  const counted = sections.map((section) => {
    const [name = '', , , , ...rows] = section.trimEnd().split('\n');
    return [name, rows.reduce((sum, row) => sum + Number(row.split('|').at(-2)), 0)];
  });
  const search = JSON.parse(readFileSync(join(tree, 'nodes/search.json'), 'utf8')).items;
  const expected = sites.map(({ uid, name }: { uid: string; name: string }) => [
    name,
    search.filter(({ site_id }: { site_id: string }) => site_id === uid).length,
  ]);
  expect(counted).toEqual(expected.filter(([, count]: [string, number]) => count > 0));
  const html = readFileSync(join(tree, 'exports/hardware.htm'), 'utf8');
  expect(html.match(/<h2>/g)).toHaveLength(counted.length);
  const inHtml = Array.from(html.matchAll(/<td align="right">(\d+)<\/td>/g), ([, count]) => Number(count));
  expect(inHtml.reduce((sum, count) => sum + count, 0)).toBe(search.length);
});

test('the tables of a tree have a row for each cluster if a site has several', async () => {
  const bed = registryOf({
    [CONFIGURATION]: 'cluster_uid: any\nnode_uid: name\n',
    [NODE]: null,
    'sites/lyra/clusters/main/nodes/n1.yaml': 'type: node\nuid: n1\nnode_type: compute\n',
    'sites/lyra/clusters/main/nodes/n2.yaml': 'type: node\nuid: n2\nnode_type: compute\n',
    'sites/lyra/clusters/old/cluster.yaml': 'type: cluster\nuid: old\n',
    'sites/lyra/clusters/old/nodes/n3.yaml': 'type: node\nuid: n3\nnode_type: compute\n',
  });
  bed.record('First');
  const out = join(newFolder(), 'dist');
  await build({ registry: bed.registry, out, snapshots: 'none', showsProgress: false });
  const [, section = ''] = readFileSync(join(out, 'exports/hardware.md'), 'utf8').split('\n## Lyra\n\n');
  expect(section).toBe(`| Cluster | Node type | Nodes |
| ------- | --------- | ----: |
| main    | compute   |     2 |
| old     | compute   |     1 |
`);
});

test('nodes of two sites with the same uid are distinguished', async () => {
  const nodeFile = (site: string) => `sites/${site}/clusters/main/nodes/n1.yaml`;
  const nodeText = (gib: number) => `type: node\nuid: n1\nmain_memory: {ram_size: ${gib * 2 ** 30}}\n`;
  const bed = registryOf({
    [CONFIGURATION]: 'cluster_uid: main\nnode_uid: name\n',
    'sites/vega/site.yaml': 'type: site\nuid: vega\nname: Vega\nsite_class: baremetal\n',
    'sites/vega/clusters/main/cluster.yaml': 'type: cluster\nuid: main\n',
    [nodeFile('lyra')]: nodeText(64),
    [nodeFile('vega')]: nodeText(128),
  });
  bed.record('First');
  for (const [site, gib] of Object.entries({ lyra: 64, vega: 128 })) {
    const path = `sites/${site}/clusters/main/nodes/n1`;
    const { stdout } = await gridpress(['lock', path, '-o', 'l.json', '--describe', 'text'], { cwd: bed.folder });
    expect(stdout).toContain(`${gib} GiB`);
  }
});

test.each(['latex', 'markdown', 'text', 'bibtex'])(
  'describe-lock suggests --as for --%s, an option of find',
  async (form) => {
    expect(await run('describe-lock', `--${form}`, 'some.lock.json')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`error: describe-lock has no option --${form}. Write --as ${form} instead.`),
    });
  },
);
