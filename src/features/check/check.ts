import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { plural } from '../../core/diagnostics/words.ts';
import { resourcesIn } from '../../core/model/state.ts';
import { isTemporaryName } from '../../system/files/folder-lock.ts';
import { untrackedFiles } from '../../system/git/listed-files.ts';
import { pendingEditWarnings } from '../sources/edit-plan.ts';
import { inputFindings } from '../sources/input-findings.ts';
import { checkFindings, type HeadSources, loadHeadSources, type SourceOptions } from '../sources/load-sources.ts';
import { archivableFindings } from './archivable.ts';
import type { FleetOptions, FleetResult } from './check-fleet.ts';
import { fieldNameWarnings } from './field-names.ts';

export interface CheckOptions extends FleetOptions {
  readonly fleet?: boolean | undefined;
}

export interface CheckResult {
  readonly resources: number;
  readonly revisions: number;
  readonly fleet?: FleetResult;
  readonly findings: readonly Finding[];
}

/** Reads every file of the registry. Replays only the part of the history that was not verified before. */
export async function check(options: CheckOptions): Promise<CheckResult> {
  const pending = pendingEditWarnings(options.registry);
  const sources = await loadOrFindings(options);
  if ('findings' in sources) return { resources: 0, revisions: 0, findings: [...pending, ...sources.findings] };
  const { loaded } = sources;
  const paths = Array.from(resourcesIn(loaded.worktree), ([path]) => path);
  const findings = [
    ...checkFindings(loaded),
    ...(await hostFindings(options, loaded)),
    ...archivableFindings(loaded, paths),
  ];
  const result = { resources: paths.length, revisions: loaded.history.revisions.length };
  const warnings = [
    ...pending,
    ...untracked(options),
    ...(await searchWarnings(options, loaded)),
    ...(await fieldNameWarnings(options, loaded)),
  ];
  if (options.fleet !== true) return { ...result, findings: [...findings, ...warnings] };
  const { fleet } = await import('./check-fleet.ts');
  const compared = fleet(options, loaded);
  return {
    ...result,
    ...(compared ? { fleet: compared.result } : {}),
    findings: [...findings, ...(compared?.findings ?? []), ...warnings],
  };
}

/** Warns about untracked files, because git clones lack them and `git commit -a` does not add them. */
function untracked({ registry: folder }: SourceOptions): Finding[] {
  const files = existsSync(folder)
    ? untrackedFiles(folder)
        .filter((file) => !file.split('/').some(isTemporaryName))
        .map((file) => join(folder, file))
    : [];
  return files.length > 0 ? [finding('registry-untracked', { files, folder })] : [];
}

/** Loads the modules of hosts only if `hosts` is not empty, because these modules are large. */
async function hostFindings(options: SourceOptions, loaded: HeadSources): Promise<Finding[]> {
  if (loaded.configuration.hosts.length === 0) return [];
  return (await import('./check-configuration.ts')).configurationFindings(options, loaded);
}

async function searchWarnings(options: SourceOptions, loaded: HeadSources): Promise<Finding[]> {
  const { collections = [], left_out: leftOut = [] } = loaded.configuration.search ?? {};
  if (collections.length === 0 && leftOut.length === 0) return [];
  return (await import('./check-configuration.ts')).searchWarnings(options, loaded);
}

/** Returns the findings if the registry is invalid, and throws all other failures. */
async function loadOrFindings(options: SourceOptions) {
  try {
    return { loaded: loadHeadSources(options) };
  } catch (error) {
    return { findings: await inputFindings(error) };
  }
}

export function describeCheck(
  { resources, revisions, fleet }: Omit<CheckResult, 'findings'>,
  isInOrder: boolean,
): string {
  const order = isInOrder ? `No errors: ${plural(resources, 'resource')}, ${plural(revisions, 'revision')}.\n` : '';
  if (!fleet) return order;
  const facts = fleet.silenced.reduce((sum, rule) => sum + rule.facts.length, 0);
  const quiet = facts > 0 ? `; ${plural(facts, 'finding')} silenced` : '';
  const known = fleet.accepted > 0 ? `; ${plural(fleet.accepted, 'finding')} accepted` : '';
  return `${order}Compared ${plural(fleet.nodes, 'node')} of ${plural(fleet.node_types, 'type')}${quiet}${known}.\n`;
}
