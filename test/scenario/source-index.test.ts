import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../src/core/diagnostics/failure.ts';
import { memoryStore } from '../../src/core/model/body-store.ts';
import { KINDS } from '../../src/core/model/kinds.ts';
import { SOURCE_LIMITS } from '../../src/core/platform/limits.ts';
import { resourceOfFile } from '../../src/core/registry/layout.ts';
import { type SourceReader, sourceReader } from '../../src/core/registry/registry.ts';
import { MANIFEST_FILE } from '../../src/core/tree/layout.ts';
import { build } from '../../src/features/build/build.ts';
import { check } from '../../src/features/check/check.ts';
import { find } from '../../src/features/find/find.ts';
import { indexFileParts, openIndexFile } from '../../src/features/history-index/index-file.ts';
import { lock } from '../../src/features/lock/take-lock.ts';
import { diff } from '../../src/features/revisions/diff.ts';
import { record } from '../../src/features/revisions/record.ts';
import { indexedSources } from '../../src/features/sources/read-indexed-sources.ts';
import { readFolder } from '../../src/system/files/read-folder.ts';
import { newFolder } from '../support/folders.ts';
import { writeGenerated } from '../support/registries/generated.ts';
import { nodeFile } from '../support/registries/testbed.ts';
import { random } from '../support/values/random.ts';

interface Project {
  readonly folder: string;
  readonly registry: string;
  /** The same registry at a place that can have no index, with the configuration of the other. */
  readonly plain: { readonly registry: string; readonly config: string };
  readonly index: string;
}

let original: string;

beforeAll(() => {
  original = newFolder();
  writeGenerated(original, 120, 2);
});

/** A copy of the registry, as `cp -a` makes it, with its index where it has one. */
function project(of = original): Project {
  const folder = newFolder();
  cpSync(of, folder, { recursive: true, preserveTimestamps: true });
  const registry = join(folder, 'registry-data');
  const elsewhere = newFolder();
  symlinkSync(registry, join(elsewhere, 'registry-data'));
  return {
    folder,
    registry,
    plain: { registry: join(elsewhere, 'registry-data'), config: join(folder, 'gridpress.yaml') },
    index: join(folder, '.gridpress', 'registry-data.sources'),
  };
}

/** What is answered, or why not, wherever the registry lies. */
async function answers(place: { readonly registry: string; readonly config?: string }): Promise<string[]> {
  const { registry, config } = place;
  const from = { from: registry, timeout: 1, limit: 1, config };
  const dry = { message: 'm', author: 'a', date: '2026-02-01T00:00:00Z', isDry: true };
  const asked = [
    () => check({ ...place, fleet: true }),
    () => find(from, 'all', async ({ rows }, source) => source.nodesAt(rows)),
    () => diff({ ...place, from: 'head', to: 'worktree' }),
    () => record({ ...place, ...dry }),
  ];
  const told: string[] = [];
  for (const ask of asked)
    told.push(JSON.stringify(await (async () => ask())().catch(findingsOf)).replaceAll(registry, 'REGISTRY'));
  return told;
}

function findingsOf(error: unknown): unknown {
  if (error instanceof Failure) return error.findings;
  throw error;
}

/** Twice with an index: as it is, and as the first one left it. */
async function expectSameAnswers({ registry, plain }: Project): Promise<void> {
  const expected = await answers(plain);
  expect(await answers({ registry })).toEqual(expected);
  expect(await answers({ registry })).toEqual(expected);
}

/** Until the test is over it is later, so that no file is new any more: new ones are known by their digests alone. */
function letFilesSettle(): void {
  const now = Date.now;
  const later = vi.spyOn(Date, 'now').mockImplementation(() => now() + 10_000);
  onTestFinished(() => later.mockRestore());
}

/** The manifest of the tree that is built, which has the digests of all else. */
async function built(place: { readonly registry: string; readonly config?: string }): Promise<string> {
  const out = join(newFolder(), 'dist');
  await build({ ...place, out, showsProgress: false, fsync: false });
  return readFileSync(join(out, MANIFEST_FILE), 'utf8');
}

/** The files of which the index does not know what they say. */
function filesRead({ registry }: Project): string[] {
  const sources = readFolder(registry, registry, SOURCE_LIMITS);
  const store = memoryStore();
  const read: string[] = [];
  const reader = sourceReader(sources.folder, store, () => undefined);
  const noting: SourceReader = (file, kind) => {
    read.push(file);
    return reader(file, kind);
  };
  const asked = { registry, store, maker: 'test', isThorough: false, keeps: true };
  const { read: indexed, keep } = indexedSources(sources, noting, asked);
  for (const file of sources.folder.files) {
    const item = file.startsWith('history/') ? undefined : resourceOfFile(file, KINDS);
    if (item) indexed(file, item.kind);
  }
  keep();
  return read;
}

/** Alters the records of an index, which stay as long as they are, with what proves them whole. */
function forge(index: string, altered: (record: string) => string): void {
  const { head, section } = openIndexFile(index);
  const lengths = new Uint32Array(section('lengths').buffer);
  const records = section('records');
  let from = 0;
  const forged = Array.from(lengths, (length) => {
    const record = Buffer.from(altered(records.toString('utf8', from, from + length)));
    from += length;
    return record;
  });
  const sections = [
    { name: 'lengths', bytes: section('lengths') },
    { name: 'checks', bytes: Buffer.from(Uint32Array.from(forged, (record) => crc32(record)).buffer) },
    { name: 'records', bytes: Buffer.concat(forged) },
  ];
  writeFileSync(index, Buffer.concat(indexFileParts(head, sections)));
}

