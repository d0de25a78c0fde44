import type { Publication } from '../../core/api/publication.ts';
import { fail } from '../../core/diagnostics/finding.ts';
import { AUTO, type Configuration } from '../../core/model/configuration.ts';
import { INDEX_NAME } from '../../core/tree/layout.ts';
import type { TreeCounts } from '../../core/tree/manifest/manifest.ts';
import { type AutomaticSettings, fitTree, type OmittedParts, requiredPart } from '../../core/tree/plan/fit-tree.ts';
import { planTree } from '../../core/tree/plan/plan-tree.ts';
import type { Plan } from '../../core/tree/plan/planned.ts';
import type { PublicSources } from '../sources/public-sources.ts';
import type { PlanOptions } from './build-options.ts';
import { type Hosting, hostingOf } from './hosting.ts';
import { publicationOf } from './publication-of.ts';
import { type ExceededLimit, measurePlan, mostFiles, otherFilesOf } from './tree-size.ts';

export interface PlannedBuild {
  readonly publication: Publication;
  readonly plan: Plan;
  readonly hosting: Hosting;
  readonly counts: TreeCounts;
  readonly omitted: OmittedParts;
}

/** Fails if the tree would exceed `max_files` or a limit of a host. */
export async function planBuild(sources: PublicSources, options: PlanOptions): Promise<PlannedBuild> {
  const { exceeded, ...planned } = await planFitting(sources, options);
  if (exceeded.length === 0) return planned;
  const { fittingSettings } = await import('./fitting-settings.ts');
  const fits = async (configuration: Configuration) =>
    (await planFitting({ ...sources, configuration }, options)).exceeded.length === 0;
  const settings = await fittingSettings(sources, fits);
  return fail(...exceeded.map((findingOf) => findingOf(settings)));
}

/** Plans every part that automatic settings could include, and ignores all limits. */
export async function planEverything(
  publication: Publication,
  { configuration }: Pick<PublicSources, 'configuration'>,
): Promise<PlannedBuild> {
  const plan = planTree(publication);
  const hosting = await hostingOf(configuration, { publication, plan });
  const { documents, aliases } = measurePlan(plan, hosting, configuration).counts;
  const counts = { documents, aliases, snapshots: publication.snapshots.size };
  return { publication, plan, hosting, counts, omitted: {} };
}

type MeasuredBuild = PlannedBuild & { readonly exceeded: readonly ExceededLimit[] };

async function planFitting(sources: PublicSources, options: PlanOptions): Promise<MeasuredBuild> {
  const { configuration } = sources;
  const whole = publicationOf(sources, options.at);
  const settings = automaticSettings(configuration);
  const required = requiredPart(whole, settings);
  const requiredPlan = planTree(required);
  const hosting = await hostingOf(configuration, { publication: required, plan: requiredPlan }, options);
  const automatic = { ...settings, indexFiles: settings.indexFiles && hosting.variants.names.includes(INDEX_NAME) };
  const fitting = {
    publication: whole,
    variants: hosting.variants,
    automatic,
    maxFiles: mostFiles(hosting.hosts, configuration),
    otherFiles: otherFilesOf(requiredPlan, hosting),
  };
  let budget = configuration.file_budget;
  while (true) {
    const { publication, variants, added, omitted } = fitTree({ ...fitting, budget });
    const plan = planTree(publication);
    const { counts, exceeded } = measurePlan(plan, { ...hosting, variants }, configuration);
    if (exceeded.length > 0 && added > 0) {
      budget = Math.floor(added / 2);
      continue;
    }
    const { documents, aliases } = counts;
    return {
      publication,
      plan,
      hosting: { ...hosting, variants },
      counts: { documents, aliases, snapshots: publication.snapshots.size },
      omitted,
      exceeded,
    };
  }
}

function automaticSettings({ snapshots, version_links, index_files }: Configuration): AutomaticSettings {
  return { snapshots: snapshots === AUTO, versionLinks: version_links === AUTO, indexFiles: index_files === AUTO };
}
