import { join } from 'node:path';
import { type Finding, failAll, finding } from '../../core/diagnostics/finding.ts';
import { shortId } from '../../core/diagnostics/words.ts';
import { headsOf } from '../../core/history/graph.ts';
import { type HeadConflict, mergedHeads } from '../../core/history/join-states.ts';
import type { Json } from '../../core/model/json.ts';
import { pointerTokens } from '../../core/model/json-pointer.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import { type RegistryState, resourceAt, stateDifference } from '../../core/model/state.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import { getOrThrow, itemAt } from '../../core/platform/lookups.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { storedObject } from '../../core/registry/registry.ts';
import { publishedFiles } from '../../system/git/listed-files.ts';
import { loadSources, type Sources } from '../sources/load-sources.ts';
import { changingRegistry } from '../sources/registry-stages.ts';
import { type RecordOptions, type RecordResult, recordFiles, type Show } from './record.ts';

/** Returns undefined for a single head. Fails if two heads conflict, or if the registry files differ from the merge. */
export function mergeHeads(options: RecordOptions, show: Show = () => {}): RecordResult | undefined {
  return changingRegistry(options, (stage) => {
    const sources = loadSources({ ...options, isMerging: true });
    if (sources.findings.length > 0) failAll(sources.findings);
    const parents = publishedFirst(headsOf(sources.history.revisions), options.registry);
    if (parents.length < 2) return undefined;
    rejectOtherFiles(parents, sources);
    const message = options.message || `Merge ${parents.map(({ id }) => shortId(id)).join(' and ')}`;
    return recordFiles(stage, { ...options, message, sources, parents }, show);
  });
}

/** Puts the published head first, because feeds follow the first parent of a merge. */
function publishedFirst(heads: readonly RevisionHeader[], registry: string): RevisionHeader[] {
  const isIn = (names: readonly string[], { id }: RevisionHeader) =>
    names.some((name) => name.endsWith(`-${shortId(id)}.yaml`));
  const published = publishedFiles(join(registry, HISTORY_FOLDER))
    .map((names) => heads.filter((head) => isIn(names, head)))
    .find(({ length }) => length > 0 && length < heads.length);
  return published ? [...published, ...heads.filter((head) => !published.includes(head))] : [...heads];
}

function rejectOtherFiles(heads: readonly RevisionHeader[], sources: Sources): void {
  const { history, worktree, store } = sources;
  const indexes = heads.map(({ id }) => getOrThrow(history.indexOf, id));
  const { state, conflicts } = mergedHeads(history, indexes, store);
  if (conflicts.length > 0)
    failAll(conflicts.map((conflict) => conflictFinding(conflict, itemAt(heads, 0), { sources, state })));
  const paths = [...stateDifference(state, worktree)].map(({ path }) => path);
  if (paths.length > 0) failAll([finding('merge-differs', { paths, heads: heads.map(({ id }) => id) })]);
}

interface Merging {
  readonly sources: Sources;
  readonly state: RegistryState;
}

function conflictFinding(
  { path, field, theirs }: HeadConflict,
  { id }: RevisionHeader,
  { sources: { history, store }, state }: Merging,
): Finding {
  const held = resourceAt(state, path)?.body;
  const name = held && nodeNameOf(storedObject(store, held.handle));
  const about = { path, ...(name === undefined ? {} : { name }) };
  const ids = [id, itemAt(history.revisions, theirs).id] as const;
  if (!field) return finding('merge-conflict', { ...about, ids });
  const { change, found } = field;
  const text = (value: Json | undefined) => (value === undefined ? 'nothing' : JSON.stringify(value));
  const at = (pointerTokens(change.at) ?? []).join('.');
  return finding('merge-conflict', { ...about, ids, field: { at, ours: text(found), theirs: text(change.to) } });
}
