/**
 * Whether a locked node is still the same, and if not, in what and since when.
 *
 * The bodies then and now are compared where the history tells what the node was then and the lock's digest agrees;
 * else the digests of classes are, which take a part under another name for another part.
 */
import { classDigests, classRulesDigest, differingClasses } from '../model/class-digests.ts';
import { classesOf, classesWithin, difference, type FieldChange } from '../model/differences/difference.ts';
import { bodyDigest } from '../model/digest.ts';
import { type ClassSet, classNames, type FieldClass, fieldRules } from '../model/field-classes.ts';
import { fieldLabel } from '../model/fields/differing-fields.ts';
import type { JsonObject } from '../model/json.ts';
import { NODE } from '../model/kinds.ts';
import type { Lock, LockedNode, NodeState } from './lock-format.ts';
import type { NodeSource, Past, Step } from './node-past.ts';

/** A field that changed, with its label: `storage_devices[sdc].serial`. */
export interface ChangedField extends FieldChange {
  readonly field: string;
}

export interface NodeVerdict {
  readonly path: string;
  readonly uid: string;
  readonly node_name?: string | undefined;
  readonly status: 'same' | 'changed' | 'removed';
  /** Whether something changed that was asked about. */
  readonly fails: boolean;
  /** The classes in which the node then and the node now differ. */
  readonly classes: readonly FieldClass[];
  /** The fields in which they differ; undefined where the node then is not known. */
  readonly fields?: readonly ChangedField[] | undefined;
  /** What happened in between, the newest first; undefined where it is not known. */
  readonly revisions?: readonly Step[] | undefined;
  /** How many older revisions are left out. */
  readonly omitted: number;
  /** When the node was removed, and by what it was replaced. */
  readonly removal?: Step | undefined;
}

/** What a verdict is asked about. */
export interface VerdictContext {
  readonly lock: Lock;
  readonly source: Pick<NodeSource, 'node' | 'past'>;
  /** The classes that must not have changed. */
  readonly classes: ClassSet;
}

export async function verdictOn(node: LockedNode, { lock, source, classes }: VerdictContext): Promise<NodeVerdict> {
  const { path, uid, node_name, latest_version: since } = node;
  const now = await source.node(path);
  const isSame = now !== undefined && bodyDigest(now.body) === node.digest;
  // What came and went in between is worth telling too, and is known by the version alone.
  const isUntouched = isSame && (now.latest === undefined || now.latest === since);
  const past = isUntouched ? undefined : await source.past({ path, since, isGone: now === undefined });
  const told = { path, uid, node_name, omitted: past?.omitted ?? 0, revisions: isUntouched ? [] : past?.steps };
  if (!now) {
    const removal = past?.steps.find(({ action }) => action === 'removed');
    return { ...told, status: 'removed', fails: true, classes: [], removal };
  }
  if (isSame) return { ...told, status: 'same', fails: false, classes: [], fields: [] };
  const { changed, fields } = comparison(node, now, past, lock);
  // By another table of classes, a digest says nothing: then anything may have changed.
  const fails = changed === undefined || (changed & classes) !== 0;
  return { ...told, status: 'changed', fails, classes: classNames(changed ?? 0), fields };
}

interface Comparison {
  /** Undefined when there is no telling. */
  readonly changed: ClassSet | undefined;
  readonly fields?: readonly ChangedField[];
}

function comparison(node: LockedNode, now: NodeState, past: Past | undefined, lock: Lock): Comparison {
  const before = past?.before;
  if (before && bodyDigest(before) === node.digest) return compared(before, now.body);
  const isComparable = lock.class_rules === classRulesDigest(NODE);
  return { changed: isComparable ? differingClasses(node.classes, classDigests(NODE, now.body)) : undefined };
}

function compared(before: JsonObject, now: JsonObject): Comparison {
  const rules = fieldRules(NODE);
  const fields = difference(before, now, rules);
  return {
    changed: classesWithin(NODE, fields) | classesOf(NODE, fields),
    fields: fields.map((each) => ({ field: fieldLabel(each, before, now, rules), ...each })),
  };
}
