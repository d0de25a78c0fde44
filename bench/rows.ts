/** The rows of the benchmark: a command, its baseline and the highest ratio between them. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { longRows } from './long-rows.ts';
import { GRIDPRESS, run, type Trial } from './measure.ts';
import { makeReports, observing, parsing } from './observing.ts';
import { readingGit } from './reading-git.ts';
import { makeRepository } from './registries/git-history.ts';
import { makeRegistry } from './registries/registry.ts';
import { GiB, imported, importing, MiB, program, type Row, type Trials } from './row.ts';
import type { Scratch } from './scratch.ts';
import { showing } from './showing.ts';
import { summingAndReading, verifying } from './verifying.ts';
import { programWithoutLists } from './without-lists.ts';

/** All rows with their real inputs, or with small ones for a quick test. */
export function rows(isQuick: boolean): readonly Row[] {
  const size = (nodes: number) => (isQuick ? Math.max(500, nodes / 20) : nodes);
  const named = (nodes: number) => `${size(nodes).toLocaleString('en-US')} nodes`;
  const pairs = (count: number) => (isQuick ? 3 : count);
  const room = (bytes: number) => (isQuick ? GiB : bytes);
  const history = isQuick
    ? { commits: 24, firstNodes: 50, lastNodes: 100 }
    : { commits: 222, firstNodes: 500, lastNodes: 1_000 };
  return [
    {
      name: '500',
      what: `${named(500)} and one revision, cold`,
      pairs: pairs(15),
      room: GiB,
      baseline: 'node -e 0',
      target: 38,
      prepare: async (scratch) => {
        const registry = await makeRegistry(scratch.folder, size(500));
        return { ours: building(registry, 'none'), baseline: () => program('node', '-e', '0') };
      },
    },
    {
      name: '20k',
      what: `${named(20_000)}, full build`,
      pairs: pairs(5),
      room: room(3 * GiB),
      baseline: 'cp -r of its output',
      target: 13,
      memory: 704 * MiB,
      prepare: async (scratch) => {
        const registry = await makeRegistry(scratch.folder, size(20_000));
        const tree = await builtTree(registry, scratch, 'none');
        return { ours: building(registry, 'none'), baseline: (out) => program('cp', '-r', tree, out) };
      },
    },
    {
      name: 'observe',
      what: `${size(3_000).toLocaleString('en-US')} hardware reports of 130 kB`,
      pairs: pairs(3),
      room: room(GiB),
      baseline: 'JSON.parse of them',
      target: 3,
      memory: 512 * MiB,
      prepare: async (scratch) => {
        const registry = await makeRegistry(scratch.folder, 1);
        const reports = makeReports(scratch.folder, size(3_000));
        return { ours: () => observing(registry, reports), baseline: () => parsing(reports) };
      },
    },
    {
      name: 'one-of-20k',
      what: `one of ${named(20_000)} changed`,
      pairs: pairs(3),
      room: room(4 * GiB),
      baseline: 'the whole build',
      target: 1.4,
      prepare: async (scratch) => {
        const registry = await makeRegistry(scratch.folder, size(20_000));
        const tree = await builtTree(registry, scratch, 'none');
        let changed = 0;
        return {
          ours: () => {
            changeOneNode(registry, ++changed);
            return building(registry, 'none')(tree);
          },
          baseline: building(registry, 'none'),
        };
      },
    },
    {
      name: 'dev',
      what: `dev shows a changed node, ${history.commits} revisions`,
      pairs: pairs(5),
      baseline: 'the whole build',
      target: 0.1,
      seconds: 0.3,
      room: room(4 * GiB),
      prepare: async (scratch) => {
        const repository = join(scratch.folder, 'repository');
        makeRepository(repository, history);
        const registry = await imported(repository, scratch);
        // The changes of the dev row are unrecorded, and a build refuses them.
        const edited = scratch.fresh();
        cpSync(dirname(registry), edited, { recursive: true });
        return { ours: await showing(join(edited, basename(registry))), baseline: building(registry, 'none') };
      },
    },
    ...[500, 20_000].map((nodes) => ({
      name: `fsync-${nodes}`,
      what: `${named(nodes)}, and all of it on the disk`,
      pairs: pairs(5),
      baseline: 'the same with --no-fsync',
      target: 2,
      room: room(3 * GiB),
      isOnDisk: true,
      prepare: async (scratch: Scratch) => {
        const registry = await makeRegistry(scratch.folder, size(nodes));
        return { ours: building(registry, 'none'), baseline: building(registry, 'none', { more: ['--no-fsync'] }) };
      },
    })),
    {
      name: '100k',
      what: `${named(100_000)}, full build`,
      pairs: pairs(3),
      room: room(8 * GiB),
      baseline: 'tar -xf of its output',
      target: 1.3,
      memory: 256 * MiB,
      prepare: async (scratch) => {
        const registry = await makeRegistry(scratch.folder, size(100_000));
        return againstTar(registry, scratch, 'none');
      },
    },
    {
      name: '222',
      what: described(history),
      pairs: pairs(3),
      room: room(8 * GiB),
      baseline: 'tar -xf of its output',
      target: 6.5,
      memory: 384 * MiB,
      prepare: async (scratch) => {
        const repository = join(scratch.folder, 'repository');
        makeRepository(repository, history);
        return againstTar(await imported(repository, scratch), scratch, 'all');
      },
    },
    // Checks that the time depends only on the number of documents.
    ...[1_500, 3_000, 6_000].map(
      (commits): Row => ({
        name: `past-${commits}`,
        what: `${commits} revisions of few nodes, no snapshots`,
        pairs: pairs(3),
        baseline: 'tar -xf of its output',
        target: 3,
        memory: 768 * MiB,
        room: room(8 * GiB),
        prepare: async (scratch) => {
          const repository = join(scratch.folder, 'repository');
          makeRepository(repository, { commits: isQuick ? commits / 50 : commits, firstNodes: 60, lastNodes: 120 });
          return againstTar(await imported(repository, scratch), scratch, 'none');
        },
      }),
    ),
    {
      name: 'unchanged',
      what: `${named(100_000)}, nothing changed`,
      pairs: pairs(5),
      room: room(3 * GiB),
      baseline: 'sha1sum of the sources, 2 processes',
      target: 5,
      prepare: async (scratch) => {
        const registry = await makeRegistry(scratch.folder, size(100_000));
        const tree = await builtTree(registry, scratch, 'none');
        const sums = program('sh', '-c', 'find "$1" -type f -print0 | xargs -0 -P2 sha1sum', 'sh', registry);
        return { ours: () => building(registry, 'none')(tree), baseline: () => sums };
      },
    },
    {
      name: 'import',
      what: `import of ${history.commits} commits`,
      pairs: pairs(5),
      room: GiB,
      baseline: 'git log, git cat-file and cp -r of its output',
      target: 17,
      prepare: async (scratch) => {
        const repository = join(scratch.folder, 'repository');
        makeRepository(repository, history);
        const registry = await imported(repository, scratch);
        return { ours: importing(repository), baseline: readingGit(repository, registry, scratch) };
      },
    },
    {
      name: 'archive',
      what: `archive of the head of ${history.commits} revisions`,
      pairs: pairs(5),
      room: room(4 * GiB),
      baseline: 'tar and gzip of its files',
      target: 4.5,
      prepare: async (scratch) => {
        const repository = join(scratch.folder, 'repository');
        makeRepository(repository, history);
        const registry = await imported(repository, scratch);
        return { ours: archiving(registry), baseline: await packing(registry, scratch) };
      },
    },
    {
      name: 'verify-500',
      what: `verify: ${named(500)} and one revision`,
      pairs: pairs(15),
      room: GiB,
      baseline: SUMMING_AND_READING,
      target: 3,
      prepare: async (scratch) =>
        againstSums(await builtTree(await makeRegistry(scratch.folder, size(500)), scratch, 'none')),
    },
    {
      name: 'verify-222',
      what: `verify: ${described(history)}`,
      pairs: pairs(3),
      room: room(4 * GiB),
      baseline: SUMMING_AND_READING,
      target: 1.8,
      memory: 448 * MiB,
      prepare: async (scratch) => {
        const repository = join(scratch.folder, 'repository');
        makeRepository(repository, history);
        return againstSums(await builtTree(await imported(repository, scratch), scratch, 'all'));
      },
    },
    ...([500, 20_000, 100_000] as const).map(
      (nodes): Row => ({
        name: `lists-${nodes}`,
        what: `${named(nodes)}, with lists, exports and description`,
        baseline: 'the same build without them',
        target: 1.4,
        pairs: pairs(nodes < 100_000 ? 5 : 3),
        room: room(nodes < 100_000 ? 3 * GiB : 16 * GiB),
        prepare: async (scratch) => {
          const registry = await makeRegistry(scratch.folder, size(nodes));
          const without = programWithoutLists(join(scratch.folder, 'without'));
          return { ours: building(registry, 'none'), baseline: building(registry, 'none', { cli: without }) };
        },
      }),
    ),
    {
      name: 'find-500',
      what: `find in a registry of ${named(500)}`,
      pairs: pairs(15),
      room: GiB,
      baseline: 'node -e 0',
      target: 8,
      prepare: async (scratch) => finding(await makeRegistry(scratch.folder, size(500))),
    },
    {
      name: 'find-100k',
      what: `find in a tree of ${named(100_000)}`,
      pairs: pairs(5),
      baseline: 'node -e 0',
      target: 15,
      seconds: 0.6,
      room: room(8 * GiB),
      prepare: async (scratch) =>
        finding(await builtTree(await makeRegistry(scratch.folder, size(100_000)), scratch, 'none')),
    },
    ...longRows(isQuick),
    {
      name: 'diff',
      what: `diff of two of ${history.commits} revisions`,
      pairs: pairs(15),
      room: GiB,
      baseline: 'gridpress --version',
      target: 5,
      prepare: async (scratch) => {
        const repository = join(scratch.folder, 'repository');
        makeRepository(repository, history);
        const registry = await imported(repository, scratch);
        return { ours: differing(registry), baseline: () => program('node', GRIDPRESS, '--version') };
      },
    },
  ];
}

