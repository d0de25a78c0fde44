/** The resources in which two states differ, as commands tell of them. */

import type { Action } from '../../core/history/actions.ts';
import type { ComparedResource } from '../../core/history/changes-between.ts';
import type { Counts } from '../../core/history/touches.ts';
import { classesOf, updateAction } from '../../core/model/differences/difference.ts';
import {
  type ClassSet,
  classesAt,
  classNames,
  classSet,
  FIELD_CLASSES,
  type FieldClass,
} from '../../core/model/field-classes.ts';
import { type DifferingField, differingFields } from '../../core/model/fields/differing-fields.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { isAtOrBelow } from '../../core/model/resource-path.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import { certain } from '../../core/platform/certain.ts';

export interface DifferingResource {
  readonly resource: string;
  /** What people call it: the name of a node or a site. */
  readonly name: string | undefined;
  readonly action: Action;
  readonly classes: readonly FieldClass[];
  readonly fields: readonly DifferingField[];
  /** Of a removed resource, the uid of what takes its place, where that is said. */
  readonly successor?: string;
}

export interface DifferenceFilter {
  /** The path of the subject at or below which differences are told. */
  readonly within?: string;
  readonly classes?: readonly FieldClass[] | undefined;
}

/** The resources that differ, in the order in which they are compared, each with the fields of the asked classes. */
export function differingResources(
  compared: Iterable<ComparedResource>,
  { within = '', classes = FIELD_CLASSES }: DifferenceFilter = {},
): DifferingResource[] {
  const asked = classSet(classes);
  return [...compared]
    .filter(({ change }) => isAtOrBelow(change.path, within))
    .flatMap((each) => differing(each, asked));
}

function differing({ kind, change, before, after }: ComparedResource, asked: ClassSet): DifferingResource[] {
  const { path } = change;
  const common = { resource: `/${path}`, name: calledIn(certain(after ?? before)) };
  if (change.action !== 'updated') {
    const classes = classesAt(kind, ['']);
    if ((classes & asked) === 0 || change.action === 'touched') return [];
    return [{ ...common, action: change.action, classes: classNames(classes), fields: [] }];
  }
  const all = differingFields(kind, certain(before), certain(after), change.fields);
  const fields = all.filter((field) => (classSet([field.class]) & asked) !== 0);
  const classes = classNames(classesOf(kind, fields));
  return fields.length > 0 ? [{ ...common, action: updateAction(kind, change.fields), classes, fields }] : [];
}

/** A node's own name, or what another resource calls itself. */
export function calledIn(body: JsonObject): string | undefined {
  const { name } = body;
  return nodeNameOf(body) ?? (typeof name === 'string' && name !== '' ? name : undefined);
}

export function countsOf(changes: readonly DifferingResource[]): Counts {
  const count = (action: Action) => changes.filter((each) => each.action === action).length;
  const classes: Partial<Record<FieldClass, number>> = {};
  for (const name of FIELD_CLASSES) {
    const having = changes.filter((each) => each.classes.includes(name)).length;
    if (having > 0) classes[name] = having;
  }
  return {
    added: count('added'),
    updated: count('updated'),
    removed: count('removed'),
    replaced: count('replaced'),
    classes,
  };
}
