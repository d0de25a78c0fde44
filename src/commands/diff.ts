/** `gridpress diff`: what differs between two revisions, dates, the head and the registry's files. */
import { type ComparedResource, changesBetween, changesOfBodies } from '../history/changes-between.ts';
import type { Graph, Placed } from '../history/graph.ts';
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
import { isAtOrBelow, kindAt, parsePath } from '../model/resource-path.ts';
import type { RegistryState } from '../model/state.ts';
import { momentIndex, WORKTREE } from './moment.ts';
import { askQuickly, type QuickHistory } from './quick-history.ts';
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

/** What takes only a part of the history is answered from that part; the rest from all of the sources. */
export function diff(options: DiffOptions): DiffResult {
  return askQuickly(options, (history) => quickDiff(options, history)) ?? wholeDiff(options);
}

function wholeDiff(options: DiffOptions): DiffResult {
  const sources = requireHistory(loadSources(options));
  const { history, store } = sources;
  const from = sideOf(sources, options.from);
  const to = sideOf(sources, options.to);
  const { path } = findSubject(options.resource ?? '', { history, store });
  return resultOf(from.side, to.side, path, options, changesBetween(from.state, to.state, store));
}

function sideOf({ history, worktree }: Sources, given: string): { side: Side; state: RegistryState } {
  if (given === WORKTREE) return { side: { revision: undefined, date: undefined }, state: worktree };
  const index = momentIndex(history, given);
  return { side: sideAt(history, index), state: history.states[index] ?? null };
}

function sideAt({ revisions }: Graph<Placed>, index: number): Side {
  const { id, date } = revisions[index] ?? {};
  return { revision: id, date };
}

/** Undefined for what takes more than the two revisions: the registry's files, and names, which any state may have. */
function quickDiff(options: DiffOptions, { graph, changedBetween, bodiesAt }: QuickHistory) {
  const within = parsePath(options.resource ?? '')?.path;
  if (options.from === WORKTREE || options.to === WORKTREE || within === undefined) return undefined;
  const [from, to] = [momentIndex(graph, options.from), momentIndex(graph, options.to)];
  const paths = [...changedBetween(from, to)].filter((path) => isAtOrBelow(path, within));
  // A resource that never was is found out, and told, only from all of the history.
  if (paths.length === 0 && within !== '') return undefined;
  const compared = changesOfBodies(bodiesAt(from, paths), bodiesAt(to, paths));
  return resultOf(sideAt(graph, from), sideAt(graph, to), within, options, compared);
}

function resultOf(
  from: Side,
  to: Side,
  path: string,
  { classes }: DiffOptions,
  compared: Iterable<ComparedResource>,
): DiffResult {
  const changes = differingResources(compared, { within: path, classes });
  return { from, to, resource: `/${path}`, counts: countsOf(changes), changes };
}

export interface Asked {
  /** The path of the subject at or below which differences are told. */
  readonly within?: string;
  readonly classes?: readonly FieldClass[] | undefined;
}

/** The resources that differ, in the order in which they are compared, each with the fields of the asked classes. */
export function differingResources(
  compared: Iterable<ComparedResource>,
  { within = '', classes = FIELD_CLASSES }: Asked = {},
): DifferingResource[] {
  const asked = classSet(classes);
  return [...compared]
    .filter(({ change }) => isAtOrBelow(change.path, within))
    .flatMap((each) => differing(each, asked));
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
