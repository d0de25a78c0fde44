/**
 * Folders of archives: which archives are written again, leftovers of killed runs, and inputs that cannot be archived.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadArchiveSources } from '../../../src/features/archive/archived-sources.ts';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { asOrdinaryUser } from '../../support/processes/ordinary-user.ts';
import { needs } from '../../support/processes/programs.ts';
import { FILLER, fillUp, needsSmallDisk, smallDisk } from '../../support/processes/small-disk.ts';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import { BASE, imported, NODE_BODY, NODE_FILE } from '../../support/registries/imported.ts';
import { NODE, NODE_UID, registryOf } from '../../support/registries/registry.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { archived, bytesIn, verifiedArchive } from '../../support/trees/archived.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';
import { random } from '../../support/values/random.ts';

const PRELOAD = join(import.meta.dirname, '..', '..', 'support', 'processes', 'kill-at-change.mjs');
const STAGE = '.archives.gridpress';

/** A small registry with three revisions, and the names of their archives. */
function three() {
  const given = registryOf({ '../gridpress.yaml': 'cluster_uid: main\nindex_files: false\n' });
  const ids = ['First', 'Second', 'Third'].map((message, n) => {
    given.write({ [NODE]: `type: node\nuid: ${NODE_UID}\nnode_name: lyra-${n}\n` });
    return given.record(message).id;
  });
  const out = join(given.folder, 'archives');
  const command = (...args: string[]) =>
    gridpress(['archive', '--registry', given.registry, '-o', out, ...args], { cwd: given.folder });
  const filesOf = (id: string | undefined) => [`gridpress-testgrid-${id}.tar`, `gridpress-testgrid-${id}.tar.gz`];
  return { ...given, ids, out, command, filesOf };
}

describe('archive with several revisions', () => {
  test('accepts revisions by id, abbreviation, date and name', async () => {
    const { ids, out, command, filesOf } = three();
    const [first = '', second = ''] = ids;
    // A date means the end of that day, so January 2 selects the second revision.
    const { status, stdout } = await command(first.slice(0, 8), '2026-01-02', second, '--json');
    expect(status).toBe(0);
    const { archives } = JSON.parse(stdout);
    expect(
      archives.map(({ revision, is_written }: { revision: string; is_written: boolean }) => [revision, is_written]),
    ).toEqual([
      [second, true],
      [first, true],
    ]);
    expect(readdirSync(out).sort()).toEqual(['archives.json', ...filesOf(first), ...filesOf(second)].sort());
    // The default is the head, which then comes first in the index.
    expect((await command()).status).toBe(0);
    const index = JSON.parse(readFileSync(join(out, 'archives.json'), 'utf8'));
    expect(index.archives.map(({ revision }: { revision: string }) => revision)).toEqual(ids.toReversed());
  });

  test('keeps intact archives and rewrites damaged ones', async () => {
    const { ids, out, command, filesOf } = three();
    expect(await command('--all')).toMatchObject({ status: 0, stderr: '' });
    const before = bytesIn(out);
    const again = await command('--all');
    expect(again.stdout.split('\n').at(-2)).toMatch(/^Archived 0 revisions in .*; 3 existed already\.$/);

    const [tar = '', gzip = ''] = filesOf(ids[1]);
    truncateSync(join(out, tar), 1000);
    rmSync(join(out, filesOf(ids[2])[1] ?? ''));
    const altered = Buffer.from(readFileSync(join(out, filesOf(ids[0])[1] ?? '')));
    altered.writeUInt8((altered[100] ?? 0) ^ 1, 100);
    writeFileSync(join(out, filesOf(ids[0])[1] ?? ''), altered);
    const mended = await command('--all');
    expect(mended.stdout.split('\n').at(-2)).toMatch(/^Archived 3 revisions in /);
    expect(bytesIn(out)).toEqual(before);
    expect((await verifiedArchive(join(out, gzip))).findings).toEqual([]);
  });

  test('rewrites archives when the configuration changes the tree', async () => {
    const { out, command, write } = three();
    await command('--all');
    write({ '../gridpress.yaml': 'cluster_uid: main\nindex_files: false\ndialect: legacy\n' });
    const changed = await command('--all');
    expect(changed.stdout.split('\n').at(-2)).toMatch(/^Archived 3 revisions in /);
    expect(readdirSync(out).length).toBe(7);
  });

  test('writes the same archives when history files are formatted differently', async () => {
    const { registry, ids } = three();
    const { 'archives.json': _, ...before } = bytesIn((await archived(registry, { all: true })).out);
    for (const file of readdirSync(join(registry, 'history')).slice(1)) {
      const path = join(registry, 'history', file);
      writeFileSync(path, `# A remark\n${readFileSync(path, 'utf8')}`);
    }
    const { sourcesAt: sources } = loadArchiveSources({ registry });
    const held = sources(ids.length - 1).files.filter(({ name }) => name.includes('/history/'));
    // Files in today's format are read again during packing.
    expect(held.map(({ content }) => typeof content)).toEqual(['function', 'object', 'object']);
    const { 'archives.json': __, ...after } = bytesIn((await archived(registry, { all: true })).out);
    expect(after).toEqual(before);
  });

  test('writes the same bytes as for a single revision', async () => {
    const { ids, registry, out, command } = three();
    await command('--all');
    const { 'archives.json': _, ...together } = bytesIn(out);
    const alone = await Promise.all(ids.map((id) => archived(registry, { revisions: [id] })));
    const { 'archives.json': __, ...apart } = Object.assign({}, ...alone.map((one) => bytesIn(one.out)));
    expect(together).toEqual(apart);
  });

  const ssh = needs('ssh-keygen');
  test.skipIf(ssh.isMissing)(`signs archives with a key, and rewrites unsigned ones${ssh.because}`, async () => {
    const { folder, out, command } = three();
    const key = join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', key]);
    const signers = join(folder, 'signers');
    writeFileSync(signers, `ada@example.org ${readFileSync(`${key}.pub`, 'utf8')}`);
    await command();
    const signed = await command('--sign', key);
    expect(signed.stdout.split('\n').at(-2)).toMatch(/^Archived 1 revision in /);
    const [tar = ''] = readdirSync(out).filter((name) => name.endsWith('.tar'));
    const place = join(out, tar);
    const said = await gridpress(['verify', place, '--allowed-signers', signers]);
    expect(said).toMatchObject({ status: 0, stderr: '' });
    expect(said.stdout).toContain(', signed by ada@example.org.\n');
    expect((await command('--sign', key)).stdout.split('\n').at(-2)).toMatch(/1 existed already\.$/);
  });
});

