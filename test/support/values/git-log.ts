import { gitLogReader } from '../../../src/system/git/git.ts';

export function parseGitLog(output: string) {
  const reader = gitLogReader();
  reader.add(output);
  return reader.end();
}
