/** Replaces folders of the lower layer of an overlay file system, where renaming folders fails with EXDEV. */
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { assertDefined, getOrThrow } from '../../../src/core/platform/lookups.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { needsOverlay, overlayOn } from '../../support/processes/overlay.ts';
import { type Writer, writers } from '../../support/processes/writers.ts';

const { isMissing, because } = needsOverlay();

let all: ReadonlyMap<string, Writer>;
beforeAll(async () => {
  if (!isMissing) all = await writers();
});

describe.skipIf(isMissing)(`in an overlay file system, the new folder replaces the old one${because}`, () => {
  test.each(['build', 'publish', 'publish --link, the first', 'apply', 'import'])('%s', async (name) => {
    const { prepare, args, run, currentResult } = getOrThrow(all, name);
    const [lower, alone] = [newFolder(), newFolder()];
    for (const each of [lower, alone]) await prepare(each);
    await run(alone);
    const { folder, remove } = assertDefined(overlayOn(lower));
    try {
      const place = join(folder, name === 'import' ? 'registry-data' : 'www');
      expect(() => renameSync(place, `${place}-2`)).toThrow('EXDEV');
      expect(await gridpress(args, { cwd: folder })).toMatchObject({ status: 0, stderr: '' });
      expect(currentResult(folder)).toBe(currentResult(alone));
      expect(readdirSync(folder).sort()).toEqual(readdirSync(alone).sort());
    } finally {
      remove();
    }
  });
});
