/** Replacing what lies in the lower layer of an overlay file system, whose folders cannot be renamed (EXDEV). */
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { certain, mustGet } from '../../../src/core/platform/certain.ts';
import { newFolder } from '../../support/folders.ts';
import { MINUTES } from '../../support/limits.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { needsOverlay, overlayOn } from '../../support/processes/overlay.ts';
import { type Writer, writers } from '../../support/processes/writers.ts';

const { isMissing, because } = needsOverlay();

let all: ReadonlyMap<string, Writer>;
beforeAll(async () => {
  if (!isMissing) all = await writers();
}, 2 * MINUTES);

describe.skipIf(isMissing)(`in an overlay file system the new one takes the old one's place${because}`, () => {
  test.each(['build', 'publish', 'publish --link, the first', 'apply', 'import'])(
    '%s',
    async (name) => {
      const { prepare, args, run, standing } = mustGet(all, name);
      const [lower, alone] = [newFolder(), newFolder()];
      for (const each of [lower, alone]) await prepare(each);
      await run(alone);
      const { folder, remove } = certain(overlayOn(lower));
      try {
        const place = join(folder, name === 'import' ? 'registry-data' : 'www');
        expect(() => renameSync(place, `${place}-2`)).toThrow('EXDEV');
        expect(await gridpress(args, { cwd: folder })).toMatchObject({ status: 0, stderr: '' });
        expect(standing(folder)).toBe(standing(alone));
        expect(readdirSync(folder).sort()).toEqual(readdirSync(alone).sort());
      } finally {
        remove();
      }
    },
    10 * MINUTES,
  );
});
