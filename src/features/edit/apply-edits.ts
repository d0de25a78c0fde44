import { join } from 'node:path';
import { fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import type { Palette } from '../../core/diagnostics/palette.ts';
import { formatCount, plural } from '../../core/diagnostics/words.ts';
import { changesBetween, changesOfBodies } from '../../core/history/changes-between.ts';
import { headsOf } from '../../core/history/graph.ts';
import { fieldRules } from '../../core/model/field-classes.ts';
import { type JsonObject, sameJson } from '../../core/model/json.ts';
import type { Subject } from '../../core/model/resource-path.ts';
import type { RegistryState } from '../../core/model/state.ts';
import { decode } from '../../core/registry/decode.ts';
import { fileOfResource, resourceOfFile } from '../../core/registry/layout.ts';
import { shownFile } from '../../core/registry/registry.ts';
import { editYaml } from '../../core/registry/yaml/edit-yaml.ts';
import { readYaml } from '../../core/registry/yaml/read-yaml.ts';
import type { Stage } from '../../system/trees/staging.ts';
import { unknownFieldFindings } from '../check/field-names.ts';
import { describeDifferences } from '../revisions/describe-history.ts';
import { type DifferingResource, differingResources } from '../revisions/differing-resources.ts';
import { stateBefore } from '../revisions/pending-revision.ts';
import { authorOf } from '../revisions/record.ts';
import { loadHeadSources } from '../sources/load-sources.ts';
import { loadWorktree, type Worktree } from '../sources/load-worktree.ts';
import { changingRegistry } from '../sources/registry-stages.ts';
import {
  changeFiles,
  describeNextStep,
  describeRecording,
  type EditableSources,
  type EditOptions,
  type Recorded,
  type StagedEdit,
  undoPendingEdit,
} from './pending-edit.ts';
import type { Source } from './site-sources.ts';

export interface Edited extends Recorded {
  readonly names: readonly string[];
  readonly files: readonly string[];
  /** Fields that are not copied from the template, because each node has its own value. */
  readonly left: readonly string[];
  /** The changes of existing resources. */
  readonly changes: readonly DifferingResource[];
  readonly isWritten: boolean;
}

export interface BodyEdit {
  readonly subject: Subject;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

interface Edits extends Partial<Pick<Edited, 'names' | 'left'>> {
  readonly sources?: readonly Source[];
  readonly changed?: readonly BodyEdit[];
}

/**
 * The check for unknown fields accepts all fields in `known`. If the command records a revision, `known` is the state
 * of the heads. Otherwise, `known` is the state of the registry files.
 */
interface Editable extends EditableSources {
  readonly known: RegistryState;
}

/** Fails if the registry files have findings. Checks the history, too, if the command records a revision. */
export function loadToEdit(options: EditOptions): Editable {
  if (options.message === undefined) {
    const files = loadWorktree(options);
    return { ...files, known: files.worktree };
  }
  return loadWithHead(options);
}

function loadWithHead(options: EditOptions): Editable {
  const sources = loadHeadSources(options);
  if (sources.findings.length > 0) failAll(sources.findings);
  const known = stateBefore(
    sources,
    headsOf(sources.history.revisions).map(({ id }) => id),
  );
  return { ...sources, kinds: sources.history.kinds, known, head: sources };
}

/** Locks the registry during an edit, so that no other process changes its files. */
export function editing<T>(options: EditOptions, edit: (sources: Editable, stage: Stage | undefined) => T): T {
  const { registry, dryRun, message } = options;
  // Fails before any write if no author is set.
  if (message !== undefined) authorOf(options);
  return changingRegistry({ registry, dryRun }, (stage) => {
    if (stage) undoPendingEdit(registry, () => !hasUnrecorded(loadWithHead(options)));
    return edit(loadToEdit(options), stage);
  });
}

export function applyEdits(options: EditOptions, make: (sources: Worktree) => Edits): Edited {
  return editing(options, (worktree, stage) => applyTo(worktree, { ...options, stage }, make));
}

function applyTo(worktree: Editable, options: StagedEdit, make: (sources: Worktree) => Edits): Edited {
  const { names = [], left = [], sources = [], changed = [] } = make(worktree);
  const there = new Set(worktree.folder.files);
  for (const { file } of sources) {
    if (there.has(file)) fail(finding('file-there', { file: join(options.registry, file) }));
    there.add(file);
  }
  const edits = changed.filter(({ before, after }) => !sameJson(before, after));
  const written = [...sources, ...edits.map((edit) => editedSource(edit, worktree))];
  const files = written.map(({ file }) => join(options.registry, file));
  if (options.allowUnknown === false) rejectUnknownFields(sources, edits, worktree);
  const edited = { names, files, left, changes: changesBy(edits, worktree) };
  const isWritten = written.length > 0 && options.dryRun !== true;
  const isChange = written.length > 0 || options.message !== undefined;
  return { ...edited, isWritten, ...(isChange ? changeFiles(worktree, options, { written }) : {}) };
}

/** If a command fails between writing and recording, the files differ from the head. */
function hasUnrecorded({ known, worktree, store, kinds }: Editable): boolean {
  return changesBetween(known, worktree, store, kinds).next().done !== true;
}

function rejectUnknownFields(
  sources: readonly Source[],
  edits: readonly BodyEdit[],
  { known, store, kinds }: Editable,
): void {
  const added = sources.flatMap(({ file, text }) => {
    const read = readYaml(file, text);
    return read.findings ? [] : [{ path: resourceOfFile(file, kinds)?.path ?? '', body: read.value }];
  });
  const changed = edits.map(({ subject, after }) => ({ path: subject.path, body: after }));
  const findings = unknownFieldFindings([...added, ...changed], { known: [known], store }, () => undefined);
  if (findings.length > 0) failAll(findings);
}

export function editedSource({ subject, before, after }: BodyEdit, { folder }: Worktree): Source {
  const file = fileOfResource(subject);
  const shown = shownFile(folder, file);
  const text = editYaml(new TextDecoder().decode(folder.read(file)), before, after, fieldRules(subject.kind));
  const read = text === undefined ? undefined : decode(shown, new TextEncoder().encode(text), subject.kind.schema);
  if (text !== undefined && read?.findings === undefined && sameJson(read?.value ?? null, after)) return { file, text };
  return fail(finding('edit-by-hand', {}, { file: shown }));
}

export function changesBy(edits: readonly BodyEdit[], { kinds }: Worktree): DifferingResource[] {
  const bodies = (side: 'before' | 'after') => new Map(edits.map((edit) => [edit.subject.path, edit[side]]));
  return differingResources(changesOfBodies(bodies('before'), bodies('after'), kinds));
}

const SHOWN_NAMES = 3;

export function describeEdited(edited: Edited, palette: Palette): string {
  const { names, files, left, changes, isWritten, recorded } = edited;
  if (files.length === 0) {
    if (recorded) return `The files already had these values. Recorded ${recorded}.\n`;
    const others = edited.wouldRecord ? ' Without --dry-run, this command records all unrecorded changes.' : '';
    return `Nothing changes: the files already have these values.${others}\n`;
  }
  const few = names.length > 2 * SHOWN_NAMES ? [...names.slice(0, SHOWN_NAMES), '...', names.at(-1)] : names;
  const added = `${few.join(', ')} (${plural(files.length - changes.length, 'file')})`;
  const own = left.length > 0 ? `Fill in for each: ${left.join(', ')}.\n` : '';
  const shown = changes.length > 0 ? `${describeDifferences(changes, palette)}\n` : '';
  if (!isWritten) {
    const what = [
      ...(names.length > 0 ? [`adds ${added}`] : []),
      ...(changes.length > 0 ? [`changes ${plural(changes.length, 'file')}`] : []),
    ];
    return `${shown}Nothing was written. Without --dry-run, this command ${what.join(' and ')}${describeRecording(edited)}.\n${own}`;
  }
  const count = names.length > 1 ? `${formatCount(names.length)}: ` : '';
  const did = `${names.length > 0 ? `Added ${count}${added}.\n` : ''}${changes.length > 0 ? `Wrote ${plural(changes.length, 'changed file')}.\n` : ''}`;
  return `${shown}${did}${own}${describeNextStep(edited, '.')}`;
}
