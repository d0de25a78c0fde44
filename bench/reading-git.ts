/** Reads with git alone what an import reads. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_ARGUMENTS } from '../src/system/git/git.ts';
import { parseGitLog } from '../test/support/values/git-log.ts';
import type { Trial } from './measure.ts';
import { GiB, program } from './row.ts';
import type { Scratch } from './scratch.ts';

/** The least work for git: the log, every blob in it, and writing as many files. */
export function readingGit(repository: string, registry: string, scratch: Scratch): Trial {
  const log = ['-C', repository, ...LOG_ARGUMENTS];
  const { stdout } = spawnSync('git', log, { encoding: 'utf8', maxBuffer: GiB });
  const blobs = parseGitLog(stdout).flatMap(({ entries }) => entries.map(({ blob }) => blob));
  const list = join(scratch.folder, 'blobs');
  writeFileSync(list, [...new Set(blobs)].filter((blob) => !/^0+$/.test(blob)).join('\n'));
  const script = [
    'repository=$1; list=$2; registry=$3; out=$4; shift 4',
    'git "$@" >/dev/null',
    'git -C "$repository" cat-file --batch --buffer <"$list" >/dev/null',
    'cp -r "$registry" "$out"',
  ].join('\n');
  return (out) => program('sh', '-ec', script, 'sh', repository, list, registry, out, ...log);
}
