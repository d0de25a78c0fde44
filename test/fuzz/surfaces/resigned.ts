/** Trees, bundles, archives, caches and tables with altered values, whose digests and seals are then updated. */
import { closeSync, cpSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { verifyTree } from '../../../src/cli/verify-place.ts';
import { failAll } from '../../../src/core/diagnostics/finding.ts';
import { sha256 } from '../../../src/core/model/digest.ts';
import { isJsonObject, parsedJson } from '../../../src/core/model/json.ts';
import { archive } from '../../../src/features/archive/archive.ts';
import { build } from '../../../src/features/build/build.ts';
import { apply } from '../../../src/features/bundle/apply.ts';
import { bundle } from '../../../src/features/bundle/bundle.ts';
import { bundleText, readBundleText } from '../../../src/features/bundle/bundle-head.ts';
import { check } from '../../../src/features/check/check.ts';
import { addNodes } from '../../../src/features/edit/add-nodes.ts';
import { presentFound } from '../../../src/features/find/present-found.ts';
import { lock } from '../../../src/features/lock/take-lock.ts';
import { verifyLock } from '../../../src/features/lock/verify-lock.ts';
import { publishFolder } from '../../../src/features/publish/publish-folder.ts';
import { readTar } from '../../../src/system/tar/tar-reader.ts';
import { withDigest } from '../../support/trees/altered-tree.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';
import type { Random } from '../../support/values/random.ts';
import { tarOf } from '../../support/values/tar.ts';
import { alteredBytes, alteredJson } from '../mutate.ts';
import { smallRegistry } from '../small-registry.ts';
import { Broken, type Surface } from '../surface.ts';

type Files = Map<string, Buffer>;
type Run = (chance: Random, input: string, target: string) => Promise<void>;

const MANIFEST = '_manifest.json';
const BOUNDS = { timeout: 1, maxRequests: 1 };
const QUIET = { showsProgress: false };

export async function resigned(folder: string): Promise<Surface> {
  const { registry, first, node } = smallRegistry(folder);
  const options = { registry, snapshots: 'none', indexFiles: false, ...QUIET } as const;
  const [tree, older, archives] = [join(folder, 'tree'), join(folder, 'older'), join(folder, 'archives')];
  await build({ ...options, out: tree });
  await build({ ...options, out: older, at: first });
  const [whole, news] = [join(folder, 'whole.bundle'), join(folder, 'news.bundle')];
  await bundle({ registry, tree, out: whole, ...QUIET });
  await bundle({ registry, tree, since: older, out: news, ...QUIET });
  mkdirSync(archives);
  await archive({ registry, revisions: [first], all: false, out: archives, ...QUIET });
  const [packed = ''] = readdirSync(archives).filter((name) => name.endsWith('.tar.gz'));
  const bag = join(folder, 'bag.tar');
  writeFileSync(bag, gunzipSync(readFileSync(join(archives, packed))));
  const { text: lockText } = await lock({ nodes: [node], from: tree, ...BOUNDS });
  const table = (await presentFound({ from: registry, form: 'csv', ...BOUNDS })).lines;
  const csv = `${[...table].join('\n')}\n`;

  const verified = async (place: string) => {
    const { findings } = await verifyTree({ place, ...BOUNDS, older: true, trust: { minSerial: 1 }, ...QUIET });
    if (findings.length > 0) failAll(findings);
  };
  const trees: Run = async (chance, input, target) => {
    const place = join(input, 'tree');
    cpSync(tree, place, { recursive: true, preserveTimestamps: true });
    const files = filesOf(place);
    alter(files, chance);
    resignManifest(files, '');
    for (const [name, bytes] of files) writeFileSync(join(place, name), bytes);
    const uses: readonly (() => unknown)[] = [
      () => verified(place),
      () => lock({ nodes: [node], from: place, ...BOUNDS }),
      () =>
        presentFound({
          from: place,
          form: chance.pick(['json', 'csv', 'table']),
          query: 'bios.version IS NOT NULL',
          ...BOUNDS,
        }),
      () => presentFound({ from: place, form: 'table', at: first, ...BOUNDS }),
      () => verifyLock({ file: written(input, lockText), against: place, class: ['hardware'], ...BOUNDS }),
      () => bundle({ registry, tree: place, out: join(target, 'x.bundle'), ...QUIET }),
      () => build({ ...options, out: place }),
      () => publishFolder({ tree: place, destination: join(target, 'api'), dryRun: false, older: true, ...QUIET }),
    ];
    await chance.pick(uses)();
  };
  const bundles: Run = async (chance, input, target) => {
    const files = tarFiles(chance.pick([whole, news]));
    const head = readBundleText(String(files.get('bundle.json')));
    if ('reason' in head) throw new Error(head.reason);
    const isHead = chance.chance(0.3);
    if (!isHead) alter(files, chance, 'bundle.json');
    const digest = resignManifest(files, '');
    const fitting = {
      ...head,
      to: { ...head.to, manifest: sha256(files.get(MANIFEST) ?? ''), digest: digest ?? head.to.digest },
    };
    files.set(
      'bundle.json',
      Buffer.from(
        isHead
          ? resealed(alteredJson(JSON.stringify({ gridpress_bundle: 1, ...fitting }), chance))
          : bundleText(fitting),
      ),
    );
    const file = join(input, 'x.tar');
    writeFileSync(file, packedFiles(files));
    if (chance.chance(0.3)) return verified(file);
    const place = join(target, 'api');
    cpSync(older, place, { recursive: true, preserveTimestamps: true });
    const before = readFileSync(join(place, MANIFEST));
    try {
      apply({ file, folder: place, older: false, ...QUIET });
    } catch (error) {
      if (!readFileSync(join(place, MANIFEST)).equals(before)) throw new Broken('what was refused changed the tree');
      throw error;
    }
  };
  const bags: Run = async (chance, input) => {
    const files = tarFiles(bag);
    const [root = ''] = [...files.keys()][0]?.split('/') ?? [];
    alter(files, chance);
    resignManifest(files, `${root}/data/tree/`);
    resignBag(files, root);
    const file = join(input, 'x.tar');
    writeFileSync(file, packedFiles(files));
    await verified(file);
  };
  const caches: Run = async (chance, input) => {
    const place = join(input, 'registry-data');
    cpSync(registry, place, { recursive: true });
    const [history = ''] = readdirSync(join(place, 'history')).sort();
    const long = join(place, 'history', history);
    // A comment that makes the history long enough for a cache.
    writeFileSync(long, `# ${'x'.repeat(1 << 20)}\n${readFileSync(long, 'utf8')}`);
    const outer = process.env['XDG_CACHE_HOME'];
    process.env['XDG_CACHE_HOME'] = join(input, 'cache');
    try {
      const answer = async (cache: boolean) => JSON.stringify(await check({ registry: place, cache }));
      await answer(true);
      for (const name of filesBelow(join(input, 'cache'))) {
        const path = join(input, 'cache', name);
        writeFileSync(path, alteredJson(readFileSync(path, 'utf8'), chance));
      }
      if ((await answer(true)) !== (await answer(false))) throw new Broken('an altered cache changed the result');
    } finally {
      if (outer === undefined) delete process.env['XDG_CACHE_HOME'];
      else process.env['XDG_CACHE_HOME'] = outer;
    }
  };
  const tables: Run = async (chance, input) => {
    addNodes({ registry, from: written(input, alteredBytes(Buffer.from(csv), chance)), dryRun: true });
  };
  return {
    name: 'resigned',
    run: async (chance, { input, target }) => {
      mkdirSync(input);
      mkdirSync(target);
      await chance.pick([trees, trees, bundles, bundles, bags, caches, tables])(chance, input, target);
    },
  };
}

function written(folder: string, contents: string | Uint8Array): string {
  writeFileSync(join(folder, 'given'), contents);
  return join(folder, 'given');
}

function filesOf(folder: string): Files {
  return new Map(filesBelow(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

/** The files of a tar file, with a copy for each hard link. */
function tarFiles(path: string): Files {
  const file = openSync(path, 'r');
  try {
    const { entries, read } = readTar(file, path);
    return new Map([...entries.keys()].map((name) => [name, read(name, Number.MAX_SAFE_INTEGER) ?? Buffer.alloc(0)]));
  } finally {
    closeSync(file);
  }
}

function packedFiles(files: Files): Buffer {
  return tarOf((tar) => {
    for (const [name, bytes] of files) tar.file(name, bytes, 0);
  });
}

/** Alters one or two files. Manifests are altered often, since readers trust them most. */
function alter(files: Files, chance: Random, except?: string): void {
  const names = [...files.keys()].filter((name) => name !== except);
  for (let left = 1 + chance.below(2); left > 0; left--) {
    const manifest = names.find((name) => name.endsWith(MANIFEST));
    const name = manifest !== undefined && chance.chance(0.3) ? manifest : chance.pick(names);
    const bytes = files.get(name) ?? Buffer.alloc(0);
    if (name === manifest) files.set(name, alteredManifest(bytes, chance));
    else
      files.set(
        name,
        /json$/.test(name) ? Buffer.from(alteredJson(String(bytes), chance)) : alteredBytes(bytes, chance),
      );
  }
}

/** Alters one line of a manifest, so that its frame often stays intact. */
function alteredManifest(bytes: Buffer, chance: Random): Buffer {
  if (chance.chance(0.1)) return alteredBytes(bytes, chance);
  const lines = String(bytes).split('\n');
  const at = chance.below(lines.length);
  const [, json = '', end = ''] = /^(\{.*\})(,?)$/.exec(lines[at] ?? '') ?? [];
  lines[at] =
    json === '' ? String(alteredBytes(Buffer.from(lines[at] ?? ''), chance)) : alteredJson(json, chance) + end;
  return Buffer.from(lines.join('\n'));
}

/** Updates the entries of a manifest, its digest and its seal. Returns the digest. */
function resignManifest(files: Files, prefix: string): string | undefined {
  const text = files.get(prefix + MANIFEST)?.toString();
  if (text === undefined) return undefined;
  const lines = text.split('\n').map((line) => {
    const entry = parsedJson(line.replace(/,$/, ''));
    if (!isJsonObject(entry) || typeof entry['file'] !== 'string' || !('sha256' in entry)) return line;
    const bytes = files.get(prefix + entry['file']);
    if (!bytes || sha256(bytes) === entry['sha256']) return line;
    return JSON.stringify({ ...entry, sha256: sha256(bytes), size: bytes.length }) + (line.endsWith(',') ? ',' : '');
  });
  const fitting = withDigest(lines.join('\n'));
  files.set(prefix + MANIFEST, Buffer.from(fitting));
  return /,"digest":"([0-9a-f]{64})","seal":"[0-9a-f]{64}"\}\n$/.exec(fitting)?.[1];
}

function resealed(head: string): string {
  const text = head.slice(0, -1);
  return `${text},"seal":"${sha256(text)}"}\n`;
}

/** Updates the manifests and the size of a bag (RFC 8493). */
function resignBag(files: Files, root: string): void {
  const payload = [...files].filter(([name]) => name.startsWith(`${root}/data/`));
  const update = (file: string) => {
    const lines = files.get(`${root}/${file}`)?.toString().split('\n') ?? [];
    const fitting = lines.map((line) => {
      const name = line.slice(line.indexOf('  ') + 2);
      const bytes = files.get(`${root}/${name}`);
      return bytes && line !== '' ? `${sha256(bytes)}  ${name}` : line;
    });
    files.set(`${root}/${file}`, Buffer.from(fitting.join('\n')));
  };
  update('manifest-sha256.txt');
  const size = payload.reduce((sum, [, bytes]) => sum + bytes.length, 0);
  const info = files.get(`${root}/bag-info.txt`)?.toString() ?? '';
  files.set(
    `${root}/bag-info.txt`,
    Buffer.from(info.replace(/^Payload-Oxum: .*$/m, `Payload-Oxum: ${size}.${payload.length}`)),
  );
  update('tagmanifest-sha256.txt');
}
