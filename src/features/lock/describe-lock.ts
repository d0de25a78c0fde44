import { onOneLine } from '../../core/diagnostics/finding.ts';
import { type Palette, PLAIN } from '../../core/diagnostics/palette.ts';
import { plural, shortId } from '../../core/diagnostics/words.ts';
import type { Lock } from '../../core/lock/lock-format.ts';
import { type NodeVerdict, unclassifiedChange } from '../../core/lock/lock-verdict.ts';
import type { Step, StepField } from '../../core/lock/node-source.ts';
import { classesOf, classesWithin, type FieldChange } from '../../core/model/differences/difference.ts';
import { classesAt, classNames, type FieldClass, type FieldRule, ruleAt } from '../../core/model/field-classes.ts';
import { byCodeUnit, byNaturalOrder, isJsonObject, type Json } from '../../core/model/json.ts';
import { NODE } from '../../core/model/kinds.ts';
import type { RevisionName } from '../../core/model/revision.ts';
import { groupBy } from '../../core/platform/lookups.ts';
import { describeValues, subjectLine } from '../revisions/describe-words.ts';
import type { VerifyResult } from './verify-lock.ts';

const MAX_FIELDS = 40;
const MAX_REVISIONS = 20;
const CONTRADICTION =
  'the history has this version with another digest: the lock file or the history was altered, or other fields are private';

export function describeLock(file: string, { nodes, revision }: Lock): string {
  return `Locked ${plural(nodes.length, 'node')} at ${revisionName(revision)} in ${file}.\n`;
}

/** Groups nodes that have equal changes. For each group, prints a line and the changes. Ends with a summary line. */
export function describeVerdicts(result: VerifyResult, palette: Palette): string {
  const paints: VerdictPalette = { ...palette, isAsked: (name) => result.classes.includes(name) };
  const described = namedVerdicts(result).map(({ verdict, name }) => ({
    verdict,
    name,
    lines: changesOf(verdict, result.history_since, paints),
  }));
  const nodes = [...groupBy(described, (each) => groupKey(each, paints)).values()].flatMap((group) => [
    headOf(group, paints),
    ...groupLines(group).map((line) => `  ${line}`),
  ]);
  const closing = result.ok ? palette.strong : palette.error;
  return [...nodes, closing(closingLine(result))].map((line) => `${line}\n`).join('');
}

type Group = readonly [Described, ...Described[]];

interface Described {
  readonly verdict: NodeVerdict;
  readonly name: string;
  readonly lines: readonly Line[];
}

/** A line of the output. Only a line about a field has values and a note. */
interface Line {
  /** Lines have the same key if they differ only in identifiers of parts, such as serial numbers. */
  readonly key: string;
  readonly text: string;
  readonly values?: string;
  /** The values of the field, without identifiers of parts. Undefined if the field itself is an identifier. */
  readonly common?: string;
  readonly note?: string;
}

function textLine(text: string): Line {
  return { key: text, text };
}

function indented(lines: readonly Line[], section: string): Line[] {
  return lines.map((line) => ({ ...line, key: `${section} ${line.key}`, text: `  ${line.text}` }));
}

/** Sorts the fields, because a node can list its parts in any order. */
function groupKey({ verdict, lines }: Described, { isAsked }: VerdictPalette): string {
  const { status, fails, classes } = verdict;
  return JSON.stringify([status, fails, classes, isSpelledOnly(verdict, isAsked), lines.map(({ key }) => key).sort()]);
}

/**
 * Prints one line for all nodes if their values are equal, or differ only in identifiers of parts. Otherwise, adds a
 * line for each node.
 */
function groupLines(group: Group): string[] {
  const [first] = group;
  const all = group.map(({ name, lines }) => ({ name, byKey: groupBy(lines, ({ key }) => key) }));
  const used = new Map<string, number>();
  return first.lines.flatMap(({ key, text, values, common, note }) => {
    const at = used.get(key) ?? 0;
    used.set(key, at + 1);
    const held = all.map(({ name, byKey }) => ({ name, values: byKey.get(key)?.[at]?.values }));
    const parts = (middle: string | undefined) => [text, middle, note].filter((part) => part !== undefined).join('  ');
    if (held.every((each) => each.values === values)) return [parts(values)];
    if (common !== undefined) return [parts(common)];
    const indent = /^ */.exec(text)?.[0] ?? '';
    return [parts(undefined), ...held.map((each) => `${indent}  ${each.name}  ${each.values ?? ''}`)];
  });
}

