/**
 * What commands ask of the file system, replayed for a disk that loses its power: whatever was not synced by then may be
 * there or not. The old file or tree is found, or the new one, whole, and the next run goes through. POWER_CUTS says how
 * many disks are tried for each command; what is tried otherwise is a choice of them, the same each time.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../../src/core/diagnostics/failure.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { mustGet } from '../../../src/core/platform/certain.ts';
import { newFolder } from '../../support/folders.ts';
import { MINUTES } from '../../support/limits.ts';
import { gridpress } from '../../support/processes/cli.ts';
import {
  type Change,
  imageAt,
  type Kept,
  keyOf,
  pendingAt,
  type Recording,
  writeImage,
} from '../../support/processes/disk-model.ts';
import { needsStrace, recorded } from '../../support/processes/recorded-run.ts';
import { WRITERS, type Writer, writers } from '../../support/processes/writers.ts';
import { random } from '../../support/values/random.ts';

const IMAGES = Number(process.env['POWER_CUTS'] ?? 8);

let all: ReadonlyMap<string, Writer>;
/** In memory, where nobody waits for a disk: what counts is what is asked of it. */
let base: string;
beforeAll(async () => {
  all = await writers();
  const memory = '/dev/shm';
  base = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'gridpress-cut-'));
}, 2 * MINUTES);
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Cut {
  readonly at: number;
  readonly keeps: (pending: Change) => Kept;
}

const isName = (change: Change) => 'folder' in change;

/** At one point: nothing is kept, everything, names without bytes or with some, and each name alone or as the only one lost. */
function cutsAt(recording: Recording, at: number): Cut[] {
  const names = pendingAt(recording, at).filter(isName).slice(-8);
  const kept = (choice: Cut['keeps']): Cut => ({ at, keeps: choice });
  return [
    ...(['nothing', 'half', 'zeros', 'all'] as const).map((bytes) =>
      kept((change) => (isName(change) ? 'all' : bytes)),
    ),
    kept(() => 'nothing'),
    ...names.map((name) => kept((change) => (change === name ? 'all' : 'nothing'))),
    ...names.map((name) => kept((change) => (change === name ? 'nothing' : 'all'))),
  ];
}

/** Most of them near where names change hands and where the disk is waited for; in an order by chance. */
function cutsOf(recording: Recording, chance: ReturnType<typeof random>): Cut[] {
  const { begin, steps } = recording;
  const points = Array.from({ length: steps.length - begin + 1 }, (_, i) => begin + i);
  const isNear = (point: number) =>
    steps.slice(Math.max(begin, point - 4), point + 3).some(({ what }) => what === 'sync' || what === 'rename');
  const shuffled = (cuts: readonly Cut[]) =>
    cuts
      .map((cut) => ({ cut, order: chance.below(2 ** 31) }))
      .sort((a, b) => a.order - b.order)
      .map(({ cut }) => cut);
  const near = shuffled(points.filter(isNear).flatMap((point) => cutsAt(recording, point)));
  const far = shuffled(points.filter((point) => !isNear(point)).flatMap((point) => cutsAt(recording, point)));
  return near.flatMap((cut, i) => (i % 5 === 4 ? [cut, ...far.splice(0, 1)] : [cut])).concat(far);
}

/** What of a command's disks is wrong, and how often it found what. */
async function replayed(writer: Writer, PATH?: string): Promise<{ wrong: string[]; found: Record<string, number> }> {
  const folder = mkdtempSync(join(base, 'made-'));
  await writer.prepare(folder);
  const before = writer.standing(folder);
  const recording = await recorded(writer.args, folder, PATH);
  const [after, names] = [writer.standing(folder), readdirSync(folder)];
  expect(after).not.toBe(before);
  const wrong: string[] = [];
  const found: Record<string, number> = { old: 0, new: 0 };
  const known = new Set<string>();
  for (const { at, keeps } of cutsOf(recording, random(11))) {
    if (known.size === IMAGES) break;
    const image = imageAt(recording, at, keeps);
    if (known.size === known.add(keyOf(image)).size) continue;
    const place = join(base, 'replayed');
    mkdirSync(place);
    writeImage(image, place);
    try {
      const standing = writer.standing(place);
      if (standing !== before) expect(standing).toBe(after);
      const which = standing === before ? 'old' : 'new';
      found[which] = (found[which] ?? 0) + 1;
      await writer.run(place);
      expect(writer.standing(place)).toBe(after);
      expect(readdirSync(place)).toEqual(names);
    } catch (error) {
      wrong.push(
        `after ${at - recording.begin} steps: ${error instanceof Failure ? renderFindings(error.findings) : error}`,
      );
    }
    rmSync(place, { recursive: true });
  }
  return { wrong, found };
}

const { isMissing, because } = needsStrace();

describe.skipIf(isMissing)(`a power cut leaves the old or the new one whole${because}`, () => {
  test.each(WRITERS)(
    '%s',
    async (name) => {
      const { wrong, found } = await replayed(mustGet(all, name));
      process.stdout.write(`${name}: ${found['old']} times the old one, ${found['new']} times the new one\n`);
      expect(wrong).toEqual([]);
    },
    60 * MINUTES,
  );

  test.each(['build', 'publish', 'publish --link'])(
    '%s, where nothing syncs a whole file system',
    async (name) => {
      expect((await replayed(mustGet(all, name), newFolder())).wrong).toEqual([]);
    },
    60 * MINUTES,
  );

  test('a build that need not last waits for nothing', async () => {
    const { prepare, args } = mustGet(all, 'build');
    const folder = newFolder();
    await prepare(folder);
    const { steps } = await recorded([...args, '--no-fsync'], folder);
    expect(steps.filter(({ what }) => what === 'sync')).toEqual([]);
  });
});

describe('what a power cut has left of a tree', () => {
  test.each([
    ['nothing', () => ''],
    ['its beginning', (text: string) => text.slice(0, 200)],
    ['zeros', (text: string) => '\0'.repeat(text.length)],
  ])('is replaced where the manifest is %s', async (_, left) => {
    const folder = newFolder();
    const { prepare, args, run, standing } = mustGet(all, 'publish');
    await prepare(folder);
    const whole = newFolder();
    await run(whole);
    const manifest = join(folder, 'www', '_manifest.json');
    writeFileSync(join(folder, 'www', 'CNAME'), 'api.example.org\n');
    writeFileSync(manifest, left(readFileSync(manifest, 'utf8')));
    expect(await gridpress(args, { cwd: folder })).toMatchObject({ status: 0, stderr: '' });
    expect(standing(folder)).toBe(standing(whole));
    expect(readFileSync(join(folder, 'www', 'CNAME'), 'utf8')).toBe('api.example.org\n');
    rmSync(join(folder, 'www', 'CNAME'));
    expect((await gridpress(['verify', 'www'], { cwd: folder })).status).toBe(0);
  });
});
