/** Verifies trees in folders: complete trees of all shapes, and altered ones. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyTree } from '../../../src/cli/verify-place.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { sha256 } from '../../../src/core/model/digest.ts';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { asOrdinaryUser } from '../../support/processes/ordinary-user.ts';
import { nodeUid, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { recorded } from '../../support/registries/three-revisions.ts';
import { rewrite, updateManifest, withDigest } from '../../support/trees/altered-tree.ts';
import { manifestOf } from '../../support/trees/served.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';
import { random } from '../../support/values/random.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', '..', 'registry-data');
const RESTORE = '  Restore the file from a copy, or rebuild the tree with --force.\n';
const HOST_RULES = '  Check whether a rule of the host matches this path.\n';
const REPORT =
  '  Rebuild the tree from a registry that passes "gridpress check". If that does not help, report a bug.\n';
const ALTERED =
  '  Someone changed the history in the tree. Rebuild the tree from the registry, and find out who changed it.\n';

let testbed: Testbed;
let clean: string;

beforeAll(async () => {
  testbed = writeTestbed(newFolder());
  clean = await built({ registry: testbed.registry, snapshots: 'none' });
});

async function built(options: Partial<Parameters<typeof build>[0]> & { registry: string }): Promise<string> {
  const out = join(newFolder(), 'dist');
  await build({ ...options, out, showsProgress: false });
  return out;
}

/** Copies the tree for one test, with its hard links. */
function own(): string {
  const out = join(newFolder(), 'dist');
  execFileSync('cp', ['-a', clean, out]);
  return out;
}

async function verified(place: string, more = {}) {
  return await verifyTree({
    place,
    timeout: 10,
    maxRequests: 10_000,
    older: false,
    trust: {},
    showsProgress: false,
    ...more,
  });
}

async function findingsText(place: string): Promise<string> {
  return renderFindings((await verified(place)).findings);
}

const digestAt = (out: string, file: string) => sha256(readFileSync(join(out, file)));
const stated = (out: string, file: string) => {
  const found = manifestOf(out).documents.find((document) => document.file === file);
  return found && 'sha256' in found ? found.sha256 : '';
};
const differs = (file: string, computed: string, expected: string) =>
  `${file}: error: The file has the digest ${computed} instead of ${expected}. [verify-differs]\n${RESTORE}`;

describe('verify accepts a tree', () => {
  test.each(['current', 'legacy'] as const)('of the sample, %s, with all snapshots', async (dialect) => {
    const out = await built({ registry: SAMPLE, dialect });
    const { findings, files, digest, revision } = await verified(out);
    expect(findings).toEqual([]);
    expect(files).toBe(filesBelow(out).length);
    expect([digest, revision]).toEqual([manifestOf(out).digest, manifestOf(out).revision]);
  });

  test.each(['current', 'legacy'] as const)(
    'of a history with merges, %s, with snapshots, indented and compressed variants',
    async (dialect) => {
      const out = await built({ registry: testbed.registry, dialect, hosts: ['nginx'] });
      expect(manifestOf(out).variants).toMatchObject({ pretty: true, precompressed: true });
      const { findings, files } = await verified(out);
      expect(findings).toEqual([]);
      expect(files).toBe(filesBelow(out).length);
    },
  );

  test('that is a copy without links, with folders of its publisher', async () => {
    const copy = join(newFolder(), 'copy');
    cpSync(clean, copy, { recursive: true });
    mkdirSync(join(copy, '.git', 'objects'), { recursive: true });
    writeFileSync(join(copy, '.git', 'objects', 'ab'), 'x');
    expect(await findingsText(copy)).toBe('');
  });

  test('of an older head', async () => {
    const out = await built({ registry: testbed.registry, snapshots: 'none', at: testbed.revisions.grown.id });
    expect((await verified(out, { older: true })).findings).toEqual([]);
  });
});

