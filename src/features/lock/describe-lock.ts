import { onOneLine } from '../../core/diagnostics/finding.ts';
import { type Palette, PLAIN } from '../../core/diagnostics/palette.ts';
import { plural, shortId } from '../../core/diagnostics/words.ts';
import type { Lock } from '../../core/lock/lock-format.ts';
import { type ChangedField, type NodeVerdict, unclassifiedChange } from '../../core/lock/lock-verdict.ts';
import type { Step } from '../../core/lock/node-past.ts';
import type { FieldChange } from '../../core/model/differences/difference.ts';
import { classesAt, classNames, type FieldClass } from '../../core/model/field-classes.ts';
import { NODE } from '../../core/model/kinds.ts';
import type { RevisionName } from '../../core/model/revision.ts';
import { describeValues, subjectLine } from '../revisions/describe-words.ts';
import type { VerifyResult } from './verify-lock.ts';

const MAX_FIELDS = 40;
const MAX_REVISIONS = 20;

export function describeLock(file: string, { nodes, revision }: Lock): string {
  return `Locked ${plural(nodes.length, 'node')} at ${revisionName(revision)} in ${file}.\n`;
}

/** Prints one line per node, followed by its changes, and a summary line. */
export function describeVerdicts(result: VerifyResult, palette: Palette): string {
  const paints: VerdictPalette = { ...palette, isAsked: (name) => result.classes.includes(name) };
  const nodes = result.nodes.flatMap((verdict) => [
    headOf(verdict, paints),
    ...changesOf(verdict, result.history_since, paints).map((line) => `  ${line}`),
  ]);
  const closing = result.ok ? palette.strong : palette.error;
  return [...nodes, closing(closingLine(result))].map((line) => `${line}\n`).join('');
}

/** `isAsked` tests whether a class was requested. Fields of other classes are only counted. */
interface VerdictPalette extends Palette {
  readonly isAsked: (name: FieldClass) => boolean;
}

function headOf(verdict: NodeVerdict, paints: VerdictPalette): string {
  const { path, node_name, status, fails, classes } = verdict;
  const unclassified = unclassifiedChange(verdict);
  const paint = fails ? paints.error : status === 'same' ? paints.quiet : paints.warning;
  const name = node_name === undefined ? '' : ` (${onOneLine(node_name)})`;
  const head = `${paint(status.padEnd(8))} ${paints.strong(path)}${name}`;
  if (status !== 'changed') return head;
  return `${head}: ${unclassified ?? classes.map((one) => (paints.isAsked(one) ? paints.error(one) : one)).join(', ')}`;
}

function isSpelledOnly({ status, classes, fails, fields = [] }: NodeVerdict): boolean {
  return status === 'changed' && !fails && classes.length === 0 && fields.some((field) => field.is_spelling);
}

/** `since` is the history start, if the history is incomplete. */
function changesOf(verdict: NodeVerdict, since: string | undefined, paints: VerdictPalette): string[] {
  const { status, fields = [], revisions, removal, omitted } = verdict;
  if (revisions === undefined) {
    const why =
      since === undefined ? 'there is no history of it there' : `the history there begins at ${onOneLine(since)}`;
    return [paints.quiet(`when and in which revision is not known: ${why}`)];
  }
  if (status === 'removed' && removal) {
    const successor = removal.successor === undefined ? [] : [`replaced by ${onOneLine(removal.successor)}`];
    const before = revisions.slice(revisions.indexOf(removal) + 1);
    return [stepLine(removal, paints), ...successor, ...stepLines(before, true, omitted, paints)];
  }
  const spellings = fields.filter((field) => field.is_spelling);
  // If there is only one revision, omits its fields.
  const isOne = revisions.length === 1 && omitted === 0 && status === 'changed';
  const between =
    status === 'same' && revisions.length > 0 ? [paints.quiet('changed in between, and back again:')] : [];
  return [
    ...fieldLines(
      fields.filter((field) => !field.is_spelling),
      paints,
    ),
    ...(spellings.length > 0 ? [paints.quiet('spelled differently, but the same hardware:')] : []),
    ...fieldLines(spellings, { ...PLAIN, isAsked: () => true }).map((line) => `  ${line}`),
    ...between,
    ...stepLines(revisions, !isOne || fields.length === 0, omitted, paints),
  ];
}

function stepLines(steps: readonly Step[], hasFields: boolean, omitted: number, paints: VerdictPalette): string[] {
  const shown = steps.slice(0, MAX_REVISIONS);
  const rest = steps.length - shown.length + omitted;
  return [
    ...shown.flatMap((step) => [
      stepLine(step, paints),
      ...(hasFields ? fieldLines(step.fields, paints).map((line) => `  ${line}`) : []),
    ]),
    ...(rest > 0 ? [paints.quiet(`and ${plural(rest, 'older revision')}`)] : []),
  ];
}

function stepLine({ revision, date, message, author, action, classes }: Step, paints: VerdictPalette): string {
  const what = paints.quiet(`(${[action, ...classes].join(', ')})`);
  return `${paints.warning(onOneLine(shortId(revision)))} ${date.slice(0, 10)} ${subjectLine(message)} ${paints.quiet(onOneLine(author))} ${what}`;
}

/** Counts the fields of other classes. For single revisions, JSON pointers replace field names. */
function fieldLines(fields: readonly (FieldChange | ChangedField)[], paints: VerdictPalette): string[] {
  const asked = fields.filter((field) => paints.isAsked(classOf(field)));
  const shown = asked.slice(0, MAX_FIELDS);
  const rest = asked.length - shown.length;
  const others = fields.length - asked.length;
  return [
    ...shown.map((field) => {
      const name = onOneLine('field' in field ? field.field : field.at);
      return `${name}  ${describeValues(field, paints)}  ${paints.quiet(classOf(field))}`;
    }),
    ...(rest > 0 ? [paints.quiet(`and ${plural(rest, 'more field')}`)] : []),
    ...(others > 0 ? [paints.quiet(`and ${plural(others, 'field')} of other classes`)] : []),
  ];
}

function classOf(field: FieldChange): FieldClass {
  const [name = 'unknown'] = field.order ? (['derived'] as const) : classNames(classesAt(NODE, [field.at]));
  return name;
}

function closingLine({ ok, nodes, classes, from, to }: VerifyResult): string {
  const span = from.id === to.id ? `at ${revisionName(to)}` : `from ${revisionName(from)} to ${revisionName(to)}`;
  const count = (is: (verdict: NodeVerdict) => boolean) => nodes.filter(is).length;
  const removed = count(({ status }) => status === 'removed');
  const changed = count(({ status, fails }) => status === 'changed' && fails);
  const spelled = count(isSpelledOnly);
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
