import type { Publication } from '../../core/api/publication.ts';
import type { TreeCounts } from '../../core/tree/manifest/manifest.ts';
import { planTree } from '../../core/tree/plan/plan-tree.ts';
import type { Plan } from '../../core/tree/plan/planned.ts';
import type { PublicSources } from '../sources/public-sources.ts';
import { type Hosting, type HostingOptions, hostingOf } from './hosting.ts';
import { type PublicationOptions, publicationOf } from './publication-of.ts';
import { measurePlan } from './tree-size.ts';

export interface PlannedBuild {
  readonly publication: Publication;
  readonly plan: Plan;
  readonly hosting: Hosting;
  readonly counts: TreeCounts;
}

/** Fails if the tree would exceed `max_files` or a limit of a host. */
export async function planBuild(
  sources: PublicSources,
  options: PublicationOptions & HostingOptions,
): Promise<PlannedBuild> {
  const publication = publicationOf(sources, options);
  const plan = planTree(publication);
  const { configuration } = sources;
  const hosting = await hostingOf(configuration, { publication, plan }, options);
  const counts = measurePlan(plan, publication, hosting, configuration);
  return { publication, plan, hosting, counts };
}