describe('verify reports', () => {
  test('an altered document, and its aliases if they are copies', async () => {
    const out = own();
    const file = 'sites/lyra.json';
    rmSync(join(out, file));
    writeFileSync(join(out, file), '{}');
    // The index file is still a link to the original document.
    expect(await findingsText(out)).toBe(differs(file, digestAt(out, file), stated(out, file)));
  });

  test('an alias that is a copy of another document', async () => {
    const out = own();
    const [alias] = manifestOf(out).documents.flatMap((each) => ('alias_of' in each ? [each] : []));
    const target = alias?.alias_of.slice(1) ?? '';
    const file = alias?.file ?? '';
    rmSync(join(out, file));
    linkSync(join(out, 'sites.json'), join(out, file));
    expect(await findingsText(out)).toBe(differs(file, digestAt(out, 'sites.json'), stated(out, `${target}.json`)));
  });

  test('a missing file, a link instead of a file, foreign files', async () => {
    const out = own();
    rmSync(join(out, 'sites.json'));
    rmSync(join(out, '404.json'));
    symlinkSync('405.json', join(out, '404.json'));
    writeFileSync(join(out, 'sites', '.htaccess'), 'Deny from all\n');
    writeFileSync(join(out, 'CNAME'), 'example.org\n');
    const foreign =
      'error: The manifest does not list this file. [verify-foreign]\n' +
      '  Remove the file. In addition to its files, a tree may contain only top-level folders whose names begin with a dot.\n';
    expect(await findingsText(out)).toBe(
      [
        `404.json: error: This is a folder or a link, not a regular file. [verify-not-a-file]\n${RESTORE}`,
        `CNAME: ${foreign}`,
        `sites.json: error: The file cannot be read: no such file or folder. [verify-missing]\n${RESTORE}`,
        `sites/.htaccess: ${foreign}`,
      ].join('\n'),
    );
  });

  test('a manifest of another build', async () => {
    const out = own();
    const other = await built({ registry: testbed.registry, snapshots: 'none', dialect: 'legacy' });
    cpSync(join(other, '_manifest.json'), join(out, '_manifest.json'));
    const { findings } = await verified(out);
    const codes = new Set(findings.map(({ code }) => code));
    expect([...codes].sort()).toEqual(['verify-differs', 'verify-missing']);
  });

  test.each([
    ['sources', 'seal'],
    ['revision', 'seal'],
    ['digest', 'digest'],
  ] as const)('an altered %s in the manifest', async (field, told) => {
    const out = own();
    const manifest = manifestOf(out);
    const value = manifest[field];
    const other = `${value.startsWith('0') ? '1' : '0'}${value.slice(1)}`;
    rewrite(out, '_manifest.json', (text) => text.replace(`"${field}":"${value}`, `"${field}":"${other}`));
    const found = (await verified(out)).findings.filter(({ code }) => code === 'verify-manifest-digest');
    expect(found.map(({ args }) => 'name' in args && args.name)).toContain(told);
  });

  test('an invalid manifest', async () => {
    const out = own();
    writeFileSync(join(out, '_manifest.json'), '{"gridpress":2}');
    expect(await findingsText(out)).toBe(
      `_manifest.json: error: The manifest is damaged: it is not a manifest that this version of gridpress can read. [verify-manifest]\n${RESTORE}`,
    );
  });

  test('manifest entries with paths outside the tree, duplicates and missing files', async () => {
    const out = own();
    const path = join(out, '_manifest.json');
    const text = readFileSync(path, 'utf8');
    const line = text.split('\n')[1]?.replace(/,$/, '') ?? '';
    const first = JSON.parse(line);
    const more = [
      first,
      { ...first, path: '/sites/..', file: 'sites/...json' },
      { ...first, path: '/sites/x', file: '../x.json' },
      { path: '/sites/y', file: 'sites/y.json', alias_of: '/nowhere', cache: 'mutable' },
    ];
    const changed = text
      .replace(line, () => [line, ...more.map((each) => JSON.stringify(each))].join(',\n'))
      .replace('"files":[', '"files":[{"file":"../../secret","sha256":"","size":0},');
    writeFileSync(path, withDigest(changed));
    const { documents, aliases } = manifestOf(clean).counts;
    const of = (said: string) => `_manifest.json: error: ${said}\n${RESTORE}`;
    expect(await findingsText(out)).toBe(
      [
        of(`Entry 2 of the documents in the manifest has ${first.path} a second time. [verify-line]`),
        of('Entry 3 of the documents in the manifest has /sites/.., which is no path of the API. [verify-line]'),
        of(
          'Entry 4 of the documents in the manifest has ../x.json for /sites/x, whose file is sites/x.json. [verify-line]',
        ),
        of(
          'Entry 5 of the documents in the manifest has /sites/y as an alias of /nowhere, which is no document before it. [verify-line]',
        ),
        of(`The manifest states ${documents} documents, but it lists ${documents + 1}. [verify-count]`),
        of(`The manifest states ${aliases} aliases, but it lists ${aliases + 1}. [verify-count]`),
        of('The manifest is damaged: ../../secret is no file of a tree. [verify-manifest]'),
      ].join('\n'),
    );
  });
});

