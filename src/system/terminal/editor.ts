import { spawnSync } from 'node:child_process';
import { fail, finding } from '../../core/diagnostics/finding.ts';

/** Opens a file in the editor that `VISUAL` or `EDITOR` names, as git does, and waits until the editor ends. */
export function runEditor(file: string): void {
  const { VISUAL, EDITOR } = process.env;
  const editor = VISUAL || EDITOR || 'vi';
  // A shell splits the options in the variable. The shell does not interpret the file, which is a separate argument.
  const { status } = spawnSync('/bin/sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit' });
  if (status !== 0) fail(finding('editor-failed', { editor }));
}
