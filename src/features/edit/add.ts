import { join } from 'node:path';
import { fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { formatCount, plural } from '../../core/diagnostics/words.ts';
import { ANY_CLUSTER } from '../../core/model/configuration.ts';
import { kindNamed } from '../../core/model/kinds.ts';
import { uidProblem } from '../../core/model/uid.ts';
import { UID_CODES } from '../../core/registry/rules.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { record } from '../revisions/record.ts';
import { loadHeadSources, type SourceOptions } from '../sources/load-sources.ts';
import { loadWorktree, type Worktree } from '../sources/load-worktree.ts';
import { findResource } from './find-resource.ts';
import { templateOf } from './new-body.ts';
import { clusterSource, type Source, siteSources, sourceAt, writeSources } from './site-sources.ts';

export interface AddOptions extends SourceOptions {
  readonly dryRun?: boolean | undefined;
  /** If set, all unrecorded changes become one revision. */
  readonly message?: string | undefined;
  readonly author?: string | undefined;
}

export interface Added {
  readonly names: readonly string[];
  readonly files: readonly string[];
  /** Fields that are not copied from the template, because they are unique to each node. */
  readonly left: readonly string[];
  readonly isWritten: boolean;
  readonly recorded?: string;
}

interface NewSources extends Pick<Added, 'names' | 'left'> {
  readonly sources: readonly Source[];
}

/** Fails if the files have findings. If a revision will be recorded, the history must also be valid. */
export function loadToEdit(options: AddOptions): Worktree {
  if (options.message === undefined) return loadWorktree(options);
  const sources = loadHeadSources(options);
  return sources.findings.length > 0 ? failAll(sources.findings) : { ...sources, kinds: sources.history.kinds };
}

/** Writes all new files, or none of them. */
export function addSources(options: AddOptions, make: (sources: Worktree) => NewSources): Added {
  const sources = loadToEdit(options);
  const made = make(sources);
  const there = new Set(sources.folder.files);
  for (const { file } of made.sources)
    if (there.has(file)) fail(finding('file-there', { file: join(options.registry, file) }));
  const files = made.sources.map(({ file }) => join(options.registry, file));
  const added = { names: made.names, files, left: made.left };
  if (options.dryRun === true) return { ...added, isWritten: false };
  writeSources(options.registry, made.sources);
  return { ...added, isWritten: true, ...recordIfRequested(options) };
}

export function recordIfRequested(options: AddOptions, successors: readonly string[] = []): { recorded?: string } {
  const { message } = options;
  return message === undefined ? {} : { recorded: record({ ...options, message, successors }).id };
}

export interface AddSiteOptions extends AddOptions {
  readonly uid: string;
  readonly siteClass: string;
  /** The uid of the first cluster. For bare-metal sites, the default is `cluster_uid` of the configuration. */
  readonly cluster?: string | undefined;
}

export function addSite({ uid, siteClass, cluster: given, ...options }: AddSiteOptions): Added {
  return addSources(options, ({ configuration: { cluster_uid: usual } }) => {
    rejectInvalidUid('site', uid);
    const isBareMetal = siteClass === 'baremetal';
    if (isBareMetal && given === undefined && usual === ANY_CLUSTER) fail(finding('add-site-cluster', { site: uid }));
    const cluster = given ?? (isBareMetal ? usual : undefined);
    if (cluster !== undefined) rejectInvalidUid('cluster', cluster);
    return { sources: siteSources({ uid, siteClass, cluster }), names: [uid], left: [] };
  });
}

export interface AddClusterOptions extends AddOptions {
  readonly uid: string;
  readonly site: string;
}

export function addCluster({ uid, site, ...options }: AddClusterOptions): Added {
  return addSources(options, (sources) => {
    rejectInvalidUid('cluster', uid);
    const { path } = findResource(`sites/${site}`, ['site'], sources).subject;
    return { sources: [clusterSource(path, uid)], names: [uid], left: [] };
  });
}

export interface AddFlavorOptions extends AddClusterOptions {
  readonly like?: string | undefined;
}

export function addFlavor({ uid, site, like, ...options }: AddFlavorOptions): Added {
  return addSources(options, (sources) => {
    rejectInvalidUid('flavor', uid);
    const { path } = findResource(`sites/${site}`, ['site'], sources).subject;
    const template =
      like === undefined
        ? { vcpus: null, ram_size: null, disk_size: null, gpu: { gpu: false } }
        : templateOf(kindNamed('flavor'), findResource(like, ['flavor'], sources).body).body;
    const text = encodeYaml({ type: 'flavor', uid, name: uid, ...template });
    return { sources: [sourceAt(`${path}/flavors/${uid}`, text)], names: [uid], left: [] };
  });
}

function rejectInvalidUid(kind: 'site' | 'cluster' | 'flavor', uid: string): void {
  const problem = uidProblem(uid, kindNamed(kind), 'name');
  if (problem) fail(finding(UID_CODES[problem], { uid }));
}

const SHOWN = 3;

export function describeAdded({ names, files, left, isWritten, recorded }: Added): string {
  const few = names.length > 2 * SHOWN ? [...names.slice(0, SHOWN), '...', names.at(-1)] : names;
  const own = left.length > 0 ? `Fill in for each: ${left.join(', ')}.\n` : '';
  const what = `${few.join(', ')} (${plural(files.length, 'file')})`;
  if (!isWritten) return `Nothing was written; it would be ${what}.\n${own}`;
  const next = recorded === undefined ? 'Record it: gridpress record -m "what happened".' : `Recorded ${recorded}.`;
  return `Added ${names.length > 1 ? `${formatCount(names.length)}: ` : ''}${what}.\n${own}${next}\n`;
}
