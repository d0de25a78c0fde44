/** Altered bundles: verify and apply report each alteration with the file name and change nothing. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../../src/core/diagnostics/finding.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { sha256 } from '../../../src/core/model/digest.ts';
import { apply } from '../../../src/features/bundle/apply.ts';
import { bundle } from '../../../src/features/bundle/bundle.ts';
import { verifyBundle } from '../../../src/features/bundle/bundle-reader.ts';
import { tarWriter } from '../../../src/system/tar/tar-writer.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { writeGenerated } from '../../support/registries/generated.ts';
import { withDigest } from '../../support/trees/altered-tree.ts';
import { builtTree, treeState } from '../../support/trees/bundled.ts';
import { manifestOf } from '../../support/trees/served.ts';
import { random } from '../../support/values/random.ts';

const BLOCK = 512;

let tree: string;
let whole: string;
let news: string;
let older: string;

beforeAll(async () => {
  const { registry, revisions } = writeGenerated(newFolder(), 2, 3, 'snapshots: none', 'hosts: [nginx]');
  tree = await builtTree(registry);
  older = await builtTree(registry, { at: revisions[1]?.id });
  const bundled = async (since?: string) => {
    const out = join(newFolder(), 'x.bundle');
    await bundle({ registry, tree, since, out, showsProgress: false });
    return out;
  };
  whole = await bundled();
  news = await bundled(older);
});

const verified = (file: string) => verifyBundle(file, {});

/** An entry of a tar, from the start of its header to the end of its padding. */
interface Place {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

function placesIn(bytes: Buffer): Place[] {
  const places: Place[] = [];
  for (let at = 0; bytes[at] !== 0; ) {
    const text = (from: number, length: number) =>
      bytes.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '');
    const prefix = text(345, 155);
    const size = Number.parseInt(text(124, 11), 8);
    const to = at + BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    places.push({ name: prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`, from: at, to });
    at = to;
  }
  return places;
}

test('unaltered bundles pass verify', async () => {
  for (const file of [whole, news]) {
    const { revision, digest } = manifestOf(tree);
    const files = placesIn(readFileSync(file)).length;
    expect(await gridpress(['verify', file])).toEqual({
      status: 0,
      stderr: '',
      stdout: `${file} is complete and unaltered: ${files} files, revision ${revision}, digest ${digest}.\n`,
    });
  }
});

test.each([
  ['everything', 1],
  ['everything', 2],
  ['new files', 3],
  ['new files', 4],
] as const)('verify finds every flipped bit and every missing file in a bundle of %s, seed %i', (what, seed) => {
  const original = what === 'everything' ? whole : news;
  const bytes = readFileSync(original);
  const places = placesIn(bytes);
  const file = join(newFolder(), 'x.bundle');
  const { below, pick, chance } = random(seed);
  const missed: string[] = [];
  for (let n = 0; n < 250; n++) {
    const isRemoved = chance(0.2);
    // Picks each entry and the end of the tar with equal chance, whatever their sizes.
    const end = { name: 'x.bundle', from: bytes.length - 2 * BLOCK, to: bytes.length };
    const { name, from, to } = pick(isRemoved ? places : [...places, end]);
    const bit = from * 8 + below((to - from) * 8);
    const damaged = isRemoved ? Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]) : Buffer.from(bytes);
    if (!isRemoved) damaged[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    writeFileSync(file, damaged);
    if (!verified(file).findings.some(({ place }) => place?.file === name))
      missed.push(`${name} ${isRemoved ? 'removed' : `bit ${bit - from * 8}`}`);
  }
  expect(missed).toEqual([]);
});

/** Writes an altered copy of a bundle to a new file. */
function altered(original: string, alter: (entries: Map<string, Buffer>) => void): string {
  const folder = newFolder();
  execFileSync('tar', ['-xf', original, '-C', folder]);
  const times = new Map<string, number>();
  const bytes = readFileSync(original);
  const entries = new Map(
    placesIn(bytes).map(({ name, from }) => {
      times.set(name, Number.parseInt(bytes.toString('latin1', from + 136, from + 147), 8));
      return [name, readFileSync(join(folder, name))];
    }),
  );
  alter(entries);
  const pieces: Buffer[] = [];
  const tar = tarWriter((piece) => pieces.push(Buffer.from(piece)));
  for (const [name, content] of entries) tar.file(name, content, times.get(name) ?? times.get('bundle.json') ?? 0);
  tar.end();
  const file = join(newFolder(), 'x.bundle');
  writeFileSync(file, Buffer.concat(pieces));
  return file;
}

const MANIFEST = '_manifest.json';
const set = (entries: Map<string, Buffer>, name: string, text: string) => entries.set(name, Buffer.from(text));
const textOf = (entries: Map<string, Buffer>, name: string) => entries.get(name)?.toString('utf8') ?? '';

/** Updates the digests in bundle.json after an alteration. */
function sealed(entries: Map<string, Buffer>, alter = (text: string) => text): void {
  const manifest = entries.get(MANIFEST) ?? Buffer.alloc(0);
  const digest = /"digest":"([0-9a-f]{64})","seal"/.exec(manifest.toString('utf8'))?.[1];
  const text = textOf(entries, 'bundle.json')
    .replace(/("to":\{[^}]*"digest":")[0-9a-f]{64}/, (_, before) => `${before}${digest}`)
    .replace(/"manifest":"[0-9a-f]{64}"/, `"manifest":"${sha256(manifest)}"`);
  const body = alter(text.slice(0, text.lastIndexOf(',"seal":')));
  set(entries, 'bundle.json', `${body},"seal":"${sha256(body)}"}\n`);
}

/** Returns the findings of a bundle that both verify and apply reject without changing anything. */
function refusal(file: string): string {
  const mirror = join(newFolder(), 'mirror');
  cpSync(older, mirror, { recursive: true, preserveTimestamps: true });
  const state = treeState(mirror);
  let told = '';
  try {
    told = renderFindings(verified(file).findings);
    apply({ file, folder: mirror, older: true, showsProgress: false });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(treeState(mirror)).toEqual(state);
    expect(existsSync(join(mirror, '..', 'evil.json'))).toBe(false);
    return told || renderFindings(error.findings);
  }
  return 'it was applied';
}

const AGAIN = '  Copy it again from its origin.\n';
const RESTORE = '  Restore the file from a copy, or rebuild the tree with --force.\n';

describe('a bundle with updated digests', () => {
  test('is accepted if nothing else is altered', () => {
    expect(readFileSync(altered(whole, (entries) => sealed(entries))).equals(readFileSync(whole))).toBe(true);
  });

  test('is rejected if it has a file that the manifest does not list', () => {
    const file = altered(whole, (entries) => set(entries, 'sites/extra.json', '{}'));
    expect(refusal(file)).toBe(
      `sites/extra.json: error: The bundle is damaged: it is not expected here. [bundle-damaged]\n${AGAIN}`,
    );
  });

  test('is rejected if a file has other bytes', () => {
    const file = altered(whole, (entries) => set(entries, '404.json', '{}'));
    const { size } = manifestOf(tree).files.find((each) => each.file === '404.json') ?? {};
    expect(refusal(file)).toBe(
      `404.json: error: The bundle is damaged: it has 2 bytes instead of ${size}. [bundle-damaged]\n${AGAIN}`,
    );
  });

  test('is rejected if the manifest has a path outside the tree', () => {
    const file = altered(whole, (entries) => {
      const text = textOf(entries, MANIFEST).replace('"file":"404.json"', '"file":"../evil.json"');
      set(entries, MANIFEST, withDigest(text));
      sealed(entries);
    });
    expect(refusal(file)).toBe(
      `${MANIFEST}: error: The manifest is damaged: ../evil.json is no file of a tree. [verify-manifest]\n${RESTORE}`,
    );
  });

  test('is rejected if a document has the wrong file', () => {
    const file = altered(whole, (entries) => {
      const text = textOf(entries, MANIFEST).replace('"file":"sites.json"', '"file":"evil.json"');
      set(entries, MANIFEST, withDigest(text));
      sealed(entries);
    });
    expect(refusal(file)).toContain('has evil.json for /sites, whose file is sites.json. [verify-line]\n');
  });

  test.each(['.git/config', '.git', '.GIT', '.github', 'CNAME', 'robots.txt', '.hidden'])(
    'is rejected if %s is a file of the publisher',
    (own) => {
      const file = altered(whole, (entries) => {
        const renamed = [...entries].map(([name, bytes]) => [name === '404.json' ? own : name, bytes] as const);
        entries.clear();
        for (const [name, bytes] of renamed) entries.set(name, bytes);
        const text = textOf(entries, MANIFEST).replace('"file":"404.json"', `"file":"${own}"`);
        set(entries, MANIFEST, withDigest(text));
        sealed(entries);
      });
      expect(refusal(file)).toBe(
        `${MANIFEST}: error: The manifest is damaged: ${own} is no file of a tree. [verify-manifest]\n${RESTORE}`,
      );
    },
  );

  test('is rejected if the order of files differs', () => {
    const file = altered(news, (entries) => {
      const [last] = [...entries].slice(-1);
      entries.delete(last?.[0] ?? '');
      const all = [...entries];
      entries.clear();
      for (const [i, [name, bytes]] of all.entries()) {
        if (i === 2 && last) entries.set(last[0], last[1]);
        entries.set(name, bytes);
      }
    });
    expect(refusal(file)).toContain('The bundle is damaged: it is in the wrong position. [bundle-damaged]');
  });

  test('is rejected if bundle.json describes another tree or names missing files', () => {
    const serial = altered(whole, (entries) =>
      sealed(entries, (text) => text.replace(/("to":\{[^}]*"serial":)3/, '$13.0e1').replace('3.0e1', '30')),
    );
    expect(refusal(serial)).toBe(
      `bundle.json: error: The bundle is damaged: it describes another tree than the manifest. [bundle-damaged]\n${AGAIN}`,
    );
    const names = altered(news, (entries) =>
      sealed(entries, (text) => text.replace('"files":["', '"files":["evil.json","')),
    );
    expect(refusal(names)).toBe(
      `bundle.json: error: The bundle is damaged: it lists files that the manifest does not contain, or in another order. [bundle-damaged]\n${AGAIN}`,
    );
  });

  test('is rejected if it is another kind of file', () => {
    const file = join(newFolder(), 'x.bundle');
    const told = `error: ${file} is neither an archive nor a bundle of gridpress. [file-of-no-kind]
  Name a file that "gridpress archive" or "gridpress bundle" wrote, or the folder or the URL of a tree.
`;
    const pieces: Buffer[] = [];
    tarWriter((piece) => pieces.push(Buffer.from(piece))).end();
    for (const bytes of ['Dear all,\n'.repeat(200), '', Buffer.concat(pieces)]) {
      writeFileSync(file, bytes);
      expect(refusal(file)).toBe(told);
    }
  });
});
