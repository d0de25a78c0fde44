/** Archives that were damaged: every flipped bit is found, wherever it is, and the entry or the file is named. */
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readTar, type TarEntry } from '../../../src/system/tar/tar-reader.ts';
import { newFolder } from '../../support/folders.ts';
import { NODE, registryOf } from '../../support/registries/registry.ts';
import { archived, verifiedArchive } from '../../support/trees/archived.ts';
import { type Random, random } from '../../support/values/random.ts';

const BLOCK = 512;

let folder: string;
let tar: Buffer;
let gzip: Buffer;
let name: string;
let entries: readonly TarEntry[];

beforeAll(async () => {
  // Without names for index files, and without the explorer, it has less to verify each time, and as many kinds of bytes.
  const given = registryOf(
    { '../gridpress.yaml': 'cluster_uid: main\nindex_files: false\nexplorer: false\n' },
    newFolder(),
  );
  given.record('First');
  given.write({ [NODE]: given.read(NODE).replace('lyra-1', 'lyra-2') });
  given.record('Second');
  const made = await archived(given.registry);
  name = made.archives[0]?.name ?? '';
  tar = readFileSync(join(made.out, `${name}.tar`));
  gzip = readFileSync(join(made.out, `${name}.tar.gz`));
  const file = openSync(join(made.out, `${name}.tar`), 'r');
  entries = [...readTar(file, '').entries.values()];
  closeSync(file);
  // Nothing but the archive itself is beside what is altered.
  folder = newFolder();
});

/** The places and the words of all that is found in altered bytes. */
async function found(file: string, bytes: Uint8Array): Promise<string[]> {
  const path = join(folder, file);
  writeFileSync(path, bytes);
  const { findings } = await verifiedArchive(path);
  return findings.map(({ place, args }) => `${place?.file} ${JSON.stringify(args)}`);
}

function flipped(bytes: Buffer, at: number, bit: number): Buffer {
  const altered = Buffer.from(bytes);
  altered.writeUInt8((altered[at] ?? 0) ^ (1 << bit), at);
  return altered;
}

/** The entry whose header, contents or padding a byte of the tar belongs to; at its end, the last one. */
function ownerOf(at: number): TarEntry | undefined {
  return entries.findLast(({ header }) => header <= at);
}

/** A byte of a kind that has few of them: most of a tar are contents. */
function someByte(chance: Random): number {
  const { offset = 0, size = 0 } = chance.pick(entries);
  switch (chance.below(4)) {
    case 0:
      return offset - 1 - chance.below(BLOCK);
    case 1:
      return offset + chance.below(Math.max(1, size));
    case 2:
      return offset + size + chance.below((BLOCK - (size % BLOCK)) % BLOCK || 1);
    default:
      return chance.chance(0.1) ? tar.length - 1 - chance.below(2 * BLOCK) : chance.below(tar.length);
  }
}

describe('an archive', () => {
  test('is whole as long as nobody alters it', async () => {
    expect(await found('x.tar', tar)).toEqual([]);
    expect(await found('x.tar.gz', gzip)).toEqual([]);
    expect(tar.length).toBeLessThan(1_200_000);
  });

  test('shows each of 500 flipped bits of the tar, with the entry that it is in', async () => {
    const chance = random(20_260_401);
    for (let n = 0; n < 500; n++) {
      const [at, bit] = [someByte(chance), chance.below(8)];
      const told = await found('x.tar', flipped(tar, at, bit));
      const owner = ownerOf(at);
      const inHeader = owner !== undefined && at < owner.header + BLOCK;
      // A name that is damaged itself is told as it stands there, with where it stands.
      const isNamed = told.some(
        (line) =>
          line.includes(owner?.name.slice(name.length + 1) ?? '?') ||
          (inHeader && line.includes(`"at":${owner.header}`)),
      );
      expect([at, bit, told, isNamed]).toEqual([at, bit, told, true]);
    }
  });

  test('shows each of 350 flipped bits of the compressed file', async () => {
    const chance = random(20_260_402);
    const altered = async (at: number, bit: number) => {
      const told = await found('x.tar.gz', flipped(gzip, at, bit));
      expect([at, bit, told.some((line) => line.startsWith('x.tar.gz '))]).toEqual([at, bit, true]);
    };
    // All bits of the header and of the end, which no checksum covers, or which are one.
    for (let at = 0; at < 10; at++) for (let bit = 0; bit < 8; bit++) await altered(at, bit);
    for (let at = gzip.length - 8; at < gzip.length; at++) for (let bit = 0; bit < 8; bit++) await altered(at, bit);
    for (let n = 0; n < 206; n++) await altered(chance.below(gzip.length), chance.below(8));
  });

  test('shows each of 150 truncations, removals and additions', async () => {
    const chance = random(20_260_403);
    const files = [
      { file: 'x.tar', bytes: tar },
      { file: 'x.tar.gz', bytes: gzip },
    ];
    for (let n = 0; n < 50; n++) {
      const { file, bytes } = chance.pick(files);
      const at = chance.below(bytes.length);
      const truncated = await found(file, bytes.subarray(0, at));
      expect([file, at, truncated.length > 0]).toEqual([file, at, true]);
      const added = await found(file, Buffer.concat([bytes, Buffer.alloc(1 + chance.below(1024), chance.below(256))]));
      expect([file, at, added.length > 0]).toEqual([file, at, true]);
      // A whole entry goes, with its header and its padding.
      const { name: gone, header, offset, size } = chance.pick(entries.filter(({ target }) => target === undefined));
      const next = offset + Math.ceil(size / BLOCK) * BLOCK;
      const removed = await found('x.tar', Buffer.concat([tar.subarray(0, header), tar.subarray(next)]));
      expect([gone, removed.some((line) => line.includes(gone))]).toEqual([gone, true]);
    }
  });
});
