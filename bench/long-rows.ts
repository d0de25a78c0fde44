/** The rows of the benchmark about questions that a long history's index answers. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeRepository } from './git-history.ts';
import { GRIDPRESS, run } from './measure.ts';
import { GiB, imported, MiB, program, type Row, type Trials } from './row.ts';
import type { Scratch } from './scratch.ts';

export function longRows(isQuick: boolean, pairs: number): readonly Row[] {
  const long = isQuick
    ? { commits: 120, firstNodes: 20, lastNodes: 40 }
    : { commits: 3_000, firstNodes: 500, lastNodes: 1_000 };
  return (['log', 'show', 'check'] as const).map((name): Row => {
    const { commits } = long;
    return {
      ...{
        name: `${name}-long`,
        what: `${name} with ${commits.toLocaleString('en-US')} revisions, index there`,
      },
      ...(name === 'check'
        ? { baseline: 'sha256sum of the sources', target: 1.5, memory: 512 * MiB }
        : { baseline: 'gridpress --version', target: 3 }),
      ...{ pairs, room: GiB },
      prepare: async (scratch: Scratch) => {
        const repository = join(scratch.folder, 'repository');
        makeRepository(repository, long);
        return askingLong(name, await imported(repository, scratch));
      },
    };
  });
}

/** A question about one node, or about all, of a history whose index is there. */
async function askingLong(name: 'log' | 'show' | 'check', registry: string): Promise<Trials> {
  const files = readdirSync(registry, { recursive: true, encoding: 'utf8' }).sort();
  const node = files.find((file) => /nodes.[^/]+\.yaml$/.test(file)) ?? '';
  const subject = name === 'check' ? [] : [node.replaceAll('\\', '/').slice(0, -'.yaml'.length)];
  const command = program('node', GRIDPRESS, name, ...subject, '--registry', registry);
  await run(command);
  const sums = program('sh', '-c', 'find "$1" -type f -print0 | xargs -0 sha256sum', 'sh', registry);
  const baseline = name === 'check' ? sums : program('node', GRIDPRESS, '--version');
  return { ours: () => command, baseline: () => baseline };
}