describe('verify reports in a tree with updated digests', () => {
  test('a dead link', async () => {
    const out = own();
    rewrite(out, 'index.json', (text) => text.replace('"/versions"', '"/sites/atlantis"'));
    updateManifest(out);
    expect(await findingsText(out)).toBe(
      `index.json: error: The document links to /sites/atlantis, which is not in the tree. [verify-dead-link]\n${REPORT}`,
    );
  });

  test('a field that violates the schema', async () => {
    const out = own();
    const file = `sites/lyra/clusters/main/nodes/${nodeUid(1)}.json`;
    rewrite(out, file, (text) => text.replace('"ram_size":274877906944', '"ram_size":[1]'));
    updateManifest(out);
    const { findings } = await verified(out);
    expect(findings.map(({ code, place }) => [code, place?.file])).toEqual([
      ['answer-schema', file],
      ['verify-history', file],
    ]);
  });

  test('bytes that are not text', async () => {
    const out = own();
    const path = join(out, 'sites/lyra.json');
    const bytes = readFileSync(path);
    bytes[bytes.indexOf('LYRA')] = 0xff;
    writeFileSync(path, bytes);
    updateManifest(out);
    const { findings } = await verified(out);
    const place = { file: 'sites/lyra.json' };
    expect(findings.filter((each) => each.place?.file === place.file).map(({ code }) => code)).toEqual([
      ...['verify-encoding', 'verify-history'],
    ]);
  });

  test('an invalid Atom feed', async () => {
    const out = own();
    rewrite(out, 'changes/feed.atom', () => 'Not found');
    updateManifest(out);
    expect(await findingsText(out)).toBe(
      `changes/feed.atom: error: /changes/feed.atom does not begin with <?xml. [answer-raw]\n${HOST_RULES}`,
    );
  });

  test('an item that differs from its history', async () => {
    const out = own();
    const file = `sites/lyra/clusters/main/nodes/${nodeUid(1)}.json`;
    const alter = (text: string) => text.replace('"node_name":"node-1"', '"node_name":"node-9"');
    rewrite(out, file, alter);
    rewrite(out, 'sites/lyra/clusters/main/nodes.json', alter);
    updateManifest(out);
    const node = `/sites/lyra/clusters/main/nodes/${nodeUid(1)}`;
    expect(await findingsText(out)).toBe(
      `${file}: error: The history is not consistent: its body differs from ${node}/versions/${testbed.revisions.side.id}. [verify-history]\n${ALTERED}`,
    );
  });

  test('an altered earlier state of a resource', async () => {
    const out = own();
    const path = `sites/vega/clusters/main/nodes/${nodeUid(4)}/versions`;
    const [grown, replaced] = [testbed.revisions.grown.id, testbed.revisions.replaced.id];
    rewrite(out, `${path}/${grown}.json`, (text) => text.replace('"serial":"0004"', '"serial":"0009"'));
    updateManifest(out);
    expect(await findingsText(out)).toBe(
      `${path}/${replaced}.json: error: The history is not consistent: its changes, applied to the predecessor, do not give its resource. [verify-history]\n${ALTERED}`,
    );
  });

  test('a change that differs between two versions', async () => {
    const out = own();
    const { replaced } = testbed.revisions;
    const all = `versions/${replaced.id}.json`;
    rewrite(out, all, (text) => text.replace('"from":"0004"', '"from":"0003"'));
    updateManifest(out);
    const node = `/sites/vega/clusters/main/nodes/${nodeUid(4)}/versions/${replaced.id}`;
    const { findings } = await verified(out);
    expect(findings.every(({ code }) => code === 'verify-history')).toBe(true);
    expect(renderFindings(findings)).toContain(
      `error: The history is not consistent: it describes the change of ${node} differently than /${all.replace('.json', '')}. [verify-history]`,
    );
  });
});

