/** Damaged archives: verify finds every flipped bit and names the entry or the file. */
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
  // Without index files and explorer, the archive is smaller but has the same kinds of bytes.
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
  // The folder contains only the archive under test.
  folder = newFolder();
});

/** Returns the places and texts of all findings in altered bytes. */
async function findingsIn(file: string, bytes: Uint8Array): Promise<string[]> {
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

/** Returns the entry whose header, contents or padding contains this byte of the tar; after the end, the last entry. */
function ownerOf(at: number): TarEntry | undefined {
  return entries.findLast(({ header }) => header <= at);
}

/** Picks a byte evenly by kind, because contents fill most of a tar. */
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

describe('verify of an archive', () => {
  test('accepts the unaltered archive', async () => {
    expect(await findingsIn('x.tar', tar)).toEqual([]);
    expect(await findingsIn('x.tar.gz', gzip)).toEqual([]);
  });

  test('reports each of 500 flipped bits of the tar with the entry that contains it', async () => {
    const chance = random(20_260_401);
    for (let n = 0; n < 500; n++) {
      const [at, bit] = [someByte(chance), chance.below(8)];
      const told = await findingsIn('x.tar', flipped(tar, at, bit));
      const owner = ownerOf(at);
      const inHeader = owner !== undefined && at < owner.header + BLOCK;
      // A finding quotes a damaged name as read, with its offset.
      const isNamed = told.some(
        (line) =>
          line.includes(owner?.name.slice(name.length + 1) ?? '?') ||
          (inHeader && line.includes(`"at":${owner.header}`)),
      );
      expect([at, bit, told, isNamed]).toEqual([at, bit, told, true]);
    }
  });

  test('reports each of 350 flipped bits of the compressed file', async () => {
    const chance = random(20_260_402);
    const altered = async (at: number, bit: number) => {
      const told = await findingsIn('x.tar.gz', flipped(gzip, at, bit));
      expect([at, bit, told.some((line) => line.startsWith('x.tar.gz '))]).toEqual([at, bit, true]);
    };
    // All bits of the header and of the trailer, which are checksums or have none.
    for (let at = 0; at < 10; at++) for (let bit = 0; bit < 8; bit++) await altered(at, bit);
    for (let at = gzip.length - 8; at < gzip.length; at++) for (let bit = 0; bit < 8; bit++) await altered(at, bit);
    for (let n = 0; n < 206; n++) await altered(chance.below(gzip.length), chance.below(8));
  });

  test('reports each of 150 truncations, removals and additions', async () => {
    const chance = random(20_260_403);
    const files = [
      { file: 'x.tar', bytes: tar },
      { file: 'x.tar.gz', bytes: gzip },
    ];
    for (let n = 0; n < 50; n++) {
      const { file, bytes } = chance.pick(files);
      const at = chance.below(bytes.length);
      const truncated = await findingsIn(file, bytes.subarray(0, at));
      expect([file, at, truncated.length > 0]).toEqual([file, at, true]);
      const added = await findingsIn(
        file,
        Buffer.concat([bytes, Buffer.alloc(1 + chance.below(1024), chance.below(256))]),
      );
      expect([file, at, added.length > 0]).toEqual([file, at, true]);
      // Removes a whole entry, with its header and its padding.
      const { name: gone, header, offset, size } = chance.pick(entries.filter(({ target }) => target === undefined));
      const next = offset + Math.ceil(size / BLOCK) * BLOCK;
      const removed = await findingsIn('x.tar', Buffer.concat([tar.subarray(0, header), tar.subarray(next)]));
      expect([gone, removed.some((line) => line.includes(gone))]).toEqual([gone, true]);
    }
  });
});
