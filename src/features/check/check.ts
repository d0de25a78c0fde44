/** `gridpress check`: everything that is wrong with the sources, without building anything. */
import type { Finding } from '../../core/diagnostics/finding.ts';
import { plural } from '../../core/diagnostics/words.ts';
import { resourcesIn } from '../../core/model/state.ts';
import { checkFindings, loadSources, type SourceOptions } from '../sources/load-sources.ts';
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

export async function check(options: CheckOptions): Promise<CheckResult> {
  const sources = loadSources(options);
  const findings = checkFindings(sources);
  const result = {
    resources: [...resourcesIn(sources.worktree)].length,
    revisions: sources.history.revisions.length,
  };
  if (options.fleet !== true) return { ...result, findings };
  const { fleet } = await import('./check-fleet.ts');
  const compared = fleet(options, sources);
  if (!compared) return { ...result, findings };
  return { ...result, fleet: compared.result, findings: [...findings, ...compared.findings] };
}

/** What was looked at: that it is in order, when it is; and how much of the fleet's oddities is silenced. */
export function describeCheck({ resources, revisions, fleet, findings }: CheckResult): string {
  const order =
    findings.length > 0
      ? ''
      : `In order: ${plural(resources, 'resource')}, ${plural(revisions, 'revision')}.\n`;
  if (!fleet) return order;
  const facts = fleet.silenced.reduce((sum, rule) => sum + rule.facts.length, 0);
  const quiet = facts > 0 ? `; ${plural(facts, 'oddity', 'oddities')} silenced` : '';
  return `${order}Compared ${plural(fleet.nodes, 'node')} of ${plural(fleet.node_types, 'type')}${quiet}.\n`;
}