test.each([1, 2, 3, 4])('verify finds every flipped bit and every missing file, seed %i', async (seed) => {
  const { given } = recorded();
  // The scripts of the explorer take a third of the time, and one file is like another.
  if (seed % 2 === 0) given.write({ '../gridpress.yaml': 'cluster_uid: main\nexplorer: false\n' });
  const out = await built({ registry: given.registry, snapshots: 'none', hosts: seed < 3 ? [] : ['nginx'] });
  const files = filesBelow(out);
  const { below, pick, chance } = random(seed);
  const missed: string[] = [];
  for (let n = 0; n < 100; n++) {
    // The manifest is chosen more often, because all other files are checked against it.
    const file = chance(0.1) ? '_manifest.json' : pick(files);
    const path = join(out, file);
    const isRemoved = file !== '_manifest.json' && chance(0.2);
    const bytes = readFileSync(path);
    const bit = below(bytes.length * 8);
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    if (isRemoved) renameSync(path, `${out}.kept`);
    else {
      // Half of the time all links of the file are damaged, half of the time only this one.
      if (chance(0.5)) rmSync(path);
      writeFileSync(path, flipped);
    }
    const { findings } = await verified(out);
    if (!findings.some(({ place }) => place?.file === file))
      missed.push(`${file} ${isRemoved ? 'removed' : `bit ${bit}`}`);
    if (isRemoved) renameSync(`${out}.kept`, path);
    else writeFileSync(path, bytes);
  }
  expect(missed).toEqual([]);
  expect(await findingsText(out)).toBe('');
});

describe('gridpress verify', () => {
  test('reports a complete tree', async () => {
    const { digest, revision } = manifestOf(clean);
    expect(await gridpress(['verify', clean])).toEqual({
      status: 0,
      stderr: '',
      stdout: `${clean} is complete and unaltered: ${filesBelow(clean).length} files, revision ${revision}, digest ${digest}.\n`,
    });
  });

  test('lists findings as text and as JSON', async () => {
    const out = own();
    rmSync(join(out, 'sites.json'));
    const place = 'sites.json: error: The file cannot be read: no such file or folder. [verify-missing]\n';
    expect(await gridpress(['verify', out])).toEqual({
      status: 1,
      stderr: `${place}${RESTORE}`,
      stdout: `${out}: 1 finding.\n`,
    });
    const { status, stdout } = await gridpress(['verify', out, '--json']);
    expect(status).toBe(1);
    const { digest, revision, serial } = manifestOf(clean);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      place: out,
      revision,
      digest,
      serial,
      files: filesBelow(clean).length - 1,
      findings: [
        {
          code: 'verify-missing',
          severity: 'error',
          file: 'sites.json',
          message: 'The file cannot be read: no such file or folder.',
          fix: 'Restore the file from a copy, or rebuild the tree with --force.',
        },
      ],
    });
  });

  test('reports a missing tree', async () => {
    const cwd = newFolder();
    expect(existsSync(join(cwd, 'dist'))).toBe(false);
    expect(await gridpress(['verify'], { cwd })).toEqual({
      status: 2,
      stdout: '',
      stderr: 'error: There is no tree at dist. [no-tree]\n  Build one: gridpress build.\n',
    });
  });

  test('reports an unreadable folder', async () => {
    const folder = join(newFolder(), 'dist');
    mkdirSync(folder, { mode: 0 });
    chmodSync(join(folder, '..'), 0o755);
    const verifying = () => asOrdinaryUser(() => verified(folder));
    expect(await failureOf(verifying)).toBe(
      `error: ${join(folder, '_manifest.json')} cannot be read: permission denied. [read-failed]\n  Check that it exists, and that you may read it.\n`,
    );
  });
});
