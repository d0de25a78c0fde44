import type { Finding } from '../../core/diagnostics/finding.ts';
import { plural, shortId } from '../../core/diagnostics/words.ts';
import { EDITION, type TreeCounts } from '../../core/tree/manifest/manifest.ts';
import { VERSION } from '../../system/files/package-version.ts';
import type { DifferingResource } from '../revisions/differing-resources.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import type { HostingOptions } from './hosting.ts';
import type { PublicationOptions } from './publication-of.ts';

export interface BuildOptions extends SourceOptions, PublicationOptions, HostingOptions {
  readonly out: string;
  readonly showsProgress: boolean;
  readonly force?: boolean | undefined;
  /** A file of a key with which ssh-keygen signs the manifest. */
  readonly sign?: string | undefined;
  /** Whether to flush the tree to the disk before the swap. The default is true. */
  readonly fsync?: boolean | undefined;
  readonly isPreview?: boolean;
  /** Called after each batch, so that the process can do other work. */
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
}

/** Options that do not change the tree, or that the digest of the registry includes. */
type OptionsWithoutEffect = keyof SourceOptions | 'out' | 'showsProgress' | 'force' | 'sign' | 'fsync' | 'pause';

type Choices = Omit<BuildOptions, OptionsWithoutEffect>;

/** Returns the inputs of a build besides the registry. A tree with other inputs is out of date. */
export function choicesOf(options: Choices): string[] {
  const { dialect, snapshots, versionLinks, since, at, hosts, isPreview, precompressed } = options;
  const choices = {
    dialect,
    snapshots,
    versionLinks,
    since,
    at,
    hosts,
    isPreview,
    precompressed: precompressed === false ? false : undefined,
  } satisfies { readonly [Option in keyof Required<Choices>]: unknown };
  return [VERSION, `manifest ${EDITION}`, JSON.stringify(choices)];
}

export function describeBuild(result: BuildResult): string {
  const { out, revision, documents, aliases, snapshots, isWritten } = result;
  const contents = `${plural(documents, 'document')}, ${plural(aliases, 'alias', 'aliases')}, ${plural(snapshots, 'snapshot')}`;
  const done = isWritten ? 'Built' : 'Up to date:';
  return `${done} ${out} at revision ${shortId(revision)}: ${contents}.\n`;
}
