/**
 * `gridpress diff NODE_A NODE_B`: what differs between two nodes, or a node then and now; likewise two resources of any one
 * kind. Each is named by its path, its uid or its name, and may say of which moment it is meant: `NODE@2026-01-01`.
 */
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { FIELD_CLASSES, type FieldClass } from '../../core/model/field-classes.ts';
import { type DifferingField, differingFields } from '../../core/model/fields/differing-fields.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { Kind } from '../../core/model/kinds.ts';
import { resourceAt } from '../../core/model/state.ts';
import { storedObject } from '../../core/registry/registry.ts';
import { type AskedHistory, askHistory } from '../sources/ask-history.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import { WORKTREE } from '../sources/moment-names.ts';
import { indexAtRevisionOrDate } from '../sources/resolve-revision.ts';
import { findSubject } from '../sources/resolve-subject.ts';
import { type ComparedWorktree, worktreeFor } from './diff.ts';
import { type NamedAt, namedAt } from './diff-arguments.ts';
import { orNotCompared, type Side, sideAt } from './diff-result.ts';
import { calledIn } from './differing-resources.ts';

export interface ResourceDiffOptions extends SourceOptions {
  readonly from: string;
  readonly to: string;
  /** A revision, a date, `head` or `worktree`: when those are meant that say nothing of it themselves. */
  readonly at?: string | undefined;
  readonly classes?: readonly FieldClass[] | undefined;
}

/** A resource as of a moment. */
export interface ComparedResourceSide extends Side {
  readonly resource: string;
  readonly name: string | undefined;
}

export interface ResourceDiffResult {
  readonly from: ComparedResourceSide;
  readonly to: ComparedResourceSide;
  /** How many fields of each class differ. */
  readonly classes: Partial<Record<FieldClass, number>>;
  /** Hardware first. */
  readonly fields: readonly DifferingField[];
}

export function resourceDiff(options: ResourceDiffOptions): Promise<ResourceDiffResult> {
  return orNotCompared(() => askHistory(options, (history) => compared(options, history)));
}

function compared(
  { from, to, at = 'head', classes = FIELD_CLASSES, ...options }: ResourceDiffOptions,
  history: AskedHistory,
): ResourceDiffResult {
  const [first, second] = [namedAt(from, at), namedAt(to, at)];
  const worktree = worktreeFor(options, [first.moment, second.moment]);
  const [before, after] = [meant(first, history, worktree), meant(second, history, worktree)];
  if (before.kind !== after.kind) return fail(finding('kinds-differ', { from: wordsOf(before), to: wordsOf(after) }));
  const place = (field: DifferingField) => FIELD_CLASSES.indexOf(field.class);
  const fields = differingFields(before.kind, before.body, after.body)
    .filter((field) => classes.includes(field.class))
    .sort((a, b) => place(a) - place(b));
  const counts: Partial<Record<FieldClass, number>> = {};
  for (const { class: name } of fields) counts[name] = (counts[name] ?? 0) + 1;
  return { from: before.side, to: after.side, classes: counts, fields };
}

interface Meant {
  readonly kind: Kind;
  readonly body: JsonObject;
  readonly side: ComparedResourceSide;
}

function meant({ given, moment }: NamedAt, history: AskedHistory, worktree: ComparedWorktree | undefined): Meant {
  const { graph } = history;
  const files = moment === WORKTREE ? worktree : undefined;
  const index = files ? undefined : indexAtRevisionOrDate(graph, moment);
  const scope = index === undefined ? {} : { moment: index };
  const subject = findSubject(given, { history, ...scope, ...(files ? { worktree: files } : {}) });
  const { path, kind, isCollection } = subject;
  if (isCollection) return fail(finding('collection-not-compared', { path }));
  const state = index === undefined ? files?.state : history.ownOf(subject).states[index];
  const held = resourceAt(state ?? null, path);
  const side = index === undefined ? { revision: undefined, date: undefined } : sideAt(graph, index);
  if (!held) {
    const { revision: id } = side;
    return fail(
      id === undefined ? finding('unknown-resource', { path, nearest: [] }) : finding('resource-not-at', { path, id }),
    );
  }
  const body = storedObject((files ?? history).store, held.body.handle);
  return { kind, body, side: { resource: `/${path}`, name: calledIn(body), ...side } };
}

function wordsOf({ kind, side }: Meant): string {
  return `${side.resource} is a ${kind.name}`;
}
