import type { ComparedResource } from '../../core/history/changes-between.ts';
import type { Action } from '../../core/history/revision-file.ts';
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
import { assertDefined } from '../../core/platform/lookups.ts';

export interface DifferingResource {
  readonly resource: string;
  readonly name: string | undefined;
  readonly action: Action;
  readonly classes: readonly FieldClass[];
  readonly fields: readonly DifferingField[];
  /** The uid of the successor of a removed resource. */
  readonly successor?: string;
}

/** Returns the resources in which a field of the given classes changed, in the order of `compared`. */
export function differingResources(
  compared: Iterable<ComparedResource>,
  { within = '', classes = FIELD_CLASSES }: { within?: string; classes?: readonly FieldClass[] | undefined } = {},
): DifferingResource[] {
  const asked = classSet(classes);
  return [...compared]
    .filter(({ change }) => isAtOrBelow(change.path, within))
    .flatMap((each) => differing(each, asked));
}

function differing({ kind, change, before, after }: ComparedResource, asked: ClassSet): DifferingResource[] {
  const { path } = change;
  const common = { resource: `/${path}`, name: displayNameOf(assertDefined(after ?? before)) };
  if (change.action !== 'updated') {
    const classes = classesAt(kind, ['']);
    if ((classes & asked) === 0 || change.action === 'touched') return [];
    return [{ ...common, action: change.action, classes: classNames(classes), fields: [] }];
  }
  const all = differingFields(kind, assertDefined(before), assertDefined(after), change.fields);
  const fields = all.filter((field) => (classSet([field.class]) & asked) !== 0);
  const classes = classNames(classesOf(kind, fields));
  return fields.length > 0 ? [{ ...common, action: updateAction(kind, change.fields), classes, fields }] : [];
}

export function displayNameOf(body: JsonObject): string | undefined {
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
