import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { check } from '../../src/features/check/check.ts';
import { record } from '../../src/features/revisions/record.ts';
import { readStamp } from '../../src/features/sources/history-stamp.ts';
import { loadHeadSources } from '../../src/features/sources/load-sources.ts';
import { newFolder } from '../support/folders.ts';
import { CLI } from '../support/processes/cli.ts';
import { type Testbed, writeTestbed } from '../support/registries/testbed.ts';

let bed: Testbed;
let cache: string;

/** A comment that makes the history large enough for a stamp without changing its values. */
const REMARK = `# ${'x'.repeat(1 << 20)}\n`;

beforeEach(() => {
  bed = writeTestbed(newFolder());
  const [first = ''] = historyFiles();
  writeFileSync(first, REMARK + readFileSync(first, 'utf8'));
  cache = newFolder();
  vi.stubEnv('XDG_CACHE_HOME', cache);
  return () => vi.unstubAllEnvs();
});

function historyFiles(): string[] {
  const folder = join(bed.registry, 'history');
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}

function stampFile(): string {
  const [name = ''] = readdirSync(join(cache, 'gridpress'));
  return join(cache, 'gridpress', name);
}

/** Returns the results of check and record, with or without the stamp. */
async function answers(cache: boolean): Promise<unknown> {
  const { registry } = bed;
  const { findings } = await check({ registry, cache });
  const dry = { registry, cache, message: 'm', author: 'a', date: '2030-01-01T00:00:00Z', dryRun: true };
  return [findings, recorded(() => record(dry))];
}

function recorded(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (error) {
    return String(error);
  }
}

async function expectSame(): Promise<void> {
  expect(await answers(true)).toEqual(await answers(false));
}

function changeSite(): void {
  appendFileSync(join(bed.registry, 'sites', 'lyra', 'site.yaml'), 'web: https://lyra.example.org\n');
}

test('a replayed history gets a stamp, which is used the next time', async () => {
  expect(await answers(false)).toBeDefined();
  expect(readdirSync(cache)).toEqual([]);
  await expectSame();
  const stamp = readStamp(bed.registry);
  expect(stamp?.files).toBe(historyFiles().length);
  const text = readFileSync(stampFile(), 'utf8');
  await expectSame();
  changeSite();
  await expectSame();
  expect(readFileSync(stampFile(), 'utf8')).toBe(text);
});

test('revisions after the stamp are replayed on top of it', async () => {
  await check(bed);
  changeSite();
  const { registry } = bed;
  record({ registry, message: 'm', author: 'a', date: '2030-01-01T00:00:00Z' });
  expect(readStamp(registry)?.files).toBe(historyFiles().length - 1);
  await expectSame();
  expect(readStamp(registry)?.files).toBe(historyFiles().length);
  const last = historyFiles().at(-1) ?? '';
  writeFileSync(last, readFileSync(last, 'utf8').replace('lyra.example.org', 'other.example.org'));
  await expectSame();
});

describe('a changed history is replayed', () => {
  test.each([
    [
      'with a changed file',
      (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('author: ', 'author: X')),
    ],
    ['with a deleted file', (file: string) => rmSync(file)],
    ['with a renamed file', (file: string) => renameSync(file, file.replace(/0*3-/, '999999-'))],
    ['with an additional file', (file: string) => writeFileSync(file.replace(/\.yaml$/, '.yml'), '')],
  ])('%s', async (_, change) => {
    await check(bed);
    change(historyFiles()[2] ?? '');
    await expectSame();
  });
});

test('a history is replayed if a kind of the configuration gets another parent', async () => {
  const { folder, registry } = bed;
  const configure = (parent: string) =>
    writeFileSync(
      join(folder, 'gridpress.yaml'),
      `cluster_uid: main\nkinds: [{name: robot, collection: robots, parent: ${parent}}]\n`,
    );
  configure('site');
  const robots = join(registry, 'sites', 'lyra', 'robots');
  mkdirSync(robots);
  writeFileSync(join(robots, 'arm.yaml'), 'type: robot\nuid: arm\n');
  record({ registry, message: 'add', author: 'a', date: '2030-01-01T00:00:00Z' });
  rmSync(robots, { recursive: true });
  record({ registry, message: 'remove', author: 'a', date: '2030-01-01T00:00:00Z' });
  await check(bed);
  expect(readStamp(registry)?.files).toBe(historyFiles().length);
  configure('cluster');
  await expectSame();
});

