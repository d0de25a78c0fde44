import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import { runEditor } from '../../system/terminal/editor.ts';
import { record } from '../revisions/record.ts';
import { loadWorktree } from '../sources/load-worktree.ts';
import { changesBy, type Edited, type EditOptions, loadToEdit } from './apply-edits.ts';
import { findResource } from './find-resource.ts';
import { resourcesNamed } from './set-fields.ts';

/** Returns the files of resources. Each word is a query, a path, a uid, a name or a pattern of names. */
export function filesNamed({ words, ...options }: EditOptions & { readonly words: readonly string[] }): string[] {
  return resourcesNamed(words, loadWorktree(options)).map(({ subject }) =>
    join(options.registry, fileOfResource(subject)),
  );
}

/** Opens the file of a resource in the editor of the user. Fails afterwards if the files have findings. */
export function editFile({ given, ...options }: EditOptions & { readonly given: string }): Edited {
  const { subject, body: before } = findResource(given, 'all', loadToEdit(options));
  const file = join(options.registry, fileOfResource(subject));
  runEditor(file);
  if (!existsSync(file)) fail(finding('edit-deleted', { file, path: subject.path }));
  const sources = loadWorktree(options);
  const { body: after } = findResource(subject.path, 'all', sources);
  const changes = changesBy([{ subject, before, after }], sources);
  const edited = { names: [], left: [], files: changes.length > 0 ? [file] : [], changes };
  if (changes.length === 0) return { ...edited, isWritten: false };
  const { message } = options;
  return {
    ...edited,
    isWritten: true,
    ...(message === undefined ? {} : { recorded: record({ ...options, message }).id }),
  };
}