describe('a killed run', () => {
  test('leaves only complete archives, and the next run finishes', async () => {
    const { folder, registry, out, command } = three();
    await command('--all');
    const whole = bytesIn(out);
    const counted = join(folder, 'changes');
    const run = (to: string, env: Readonly<Record<string, string>>) =>
      gridpress(['archive', '--all', '--registry', registry, '-o', to], {
        env: { ...env, NODE_OPTIONS: `--import ${PRELOAD}` },
      });
    expect(await run(temporaryFolder(), { CHANGES_COUNTED_IN: counted })).toMatchObject({ status: 0 });
    const changes = Number(readFileSync(counted, 'utf8'));
    const moment = random(20_260_404);
    // The last nine changes are the three renames of one archive and the changes around them.
    const moments = [1, 2, 3, ...Array.from({ length: 9 }, (_, n) => changes - n)];
    for (let n = 0; n < 12; n++) moments.push(1 + moment.below(changes));
    for (const at of moments) {
      const to = temporaryFolder();
      expect(await run(to, { KILL_AT: String(at) })).toEqual({ status: null, stdout: '', stderr: '' });
      const left = readdirSync(to).filter((name) => !name.startsWith(STAGE));
      for (const file of left.filter((name) => name !== 'archives.json'))
        expect([at, file, readFileSync(join(to, file)).toString('latin1') === whole[file]]).toEqual([at, file, true]);
      // Every archive in the index exists.
      if (existsSync(join(to, 'archives.json'))) {
        const index = JSON.parse(readFileSync(join(to, 'archives.json'), 'utf8'));
        for (const { tar, gzip } of index.archives) expect(left).toEqual(expect.arrayContaining([tar.file, gzip.file]));
      }
      await archived(registry, { out: to, all: true });
      expect([at, bytesIn(to)]).toEqual([at, whole]);
    }
  });

  test('is not taken over while its process still runs', async () => {
    const { out, command } = three();
    mkdirSync(join(out, STAGE), { recursive: true });
    // The id of this test's process, which is alive.
    writeFileSync(join(out, STAGE, `owner-${process.pid}`), '');
    const told = await command();
    expect([told.status, told.stdout]).toEqual([2, '']);
    expect(
      told.stderr,
    ).toBe(`error: Another gridpress is writing ${out}/archives (process ${process.pid}). [build-running]
  Wait until it has finished. If that process is not gridpress, remove ${join(out, STAGE)}.
`);
    expect(readdirSync(out)).toEqual([STAGE]);
  });
});

