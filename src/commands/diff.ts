/** `gridpress diff`: what differs between two revisions, dates, the head and the registry's files. */
import { type ComparedResource, changesBetween } from '../history/changes-between.ts';
import { type Action, updateAction } from '../history/replay.ts';
import type { Counts } from '../history/touches.ts';
import { classesOf, type FieldChange } from '../model/difference.ts';
import {
  type ClassSet,
  classesAt,
  classNames,
  classSet,
  FIELD_CLASSES,
  type FieldClass,
  fieldRules,
} from '../model/field-classes.ts';
import { fieldLabel } from '../model/field-label.ts';
import { isAtOrBelow, kindAt } from '../model/resource-path.ts';
import type { BodyStore, RegistryState } from '../model/state.ts';
import { momentIndex, WORKTREE } from './moment.ts';
import { loadSources, requireHistory, type SourceOptions, type Sources } from './sources.ts';
import { findSubject } from './subject.ts';

export interface DiffOptions extends SourceOptions {
  /** Each a revision, a date, `head` or `worktree`. */
  readonly from: string;
  readonly to: string;
  readonly resource?: string | undefined;
  /** Only what belongs to one of these classes. */
  readonly classes?: readonly FieldClass[] | undefined;
}

/** A side of a comparison; without a revision, the registry's files. */
export interface Side {
  readonly revision: string | undefined;
  readonly date: string | undefined;
}

export interface DifferingField extends FieldChange {
  /** The field with its parts by name: `storage_devices[sda].serial`. */
  readonly field: string;
  readonly class: FieldClass;
}

export interface DifferingResource {
  readonly resource: string;
  /** What people call it: the name of a node or a site. */
  readonly name: string | undefined;
  readonly action: Action;
  readonly classes: readonly FieldClass[];
  readonly fields: readonly DifferingField[];
}

export interface DiffResult {
  readonly from: Side;
  readonly to: Side;
  readonly resource: string;
  readonly counts: Counts;
  readonly changes: readonly DifferingResource[];
}

export function diff(options: DiffOptions): DiffResult {
  const sources = requireHistory(loadSources(options));
  const { history, store } = sources;
  const from = sideOf(sources, options.from);
  const to = sideOf(sources, options.to);
  const { path } = findSubject(options.resource ?? '', { history, store });
  const changes = differingResources(from.state, to.state, { store, within: path, classes: options.classes });
  return { from: from.side, to: to.side, resource: `/${path}`, counts: countsOf(changes), changes };
}

function sideOf({ history, worktree }: Sources, given: string): { side: Side; state: RegistryState } {
  if (given === WORKTREE) return { side: { revision: undefined, date: undefined }, state: worktree };
  const index = momentIndex(history, given);
  const header = history.revisions[index];
  return { side: { revision: header?.id, date: header?.date }, state: history.states[index] ?? null };
}

export interface Comparison {
  readonly store: BodyStore;
  /** The path of the subject at or below which differences are told. */
  readonly within?: string;
  readonly classes?: readonly FieldClass[] | undefined;
}

/** The resources in which two states differ, in the order of the tree, each with the fields of the asked classes. */
export function differingResources(
  from: RegistryState,
  to: RegistryState,
  { store, within = '', classes = FIELD_CLASSES }: Comparison,
): DifferingResource[] {
  const asked = classSet(classes);
  return [...changesBetween(from, to, store)]
    .filter(({ change }) => isAtOrBelow(change.path, within))
    .flatMap((compared) => differing(compared, asked));
}

function differing({ change, before, after }: ComparedResource, asked: ClassSet): DifferingResource[] {
  const { path } = change;
  const kind = kindAt(path).name;
  const common = { resource: `/${path}`, name: nameOf(after ?? before ?? {}) };
  if (change.action !== 'updated') {
    const classes = classesAt(kind, ['']);
    if ((classes & asked) === 0 || change.action === 'touched') return [];
    return [{ ...common, action: change.action, classes: classNames(classes), fields: [] }];
  }
  const fields = change.fields.flatMap((field): DifferingField[] => {
    const [name] = classNames(classesOf(kind, [field]) & asked);
    if (name === undefined) return [];
    const label = fieldLabel(field, before ?? {}, after ?? {}, fieldRules(kind));
    return [{ field: label, class: name, ...field }];
  });
  const classes = classNames(classesOf(kind, fields));
  return fields.length > 0 ? [{ ...common, action: updateAction(kind, change.fields), classes, fields }] : [];
}

function nameOf(body: Readonly<Record<string, unknown>>): string | undefined {
  const { node_name, name } = body;
  if (typeof node_name === 'string' && node_name !== '') return node_name;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function countsOf(changes: readonly DifferingResource[]): Counts {
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
