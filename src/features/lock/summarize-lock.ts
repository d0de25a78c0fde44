/**
 * Summarizes the verdicts on many nodes. Lists the changed fields of each field class, and the changes of each field.
 * Equal changes of several nodes form one entry.
 */

import { onOneLine } from '../../core/diagnostics/finding.ts';
import type { Palette } from '../../core/diagnostics/palette.ts';
import { formatCount, plural, truncated } from '../../core/diagnostics/words.ts';
import { unclassifiedChange } from '../../core/lock/lock-verdict.ts';
import { FIELD_CLASSES, type FieldClass } from '../../core/model/field-classes.ts';
import { byCodeUnit, type Json } from '../../core/model/json.ts';
import { getOrCreate } from '../../core/platform/lookups.ts';
import { describeValues } from '../revisions/describe-words.ts';
import { classesIn, classOf, closingLine, namedVerdicts } from './describe-lock.ts';
import type { VerifyResult } from './verify-lock.ts';

/** The maximum number of fields that a summary lists for each class. */
const MOST_FIELDS = 30;
/** The maximum number of changes that a summary lists for each field. */
const MOST_CHANGES = 3;
/** The maximum number of nodes that a summary names for each field and each change. */
const MOST_NAMES = 5;
/** The maximum length of a value in a summary, in characters of JSON. */
const LONGEST_VALUE = 200;

export interface LockSummary extends Omit<VerifyResult, 'nodes'> {
  readonly nodes: Readonly<Record<'total' | 'failed' | 'same' | 'changed' | 'removed', number>>;
  readonly removed: NamedNodes;
  /** The nodes whose changes belong to no field class, such as a different spelling of a value. */
  readonly unclassified: readonly (NamedNodes & { readonly reason: string })[];
  readonly changed: readonly ClassSummary[];
}

interface NamedNodes {
  readonly nodes: number;
  /** The names of at most `MOST_NAMES` nodes. `nodes` is the number of all nodes. */
  readonly names: readonly string[];
}

interface ClassSummary extends NamedNodes {
  readonly class: FieldClass;
  /** The first `MOST_FIELDS` fields, sorted by `byWeight`. Empty for classes that the user did not request. */
  readonly fields: readonly FieldSummary[];
  readonly omitted_fields: number;
}

interface FieldSummary extends NamedNodes {
  /** The name of the field, without the names of parts such as `eth0`. */
  readonly field: string;
  /** True if values were only recorded or removed, but not updated. The hardware then probably did not change. */
  readonly is_only_recorded: boolean;
  /** The first `MOST_CHANGES` changes of the field, sorted by `byWeight`. */
  readonly changes: readonly FoldedChange[];
  readonly omitted_changes: number;
}

/** A change that occurs in one or more nodes. `from` and `to` are missing for identifiers and for whole parts. */
interface FoldedChange extends NamedNodes {
  readonly change: 'added' | 'removed' | 'updated' | 'reordered';
  readonly from?: Json;
  readonly to?: Json;
}

type UncountedChange = Omit<FoldedChange, keyof NamedNodes>;

/** The nodes of a change or of a field. */
interface Weighed {
  /** True if a value was recorded or removed. False if one known value was replaced by another. */
  readonly isOnlyRecorded: boolean;
  readonly names: ReadonlySet<string>;
}

/**
 * Updates of values come first, then recorded or removed values. In both groups, the most frequent changes come first.
 */
function byWeight(a: Weighed, b: Weighed): number {
  return Number(a.isOnlyRecorded) - Number(b.isOnlyRecorded) || b.names.size - a.names.size;
}

