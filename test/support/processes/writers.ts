/** All commands that replace files, with their inputs, for tests that interrupt them. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../src/core/diagnostics/finding.ts';
import { sha256 } from '../../../src/core/model/digest.ts';
import { archive } from '../../../src/features/archive/archive.ts';
import { digestOfFile, indexIn } from '../../../src/features/archive/archive-folder.ts';
import { build } from '../../../src/features/build/build.ts';
import { apply } from '../../../src/features/bundle/apply.ts';
import { bundle } from '../../../src/features/bundle/bundle.ts';
import { importRegistry } from '../../../src/features/import/import.ts';
import { lock } from '../../../src/features/lock/take-lock.ts';
import { publishFolder } from '../../../src/features/publish/publish-folder.ts';
import { record } from '../../../src/features/revisions/record.ts';
import { isTemporaryName } from '../../../src/system/files/folder-lock.ts';
import { stageOf } from '../../../src/system/trees/staging.ts';
import { newFolder } from '../folders.ts';
import { writeGenerated } from '../registries/generated.ts';
import { gitRepository, json } from '../registries/git-repository.ts';
import { BASE, SITE_BODY, SITE_FILE } from '../registries/imported.ts';
import { registryOf, SITE } from '../registries/registry.ts';
import { builtTree } from '../trees/bundled.ts';
import { folderContents } from '../trees/folder-contents.ts';
import { digestOfWhole } from '../trees/whole-tree.ts';

export interface Writer {
  readonly name: string;
  /** Creates the files that the command replaces. */
  readonly prepare: (folder: string) => unknown;
  /** The arguments of the command in that folder. */
  readonly args: readonly string[];
  /** Does the same in this process. */
  readonly run: (folder: string) => unknown;
  /** Describes the current result; throws if it is incomplete. */
  readonly currentResult: (folder: string) => string;
}

const NODE = '00000000-0000-4000-8000-000000000000';
const REACH = { timeout: 1, maxRequests: 1 };
const NOTHING = 'nothing';

export const WRITERS = [
  ...['build', 'build, the first', 'publish', 'publish --link', 'publish --link, the first'],
  ...['apply', 'apply, an update', 'apply, the first'],
  ...['record', 'import', 'import, the first', 'lock', 'bundle', 'bundle --since', 'archive'],
] as const;

/** Returns the writers by name. Their folders exist until the tests of the file end. */
export async function writers(): Promise<ReadonlyMap<string, Writer>> {
  const all = await madeWriters();
  return new Map(all.map((writer) => [writer.name, writer]));
}

async function madeWriters(): Promise<readonly Writer[]> {
  const generated = writeGenerated(newFolder(), 3, 3, 'snapshots: none');
  const { registry } = generated;
  const [one = '', two = ''] = generated.revisions.slice(1).map(({ id }) => id);
  const options = { registry, snapshots: 'none', indexFiles: false } as const;
  const [older, newer] = await Promise.all([one, two].map((at) => builtTree(registry, { ...options, at })));
  if (older === undefined || newer === undefined) throw new Error('there are two');
  const file = join(newFolder(), 'x.bundle');
  await bundle({ registry, tree: newer, out: file, showsProgress: false });
  const update = join(newFolder(), 'x.bundle');
  await bundle({ registry, tree: newer, since: older, out: update, showsProgress: false });
  const quiet = { dryRun: false, older: false, showsProgress: false };
  const publish = (folder: string, tree: string, isLinked = false) =>
    publishFolder({ ...quiet, destination: join(folder, 'www'), tree, isLinked });
  const built = (folder: string, at: string) =>
    build({ ...options, out: join(folder, 'www'), at, showsProgress: false });
  const building = ['build', '--registry', registry, '--out', 'www', '--at', two, '--snapshots', 'none'];
  const tree = { currentResult: treeIn };
  return [
    {
      name: 'build',
      args: building,
      ...tree,
      prepare: (folder) => built(folder, one),
      run: (folder) => built(folder, two),
    },
    { name: 'build, the first', args: building, ...tree, prepare: () => {}, run: (folder) => built(folder, two) },
    {
      name: 'publish',
      args: ['publish', 'www', '--tree', newer],
      ...tree,
      prepare: (folder) => publish(folder, older),
      run: (folder) => publish(folder, newer),
    },
    {
      name: 'publish --link',
      args: ['publish', 'www', '--tree', newer],
      ...tree,
      prepare: (folder) => publish(folder, older, true),
      run: (folder) => publish(folder, newer),
    },
    {
      name: 'publish --link, the first',
      args: ['publish', 'www', '--tree', newer, '--link'],
      ...tree,
      prepare: (folder) => publish(folder, older),
      run: (folder) => publish(folder, newer, true),
    },
    {
      name: 'apply',
      args: ['apply', file, 'www'],
      ...tree,
      prepare: (folder) => publish(folder, older),
      run: (folder) => apply({ ...quiet, file, folder: join(folder, 'www') }),
    },
    {
      name: 'apply, an update',
      args: ['apply', update, 'www'],
      ...tree,
      prepare: (folder) => publish(folder, older),
      run: (folder) => apply({ ...quiet, file: update, folder: join(folder, 'www') }),
    },
    {
      name: 'apply, the first',
      args: ['apply', file, 'www'],
      ...tree,
      prepare: () => {},
      run: (folder) => apply({ ...quiet, file, folder: join(folder, 'www') }),
    },
    ...registryWriters(),
    {
      name: 'lock',
      prepare: (folder) => lock({ ...REACH, nodes: [NODE], from: older, out: join(folder, 'x.lock.json') }),
      args: ['lock', NODE, '--from', newer, '-o', 'x.lock.json'],
      run: (folder) => lock({ ...REACH, nodes: [NODE], from: newer, out: join(folder, 'x.lock.json') }),
      currentResult: fileIn('x.lock.json'),
    },
    {
      name: 'bundle',
      prepare: (folder) => bundle({ registry, tree: older, out: join(folder, 'x.bundle'), showsProgress: false }),
      args: ['bundle', '--registry', registry, '--tree', newer, '-o', 'x.bundle'],
      run: (folder) => bundle({ registry, tree: newer, out: join(folder, 'x.bundle'), showsProgress: false }),
      currentResult: fileIn('x.bundle'),
    },
    {
      name: 'bundle --since',
      prepare: (folder) => bundle({ registry, tree: older, out: join(folder, 'x.bundle'), showsProgress: false }),
      args: ['bundle', '--registry', registry, '--tree', newer, '--since', older, '-o', 'x.bundle'],
      run: (folder) =>
        bundle({ registry, tree: newer, since: older, out: join(folder, 'x.bundle'), showsProgress: false }),
      currentResult: fileIn('x.bundle'),
    },
    {
      name: 'archive',
      prepare: (folder) => archived(registry, folder, one),
      args: ['archive', two, '--registry', registry, '-o', 'archives'],
      run: (folder) => archived(registry, folder, two),
      currentResult: archivesIn,
    },
  ];
}

