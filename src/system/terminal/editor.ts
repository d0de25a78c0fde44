import { spawnSync } from 'node:child_process';
import { fail, finding } from '../../core/diagnostics/finding.ts';

/** Opens a file in the editor that `VISUAL` or `EDITOR` names, as git does, and waits for its end. */
export function runEditor(file: string): void {
  const { VISUAL, EDITOR } = process.env;
  const editor = VISUAL || EDITOR || 'vi';
  // The variable can contain options, so a shell reads it. The file is an argument, which the shell does not read.
  const { status } = spawnSync('/bin/sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit' });
  if (status !== 0) fail(finding('editor-failed', { editor }));
}