export function summaryOf(result: VerifyResult): LockSummary {
  const { nodes, ...rest } = result;
  const named = namedVerdicts(result);
  const namesWith = (isCounted: (one: (typeof named)[number]) => boolean) =>
    named.flatMap((one) => (isCounted(one) ? [one.name] : []));
  const folded = foldedChanges(named, result.classes);
  const count = (status: string) => nodes.filter((node) => node.status === status).length;
  const reasons = new Map<string, string[]>();
  for (const { verdict, name } of named) {
    const reason = unclassifiedChange(verdict);
    if (reason !== undefined) getOrCreate(reasons, reason, (): string[] => []).push(name);
  }
  return {
    ...rest,
    nodes: {
      total: nodes.length,
      failed: nodes.filter(({ fails }) => fails).length,
      same: count('same'),
      changed: count('changed'),
      removed: count('removed'),
    },
    removed: firstNames(namesWith(({ verdict }) => verdict.status === 'removed')),
    unclassified: [...reasons].map(([reason, names]) => ({ reason, ...firstNames(names) })),
    changed: FIELD_CLASSES.flatMap((name) => {
      const names = namesWith(({ verdict }) => verdict.status === 'changed' && verdict.classes.includes(name));
      const fields = fieldSummaries(folded.get(name) ?? new Map());
      if (names.length === 0) return [];
      return {
        class: name,
        ...firstNames(names),
        fields: fields.slice(0, MOST_FIELDS),
        omitted_fields: Math.max(0, fields.length - MOST_FIELDS),
      };
    }),
  };
}

interface CountedChange extends Weighed {
  readonly change: UncountedChange;
  readonly names: Set<string>;
}

/** Maps each field of a class to its changes. The key of a change is its JSON text, with whole values. */
type ChangesByField = Map<string, Map<string, CountedChange>>;

function foldedChanges(
  named: ReturnType<typeof namedVerdicts>,
  asked: readonly FieldClass[],
): ReadonlyMap<FieldClass, ChangesByField> {
  const folded = new Map<FieldClass, ChangesByField>();
  for (const { verdict, name } of named) {
    for (const field of verdict.status === 'changed' ? (verdict.fields ?? []) : []) {
      if (field.is_spelling) continue;
      const { change, isOnlyRecorded, key } = changeOf(field);
      for (const each of requestedClasses(field, asked)) {
        const byField = getOrCreate(folded, each, (): ChangesByField => new Map());
        const changes = getOrCreate(byField, nameOf(field), () => new Map<string, CountedChange>());
        const counted = () => ({ change, isOnlyRecorded, names: new Set<string>() });
        getOrCreate(changes, key, counted).names.add(name);
      }
    }
  }
  return folded;
}

function fieldSummaries(byField: ChangesByField): FieldSummary[] {
  return [...byField]
    .map(([field, byText]) => {
      const changes = [...byText.values()].sort(byWeight);
      const names = new Set(changes.flatMap((change) => [...change.names]));
      return { field, changes, names, isOnlyRecorded: changes.every((change) => change.isOnlyRecorded) };
    })
    .sort((a, b) => byWeight(a, b) || byCodeUnit(a.field, b.field))
    .map(({ field, changes, names, isOnlyRecorded }) => ({
      field,
      ...firstNames([...names]),
      is_only_recorded: isOnlyRecorded,
      changes: changes.slice(0, MOST_CHANGES).map((each) => ({ ...each.change, ...firstNames([...each.names]) })),
      omitted_changes: Math.max(0, changes.length - MOST_CHANGES),
    }));
}

function firstNames(names: readonly string[]): NamedNodes {
  return { nodes: names.length, names: names.slice(0, MOST_NAMES) };
}

type Field = NonNullable<VerifyResult['nodes'][number]['fields']>[number];

/** Returns the requested classes of a field. A removed part belongs to the classes of all its fields. */
function requestedClasses(field: Field, asked: readonly FieldClass[]): FieldClass[] {
  const own = classOf(field);
  return asked.includes(own) ? [own] : classesIn(field).filter((name) => asked.includes(name));
}

function nameOf({ field }: Field): string {
  return truncated(field.replace(/\[[^\]]*\]/g, ''), LONGEST_VALUE);
}

interface KeyedChange {
  readonly change: UncountedChange;
  readonly isOnlyRecorded: boolean;
  readonly key: string;
}

