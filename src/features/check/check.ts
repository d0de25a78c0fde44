/** `gridpress check`: everything that is wrong with the sources, without building anything. */
import { Failure } from '../../core/diagnostics/failure.ts';
import type { Finding } from '../../core/diagnostics/finding.ts';
import { plural } from '../../core/diagnostics/words.ts';
import { resourcesIn } from '../../core/model/state.ts';
import { checkFindings, type HeadSources, loadHeadSources, type SourceOptions } from '../sources/load-sources.ts';
import { archivableFindings } from './check-archivable.ts';
import { fieldNameWarnings } from './check-field-names.ts';
import type { FleetResult } from './check-fleet.ts';

export interface CheckOptions extends SourceOptions {
  /** Whether nodes are compared with each other, too. */
  readonly fleet?: boolean | undefined;
}

export interface CheckResult {
  readonly resources: number;
  readonly revisions: number;
  readonly fleet?: FleetResult;
  readonly findings: readonly Finding[];
}

/** Reads every file, and replays the history that no earlier command replayed. */
export async function check(options: CheckOptions): Promise<CheckResult> {
  const sources = await loadOrFindings(options);
  if ('findings' in sources) return { resources: 0, revisions: 0, findings: sources.findings };
  const { loaded } = sources;
  const findings = [...checkFindings(loaded), ...(await hostFindings(options, loaded)), ...archivableFindings(loaded)];
  const result = { resources: [...resourcesIn(loaded.worktree)].length, revisions: loaded.history.revisions.length };
  const warnings = [...(await groupWarnings(options, loaded)), ...fieldNameWarnings(loaded)];
  if (options.fleet !== true) return { ...result, findings: [...findings, ...warnings] };
  const { fleet } = await import('./check-fleet.ts');
  const compared = fleet(options, loaded);
  return {
    ...result,
    ...(compared ? { fleet: compared.result } : {}),
    findings: [...findings, ...(compared?.findings ?? []), ...warnings],
  };
}

/** What knows all hosts is loaded where the configuration names one. */
async function hostFindings(options: SourceOptions, loaded: HeadSources): Promise<Finding[]> {
  if (loaded.configuration.hosts.length === 0) return [];
  const { configurationFindings } = await import('./check-configuration.ts');
  return configurationFindings(options, loaded);
}

/** What groups nodes is loaded where the configuration names a field for it. */
async function groupWarnings(options: SourceOptions, loaded: HeadSources): Promise<Finding[]> {
  if ((loaded.configuration.search?.collections ?? []).length === 0) return [];
  const { collectionWarnings } = await import('./check-collections.ts');
  return collectionWarnings(options, loaded);
}

/** A configuration that cannot be read is a finding like others; only what cannot be checked at all ends the command. */
async function loadOrFindings(
  options: SourceOptions,
): Promise<{ readonly loaded: HeadSources } | { readonly findings: readonly Finding[] }> {
  try {
    return { loaded: loadHeadSources(options) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { exitStatus } = await import('../../core/diagnostics/render.ts');
    if (exitStatus(error.findings) !== 1) throw error;
    return { findings: error.findings };
  }
}

/** What was looked at: that it is in order, when it is; and how much of the fleet's oddities is silenced. */
export function describeCheck(
  { resources, revisions, fleet }: Omit<CheckResult, 'findings'>,
  isInOrder: boolean,
): string {
  const order = isInOrder ? `In order: ${plural(resources, 'resource')}, ${plural(revisions, 'revision')}.\n` : '';
  if (!fleet) return order;
  const facts = fleet.silenced.reduce((sum, rule) => sum + rule.facts.length, 0);
  const quiet = facts > 0 ? `; ${plural(facts, 'oddity', 'oddities')} silenced` : '';
  return `${order}Compared ${plural(fleet.nodes, 'node')} of ${plural(fleet.node_types, 'type')}${quiet}.\n`;
}