const SUMMING_AND_READING = 'sha256sum of the tree, and reading its JSON';

function againstSums(tree: string): Trials {
  return { ours: () => verifying(tree), baseline: () => summingAndReading(tree) };
}

type Snapshots = 'all' | 'none';

function described(history: { commits: number; firstNodes: number; lastNodes: number }): string {
  const nodes = `${history.firstNodes} to ${history.lastNodes.toLocaleString('en-US')} nodes`;
  return `${history.commits} revisions, ${nodes}, all snapshots`;
}

/** Finds nodes with much memory at two sites. */
function finding(place: string): Trials {
  const query = "main_memory.ram_size >= 256GiB AND site IN ('site-001', 'site-003')";
  return {
    ours: () => program('node', GRIDPRESS, 'find', query, '--from', place, '--uids'),
    baseline: () => program('node', '-e', '0'),
  };
}

function building(
  registry: string,
  snapshots: Snapshots,
  { cli = GRIDPRESS, more = [] }: { readonly cli?: string; readonly more?: readonly string[] } = {},
): Trial {
  const args = ['build', '--registry', registry, '--snapshots', snapshots, ...more];
  return (out) => program('node', cli, ...args, '--out', out);
}

/** Changes a node's note and records a revision, for the `count`th time. */
function changeOneNode(registry: string, count: number): void {
  const files = readdirSync(registry, { recursive: true, encoding: 'utf8' }).sort();
  const node = join(registry, files.find((file) => /nodes.[^/\\]+\.yaml$/.test(file)) ?? '');
  const text = readFileSync(node, 'utf8').replace(/\nbench_note: .*/, '');
  writeFileSync(node, `${text.trimEnd()}\nbench_note: change ${count}\n`);
  const said = ['-m', 'Change a node', '--allow-unknown', '--author', 'Ada Brown', '--registry', registry];
  const { status, stderr } = spawnSync(process.execPath, [GRIDPRESS, 'record', ...said], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`nothing was recorded: ${stderr}`);
}

