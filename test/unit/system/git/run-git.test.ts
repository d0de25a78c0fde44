import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Failure } from '../../../../src/core/diagnostics/finding.ts';
import { tryGit } from '../../../../src/system/git/run-git.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** In milliseconds. git waits for a writer of the pipe, however long that takes. */
const TIMEOUT = 2000;

test('a question about a repository with a pipe ends', () => {
  const folder = temporaryFolder();
  execFileSync('git', ['init', '--quiet', folder]);
  rmSync(join(folder, '.git', 'HEAD'));
  execFileSync('mkfifo', [join(folder, '.git', 'HEAD')]);
  let caught: unknown;
  try {
    tryGit({ folder, name: 'repo' }, ['rev-parse', 'HEAD'], TIMEOUT);
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(Failure);
  expect(caught instanceof Failure && caught.findings).toEqual([
    { code: 'git-timeout', args: { folder: 'repo', seconds: 2 } },
  ]);
});
