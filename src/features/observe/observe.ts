import type { Finding } from '../../core/diagnostics/finding.ts';
import type { Palette } from '../../core/diagnostics/palette.ts';
import { formatCount, plural } from '../../core/diagnostics/words.ts';
import type { Format } from '../../core/observe/format.ts';
import { FORMATS } from '../../core/observe/formats.ts';
import { MATCH_KEYS, type MatchKey } from '../../core/observe/match.ts';
import { applyEdits, describeEdited, type Edited } from '../edit/apply-edits.ts';
import type { EditOptions } from '../edit/pending-edit.ts';
import { describeDifferences } from '../revisions/describe-history.ts';
import type { DifferingResource } from '../revisions/differing-resources.ts';
import { editsOf, type NodeChoices } from './node-edits.ts';
import { collectObservations, type ReportOptions } from './observations.ts';

export interface ObserveOptions extends EditOptions, ReportOptions, NodeChoices {}

export interface Observed extends Omit<Edited, 'left'> {
  readonly machines: number;
  readonly matched: Readonly<Record<MatchKey, number>>;
  readonly added: readonly DifferingResource[];
  readonly findings: readonly Finding[];
}

export async function observe(options: ObserveOptions, formats: readonly Format[] = FORMATS): Promise<Observed> {
  const { observations, findings } = await collectObservations(options, formats);
  let edits: ReturnType<typeof editsOf> | undefined;
  const { left: _, ...edited } = applyEdits(options, (worktree) => (edits = editsOf(observations, options, worktree)));
  const { matched = { uid: 0, serial: 0, mac: 0, name: 0 }, added = [], findings: others = [] } = edits ?? {};
  return { ...edited, added, machines: observations.length, matched, findings: [...findings, ...others] };
}

export function describeObserved(observed: Observed, palette: Palette): string {
  const { machines, matched, added, files } = observed;
  const keys = MATCH_KEYS.filter((key) => matched[key] > 0).map((key) => `${formatCount(matched[key])} by ${key}`);
  const found = keys.length > 0 ? `matched ${keys.join(', ')}` : 'no node matched';
  if (keys.length === 0 && files.length === 0)
    return `${plural(machines, 'machine')}: ${found}. Nothing was written.\n`;
  const news = added.length > 0 ? `${describeDifferences(added, palette)}\n` : '';
  return `${plural(machines, 'machine')}: ${found}.\n\n${news}${describeEdited({ ...observed, left: [] }, palette)}`;
}
