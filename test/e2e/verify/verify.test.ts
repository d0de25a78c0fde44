/** Trees verified in their folders: whole ones of all shapes, and what is found in altered ones. */
import {
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
import { nodeUid, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { recorded } from '../../support/registries/three-revisions.ts';
import { rewrite, sealAnew, withDigest } from '../../support/trees/altered-tree.ts';
import { manifestOf } from '../../support/trees/served.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';
import { random } from '../../support/values/random.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', '..', 'registry-data');
const RESTORE = '  Restore the file from a copy, or build the tree again with --force.\n';
const HOST_RULES = '  Look for rules of the host that catch this path.\n';
const REPORT = '  Build the tree again from sources that `gridpress check` passes; if that does not help, report it.\n';
const ALTERED =
  '  Someone changed the history that the tree tells: build it again from the registry, and find out who did.\n';

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

/** A tree of its own for a test, in which aliases are links as in the one that was built. */
async function own(): Promise<string> {
  return await built({ registry: testbed.registry, snapshots: 'none' });
}

async function verified(place: string, more = {}) {
  return await verifyTree({
    place,
    timeout: 10,
    limit: 10_000,
    older: false,
    trust: {},
    showsProgress: false,
    ...more,
  });
}

async function told(place: string): Promise<string> {
  return renderFindings((await verified(place)).findings);
}

const digestAt = (out: string, file: string) => sha256(readFileSync(join(out, file)));
const stated = (out: string, file: string) => {
  const found = manifestOf(out).documents.find((document) => document.file === file);
  return found && 'sha256' in found ? found.sha256 : '';
};
const differs = (file: string, computed: string, expected: string) =>
  `${file}: error: The file has the digest ${computed} instead of ${expected}. [verify-differs]\n${RESTORE}`;

describe('a whole tree', () => {
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

  test('is whole as a copy without links too, with folders of its publisher beside it', async () => {
    const copy = join(newFolder(), 'copy');
    cpSync(clean, copy, { recursive: true });
    mkdirSync(join(copy, '.git', 'objects'), { recursive: true });
    writeFileSync(join(copy, '.git', 'objects', 'ab'), 'x');
    expect(await told(copy)).toBe('');
  });

  test('of an older head', async () => {
    const out = await built({ registry: testbed.registry, snapshots: 'none', at: testbed.revisions.grown.id });
    expect((await verified(out, { older: true })).findings).toEqual([]);
  });
});

describe('what was altered', () => {
  test('a document, and that its other names are no longer the same where they are copies', async () => {
    const out = await own();
    const file = 'sites/lyra.json';
    rmSync(join(out, file));
    writeFileSync(join(out, file), '{}');
    // The index file is still the link to the document as it was.
    expect(await told(out)).toBe(differs(file, digestAt(out, file), stated(out, file)));
  });

  test('an alias that is the copy of another document', async () => {
    const out = await own();
    const [alias] = manifestOf(out).documents.flatMap((each) => ('alias_of' in each ? [each] : []));
    const target = alias?.alias_of.slice(1) ?? '';
    const file = alias?.file ?? '';
    rmSync(join(out, file));
    linkSync(join(out, 'sites.json'), join(out, file));
    expect(await told(out)).toBe(differs(file, digestAt(out, 'sites.json'), stated(out, `${target}.json`)));
  });

  test('a missing file, a link in the place of one, foreign files', async () => {
    const out = await own();
    rmSync(join(out, 'sites.json'));
    rmSync(join(out, '404.json'));
    symlinkSync('405.json', join(out, '404.json'));
    writeFileSync(join(out, 'sites', '.htaccess'), 'Deny from all\n');
    writeFileSync(join(out, 'CNAME'), 'example.org\n');
    const foreign =
      'error: The manifest does not list this file. [verify-foreign]\n' +
      '  Remove it. Only folders at the top whose names begin with a dot may be there besides the tree.\n';
    expect(await told(out)).toBe(
      [
        `404.json: error: This is a folder or a link, and no file of its own. [verify-not-a-file]\n${RESTORE}`,
        `CNAME: ${foreign}`,
        `sites.json: error: The file cannot be read: no such file or folder. [verify-missing]\n${RESTORE}`,
        `sites/.htaccess: ${foreign}`,
      ].join('\n'),
    );
  });

  test('a manifest of another build', async () => {
    const out = await own();
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
  ] as const)('the %s that the manifest states', async (field, told) => {
    const out = await own();
    const manifest = manifestOf(out);
    const value = manifest[field];
    const other = `${value.startsWith('0') ? '1' : '0'}${value.slice(1)}`;
    rewrite(out, '_manifest.json', (text) => text.replace(`"${field}":"${value}`, `"${field}":"${other}`));
    const found = (await verified(out)).findings.filter(({ code }) => code === 'verify-manifest-digest');
    expect(found.map(({ args }) => 'name' in args && args.name)).toContain(told);
  });

  test('a manifest that is none', async () => {
    const out = await own();
    writeFileSync(join(out, '_manifest.json'), '{"gridpress":2}');
    expect(await told(out)).toBe(
      `_manifest.json: error: The manifest is damaged: it is no manifest of a format that this gridpress knows. [verify-manifest]\n${RESTORE}`,
    );
  });

  test('entries that lead out of the tree, twice or nowhere', async () => {
    const out = await own();
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
    expect(await told(out)).toBe(
      [
        of(`Entry 2 of the manifest's documents has ${first.path} a second time. [verify-line]`),
        of("Entry 3 of the manifest's documents has /sites/.., which is no path of the API. [verify-line]"),
        of("Entry 4 of the manifest's documents has ../x.json for /sites/x, whose file is sites/x.json. [verify-line]"),
        of(
          "Entry 5 of the manifest's documents has /sites/y as an alias of /nowhere, which is no document before it. [verify-line]",
        ),
        of(`The manifest says that it lists ${documents} documents, but it lists ${documents + 1}. [verify-count]`),
        of(`The manifest says that it lists ${aliases} aliases, but it lists ${aliases + 1}. [verify-count]`),
        of('The manifest is damaged: ../../secret is no file of a tree. [verify-manifest]'),
      ].join('\n'),
    );
  });
});

describe('what was altered, with a manifest that fits', () => {
  test('a link that leads nowhere', async () => {
    const out = await own();
    rewrite(out, 'index.json', (text) => text.replace('"/versions"', '"/sites/atlantis"'));
    sealAnew(out);
    expect(await told(out)).toBe(
      `index.json: error: It links to /sites/atlantis, which is not in the tree. [verify-dead-link]\n${REPORT}`,
    );
  });

  test('a field that the schema refuses', async () => {
    const out = await own();
    const file = `sites/lyra/clusters/main/nodes/${nodeUid(1)}.json`;
    rewrite(out, file, (text) => text.replace('"ram_size":274877906944', '"ram_size":[1]'));
    sealAnew(out);
    const { findings } = await verified(out);
    expect(findings.map(({ code, place }) => [code, place?.file])).toEqual([
      ['answer-schema', file],
      ['verify-history', file],
    ]);
  });

  test('bytes that are no text', async () => {
    const out = await own();
    const path = join(out, 'sites/lyra.json');
    const bytes = readFileSync(path);
    bytes[bytes.indexOf('LYRA')] = 0xff;
    writeFileSync(path, bytes);
    sealAnew(out);
    const { findings } = await verified(out);
    const place = { file: 'sites/lyra.json' };
    expect(findings.filter((each) => each.place?.file === place.file).map(({ code }) => code)).toEqual([
      ...['verify-encoding', 'verify-history'],
    ]);
  });

  test('an Atom feed that is none', async () => {
    const out = await own();
    rewrite(out, 'changes/feed.atom', () => 'Not found');
    sealAnew(out);
    expect(await told(out)).toBe(
      `changes/feed.atom: error: /changes/feed.atom does not begin with <?xml. [answer-raw]\n${HOST_RULES}`,
    );
  });

  test('an item that its history does not tell of', async () => {
    const out = await own();
    const file = `sites/lyra/clusters/main/nodes/${nodeUid(1)}.json`;
    const alter = (text: string) => text.replace('"node_name":"node-1"', '"node_name":"node-9"');
    rewrite(out, file, alter);
    rewrite(out, 'sites/lyra/clusters/main/nodes.json', alter);
    sealAnew(out);
    const node = `/sites/lyra/clusters/main/nodes/${nodeUid(1)}`;
    expect(await told(out)).toBe(
      `${file}: error: The history does not hold: ${node}/versions/${testbed.revisions.side.id} says that the resource is another. [verify-history]\n${ALTERED}`,
    );
  });

  test('what a resource once was', async () => {
    const out = await own();
    const path = `sites/vega/clusters/main/nodes/${nodeUid(4)}/versions`;
    const [grown, replaced] = [testbed.revisions.grown.id, testbed.revisions.replaced.id];
    rewrite(out, `${path}/${grown}.json`, (text) => text.replace('"serial":"0004"', '"serial":"0009"'));
    sealAnew(out);
    expect(await told(out)).toBe(
      `${path}/${replaced}.json: error: The history does not hold: its fields, applied to what the resource was, do not give what it is. [verify-history]\n${ALTERED}`,
    );
  });

  test('a change told in one version and not in another', async () => {
    const out = await own();
    const { replaced } = testbed.revisions;
    const all = `versions/${replaced.id}.json`;
    rewrite(out, all, (text) => text.replace('"from":"0004"', '"from":"0003"'));
    sealAnew(out);
    const node = `/sites/vega/clusters/main/nodes/${nodeUid(4)}/versions/${replaced.id}`;
    const { findings } = await verified(out);
    expect(findings.every(({ code }) => code === 'verify-history')).toBe(true);
    expect(renderFindings(findings)).toContain(
      `error: The history does not hold: it tells of ${node} otherwise than /${all.replace('.json', '')} does. [verify-history]`,
    );
  });
});

test.each([1, 2, 3, 4])('finds every flipped bit and every removed file, seed %i', async (seed) => {
  const { given } = recorded();
  const out = await built({ registry: given.registry, snapshots: 'none', hosts: seed < 3 ? [] : ['nginx'] });
  const files = filesBelow(out);
  const { below, pick, chance } = random(seed);
  const missed: string[] = [];
  for (let n = 0; n < 100; n++) {
    // The manifest is one file of many, and the one that all others are judged by.
    const file = chance(0.1) ? '_manifest.json' : pick(files);
    const path = join(out, file);
    const isRemoved = file !== '_manifest.json' && chance(0.2);
    const bytes = readFileSync(path);
    const bit = below(bytes.length * 8);
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    if (isRemoved) renameSync(path, `${out}.kept`);
    else {
      // Half of the time all names of the file are damaged, half of the time this one alone.
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
  expect(await told(out)).toBe('');
});

describe('gridpress verify', () => {
  test('says that a tree is whole', async () => {
    const { digest, revision } = manifestOf(clean);
    expect(await gridpress(['verify', clean])).toEqual({
      status: 0,
      stderr: '',
      stdout: `${clean} is whole: ${filesBelow(clean).length} files, revision ${revision}, digest ${digest}.\n`,
    });
  });

  test('says what is wrong, for people and for machines', async () => {
    const out = await own();
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
          fix: 'Restore the file from a copy, or build the tree again with --force.',
        },
      ],
    });
  });

  test('where there is no tree', async () => {
    const cwd = newFolder();
    expect(existsSync(join(cwd, 'dist'))).toBe(false);
    expect(await gridpress(['verify'], { cwd })).toEqual({
      status: 2,
      stdout: '',
      stderr: 'error: There is no tree at dist. [no-tree]\n  Make one: gridpress build.\n',
    });
  });
});
