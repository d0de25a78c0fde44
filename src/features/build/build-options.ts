/** What a build is asked for, and what it says that it did. */

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
  /** Whether everything is written anew, whatever stands there. */
  readonly force?: boolean | undefined;
  /** The key to sign the manifest with: a file as ssh-keygen takes it. */
  readonly sign?: string | undefined;
  /** Whether the tree is on the disk in the end, as it is by default: otherwise a power cut can leave it empty. */
  readonly fsync?: boolean | undefined;
  /** Whether unrecorded changes are built as if they were recorded, instead of being refused. */
  readonly isPreview?: boolean;
  /** Awaited again and again while the tree is written, where the thread has something else to do besides. */
  readonly pause?: () => Promise<void>;
}

/** The same once the sources are listed, which is done once. */
export type ListedOptions = BuildOptions & Required<Pick<SourceOptions, 'listing'>>;

export interface BuildResult extends TreeCounts {
  readonly out: string;
  readonly revision: string;
  readonly digest: string;
  /** False when the tree was already what the sources give. */
  readonly isWritten: boolean;
  /** That what stood there was damaged, if it was, and has been written anew. */
  readonly findings: readonly Finding[];
  /** What a preview shows though it is not recorded; undefined when nothing was looked for. */
  readonly pending?: readonly DifferingResource[];
}

/** Options that change no byte of a tree, or are part of the sources. */
type OptionsWithoutEffect = keyof SourceOptions | 'out' | 'showsProgress' | 'force' | 'sign' | 'fsync' | 'pause';

/** Options that change the bytes of a tree: a tree that was built with others is stale. */
type Choices = Omit<BuildOptions, OptionsWithoutEffect>;

/** The texts that decide, besides the sources, which bytes a build writes. */
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
    // Older builds do not state the default.
    precompressed: precompressed === false ? false : undefined,
  } satisfies { readonly [Option in keyof Required<Choices>]: unknown };
  return [VERSION, `manifest ${EDITION}`, JSON.stringify(choices)];
}

/** What a build did, in the words of the command line. */
export function describeBuild(result: BuildResult): string {
  const { out, revision, documents, aliases, snapshots, isWritten } = result;
  const contents = `${plural(documents, 'document')}, ${plural(aliases, 'alias', 'aliases')}, ${plural(snapshots, 'snapshot')}`;
  const done = isWritten ? 'Built' : 'Up to date:';
  return `${done} ${out} at revision ${shortId(revision)}: ${contents}.\n`;
}
