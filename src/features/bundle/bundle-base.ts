/**
 * What a bundle goes onto: the tree of an older revision, as `build --at` makes it with the options of the tree, or a tree
 * that there is, by its folder, its manifest or the bundle that brought it.
 */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { endpointOf } from '../../core/api/endpoints.ts';
import { idAt } from '../../core/api/publication.ts';
import { fail, failAll } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { graphAt } from '../../core/history/graph.ts';
import { isRevisionId } from '../../core/model/uid.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { reading } from '../../system/files/system-errors.ts';
import { checkedManifest, manifestInFile, wholeManifest } from '../../system/trees/manifest-file.ts';
import { manifestAt } from '../build/manifest-at.ts';
import { type PublicationOptions, publicationOf } from '../build/publication-of.ts';
import { loadCheckedSources, type SourceOptions, type Sources } from '../sources/load-sources.ts';
import { indexOfRevision } from '../sources/resolve-revision.ts';
import { openBundle } from './bundle-reader.ts';

export interface BundleBaseOptions extends SourceOptions {
  readonly since: string;
  readonly showsProgress: boolean;
}

/** `tree` is the one to be carried, whose options the older one has too. */
export async function bundleBase(options: BundleBaseOptions, tree: Manifest): Promise<Manifest> {
  const { since } = options;
  const status = statSync(since, { throwIfNoEntry: false });
  if (status?.isDirectory()) return wholeManifest(since);
  if (status?.isFile())
    return basename(since) === MANIFEST_FILE
      ? checkedManifest(reading(since, () => manifestInFile(since)))
      : manifestInBundle(since);
  return await manifestOfRevision(options, tree);
}

function manifestInBundle(file: string): Manifest {
  const bundle = openBundle(file);
  try {
    const findings = bundle.check(() => {});
    if (findings.length > 0) failAll(findings);
    return bundle.manifest ?? fail(finding('bundle-damaged', { reason: 'it has no manifest' }, { file }));
  } finally {
    bundle.close();
  }
}

async function manifestOfRevision(options: BundleBaseOptions, carried: Manifest): Promise<Manifest> {
  const { summary } = carried;
  const sources = loadCheckedSources(options);
  const { history } = sources;
  if (!history.indexOf.has(summary.revision)) fail(finding('bundle-not-head', { tree: summary.revision }));
  const index = indexOfRevision(history, options.since);
  const manifest = await manifestAt(sources, {
    ...historyOptions(sources, carried, history.revisions[index]?.id ?? ''),
    dialect: summary.dialect,
    hosts: summary.hosts,
    versionLinks: undefined,
    precompressed: summary.variants.precompressed,
    showsProgress: options.showsProgress,
  });
  const [tree, given] = [summary, manifest.summary].map(({ variants }) => JSON.stringify(variants));
  if (tree !== given)
    fail(finding('bundle-configuration', { what: 'the variants', tree: tree ?? '', sources: given ?? '' }));
  return manifest;
}

/** What `build --at` is told of the history, so that it makes an older tree as a tree was made. */
function historyOptions(
  sources: Sources,
  { summary, entries }: Manifest,
  at: string,
): Required<Pick<PublicationOptions, 'at' | 'since' | 'snapshots'>> {
  const since = summary.history_since ?? 'all';
  const there = [...snapshotsIn(entries.paths())];
  const whole = publicationOf(sources, { at: summary.revision, since, snapshots: 'all' });
  const isThere = new Set(there);
  const hasAll = [...whole.snapshots].every((index) => isThere.has(idAt(whole, index)));
  // Those that are named could be others than all that an older tree has: where its history begins depends on them.
  if (hasAll && there.length === whole.snapshots.size) return { at, since, snapshots: 'all' };
  const known = graphAt(sources.history, indexOfRevision(sources.history, at)).indexOf;
  return { at, since, snapshots: there.filter((id) => known.has(id)) };
}

function* snapshotsIn(paths: Iterable<string>): Generator<string> {
  for (const path of paths) {
    const endpoint = endpointOf(path);
    const id = path.split('/').at(-1) ?? '';
    if (endpoint?.inSnapshot && endpoint.content === 'resource' && isRevisionId(id)) yield id;
  }
}