/** Sorts nodes by name. If several nodes have the same name, shows their paths instead. */
export function namedVerdicts({ nodes }: VerifyResult): Pick<Described, 'verdict' | 'name'>[] {
  const named = groupBy(nodes, ({ node_name, uid }) => node_name ?? uid);
  const nameOf = ({ node_name, uid, path }: NodeVerdict) =>
    onOneLine(named.get(node_name ?? uid)?.length === 1 ? (node_name ?? uid) : path);
  return nodes.map((verdict) => ({ verdict, name: nameOf(verdict) })).sort((a, b) => byNaturalOrder(a.name, b.name));
}

/**
 * Whether the user requested this field class. For other classes, the output shows only the number of changed fields.
 */
type IsAsked = (name: FieldClass) => boolean;

interface VerdictPalette extends Palette {
  readonly isAsked: IsAsked;
}

function headOf(group: Group, paints: VerdictPalette): string {
  const [{ verdict }] = group;
  const { path, node_name, status, fails, classes } = verdict;
  const unclassified = unclassifiedChange(verdict);
  const paint = fails ? paints.error : status === 'same' ? paints.quiet : paints.warning;
  const named = node_name === undefined ? '' : ` (${onOneLine(node_name)})`;
  const names = group.map(({ name }) => name).join(', ');
  const node =
    group.length === 1 ? `${paints.strong(path)}${named}` : `${paints.strong(plural(group.length, 'node'))} (${names})`;
  const head = `${paint(status.padEnd(8))} ${node}`;
  if (status !== 'changed') return head;
  return `${head}: ${unclassified ?? classes.map((one) => (paints.isAsked(one) ? paints.error(one) : one)).join(', ')}`;
}

function isSpelledOnly({ status, classes, fails, fields = [] }: NodeVerdict, isAsked: IsAsked): boolean {
  const isSpelled = fields.some((field) => field.is_spelling && isAsked(classOf(field)));
  return status === 'changed' && !fails && classes.length === 0 && isSpelled;
}

/** `since` is the history start. Undefined if the tree contains all revisions that the verification needs. */
function changesOf(verdict: NodeVerdict, since: string | undefined, paints: VerdictPalette): Line[] {
  const { status, fields = [], revisions, removal, omitted, contradicts_history } = verdict;
  if (revisions === undefined) {
    const why =
      since === undefined ? 'there is no history of it there' : `the history there begins at ${onOneLine(since)}`;
    return [textLine(paints.quiet(`when and in which revision is not known: ${why}`))];
  }
  if (status === 'removed' && removal) {
    const successor = removal.successor === undefined ? [] : [textLine(`replaced by ${onOneLine(removal.successor)}`)];
    const before = revisions.slice(revisions.indexOf(removal) + 1);
    return [textLine(stepLine(removal, paints)), ...successor, ...stepLines(before, true, omitted, paints)];
  }
  const spellings = fields.filter((field) => field.is_spelling && paints.isAsked(classOf(field)));
  // If a single revision made the change, its fields are not listed a second time.
  const isOne = revisions.length === 1 && omitted === 0 && status === 'changed';
  const between =
    status === 'same' && revisions.length > 0 ? [textLine(paints.quiet('changed in between, and back again:'))] : [];
  return [
    ...fieldLines(
      fields.filter((field) => !field.is_spelling),
      paints,
    ),
    ...(spellings.length > 0 ? [textLine(paints.quiet('spelled differently, but the same hardware:'))] : []),
    ...indented(fieldLines(spellings, { ...PLAIN, isAsked: paints.isAsked }), 'spelling'),
    ...between,
    ...(contradicts_history ? [textLine(paints.error(CONTRADICTION))] : []),
    ...stepLines(revisions, !isOne || fields.length === 0, omitted, paints),
  ];
}

function stepLines(steps: readonly Step[], hasFields: boolean, omitted: number, paints: VerdictPalette): Line[] {
  const shown = steps.slice(0, MAX_REVISIONS);
  const rest = steps.length - shown.length + omitted;
  return [
    ...shown.flatMap((step) => [
      textLine(stepLine(step, paints)),
      ...(hasFields ? indented(fieldLines(step.fields, paints), step.revision) : []),
    ]),
    ...(rest > 0 ? [textLine(paints.quiet(`and ${plural(rest, 'older revision')}`))] : []),
  ];
}

