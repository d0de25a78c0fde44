import type { CacheControl } from '../../core/api/endpoints.ts';
import { headTime, type Publication } from '../../core/api/publication.ts';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import type { Host, HostDocument } from '../../core/hosts/host.ts';
import { type HostRules, hostRules } from '../../core/hosts/rules.ts';
import { AUTO, type Configuration } from '../../core/model/configuration.ts';
import { httpDate } from '../../core/model/revision.ts';
import { INDEX_NAME, type Variants } from '../../core/tree/layout.ts';
import { latestRedirects } from '../../core/tree/plan/plan-histories.ts';
import type { Plan } from '../../core/tree/plan/planned.ts';
import type { PlanOptions } from './build-options.ts';

export interface Hosting {
  readonly hosts: readonly Host[];
  readonly variants: Variants;
  readonly cacheControl: CacheControl;
  readonly files: ReadonlyMap<string, string>;
  readonly listings: readonly HostListing[];
}

export interface HostListing {
  readonly file: string;
  readonly head: string;
  readonly lines: (document: HostDocument) => string;
}

export async function hostingOf(
  configuration: Configuration,
  { publication, plan }: { readonly publication: Publication; readonly plan: Plan },
  options: Pick<PlanOptions, 'precompressed'> = {},
): Promise<Hosting> {
  const hosts = await hostsOf(configuration);
  const variants = variantsOf(configuration, hosts, options);
  const rules = hostRules({
    configuration,
    cacheControl: publication.cacheControl,
    redirects: hosts.length > 0 ? latestRedirects(publication) : [],
    lastModified: httpDate(headTime(publication)),
    tombstones: plan.files().flatMap(({ removedUrl }) => removedUrl ?? []),
  });
  const listings = hosts.flatMap(({ listing }): HostListing[] => {
    if (!listing) return [];
    const { file, head, lines } = listing;
    return [{ file, head: head(rules), lines: (document) => lines(rules, document) }];
  });
  return { hosts, variants, cacheControl: rules.cacheControl, files: filesOf(hosts, rules), listings };
}

async function hostsOf({ hosts }: Pick<Configuration, 'hosts'>): Promise<readonly Host[]> {
  if (hosts.length === 0) return [];
  const { getHostOrThrow } = await import('./chosen-host.ts');
  return [...new Set(hosts)].map(getHostOrThrow);
}

function variantsOf(
  configuration: Configuration,
  hosts: readonly Host[],
  { precompressed = true }: Pick<PlanOptions, 'precompressed'>,
): Variants {
  const { index_files } = configuration;
  const hasIndexFiles = index_files === AUTO ? hosts.length === 0 : index_files;
  return {
    names: [...new Set([...(hasIndexFiles ? [INDEX_NAME] : []), ...hosts.flatMap((host) => host.variants.names)])],
    pretty: hosts.some((host) => host.variants.pretty),
    precompressed: precompressed && hosts.some((host) => host.variants.precompressed),
  };
}

/** Fails if two hosts need different files with the same name. */
function filesOf(hosts: readonly Host[], rules: HostRules): ReadonlyMap<string, string> {
  const files = new Map<string, { readonly text: string; readonly owner: string }>();
  for (const host of hosts) {
    for (const [file, text] of host.files(rules)) {
      const other = files.get(file);
      if (other && other.text !== text) fail(finding('hosts-conflict', { file, hosts: [other.owner, host.name] }));
      files.set(file, { text, owner: host.name });
    }
  }
  return new Map([...files].map(([file, { text }]) => [file, text]));
}
