/** Summarizes the verdicts on many nodes: counts for each field class, and one entry for equal changes of several nodes. */

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

/** The maximum number of changes that a summary lists for each class. */
const MOST_CHANGES = 15;
/** The maximum number of nodes that a summary names for each change. */
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
  /** The names of the first nodes. `nodes` counts all nodes. */
  readonly names: readonly string[];
}

interface ClassSummary extends NamedNodes {
  readonly class: FieldClass;
  /** The first changes, sorted by the number of their nodes. Empty for classes that the user did not request. */
  readonly changes: readonly FoldedChange[];
  readonly omitted_changes: number;
}

/**
 * A change of a field, with the nodes in which this change occurred. `field` contains no names of parts, such as
 * `eth0`. `from` and `to` are missing for identifiers and for whole parts.
 */
interface FoldedChange extends NamedNodes {
  readonly field: string;
  readonly change: 'added' | 'removed' | 'updated' | 'reordered';
  readonly from?: Json;
  readonly to?: Json;
}

type UncountedChange = Omit<FoldedChange, keyof NamedNodes> & { readonly class: FieldClass };

export function summaryOf(result: VerifyResult): LockSummary {
  const { nodes, ...rest } = result;
  const named = namedVerdicts(result);
  const namesWith = (isCounted: (one: (typeof named)[number]) => boolean) =>
    named.flatMap((one) => (isCounted(one) ? [one.name] : []));
  const folded = new Map<string, { readonly change: UncountedChange; readonly names: Set<string> }>();
  for (const { verdict, name } of named) {
    if (verdict.status !== 'changed') continue;
    for (const field of verdict.fields ?? []) {
      for (const change of field.is_spelling ? [] : changesOf(field, result.classes))
        getOrCreate(folded, JSON.stringify(change), () => ({ change, names: new Set<string>() })).names.add(name);
    }
  }
  const all = [...folded.values()].sort(
    (a, b) => b.names.size - a.names.size || byCodeUnit(a.change.field, b.change.field),
  );
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
      const changes = all.filter(({ change }) => change.class === name);
      if (names.length === 0) return [];
      return {
        class: name,
        ...firstNames(names),
        changes: changes
          .slice(0, MOST_CHANGES)
          .map(({ change: { class: _, ...change }, names: of }) => ({ ...change, ...firstNames([...of]) })),
        omitted_changes: Math.max(0, changes.length - MOST_CHANGES),
      };
    }),
  };
}

function firstNames(names: readonly string[]): NamedNodes {
  return { nodes: names.length, names: names.slice(0, MOST_NAMES) };
}

type Field = NonNullable<VerifyResult['nodes'][number]['fields']>[number];

/** Returns one change for each requested class. A removed part has the classes of all its fields. */
function changesOf(field: Field, asked: readonly FieldClass[]): UncountedChange[] {
  const own = classOf(field);
  const classes = asked.includes(own) ? [own] : classesIn(field).filter((name) => asked.includes(name));
  const { from, to, order } = field;
  const name = truncated(field.field.replace(/\[[^\]]*\]/g, ''), LONGEST_VALUE);
  const change = order ? 'reordered' : from === undefined ? 'added' : to === undefined ? 'removed' : 'updated';
  const hasValues =
    own !== 'component' && !order && [from, to].every((value) => value === null || typeof value !== 'object');
  return classes.map((each) => ({
    class: each,
    field: name,
    change,
    ...(hasValues && from !== undefined ? { from: bounded(from) } : {}),
    ...(hasValues && to !== undefined ? { to: bounded(to) } : {}),
  }));
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
    ...changed.flatMap(({ class: name, changes, omitted_changes: omitted }) =>
      changes.length === 0
        ? []
        : [
            palette.strong(name),
            ...changes.map((change) => `  ${changeLine(change, palette)}`),
            ...(omitted > 0 ? [palette.quiet(`  and ${plural(omitted, 'other change')}`)] : []),
          ],
    ),
    palette.quiet(`--details lists the changes and revisions of each node (${plural(detailLines, 'line')}).`),
    (result.ok ? palette.strong : palette.error)(closingLine(result)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function namesText({ nodes, names }: NamedNodes): string {
  const rest = nodes - names.length;
  return `(${names.join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''})`;
}

/** Names the nodes instead of counting them if there are only a few. */
function changeLine({ nodes, names, field, change, ...values }: FoldedChange, palette: Palette): string {
  const who = nodes > 3 ? plural(nodes, 'node') : names.join(', ');
  const hasValues = values.from !== undefined || values.to !== undefined;
  return `${who}: ${onOneLine(field)} ${hasValues ? describeValues({ at: '', ...values }, palette) : change}`;
}
