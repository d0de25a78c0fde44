/**
 * Decides whether a locked node is unchanged. Compares the bodies if the history contains the locked body. Otherwise
 * compares class digests, which also change if a part is renamed.
 */
import { classDigests, classRulesDigest, differingClasses } from '../model/class-digests.ts';
import { classesOf, classesWithin, difference, type FieldChange } from '../model/differences/difference.ts';
import { bodyDigest } from '../model/digest.ts';
import { type ClassSet, classNames, type FieldClass, fieldRules } from '../model/field-classes.ts';
import { fieldLabel } from '../model/fields/differing-fields.ts';
import type { JsonObject } from '../model/json.ts';
import { isIndex, pointerTokens } from '../model/json-pointer.ts';
import { NODE } from '../model/kinds.ts';
import { nodeNameOf } from '../model/uid.ts';
import { isSameSpelling } from '../registry/fleet/equalities.ts';
import type { Lock, LockedNode, NodeState } from './lock-format.ts';
import type { NodeHistory, NodeSource, Step } from './node-source.ts';
import { pairReplacedParts } from './pair-replaced-parts.ts';

export interface ChangedField extends FieldChange {
  readonly field: string;
  /** Whether both values are spellings of the same hardware. */
  readonly is_spelling?: true;
}

export interface NodeVerdict {
  readonly path: string;
  readonly uid: string;
  readonly node_name?: string | undefined;
  readonly status: 'same' | 'changed' | 'removed';
  /** True if the node was removed, or if a field that must stay unchanged may have changed. */
  readonly fails: boolean;
  readonly classes: readonly FieldClass[];
  /** The fields that differ between the locked body and the current body. Undefined if the locked body is unknown. */
  readonly fields?: readonly ChangedField[] | undefined;
  /** The steps that changed the node after the lock was made, newest first. */
  readonly revisions?: readonly Step[] | undefined;
  readonly omitted: number;
  readonly removal?: Step | undefined;
  /** Set if the lock file and the history contain different digests of the locked version. One of them was altered. */
  readonly contradicts_history?: true;
}

/** Explains why a node counts as changed although no field class changed. Returns undefined for other verdicts. */
export function unclassifiedChange(verdict: UnclassifiedVerdict): string | undefined {
  const { status, classes, fails, fields, contradicts_history } = verdict;
  if (status !== 'changed' || classes.length > 0) return undefined;
  if (contradicts_history) return 'the lock file contradicts the history';
  if (fails) return 'the lock file is from another version of gridpress, so any field may have changed';
  return fields?.some((field) => field.is_spelling) ? 'only the spelling of values' : 'only the order of its parts';
}

type UnclassifiedVerdict = Pick<NodeVerdict, 'status' | 'classes' | 'fails' | 'fields' | 'contradicts_history'>;

export interface VerdictContext {
  readonly lock: Lock;
  readonly source: Pick<NodeSource, 'node' | 'history'>;
  readonly classes: ClassSet;
  /** Adds field labels to each step. The explorer does not pass this function, so that it loads less code. */
  readonly stepsOf?: (history: NodeHistory) => readonly Step[];
}

export async function verdictOn(node: LockedNode, context: VerdictContext): Promise<NodeVerdict> {
  const { lock, source, classes, stepsOf = ({ steps }) => steps } = context;
  const { path, uid, latest_version: since } = node;
  const now = await source.node(path);
  const isSame = now !== undefined && bodyDigest(now.body) === node.digest;
  // A reverted change leaves the same body, but a newer latest version.
  const isUntouched = isSame && (now.latest === undefined || now.latest === since);
  const history = isUntouched ? undefined : await source.history({ path, since, isGone: now === undefined });
  const revisions = isUntouched ? [] : history && stepsOf(history);
  const locked = isSame ? now.body : lockedBody(node, history);
  // The name is part of the digest, so the locked body contains the name from the lock file.
  const node_name = locked ? nodeNameOf(locked) : node.node_name;
  const isContradiction = history?.before !== undefined && bodyDigest(history.before) !== node.digest;
  const contradiction = isContradiction ? ({ contradicts_history: true } as const) : {};
  const summary = { path, uid, node_name, omitted: history?.omitted ?? 0, revisions, ...contradiction };
  if (!now) {
    const removal = revisions?.find(({ action }) => action === 'removed');
    return { ...summary, status: 'removed', fails: true, classes: [], removal };
  }
  if (isSame) return { ...summary, status: 'same', fails: false, classes: [], fields: [] };
  const { changed, fields } = locked ? compared(locked, now.body) : comparedByClass(node, now, lock);
  // Any class may have changed if the class digests are not comparable.
  const fails = changed === undefined || (changed & classes) !== 0;
  return { ...summary, status: 'changed', fails, classes: classNames(changed ?? 0), fields };
}

interface Comparison {
  readonly changed: ClassSet | undefined;
  readonly fields?: readonly ChangedField[];
}

function lockedBody({ digest }: LockedNode, history: NodeHistory | undefined): JsonObject | undefined {
  const before = history?.before;
  return before && bodyDigest(before) === digest ? before : undefined;
}

function comparedByClass(node: LockedNode, now: NodeState, lock: Lock): Comparison {
  const isComparable = lock.class_rules === classRulesDigest(NODE);
  return { changed: isComparable ? differingClasses(node.classes, classDigests(NODE, now.body)) : undefined };
}

/** Another spelling changes no class. This comparison pairs more parts than recorded changes do. */
function compared(before: JsonObject, now: JsonObject): Comparison {
  const rules = fieldRules(NODE);
  const all = pairReplacedParts(difference(before, now, rules)).map((change) => ({
    change,
    isSpelling: isSpelling(change),
  }));
  const fields = all.flatMap(({ change, isSpelling: is }) => (is ? [] : [change]));
  return {
    changed: classesWithin(NODE, fields) | classesOf(NODE, fields),
    fields: all.map(({ change: { removedAt, ...change }, isSpelling: is }) => ({
      field: removedAt === undefined ? fieldLabel(change, before, now, rules) : labelIn(before, removedAt),
      ...change,
      ...(is ? { is_spelling: true } : {}),
    })),
  };
}

function labelIn(body: JsonObject, at: string): string {
  return fieldLabel({ at, from: null }, body, body, fieldRules(NODE));
}

function isSpelling({ at, from, to }: FieldChange): boolean {
  const path = (pointerTokens(at) ?? []).filter((token) => !isIndex(token));
  return isSameSpelling(path, from, to);
}
