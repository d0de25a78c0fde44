import { spawnSync } from 'node:child_process';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { displayPath } from '../files/display-path.ts';

/**
 * Opens a file in the editor that `VISUAL` or `EDITOR` names, and waits until the editor ends. Without these variables,
 * opens it in vi if there is a terminal. In a workflow without a terminal, vi could wait for keys without end.
 */
export function runEditor(file: string): void {
  const { VISUAL, EDITOR, TERM = 'dumb' } = process.env;
  const hasTerminal = process.stdin.isTTY && process.stdout.isTTY && TERM !== 'dumb';
  const editor =
    VISUAL || EDITOR || (hasTerminal ? 'vi' : fail(finding('editor-missing', { file: displayPath(file) })));
  // A shell splits the options in the variable. The shell does not interpret the file, which is a separate argument.
  const { status } = spawnSync('/bin/sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit' });
  if (status !== 0) fail(finding('editor-failed', { editor }));
}
