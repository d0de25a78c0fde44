/** The rows of the benchmark about a long history: its import, its index, and the questions that the index answers. */
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lazily } from '../src/core/platform/on-demand.ts';
import { type Command, GRIDPRESS, run, type Trial } from './measure.ts';
import { readingGit } from './reading-git.ts';
import { makeRepository } from './registries/git-history.ts';
import { GiB, imported, importing, MiB, program, type Row } from './row.ts';
import { openScratch } from './scratch.ts';

const SIZE = { commits: 10_000, firstNodes: 500, lastNodes: 1_000 };
const QUICK_SIZE = { commits: 120, firstNodes: 20, lastNodes: 40 };

/** All of these rows ask the same registry, which takes longer to make than they do. */
export function longRows(isQuick: boolean): readonly Row[] {
  const size = isQuick ? QUICK_SIZE : SIZE;
  const made = lazily(async () => {
    const scratch = openScratch(GiB);
    const repository = join(scratch.folder, 'repository');
    makeRepository(repository, size);
    return { repository, registry: await imported(repository, scratch) };
  });
  const revisions = `${size.commits.toLocaleString('en-US')} revisions`;
  const room = 2 * GiB;
  const few = { pairs: 1, room };
  return [
    {
      name: 'import-long',
      what: `import of ${revisions}`,
      ...few,
      memory: 512 * MiB,
      baseline: 'git log, git cat-file and cp -r of its output',
      target: 3,
      prepare: async (scratch) => {
        const { repository, registry } = await made();
        return { ours: importing(repository), baseline: readingGit(repository, registry, scratch) };
      },
    },
    {
      name: 'index-long',
      what: `log of a node, ${revisions}, index made anew`,
      ...few,
      baseline: SUMS,
      target: 2,
      memory: 512 * MiB,
      prepare: async () => {
        const { registry } = await made();
        return { ours: withoutIndex(registry, asking(registry, 'log')), baseline: summing(registry) };
      },
    },
    {
      name: 'check-anew-long',
      what: `check, ${revisions}, index made anew`,
      ...few,
      seconds: 25,
      baseline: SUMS,
      target: Number.POSITIVE_INFINITY,
      memory: 512 * MiB,
      prepare: async () => {
        const { registry } = await made();
        return { ours: withoutIndex(registry, asking(registry, 'check')), baseline: summing(registry) };
      },
    },
    ...(['log', 'show', 'lock', 'diff', 'find', 'check'] as const).map(
      (name): Row => ({
        name: `${name}-long`,
        what: `${name}, ${revisions}, index there`,
        pairs: isQuick ? 3 : 9,
        room,
        ...(name === 'check'
          ? { baseline: SUMS, target: 1.5, memory: 512 * MiB }
          : { baseline: 'gridpress --version', target: 3 }),
        prepare: async (scratch) => {
          const { registry } = await made();
          const ours = asking(registry, name);
          // Where its files were too young yet to be known by their times, this has it written anew.
          await run(ours(scratch.fresh()));
          const version = () => program('node', GRIDPRESS, '--version');
          return { ours, baseline: name === 'check' ? summing(registry) : version };
        },
      }),
    ),
  ];
}

const SUMS = 'sha256sum of the sources';

function summing(registry: string): Trial {
  const sums = program('sh', '-c', 'find "$1" -type f -print0 | xargs -0 sha256sum', 'sh', registry);
  return () => sums;
}

/** Whatever indexes there are go before each run. */
function withoutIndex(registry: string, ask: Trial): Trial {
  return (out) => {
    rmSync(join(dirname(registry), '.gridpress'), { recursive: true, force: true });
    return ask(out);
  };
}

/** A question about one node that the first revision has already, or about all, at the middle of the history. */
function asking(registry: string, name: 'log' | 'show' | 'lock' | 'diff' | 'find' | 'check'): Trial {
  const files = readdirSync(registry, { recursive: true, encoding: 'utf8' }).sort();
  const site = 'sites/aa';
  const file = files.find((each) => /nodes.[^/]+\.yaml$/.test(each)) ?? '';
  const node = file.replaceAll('\\', '/').slice(0, -'.yaml'.length);
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
  };
  return (out): Command => {
    const command = program('node', GRIDPRESS, name, ...of[name](out));
    return name === 'diff' ? { ...command, status: 1 } : command;
  };
}
