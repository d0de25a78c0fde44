/** `gridpress check`: everything that is wrong with the sources, without building anything. */
import type { Finding } from '../diagnostics/finding.ts';
import { resourcesIn } from '../model/state.ts';
import { checkFindings, loadSources, type SourceOptions } from './sources.ts';

export interface CheckResult {
  readonly resources: number;
  readonly revisions: number;
  readonly findings: readonly Finding[];
}

export function check(options: SourceOptions): CheckResult {
  const sources = loadSources(options);
  return {
    resources: [...resourcesIn(sources.worktree)].length,
    revisions: sources.history.revisions.length,
    findings: checkFindings(sources),
  };
}
