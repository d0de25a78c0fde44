import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../../../src/core/diagnostics/finding.ts';
import { openRepository, resolveCommit } from '../../../../src/system/git/git.ts';
import { tryGit } from '../../../../src/system/git/run-git.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** In milliseconds. git waits for a writer of the pipe, however long that takes. */
const TIMEOUT = 2000;

test('output of git with NUL characters is not reported as a bug', () => {
  const folder = temporaryFolder();
  const git = join(folder, 'git');
  writeFileSync(
    git,
    '#!/bin/sh\ncase "$*" in *rev-parse*) printf "false\\nsha1\\n\\0\\0\\n" ;; *) printf "\\0\\n" ;; esac\n',
    { mode: 0o755 },
  );
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(() => resolveCommit(openRepository(folder), 'HEAD')).toThrow(
    new Failure([{ code: 'not-a-repository', args: { folder, reason: 'git gives an answer that cannot be read' } }]),
  );
});

test('a git command that reads a pipe stops after the time limit', () => {
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