function registryWriters(): Writer[] {
  const recording = { message: 'Second', author: 'Ada Brown', date: '2026-02-01T12:00:00Z' };
  const repository = gitRepository(newFolder());
  const first = repository.commit({ files: BASE });
  repository.commit({ files: { [SITE_FILE]: json({ ...SITE_BODY, name: 'Other' }) } });
  const imported = (folder: string, ref: string) =>
    importRegistry({
      repository: repository.folder,
      ref,
      firstParent: false,
      showsProgress: false,
      out: join(folder, 'registry-data'),
    });
  return [
    {
      name: 'record',
      prepare: (folder) => {
        const given = registryOf({}, folder);
        given.record('First');
        given.write({ [SITE]: given.read(SITE).replace('Lyra', 'Other') });
      },
      args: ['record', '-m', recording.message, '--author', recording.author, '--date', recording.date],
      run: (folder) =>
        unless('nothing-to-record', () => record({ ...recording, registry: join(folder, 'registry-data') })),
      currentResult: registryIn,
    },
    {
      name: 'import',
      prepare: (folder) => imported(folder, first),
      args: ['import', repository.folder, '-o', 'registry-data'],
      run: (folder) => imported(folder, 'HEAD'),
      currentResult: registryIn,
    },
    {
      name: 'import, the first',
      prepare: () => {},
      args: ['import', repository.folder, '-o', 'registry-data'],
      run: (folder) => imported(folder, 'HEAD'),
      currentResult: registryIn,
    },
  ];
}

/** The next command also finds the old tree where it was set aside. */
function treeIn(folder: string): string {
  const place = join(folder, 'www');
  const found = [place, stageOf(place).old].find((each) => existsSync(each));
  return found === undefined ? NOTHING : digestOfWhole(found);
}

function registryIn(folder: string): string {
  const place = join(folder, 'registry-data');
  const found = [place, stageOf(place).old].find((each) => existsSync(each));
  if (found === undefined) return NOTHING;
  const files = Object.entries(folderContents(found));
  return JSON.stringify(files.filter(([file]) => !file.split('/').some(isTemporaryName)).sort());
}

const fileIn = (name: string) => (folder: string) =>
  existsSync(join(folder, name)) ? sha256(readFileSync(join(folder, name))) : NOTHING;

function archived(registry: string, folder: string, revision: string) {
  const out = join(folder, 'archives');
  mkdirSync(out, { recursive: true });
  return archive({ registry, revisions: [revision], all: false, out, showsProgress: false });
}

/** Every archive in the index must be complete. */
function archivesIn(folder: string): string {
  const out = join(folder, 'archives');
  const archives = existsSync(out) ? indexIn(out) : [];
  for (const { file, sha256: stated } of archives.flatMap(({ tar, gzip }) => [tar, gzip]))
    if (digestOfFile(join(out, file)) !== stated) throw new Error(`${file} is another`);
  return JSON.stringify(archives);
}

function unless(code: string, call: () => unknown): void {
  try {
    call();
  } catch (error) {
    if (!(error instanceof Failure && error.findings[0]?.code === code)) throw error;
  }
}
