import { maxAgeIn } from '../../core/api/endpoints.ts';
import type { Finding } from '../../core/diagnostics/finding.ts';
import { plural, shortId } from '../../core/diagnostics/words.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { FIELD_CLASSES } from '../../core/model/fields/class-names.ts';
import { EDITION, type ManifestSummary, type TreeCounts } from '../../core/tree/manifest/manifest.ts';
import type { OmittedParts } from '../../core/tree/plan/fit-tree.ts';
import { VERSION } from '../../system/files/package-version.ts';
import type { DifferingResource } from '../revisions/differing-resources.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import type { PublicSources } from '../sources/public-sources.ts';

/** Options that override a setting of gridpress.yaml. */
export interface SettingOptions {
  readonly dialect?: Configuration['dialect'] | undefined;
  readonly snapshots?: Configuration['snapshots'] | undefined;
  readonly versionLinks?: Configuration['version_links'] | undefined;
  /** The history start, or `all`. */
  readonly since?: string | undefined;
  readonly hosts?: readonly string[] | undefined;
  /** The maximum age in seconds. */
  readonly maxAge?: number | undefined;
}

export function withSettings<T extends Pick<PublicSources, 'configuration'>>(
  sources: T,
  { dialect, snapshots, versionLinks, since, hosts, maxAge }: SettingOptions,
): T {
  const { configuration } = sources;
  return {
    ...sources,
    configuration: {
      ...configuration,
      dialect: dialect ?? configuration.dialect,
      snapshots: snapshots ?? configuration.snapshots,
      version_links: versionLinks ?? configuration.version_links,
      hosts: hosts ? [...hosts] : configuration.hosts,
      max_age: maxAge ?? configuration.max_age,
      ...(since === undefined ? {} : { history: { since } }),
    },
  };
}

export function settingsOf({ dialect, hosts, cache_control }: ManifestSummary): SettingOptions {
  return { dialect, hosts, maxAge: maxAgeIn(cache_control) };
}

/** Options for the plan of a tree. They are not settings of gridpress.yaml. */
export interface PlanOptions {
  /** The head of the tree: a revision or a date. */
  readonly at?: string | undefined;
  /** Whether to write compressed variants for hosts that support them. The default is true. */
  readonly precompressed?: boolean | undefined;
}

export interface BuildOptions extends SourceOptions, SettingOptions, PlanOptions {
  readonly out: string;
  readonly showsProgress: boolean;
  readonly force?: boolean | undefined;
  /** The path of a key file for ssh-keygen. */
  readonly sign?: string | undefined;
  /** Whether to flush the tree to the disk before the swap. The default is true. */
  readonly fsync?: boolean | undefined;
  readonly isPreview?: boolean;
  /** Called after each batch of files, so that the process can do other work. */
  readonly pause?: () => Promise<void>;
}

export type ListedOptions = BuildOptions & Required<Pick<SourceOptions, 'listing'>>;

export interface BuildResult extends TreeCounts {
  readonly out: string;
  readonly revision: string;
  readonly digest: string;
  /** False if the tree was already up to date. */
  readonly isWritten: boolean;
  readonly findings: readonly Finding[];
  readonly pending?: readonly DifferingResource[];
  /** The parts of the tree that the build omitted to stay within limits. Missing if the build omitted no part. */
  readonly omitted?: OmittedParts;
  /** True if the configuration has no private fields, so the tree contains every field. */
  readonly publishesAll?: boolean;
}

export interface CheckedTree {
  /** The result of the build if the tree is already up to date. */
  readonly unchanged?: BuildResult;
  readonly damaged?: string | undefined;
}

/** Options that do not change the tree, and options that the digest of the registry already covers. */
type OptionsWithoutEffect = keyof SourceOptions | 'out' | 'showsProgress' | 'force' | 'sign' | 'fsync' | 'pause';

type Choices = Omit<BuildOptions, OptionsWithoutEffect>;

/** Returns the inputs of a build besides the registry. If these inputs changed, the existing tree is out of date. */
export function choicesOf(options: Choices): string[] {
  const { dialect, snapshots, versionLinks, since, at, hosts, maxAge, isPreview, precompressed } = options;
  const choices = {
    dialect,
    snapshots,
    versionLinks,
    since,
    at,
    hosts,
    maxAge,
    isPreview,
    precompressed: precompressed === false ? false : undefined,
  } satisfies { readonly [Option in keyof Required<Choices>]: unknown };
  return [VERSION, `manifest ${EDITION}`, JSON.stringify(choices)];
}

export function describeOmitted({ index_files, version_links, snapshots }: OmittedParts): string {
  const parts = [
    ...(index_files ? ['no index files'] : []),
    ...(version_links
      ? [version_links.days > 0 ? `version links of ${version_links.days} days` : 'no version links']
      : []),
    ...(snapshots
      ? [
          snapshots.since === undefined
            ? 'no snapshots'
            : `snapshots since ${snapshots.since} (${snapshots.built} of ${snapshots.of})`,
        ]
      : []),
  ];
  return `To fit in file_budget and the limits of the hosts: ${parts.join('; ')}.\n`;
}

export function describeBuild(result: BuildResult): string {
  const { out, revision, documents, aliases, snapshots, isWritten, publishesAll } = result;
  const contents = `${plural(documents, 'document')}, ${plural(aliases, 'alias', 'aliases')}, ${plural(snapshots, 'snapshot')}`;
  const done = isWritten ? 'Built' : 'Up to date:';
  const classes = `The tree publishes all fields: ${FIELD_CLASSES.join(', ')}. To keep some of them private, set "private" in gridpress.yaml.\n`;
  return `${done} ${out} at revision ${shortId(revision)}: ${contents}.\n${publishesAll === true ? classes : ''}`;
}