/** A tree to copy, as the baseline for writing. */
async function builtTree(registry: string, scratch: Scratch, snapshots: Snapshots): Promise<string> {
  const tree = scratch.fresh();
  await run(building(registry, snapshots)(tree));
  return tree;
}

async function againstTar(registry: string, scratch: Scratch, snapshots: Snapshots): Promise<Trials> {
  const tree = await builtTree(registry, scratch, snapshots);
  const archive = join(scratch.folder, 'tree.tar');
  await run(program('tar', '-cf', archive, '-C', tree, '.'));
  scratch.clear(tree);
  return { ours: building(registry, snapshots), baseline: (out) => program('tar', '-xf', archive, '-C', dirname(out)) };
}

function archiving(registry: string): Trial {
  return (out) => program('node', GRIDPRESS, 'archive', '--registry', registry, '--out', out);
}

/** Unpacks, packs and compresses the files of an archive. */
async function packing(registry: string, scratch: Scratch): Promise<Trial> {
  const [archives, files] = [scratch.fresh(), scratch.fresh()];
  await run(archiving(registry)(archives));
  mkdirSync(files);
  await run(program('sh', '-ec', 'tar -xf "$1"/*.tar -C "$2"', 'sh', archives, files));
  scratch.clear(archives);
  const script = 'mkdir "$2"; tar -cf "$2/files.tar" -C "$1" .; gzip -k "$2/files.tar"';
  return (out) => program('sh', '-ec', script, 'sh', files, out);
}

/** Compares the newest revision with the one before it. */
function differing(registry: string): Trial {
  const files = readdirSync(join(registry, 'history')).sort();
  const [before = '', newest = ''] = files.slice(-2).map((file) => file.slice(-'12345678.yaml'.length, -5));
  const command = program('node', GRIDPRESS, 'diff', before, newest, '--registry', registry);
  return () => ({ ...command, status: 1 });
}