describe('archive rejects', () => {
  const told = async (given: ReturnType<typeof three>, options: Parameters<typeof archived>[1] = {}) =>
    await given.failure(() => archived(given.registry, { out: given.out, ...options }));

  test('a registry with unrecorded changes', async () => {
    const given = three();
    given.write({ [NODE]: `type: node\nuid: ${NODE_UID}\nnode_name: other\n` });
    expect(await told(given)).toContain('[unrecorded-changes]');
    expect(existsSync(given.out)).toBe(false);
  });

  test('an unknown revision', async () => {
    const given = three();
    expect(await told(given, { revisions: ['0000'] })).toBe(
      'error: There is no revision "0000". [unknown-revision]\n  Write a date as 2026-03-31, or name a revision: "gridpress log" lists them.\n',
    );
    expect(await told(given, { revisions: ['2025-01-01'] })).toBe(
      'error: The history begins after 2025-01-01. [before-history]\n  Name 2026-01-01T12:00:00Z or a later date.\n',
    );
    expect(existsSync(given.out)).toBe(false);
  });

  test.each([
    ['a file', 'archives', 'error: archives is a file, not a folder. [output-is-file]\n  Name another folder.\n'],
    [
      'a folder in the registry',
      'registry-data/archives',
      'error: The output registry-data/archives and the registry registry-data overlap. [output-in-registry]\n  Name a folder outside the registry.\n',
    ],
  ])('%s as the output', async (_, place, message) => {
    const given = three();
    if (place === 'archives') writeFileSync(given.out, 'mine');
    expect(await told(given, { out: join(given.folder, place) })).toBe(message);
  });

  test('--all together with revisions', async () => {
    const given = three();
    const told = await given.command('--all', given.ids[0] ?? '', 'head');
    expect(told).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: --all cannot be combined with revisions: ${given.ids[0]}, head. [archive-all-and-some]
  Omit --all to archive only these revisions. Omit the revisions to archive all.
`,
    });
    expect(existsSync(given.out)).toBe(false);
  });

  test('a tree as the output', async () => {
    const given = three();
    const tree = join(given.folder, 'dist');
    await build({ registry: given.registry, out: tree, showsProgress: false });
    symlinkSync(join(tree, 'sites'), join(given.folder, 'link'));
    const before = filesBelow(tree);
    expect(await told(given, { out: tree })).toBe(
      'error: dist is a tree. A tree may contain only files that its manifest lists. Nothing was written. [output-in-tree]\n  Name a place outside the tree.\n',
    );
    for (const place of ['dist/archives', 'dist/sites/some/archives', 'link'])
      expect(await told(given, { out: join(given.folder, place) })).toBe(
        `error: ${place} is inside the tree dist. A tree may contain only files that its manifest lists. Nothing was written. [output-in-tree]\n  Name a place outside the tree.\n`,
      );
    expect(filesBelow(tree)).toEqual(before);
    expect(readdirSync(tree)).not.toContain('archives');
  });

  test('an output folder without write permission', async () => {
    const given = three();
    mkdirSync(given.out);
    chmodSync(given.out, 0o555);
    onTestFinished(() => chmodSync(given.out, 0o755));
    chmodSync(given.folder, 0o755);
    expect(await asOrdinaryUser(() => told(given))).toBe(
      'error: archives cannot be written: permission denied. [output-not-writable]\n  Check its permissions, or name another folder.\n',
    );
    expect(readdirSync(given.out)).toEqual([]);
  });

  test('an output folder with an index of another program', async () => {
    const given = three();
    mkdirSync(given.out);
    writeFileSync(join(given.out, 'archives.json'), '{"mine": true}');
    expect(await told(given)).toBe(
      'error: archives/archives.json is not an index of archives that this version of gridpress can read. [archives-index]\n  Name another folder, or remove the file. gridpress then creates the archives in the folder again.\n',
    );
    expect(readdirSync(given.out)).toEqual(['archives.json']);
  });

  test('an imported registry with paths that are too long for a tar file', async () => {
    const uid = 'n'.repeat(128);
    const repository = gitRepository();
    repository.commit({ files: { ...BASE, [NODE_FILE.replace('n1', uid)]: json({ ...NODE_BODY, uid }) } });
    const { registry } = await imported(repository.folder);
    const out = newFolder();
    expect(await failureOf(() => archived(registry, { out }))).toMatch(
      /^error: "gridpress-testbed-\S+" cannot be a name in a tar file: it is longer than the fields for names \(100 bytes, and 155 for the folders\)\. \[tar-name\]\n {2}The name consists of uids or a file name\. Shorten or change them\./,
    );
    expect(readdirSync(out)).toEqual([]);
  });
});

const disk = needsSmallDisk();
describe.skipIf(disk.isMissing)(`archive on a small disk${disk.because}`, () => {
  test('stops with a finding when the disk is full, and leaves no partial archive', async () => {
    const given = three();
    const disk = smallDisk(16_384);
    const out = join(disk, 'archives');
    const told = new Set<string>();
    let isDone = false;
    for (let free = 0; !isDone; free += 200) {
      fillUp(disk, free);
      const message = await given.failure(() => archived(given.registry, { out }));
      rmSync(join(disk, FILLER));
      isDone = message === '';
      if (!isDone && existsSync(out)) expect(readdirSync(out)).toEqual([]);
      told.add(message.replace(/(error: Writing|error:) (the spool|\S+)/, '$1 FILE'));
    }
    expect(told).toEqual(
      new Set([
        'error: FILE cannot be written: the disk is full. [write-failed]\n  The existing files are unchanged. Correct the cause, and run the command again.\n',
        '',
      ]),
    );
    const [tar = ''] = readdirSync(out).filter((file) => file.endsWith('.tar'));
    expect((await verifiedArchive(join(out, tar))).findings).toEqual([]);
  });
});
