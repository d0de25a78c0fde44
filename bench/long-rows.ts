/** Rows about long histories: import, queries, and commands that read the whole history. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lazily } from '../src/core/platform/on-demand.ts';
import { type Command, GRIDPRESS, run, type Trial } from './measure.ts';
import { readingGit } from './reading-git.ts';
import { makeRepository } from './registries/git-history.ts';
import { GiB, imported, importing, MiB, program, type Row } from './row.ts';
import { openScratch } from './scratch.ts';

const NODES = { firstNodes: 500, lastNodes: 1_000 };
const LONG = { commits: 10_000, ...NODES };
const SIZES = [{ commits: 222, ...NODES }, { commits: 1_500, ...NODES }, LONG];
const QUICK_SIZE = { commits: 120, firstNodes: 20, lastNodes: 40 };

const QUESTIONS = ['log', 'show', 'lock', 'diff', 'find', 'check', 'record'] as const;
type Question = (typeof QUESTIONS)[number];
/** Exit statuses other than 0: `diff` finds a difference, and `record` finds nothing to record. */
const STATUS: { readonly [Q in Question]?: number } = { diff: 1, record: 2 };

export function longRows(isQuick: boolean): readonly Row[] {
  return isQuick ? rowsOf(QUICK_SIZE, true) : SIZES.flatMap((size) => rowsOf(size, false));
}

/** All rows of one size share a registry, because creating it takes longer than the rows. */
function rowsOf(size: typeof LONG, isQuick: boolean): readonly Row[] {
  const made = lazily(async () => {
    const scratch = openScratch(GiB);
    const repository = join(scratch.folder, 'repository');
    makeRepository(repository, size);
    return { repository, registry: await imported(repository, scratch) };
  });
  const name = isQuick ? 'long' : String(size.commits);
  const revisions = `${size.commits.toLocaleString('en-US')} revisions`;
  const room = 2 * GiB;
  const few = { pairs: 1, room };
  return [
    {
      name: `import-${name}`,
      what: `import of ${revisions}`,
      ...few,
      memory: 512 * MiB,
      baseline: 'git log, git cat-file and cp -r of its output',
      target: 10,
      prepare: async (scratch) => {
        const { repository, registry } = await made();
        return { ours: importing(repository), baseline: readingGit(repository, registry, scratch) };
      },
    },
    {
      name: `check-anew-${name}`,
      what: `check, ${revisions}, nothing in the cache`,
      ...few,
      seconds: 25,
      baseline: SUMS,
      target: Number.POSITIVE_INFINITY,
      memory: 704 * MiB,
      prepare: async () => {
        const { registry } = await made();
        return { ours: asking(registry, 'check', ['--no-cache']), baseline: summing(registry) };
      },
    },
    {
      name: `build-${name}`,
      what: `build without snapshots, ${revisions}`,
      ...few,
      seconds: 135,
      baseline: SUMS,
      target: Number.POSITIVE_INFINITY,
      memory: 1.7 * GiB,
      prepare: async () => {
        const { registry } = await made();
        const options = ['--snapshots', 'none', '--no-fsync', '--registry', registry];
        return {
          ours: (out) => program('node', GRIDPRESS, 'build', ...options, '--out', out),
          baseline: summing(registry),
        };
      },
    },
    ...QUESTIONS.map(
      (question): Row => ({
        name: `${question}-${name}`,
        what: `${question}, ${revisions}`,
        pairs: isQuick ? 3 : 9,
        room,
        ...(question === 'check'
          ? { baseline: SUMS, target: 4.5, memory: 512 * MiB }
          : { baseline: 'gridpress --version', target: 18 }),
        prepare: async (scratch) => {
          const { registry } = await made();
          const ours = asking(registry, question);
          // The first check writes the cache for the later ones.
          await run(asking(registry, 'check')(scratch.fresh()));
          const version = () => program('node', GRIDPRESS, '--version');
          return { ours, baseline: question === 'check' ? summing(registry) : version };
        },
      }),
    ),
    {
      name: `lock-all-${name}`,
      what: `lock of all nodes, ${revisions}`,
      pairs: 3,
      room,
      baseline: 'lock of one node',
      target: 20,
      prepare: async () => {
        const { registry } = await made();
        return { ours: asking(registry, 'lock', nodesIn(registry)), baseline: asking(registry, 'lock') };
      },
    },
  ];
}

const SUMS = 'sha256sum of the sources';

function summing(registry: string): Trial {
  const sums = program('sh', '-c', 'find "$1" -type f -print0 | xargs -0 sha256sum', 'sh', registry);
  return () => sums;
}

/** The paths of the nodes in the registry files. */
function nodesIn(registry: string): string[] {
  const files = readdirSync(registry, { recursive: true, encoding: 'utf8' }).sort();
  const nodes = files.filter((file) => /nodes.[^/]+\.yaml$/.test(file));
  return nodes.map((file) => file.replaceAll('\\', '/').slice(0, -'.yaml'.length));
}

/** A query in the middle of the history, about one node of the first revision or about all nodes. */
function asking(registry: string, name: Question, more: readonly string[] = []): Trial {
  const site = 'sites/aa';
  const [node = ''] = nodesIn(registry);
  const history = readdirSync(join(registry, 'history')).sort();
  const [before = '', middle = ''] = history
    .slice(history.length >> 1)
    .map((each) => each.slice(-'12345678.yaml'.length, -'.yaml'.length));
  const of: Readonly<Record<typeof name, (out: string) => readonly string[]>> = {
    log: () => [node, '--registry', registry],
    show: () => [site, '--at', middle, '--registry', registry],
    lock: (out) => [node, '--from', registry, '--out', out],
    diff: () => [before, middle, '--registry', registry],
    find: () => ["node_type = 'gpu'", '--at', middle, '--from', registry, '--uids'],
    check: () => ['--registry', registry],
    // The registry has no unrecorded changes.
    record: () => ['--dry-run', '--message', 'x', '--author', 'x', '--registry', registry],
  };
  return (out): Command => {
    const command = program('node', GRIDPRESS, name, ...of[name](out), ...more);
    return { ...command, status: STATUS[name] ?? 0 };
  };
}