function stepLine({ revision, date, message, author, action, classes }: Step, paints: VerdictPalette): string {
  const what = paints.quiet(`(${[action, ...classes].join(', ')})`);
  return `${paints.warning(onOneLine(shortId(revision)))} ${date || 'undated'} ${subjectLine(message)} ${paints.quiet(onOneLine(author))} ${what}`;
}

/** Lists fields of the requested classes, and counts other fields. A JSON pointer names a field without a label. */
function fieldLines(fields: readonly StepField[], paints: VerdictPalette): Line[] {
  const asked = fields.filter((field) => classesIn(field).some(paints.isAsked));
  const shown = asked.slice(0, MAX_FIELDS);
  const rest = asked.length - shown.length;
  const others = fields.length - asked.length;
  return [
    ...shown.map((field) => fieldLine(field, paints)),
    ...(rest > 0 ? [textLine(paints.quiet(`and ${plural(rest, 'more field')}`))] : []),
    ...(others > 0 ? [textLine(paints.quiet(`and ${plural(others, 'field')} of other classes`))] : []),
  ];
}

function fieldLine(field: StepField, paints: VerdictPalette): Line {
  const rule = ruleAt(NODE, field.at);
  const text = onOneLine(field.field ?? field.at);
  const { from, to } = field;
  const common = {
    ...field,
    ...(from === undefined ? {} : { from: withoutIdentifiers(from, rule) }),
    ...(to === undefined ? {} : { to: withoutIdentifiers(to, rule) }),
  };
  const isIdentifier = classOf(field) === 'component';
  const sides = [common.from, common.to].map((side) => (side !== undefined && isIdentifier ? 'identifier' : side));
  return {
    key: JSON.stringify([
      text,
      classOf(field),
      ...sides.map((side) => (side === undefined ? [] : [side])),
      field.order,
    ]),
    text,
    values: describeValues(field, paints),
    note: paints.quiet(noteOf(field, paints)),
    ...(isIdentifier ? {} : { common: describeValues(common, paints) }),
  };
}

/** Omits serial numbers and other identifiers of parts, because all nodes have different identifiers. */
function withoutIdentifiers(value: Json, rule: FieldRule): Json {
  if (Array.isArray(value)) return value.map((item) => withoutIdentifiers(item, rule.below('0')));
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value)
    .filter(([name, field]) => rule.below(name).class !== 'component' || field === null || field === '')
    .map(([name, field]) => [name, withoutIdentifiers(field, rule.below(name))] as const);
  return Object.fromEntries(fields.sort(([a], [b]) => byCodeUnit(a, b)));
}

export function classOf(field: FieldChange): FieldClass {
  const [name = 'unknown'] = field.order ? (['derived'] as const) : classNames(classesAt(NODE, [field.at]));
  return name;
}

/** A removed part has the classes of all fields in its values. */
export function classesIn(field: FieldChange): FieldClass[] {
  return classNames(classesWithin(NODE, [field]) | classesOf(NODE, [field]));
}

function noteOf(field: FieldChange, { isAsked }: VerdictPalette): string {
  const own = classOf(field);
  return isAsked(own) ? own : classesIn(field).filter(isAsked).join(', ');
}

export function closingLine({ ok, nodes, classes, from, to }: VerifyResult): string {
  const span = from.id === to.id ? `at ${revisionName(to)}` : `from ${revisionName(from)} to ${revisionName(to)}`;
  const count = (is: (verdict: NodeVerdict) => boolean) => nodes.filter(is).length;
  const removed = count(({ status }) => status === 'removed');
  const changed = count(({ status, fails }) => status === 'changed' && fails);
  const spelled = count((verdict) => isSpelledOnly(verdict, (name) => classes.includes(name)));
  const otherwise = count(({ status, fails }) => status === 'changed' && !fails) - spelled;
  const others = `${otherwise > 0 ? `, ${otherwise} changed otherwise` : ''}${spelled > 0 ? `, ${spelled} only spelled differently` : ''}`;
  if (ok) return `${plural(nodes.length, 'node')}: unchanged in ${classes.join(', ')} ${span}${others}.`;
  const changedIn = classes.filter((name) => nodes.some((verdict) => verdict.fails && verdict.classes.includes(name)));
  const parts = [
    ...(changed > 0 ? [`${changed} changed in ${(changedIn.length > 0 ? changedIn : classes).join(', ')}`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ].join(', ');
  return `${changed + removed} of ${plural(nodes.length, 'node')} not the same ${span}: ${parts}${others}.`;
}

function revisionName({ id, date }: RevisionName): string {
  return date === undefined ? shortId(id) : `${shortId(id)} (${date.slice(0, 10)})`;
}
