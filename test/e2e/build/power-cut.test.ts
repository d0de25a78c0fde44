/**
 * Records the file system calls of commands and replays them for a disk that loses power: unsynced data may be lost.
 * Afterwards the complete old or new file or tree exists, or the next edit undoes an incomplete edit. The next run
 * succeeds. POWER_CUTS sets the number of disks for each command; the default is a fixed selection.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../../src/core/diagnostics/finding.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { getOrThrow } from '../../../src/core/platform/lookups.ts';
import { newFolder } from '../../support/folders.ts';
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
import { writeTestbed } from '../../support/registries/testbed.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';
import { random } from '../../support/values/random.ts';

const IMAGES = Number(process.env['POWER_CUTS'] ?? 8);

let all: ReadonlyMap<string, Writer>;
/** The folder is in memory, because only the recorded calls matter. */
let base: string;
beforeAll(async () => {
  all = await writers();
  const memory = '/dev/shm';
  base = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'gridpress-cut-'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Cut {
  readonly at: number;
  readonly keeps: (pending: Change) => Kept;
}

const isName = (change: Change) => 'folder' in change;

/**
 * Disks at one point: nothing kept, all kept, names with no or partial contents, and each name as the only one kept or
 * lost.
 */
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

/** Mostly cuts near renames and syncs, in random order. */
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

/** Returns the errors after each cut of a command, and counts the old and new results. */
async function replayed(writer: Writer, PATH?: string): Promise<{ wrong: string[]; found: Record<string, number> }> {
  const folder = mkdtempSync(join(base, 'made-'));
  await writer.prepare(folder);
  const before = writer.currentResult(folder);
  const recording = await recorded(writer.args, folder, PATH);
  const [after, names] = [writer.currentResult(folder), readdirSync(folder)];
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
      const standing = writer.currentResult(place);
      if (standing !== before) expect(standing).toBe(after);
      const which = standing === before ? 'old' : 'new';
      found[which] = (found[which] ?? 0) + 1;
      await writer.run(place);
      expect(writer.currentResult(place)).toBe(after);
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

describe.skipIf(isMissing)(`a power failure leaves the complete old or new result${because}`, () => {
  test.each(WRITERS)('%s', async (name) => {
    const { wrong, found } = await replayed(getOrThrow(all, name));
    process.stdout.write(`${name}: ${found['old']} times the old one, ${found['new']} times the new one\n`);
    expect(wrong).toEqual([]);
  });

  test.each(['build', 'publish', 'publish --link'])('%s, without a sync of the whole file system', async (name) => {
    expect((await replayed(getOrThrow(all, name), newFolder())).wrong).toEqual([]);
  });

  test('a build with --no-fsync never waits for the disk', async () => {
    const { prepare, args } = getOrThrow(all, 'build');
    const folder = newFolder();
    await prepare(folder);
    const { steps } = await recorded([...args, '--no-fsync'], folder);
    expect(steps.filter(({ what }) => what === 'sync')).toEqual([]);
  });
});

/** Images have no modes, but gridpress uses a cache only if no other user can access it. */
function makePrivate(cache: string): void {
  if (!existsSync(cache)) return;
  chmodSync(cache, 0o700);
  for (const name of readdirSync(cache)) chmodSync(join(cache, name), 0o600);
}

test.skipIf(isMissing)(`a repeated edit is complete after a power failure${because}`, async () => {
  const folder = mkdtempSync(join(base, 'edited-'));
  vi.stubEnv('XDG_CACHE_HOME', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  writeTestbed(folder);
  // The name of the plan depends on the path of the registry, so each disk is written to the same folder.
  const args = ['rename', 'sites/lyra', 'deneb', '-m', 'Rename lyra', '--author', 'Ada Brown'];
  const recording = await recorded(args, folder);
  const registry = join(folder, 'registry-data');
  const sites = () => Object.entries(folderContents(join(registry, 'sites')));
  const expected = sites();
  const known = new Set<string>();
  const wrong: unknown[] = [];
  for (const { at, keeps } of cutsOf(recording, random(11))) {
    if (known.size === IMAGES * 2) break;
    const image = imageAt(recording, at, keeps);
    if (known.size === known.add(keyOf(image)).size) continue;
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    writeImage(image, folder);
    makePrivate(join(folder, 'gridpress'));
    await gridpress(args, { cwd: folder });
    const { status, stdout } = await gridpress(['check'], { cwd: folder });
    if (status !== 0 || !isDeepStrictEqual(sites(), expected)) wrong.push({ at: at - recording.begin, stdout });
  }
  expect(wrong).toEqual([]);
});

describe('the remains of a tree after a power failure', () => {
  test.each([
    ['nothing', () => ''],
    ['its beginning', (text: string) => text.slice(0, 200)],
    ['zeros', (text: string) => '\0'.repeat(text.length)],
  ])('are replaced if the manifest is %s', async (_, left) => {
    const folder = newFolder();
    const { prepare, args, run, currentResult } = getOrThrow(all, 'publish');
    await prepare(folder);
    const whole = newFolder();
    await run(whole);
    const manifest = join(folder, 'www', '_manifest.json');
    writeFileSync(join(folder, 'www', 'CNAME'), 'api.example.org\n');
    writeFileSync(manifest, left(readFileSync(manifest, 'utf8')));
    expect(await gridpress(args, { cwd: folder })).toMatchObject({ status: 0, stderr: '' });
    expect(currentResult(folder)).toBe(currentResult(whole));
    expect(readFileSync(join(folder, 'www', 'CNAME'), 'utf8')).toBe('api.example.org\n');
    rmSync(join(folder, 'www', 'CNAME'));
    expect((await gridpress(['verify', 'www'], { cwd: folder })).status).toBe(0);
  });
});