function changeOf(field: Field): KeyedChange {
  const { from, to, order } = field;
  const change = order ? 'reordered' : from === undefined ? 'added' : to === undefined ? 'removed' : 'updated';
  const isScalar = !order && [from, to].every((value) => value === null || typeof value !== 'object');
  const hasValues = isScalar && classOf(field) !== 'component';
  return {
    change: {
      change,
      ...(hasValues && from !== undefined ? { from: bounded(from) } : {}),
      ...(hasValues && to !== undefined ? { to: bounded(to) } : {}),
    },
    isOnlyRecorded: isScalar && (from ?? to ?? null) === (to ?? from ?? null),
    key: JSON.stringify(hasValues ? [change, from, to] : [change]),
  };
}

function bounded(value: Json): Json {
  return typeof value === 'string' ? truncated(value, LONGEST_VALUE) : value;
}

/** `detailLines` is the number of lines of the detailed report. */
export function describeSummary(result: VerifyResult, palette: Palette, detailLines: number): string {
  const { nodes, removed, unclassified, changed } = summaryOf(result);
  const classes = changed.map((one) => `${one.class} ${formatCount(one.nodes)}`);
  const lines = [
    ...(nodes.same > 0 ? [palette.quiet(`same     ${plural(nodes.same, 'node')}`)] : []),
    ...(nodes.changed > 0
      ? [`changed  ${plural(nodes.changed, 'node')}${classes.length > 0 ? `: ${classes.join(', ')}` : ''}`]
      : []),
    ...unclassified.map(({ reason, ...of }) => `         ${plural(of.nodes, 'node')}: ${reason} ${namesText(of)}`),
    ...(removed.nodes > 0 ? [`removed  ${plural(removed.nodes, 'node')} ${namesText(removed)}`] : []),
    ...changed.flatMap((one) => (one.fields.length === 0 ? [] : classLines(one, palette))),
    palette.quiet(`--details lists the changes and revisions of each node (${plural(detailLines, 'line')}).`),
    (result.ok ? palette.strong : palette.error)(closingLine(result)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function namesText({ nodes, names }: NamedNodes): string {
  const rest = nodes - names.length;
  return `(${names.join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''})`;
}

function classLines({ class: name, fields, omitted_fields: omitted }: ClassSummary, palette: Palette): string[] {
  const recorded = fields.filter((field) => field.is_only_recorded);
  const others = fields.filter((field) => !field.is_only_recorded);
  return [
    palette.strong(name),
    ...others.flatMap((field) => fieldLines(field, palette).map((line) => `  ${line}`)),
    ...(recorded.length > 0 ? [palette.quiet('  only added to the registry, or removed from it:')] : []),
    ...recorded.map((field) => `    ${recordedLine(field, palette)}`),
    ...(omitted > 0 ? [palette.quiet(`  and ${plural(omitted, 'other field')}`)] : []),
  ];
}

/** If the field has one change, shows its values. Otherwise, shows only the number of changes. */
function recordedLine({ changes, omitted_changes: omitted, ...field }: FieldSummary, palette: Palette): string {
  const [first, ...others] = changes;
  const text = first && others.length === 0 ? changeText(first, palette) : plural(changes.length + omitted, 'change');
  return `${whoOf(field)}: ${onOneLine(field.field)} ${text}`;
}

/** Returns one line if the field has one change. Otherwise, returns a line for the field and a line for each change. */
function fieldLines({ changes, omitted_changes: omitted, ...field }: FieldSummary, palette: Palette): string[] {
  const head = `${whoOf(field)}: ${onOneLine(field.field)}`;
  const [first, ...others] = changes;
  if (first && others.length === 0) return [`${head} ${changeText(first, palette)}`];
  return [
    head,
    ...changes.map((change) => `  ${whoOf(change)}: ${changeText(change, palette)}`),
    ...(omitted > 0 ? [palette.quiet(`  and ${plural(omitted, 'other change')}`)] : []),
  ];
}

/** Returns the names of up to three nodes. For more nodes, returns their number. */
function whoOf({ nodes, names }: NamedNodes): string {
  return nodes > 3 ? plural(nodes, 'node') : names.join(', ');
}

function changeText({ nodes, names, change, ...values }: FoldedChange, palette: Palette): string {
  const hasValues = values.from !== undefined || values.to !== undefined;
  return hasValues ? describeValues({ at: '', ...values }, palette) : change;
}
