/** What the chosen hosts ask of a build: the variants of documents, and files of their own. */
import type { Publication } from '../../core/api/publication.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import type { Host, HostDocument } from '../../core/hosts/host.ts';
import { type HostRules, hostRules } from '../../core/hosts/rules.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { INDEX_NAME, type Variants } from '../../core/tree/layout.ts';
import { latestRedirects } from '../../core/tree/plan/plan-histories.ts';
import type { Plan } from '../../core/tree/plan/planned.ts';

export interface Hosting {
  readonly hosts: readonly Host[];
  readonly variants: Variants;
  readonly files: ReadonlyMap<string, string>;
  /** Their files that have lines for every document. */
  readonly listings: readonly WrittenPerDocumentFile[];
}

export interface WrittenPerDocumentFile {
  readonly file: string;
  readonly head: string;
  readonly lines: (document: HostDocument) => string;
}

/** What the command line may say differently from the configuration and the hosts. */
export interface HostingOptions {
  /** The hosts to write configuration for, instead of those that gridpress.yaml names. */
  readonly hosts?: readonly string[] | undefined;
  /** Whether hosts get the compressed variants that they can serve, as they do by default. Their bytes depend on Node. */
  readonly precompressed?: boolean | undefined;
}

export async function hostingOf(
  configuration: Configuration,
  { publication, plan }: { readonly publication: Publication; readonly plan: Plan },
  options: HostingOptions,
): Promise<Hosting> {
  const hosts = await hostsOf(configuration, options);
  const variants = variantsOf(configuration, hosts, options);
  const rules = hostRules({
    configuration,
    dialect: publication.dialect.name,
    prefix: configuration.base_path,
    redirects: hosts.length > 0 ? latestRedirects(publication) : [],
    gone: plan.files().flatMap(({ removed }) => removed ?? []),
  });
  const files = filesOf(hosts, (host) => ({ ...rules, variants: host.variants }));
  const listings = hosts.flatMap(({ listing, variants: own }): WrittenPerDocumentFile[] => {
    if (!listing) return [];
    const said = { ...rules, variants: own };
    const { file, head, lines } = listing;
    return [{ file, head: head(said), lines: (document) => lines(said, document) }];
  });
  return { hosts, variants, files, listings };
}

/** The hosts for which configuration is written. What writes it is loaded where there are any. */
export async function hostsOf(
  configuration: Configuration,
  { hosts = configuration.hosts }: HostingOptions,
): Promise<readonly Host[]> {
  if (hosts.length === 0) return [];
  const { chosenHost } = await import('./chosen-host.ts');
  return [...new Set(hosts)].map(chosenHost);
}

/** What the tree holds of each document for some hosts. */
export function variantsOf(
  configuration: Configuration,
  hosts: readonly Host[],
  { precompressed = true }: HostingOptions,
): Variants {
  const hasIndexFiles = configuration.index_files ?? hosts.length === 0;
  return {
    names: [...new Set([...(hasIndexFiles ? [INDEX_NAME] : []), ...hosts.flatMap((host) => host.variants.names)])],
    pretty: hosts.some((host) => host.variants.pretty),
    precompressed: precompressed && hosts.some((host) => host.variants.precompressed),
  };
}

/** Two hosts may have the same file, but not two different ones of one name. */
function filesOf(hosts: readonly Host[], rulesOf: (host: Host) => HostRules): ReadonlyMap<string, string> {
  const files = new Map<string, { readonly text: string; readonly owner: string }>();
  for (const host of hosts) {
    for (const [file, text] of host.files(rulesOf(host))) {
      const other = files.get(file);
      if (other && other.text !== text) fail(finding('hosts-conflict', { file, hosts: [other.owner, host.name] }));
      files.set(file, { text, owner: host.name });
    }
  }
  return new Map([...files].map(([file, { text }]) => [file, text]));
}