describe('with an index and without, answers are the same', () => {
  test('and with it, only what has changed is read', async () => {
    const of = project();
    await expectSameAnswers(of);
    letFilesSettle();
    expect(filesRead(of).length).toBeGreaterThan(120);
    expect(filesRead(of)).toEqual([]);
    appendFileSync(join(of.registry, nodeFile('lyra', 7)), 'comment: changed\n');
    expect(filesRead(of)).toEqual([nodeFile('lyra', 7)]);
    renameSync(join(of.registry, nodeFile('lyra', 7)), join(of.registry, nodeFile('lyra', 999)));
    rmSync(join(of.registry, nodeFile('lyra', 9)));
    expect(filesRead(of)).toEqual([nodeFile('lyra', 999)]);
    await expectSameAnswers(of);
  });

  test('and a build takes what is there, and makes none', async () => {
    const { registry, plain, index } = project();
    rmSync(index, { force: true });
    const manifest = await built(plain);
    expect(await built({ registry })).toBe(manifest);
    expect(existsSync(index)).toBe(false);
    await check({ registry });
    const made = readFileSync(index);
    appendFileSync(join(registry, nodeFile('lyra', 7)), '# a remark\n');
    expect(await built({ registry })).toBe(await built(plain));
    expect(readFileSync(index)).toEqual(made);

    forge(index, (record) =>
      record.replace(/"[0-9a-f]{64}"/, `"${'0'.repeat(64)}"`).replace('"node_name":"node-', '"node_name":"what-'),
    );
    await expect(built({ registry })).rejects.toThrow('unrecorded-changes');
  });

  test('when files change, go, come, break, and come back', async () => {
    const of = project();
    const file = join(of.registry, nodeFile('lyra', 7));
    const text = readFileSync(file, 'utf8');
    await expectSameAnswers(of);
    for (const changed of [
      `# a remark\n${text}`,
      `${text}comment: another\n`,
      `${text}node_nmae: nearly right\n`,
      text.replace(/^uid: .*$/m, 'uid: somebody-else'),
      `${text}type: twice\n`,
      'uid: [\n',
    ]) {
      writeFileSync(file, changed);
      await expectSameAnswers(of);
    }
    renameSync(file, join(of.registry, nodeFile('lyra', 999)));
    await expectSameAnswers(of);
    writeFileSync(file, text);
    await expectSameAnswers(of);
    rmSync(join(of.registry, nodeFile('lyra', 999)));
    await expectSameAnswers(of);
  });

  test('when a file changes and has the size and the time that it had', async () => {
    const of = project();
    const file = join(of.registry, nodeFile('lyra', 7));
    const { atime, mtime } = statSync(file);
    await expectSameAnswers(of);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('"0007"');
    writeFileSync(file, text.replace('"0007"', '"0008"'));
    utimesSync(file, atime, mtime);
    await expectSameAnswers(of);
  });

  test('when other things may be in files, by the configuration', async () => {
    const of = project();
    await expectSameAnswers(of);
    const { config } = of.plain;
    const text = readFileSync(config, 'utf8');
    writeFileSync(config, `${text}limits:\n  source_bytes: 60\n`);
    await expectSameAnswers(of);
    writeFileSync(config, text.replace('cluster_uid: main', 'cluster_uid: other'));
    await expectSameAnswers(of);
  });
});

describe('an index is not believed', () => {
  test.each([1, 2, 3])('where bytes of it have changed, or are missing: %i', async (seed) => {
    const of = project();
    const expected = await answers(of.plain);
    const chosen = random(seed);
    for (let round = 0; round < 5; round++) {
      expect(await answers({ registry: of.registry })).toEqual(expected);
      const bytes = readFileSync(of.index);
      for (let i = 0; i < 4; i++) {
        const at = chosen.below(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 + chosen.below(255));
      }
      writeFileSync(of.index, bytes);
      if (chosen.chance(0.3)) truncateSync(of.index, chosen.below(bytes.length));
    }
    expect(await answers({ registry: of.registry })).toEqual(expected);
  });

  test('where it came from elsewhere, though it is whole', async () => {
    const of = project();
    await expectSameAnswers(of);
    const copy = project(of.folder);
    forge(copy.index, (record) => record.replace('"node_name":"node-', '"node_name":"evil-'));
    expect(readFileSync(copy.index, 'latin1')).toContain('evil-');
    expect(JSON.stringify(await answers({ registry: copy.registry }))).not.toContain('evil-');
    await expectSameAnswers(copy);
  });

  test('and is made anew where any of it is damaged', () => {
    const of = project();
    letFilesSettle();
    filesRead(of);
    expect(filesRead(of)).toEqual([]);
    const bytes = readFileSync(of.index);
    const at = bytes.length - 40;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(of.index, bytes);
    const read = filesRead(of);
    expect(read.length).toBeGreaterThan(0);
    expect(read.length).toBeLessThan(3);
    expect(filesRead(of)).toEqual([]);
  });

  test('by a lock, which says what was recorded', async () => {
    const { registry, index } = project();
    await check({ registry });
    const asked = { nodes: [nodeFile('lyra', 7).slice(0, -'.yaml'.length)], from: registry, timeout: 1, limit: 1 };
    const { text } = await lock(asked);
    forge(index, (said) => said.replace('"node_name":"node-', '"node_name":"evil-'));
    expect(await lock(asked)).toMatchObject({ text });
  });
});
