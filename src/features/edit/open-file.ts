import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { renderFindings } from '../../core/diagnostics/render.ts';
import { headsOf } from '../../core/history/graph.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { pathAbove } from '../../core/model/resource-path.ts';
import { editState, type RegistryState, resourceAt, type StoredBody } from '../../core/model/state.ts';
import { fileOfResource, resourceOfFile } from '../../core/registry/layout.ts';
import { storeBody } from '../../core/registry/registry.ts';
import { readYaml } from '../../core/registry/yaml/read-yaml.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { errPalette, printError } from '../../system/terminal/terminal.ts';
import { stateBefore } from '../revisions/pending-revision.ts';
import { authorOf, type RecordOptions, recordIfChanged } from '../revisions/record.ts';
import { loadHeadSources } from '../sources/load-sources.ts';
import { loadWorktree, type Worktree } from '../sources/load-worktree.ts';
import { changesBy, type Edited, loadToEdit } from './apply-edits.ts';
import { findResource } from './find-resource.ts';
import type { EditOptions } from './pending-edit.ts';
import { resourcesNamed } from './set-fields.ts';

/**
 * Returns the files of the resources that match an argument. An argument is a query, a path, a uid, a name or a pattern
 * of names.
 */
export function filesNamed({ words, ...options }: EditOptions & { readonly words: readonly string[] }): string[] {
  return resourcesNamed(words, loadWorktree(options)).map(({ subject }) =>
    join(options.registry, fileOfResource(subject)),
  );
}

/** Opens the file of a resource in the editor of the user. Fails afterwards if the files have findings. */
export function editFile({ given, ...options }: EditOptions & { readonly given: string }): Edited {
  const { subject, body: before } = findResource(given, 'all', loadToOpen(options));
  const file = join(options.registry, fileOfResource(subject));
  const { message } = options;
  const author = message === undefined ? options.author : authorOf(options);
  runEditor(file);
  if (!existsSync(file)) fail(finding('edit-deleted', { file, path: subject.path }));
  const sources = loadWorktree(options);
  const { body: after } = findResource(`/${subject.path}`, 'all', sources);
  const changes = changesBy([{ subject, before, after }], sources);
  const isWritten = changes.length > 0;
  const edited = { names: [], left: [], files: isWritten ? [file] : [], changes, isWritten };
  return message === undefined ? edited : { ...edited, recorded: recordEdit(file, { ...options, message, author }) };
}

/** Prints the findings of the files and reads the files as far as possible, so that the user can correct them. */
function loadToOpen(options: EditOptions): Worktree {
  try {
    return loadToEdit(options);
  } catch (error) {
    const sources = loadHeadSources(options);
    const { findings, historyFindings, history } = sources;
    if (findings.length === historyFindings.length) throw error;
    printError(renderFindings(findings, errPalette));
    const heads = headsOf(history.revisions).map(({ id }) => id);
    const files = { ...sources, kinds: history.kinds };
    return { ...files, worktree: stateOfFiles(files, stateBefore(sources, heads)) };
  }
}

/** A file that is not valid YAML gets its recorded body. Without a recorded body, it gets only its node name. */
function stateOfFiles({ folder, kinds, store }: Worktree, head: RegistryState): RegistryState {
  const bodies = new Map<string, StoredBody>();
  for (const file of folder.files) {
    const path = resourceOfFile(file, kinds)?.path;
    if (path === undefined) continue;
    const text = new TextDecoder().decode(folder.read(file));
    const read = readYaml(file, text);
    const recorded = read.findings && resourceAt(head, path)?.body;
    bodies.set(path, recorded ?? storeBody(store, read.findings ? nodeNameIn(text) : read.value));
  }
  const hasParents = (path: string): boolean =>
    bodies.has(path) && (path === '' || hasParents(pathAbove(pathAbove(path))));
  const edits = Array.from(bodies, ([path, body]) => ({ path, body }));
  return editState(
    null,
    edits.filter(({ path }) => hasParents(path)),
  );
}

function nodeNameIn(text: string): JsonObject {
  const [, name] = /^node_name: *["']?([^\s"'#]+)/m.exec(text) ?? [];
  return name === undefined ? {} : { node_name: name };
}

/** Adds to a failure that the file stays changed. */
function recordEdit(file: string, options: RecordOptions): string | null {
  try {
    return recordIfChanged(options)?.id ?? null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failAll([...error.findings, finding('edit-not-recorded', { file: displayPath(file) })]);
  }
}

/**
 * Opens a file in the editor that `VISUAL` or `EDITOR` names, and waits until the editor ends. Without these variables,
 * opens it in vi if there is a terminal. In a workflow without a terminal, vi could wait for keys without end.
 */
function runEditor(file: string): void {
  const { VISUAL, EDITOR, TERM = 'dumb' } = process.env;
  const hasTerminal = process.stdin.isTTY && process.stdout.isTTY && TERM !== 'dumb';
  const editor =
    VISUAL || EDITOR || (hasTerminal ? 'vi' : fail(finding('editor-missing', { file: displayPath(file) })));
  // A shell splits the options in the variable. The shell does not interpret the file, which is a separate argument.
  const { status } = spawnSync('/bin/sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit' });
  if (status !== 0) fail(finding('editor-failed', { editor }));
}