describe('an invalid stamp is ignored', () => {
  const parsed = () => JSON.parse(readFileSync(stampFile(), 'utf8'));
  const rewritten = (change: (stamp: ReturnType<typeof parsed>) => unknown) => () =>
    writeFileSync(stampFile(), JSON.stringify(change(parsed())));
  test.each<readonly [string, () => void]>([
    ['empty', () => truncateSync(stampFile(), 0)],
    ['if it is truncated', () => truncateSync(stampFile(), 100)],
    ['if it is not JSON', () => writeFileSync(stampFile(), '\0')],
    ['if it is a list', rewritten(() => [])],
    ['if it lists no files', rewritten((stamp) => ({ ...stamp, files: 0 }))],
    ['if it contains half a file', rewritten((stamp) => ({ ...stamp, files: 0.5 }))],
    ['if it lists fewer files', rewritten((stamp) => ({ ...stamp, files: stamp.files - 1 }))],
    ['if it lists more files', rewritten((stamp) => ({ ...stamp, files: 1e9 }))],
    ['if it names another head', rewritten((stamp) => ({ ...stamp, head: 'a'.repeat(40) }))],
    ['if it lists no bodies', rewritten((stamp) => ({ ...stamp, bodies: [] }))],
    [
      'if it lists other bodies',
      rewritten((stamp) => ({
        ...stamp,
        bodies: [
          ['', 'a'.repeat(64)],
          ['__proto__', 1],
        ],
      })),
    ],
    ['if others may write it', () => chmodSync(stampFile(), 0o666)],
    ['in a folder that others may write', () => chmodSync(join(cache, 'gridpress'), 0o777)],
    [
      'if it is a symbolic link',
      () => {
        const file = stampFile();
        renameSync(file, join(cache, 'x'));
        symlinkSync(join(cache, 'x'), file);
      },
    ],
    [
      'in a folder that is a symbolic link',
      () => {
        renameSync(join(cache, 'gridpress'), join(cache, 'x'));
        symlinkSync(join(cache, 'x'), join(cache, 'gridpress'));
      },
    ],
    [
      'if it is a folder',
      () => {
        const file = stampFile();
        rmSync(file);
        mkdirSync(file);
      },
    ],
  ])('%s', async (_, change) => {
    await check(bed);
    change();
    changeSite();
    await expectSame();
  });

  test('the stamp of another user is ignored', async () => {
    await check(bed);
    const user = process.geteuid?.() ?? 0;
    vi.spyOn(process, 'geteuid').mockReturnValue(user + 1);
    expect(readStamp(bed.registry)).toBeUndefined();
    vi.restoreAllMocks();
    expect(readStamp(bed.registry)).toBeDefined();
  });
});

test('nothing is stored in the project, which others may write', async () => {
  const project = join(bed.registry, '..');
  chmodSync(project, 0o777);
  const names = () => readdirSync(project, { recursive: true }).map(String).sort();
  const before = names();
  await check(bed);
  await check(bed);
  expect(readStamp(bed.registry)).toBeDefined();
  expect(names()).toEqual(before);
});

test('only the user can read and write the cache, with any umask', async () => {
  const call = `umask 000 && exec "${process.execPath}" "${CLI}" check --registry "${bed.registry}"`;
  execFileSync('sh', ['-c', call], { env: { ...process.env, XDG_CACHE_HOME: join(cache, 'new') } });
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(modeOf(join(cache, 'new', 'gridpress'))).toBe('700');
  const files = readdirSync(join(cache, 'new', 'gridpress')).filter((name) => name !== 'compiled');
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(modeOf(join(cache, 'new', 'gridpress', file))).toBe('600');
});

test('a cache folder that the system cannot create is not used', () => {
  const env = { ...process.env, XDG_CACHE_HOME: '/proc/cache' };
  const call = [CLI, 'check', '--registry', bed.registry];
  // The recursive mkdir of Node never returns here.
  expect(spawnSync(process.execPath, call, { env, timeout: 60_000 }).status).toBe(0);
});

test('without a home folder, nothing is cached', () => {
  const cwd = newFolder();
  const env = { ...process.env, XDG_CACHE_HOME: '', HOME: '' };
  execFileSync(process.execPath, [CLI, 'check', '--registry', bed.registry], { cwd, env });
  expect(readdirSync(cwd)).toEqual([]);
});

test('nothing is written through a link in the place of the cache folder', async () => {
  mkdirSync(join(cache, 'elsewhere'), { mode: 0o700 });
  symlinkSync(join(cache, 'elsewhere'), join(cache, 'gridpress'));
  await check(bed);
  expect(readdirSync(join(cache, 'elsewhere'))).toEqual([]);
});

test('a cache folder inside the registry is neither used nor created', async () => {
  const names = readdirSync(bed.registry, { recursive: true });
  for (const folder of ['history', 'history/new']) {
    vi.stubEnv('XDG_CACHE_HOME', join(bed.registry, folder));
    await check(bed);
    expect(readStamp(bed.registry)).toBeUndefined();
    expect(readdirSync(bed.registry, { recursive: true })).toEqual(names);
  }
});

test('a history with findings gets no stamp', async () => {
  const file = historyFiles()[2] ?? '';
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^state: .*$/m, `state: sha256:${'0'.repeat(64)}`));
  expect(loadHeadSources(bed).historyFindings).not.toEqual([]);
  expect(readdirSync(cache)).toEqual([]);
});
