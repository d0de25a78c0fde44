import { fail, finding } from '../../core/diagnostics/finding.ts';
import { FIELD_CLASSES, type FieldClass } from '../../core/model/field-classes.ts';
import { type DifferingField, differingFields } from '../../core/model/fields/differing-fields.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { Kind } from '../../core/model/kinds.ts';
import { resourceAt } from '../../core/model/state.ts';
import { storedObject } from '../../core/registry/registry.ts';
import { indexAtRevisionOrDate } from '../sources/resolve-revision.ts';
import { findSubject } from '../sources/resolve-subject.ts';
import { isRevisionOrDate, WORKTREE } from '../sources/revision-names.ts';
import { type SearchedHistory, searchHistory } from '../sources/search-history.ts';
import { type ComparedWorktree, type DiffOptions, orNotCompared, type Side, sideAt, worktreeFor } from './diff.ts';
import { displayNameOf } from './differing-resources.ts';

export interface ResourceDiffOptions extends Omit<DiffOptions, 'resource'> {
  /** A revision, a date, `head` or `worktree` for each resource that is given without `@MOMENT`. */
  readonly at?: string | undefined;
}

export interface ComparedResourceSide extends Side {
  readonly resource: string;
  readonly name: string | undefined;
}

export interface ResourceDiffResult {
  readonly from: ComparedResourceSide;
  readonly to: ComparedResourceSide;
  readonly classes: Partial<Record<FieldClass, number>>;
  /** Hardware fields come first. */
  readonly fields: readonly DifferingField[];
}

export function resourceDiff(options: ResourceDiffOptions): Promise<ResourceDiffResult> {
  return orNotCompared(() => searchHistory(options, (history) => compared(options, history)));
}

function compared(
  { from, to, at = 'head', classes, ...options }: ResourceDiffOptions,
  history: SearchedHistory,
): ResourceDiffResult {
  const [first, second] = [namedAt(from, at), namedAt(to, at)];
  const worktree = worktreeFor(options, [first.moment, second.moment]);
  const [before, after] = [resolveSide(first, history, worktree), resolveSide(second, history, worktree)];
  return resourceDifference(before, after, classes);
}

export function resourceDifference(
  before: ResolvedSide,
  after: ResolvedSide,
  classes: readonly FieldClass[] = FIELD_CLASSES,
): ResourceDiffResult {
  if (before.kind !== after.kind)
    return fail(finding('kinds-differ', { from: describeKind(before), to: describeKind(after) }));
  const place = (field: DifferingField) => FIELD_CLASSES.indexOf(field.class);
  const fields = differingFields(before.kind, before.body, after.body)
    .filter((field) => classes.includes(field.class))
    .sort((a, b) => place(a) - place(b));
  const counts: Partial<Record<FieldClass, number>> = {};
  for (const { class: name } of fields) counts[name] = (counts[name] ?? 0) + 1;
  return { from: before.side, to: after.side, classes: counts, fields };
}

export interface ResolvedSide {
  readonly kind: Kind;
  readonly body: JsonObject;
  readonly side: ComparedResourceSide;
}

function resolveSide(
  { given, moment }: NamedAt,
  history: SearchedHistory,
  worktree: ComparedWorktree | undefined,
): ResolvedSide {
  const { graph } = history;
  const files = moment === WORKTREE ? worktree : undefined;
  const index = files ? undefined : indexAtRevisionOrDate(graph, moment);
  const scope = index === undefined ? {} : { moment: index };
  const subject = findSubject(given, { history, ...scope, ...(files ? { worktree: files } : {}) });
  const { path, kind, isCollection } = subject;
  if (isCollection) return fail(finding('collection-not-compared', { path }));
  const state = index === undefined ? files?.state : history.ownOf(subject).states[index];
  const held = resourceAt(state ?? null, path);
  const side = sideAt(graph, index);
  const { revision: id } = side;
  if (!held)
    return fail(
      id === undefined ? finding('unknown-resource', { path, nearest: [] }) : finding('resource-not-at', { path, id }),
    );
  const body = storedObject((files ?? history).store, held.body.handle);
  return { kind, body, side: { resource: `/${path}`, name: displayNameOf(body), ...side } };
}

function describeKind({ kind, side }: ResolvedSide): string {
  return `${side.resource} is a ${kind.name}`;
}

export interface NamedAt {
  readonly given: string;
  readonly moment: string;
}

/** Returns true for two resources, and false for two revisions or dates. Fails for a mixture. */
export function nameResources({
  from,
  to,
  resource,
  at,
}: Pick<DiffOptions, 'from' | 'to' | 'resource'> & { readonly at?: string | undefined }): boolean {
  const moments = [from, to].filter(isRevisionOrDate);
  if (resource === undefined && moments.length === 0) return true;
  const [moment] = moments;
  if (resource === undefined && moment !== undefined && moments.length === 1) {
    const { given } = namedAt(from === moment ? to : from, moment);
    return fail(finding('moment-or-resource', { given, moment }));
  }
  return at === undefined ? false : fail(finding('at-of-moments', { from, to }));
}

/** Parses `NODE@MOMENT`. The default moment is `at`. */
export function namedAt(text: string, at: string): NamedAt {
  const sign = text.lastIndexOf('@');
  return sign > 0 ? { given: text.slice(0, sign), moment: text.slice(sign + 1) || at } : { given: text, moment: at };
}
