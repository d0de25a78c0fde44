/** Runs commands on a disk that is full at different points. Afterwards the complete old or new result exists. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { getOrThrow } from '../../../src/core/platform/lookups.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { FILLER, fillUp, needsSmallDisk, smallDisk } from '../../support/processes/small-disk.ts';
import { WRITERS, type Writer, writers } from '../../support/processes/writers.ts';

/** In KB. Every result fits several times. */
const DISK = 16_384;
/** The numbers of free blocks, in blocks of 4 KB. */
const FREE = [0, 1, 3, 10, 40, 160, 640, 2560];

let all: ReadonlyMap<string, Writer>;
const { isMissing, because } = needsSmallDisk();
beforeAll(async () => {
  if (!isMissing) all = await writers();
});

describe.skipIf(isMissing)(`a full disk leaves the complete old or new result${because}`, () => {
  test.each(WRITERS)('%s', async (name) => {
    const { prepare, args, run, currentResult } = getOrThrow(all, name);
    const [disk, other] = [smallDisk(DISK), newFolder()];
    for (const folder of [disk, other]) await prepare(folder);
    const before = currentResult(disk);
    // Lock files contain a path relative to their own folder.
    const isPortable = name !== 'lock';
    await run(other);
    const failures = new Set<string>();
    let status: number | null = null;
    for (const free of FREE) {
      fillUp(disk, free);
      const result = await gridpress(args, { cwd: disk });
      rmSync(join(disk, FILLER));
      ({ status } = result);
      if (status === 0) break;
      failures.add(/\[([a-z-]+)\]/.exec(result.stderr)?.[1] ?? result.stderr);
      expect(result.stderr).toContain('the disk is full');
      expect(currentResult(disk)).toBe(before);
    }
    expect(status).toBe(0);
    if (isPortable) expect(currentResult(disk)).toBe(currentResult(other));
    expect(readdirSync(disk).sort()).toEqual(readdirSync(other).sort());
    expect(failures.size).toBeGreaterThan(0);
  });
});
