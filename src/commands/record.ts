/** `gridpress record`: what the registry has and its history does not know becomes a revision. */
import { join } from 'node:path';
import { finding } from '../diagnostics/finding.ts';
import { headsOf } from '../history/graph.ts';
import { type Change, isRecordable, writeRevisionFile } from '../history/revision-file.ts';
import { fail, failAll } from '../io/failure.ts';
import { gitSetting } from '../io/git.ts';
import { replaceFile } from '../io/registry-writer.ts';
import type { RevisionHeader } from '../model/revision.ts';
import { revisionFileName } from '../registry/layout.ts';
import { revisionOf } from './pending-revision.ts';
import { loadSources, revisionIndex, type SourceOptions, type Sources } from './sources.ts';

export interface RecordOptions extends SourceOptions {
  readonly message: string;
  readonly author?: string | undefined;
  /** ISO 8601 with an offset. */
  readonly date?: string | undefined;
  /** The head, of the two that the history has, that the revision brings into the other. */
  readonly merge?: string | undefined;
}

export interface RecordResult {
  readonly id: string;
  readonly file: string;
  readonly changes: readonly Change[];
}

export function record(options: RecordOptions): RecordResult {
  const { date = now(), author = gitSetting('user.name') ?? 'unknown', message, merge } = options;
  if (!isRecordable(date)) fail(finding('bad-moment', { date }));
  const sources = loadSources({ ...options, isMerging: merge !== undefined });
  if (sources.findings.length > 0) failAll(sources.findings);
  const parents = merge === undefined ? headsOf(sources.history.revisions) : mergeParents(sources, merge);
  const revision = revisionOf(sources, { parents: parents.map(({ id }) => id), date, author, message });
  if (parents.length < 2 && revision.changes.length === 0) return fail(finding('nothing-to-record', {}));
  const file = revisionFileName(sources.lastNumber + 1, revision.header.id);
  replaceFile(options.registry, file, writeRevisionFile(revision));
  return { id: revision.header.id, file: join(options.registry, file), changes: revision.changes };
}

/** The heads that a merge joins: the one that it stays on, then the one that it brings in. */
function mergeParents({ history }: Sources, given: string): RevisionHeader[] {
  const heads = headsOf(history.revisions);
  const other = history.revisions[revisionIndex(history, given)];
  if (!other || !heads.includes(other))
    return fail(finding('not-a-head', { given, heads: heads.map(({ id }) => id) }));
  return [...heads.filter((head) => head !== other), other];
}

/** The present moment, in the offset of this machine: the only place where a clock is read. */
function now(): string {
  const date = new Date();
  const offset = -date.getTimezoneOffset();
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
  return new Date(date.getTime() + offset * 60_000).toISOString().replace(/\.\d+Z$/, zone);
}
