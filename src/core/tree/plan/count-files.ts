/** Counts the files of a plan before any file is written, in total and by type of document. */

import { type Content, endpointOf, rawFormOf } from '../../api/endpoints.ts';
import { pathAbove } from '../../model/resource-path.ts';
import { getOrCreate } from '../../platform/lookups.ts';
import { fileOfUrl, namesOfUrl, type Variants, variantFilesOf } from '../layout.ts';
import type { Plan, PlanSection } from './planned.ts';

export interface FileCounts {
  readonly documents: number;
  readonly aliases: number;
  readonly files: number;
  readonly isComplete: boolean;
}

export interface CountOptions {
  readonly plan: Plan;
  readonly variants: Variants;
  readonly otherFiles: number;
  /** The number of files at which the count stops. */
  readonly maxFiles: number;
}

export function countFiles(options: CountOptions): FileCounts {
  const entries = { document: 0, alias: 0 };
  let files = options.otherFiles;
  for (const { type, count } of countedEntries(options)) {
    entries[type]++;
    files += count;
  }
  const isComplete = files <= options.maxFiles;
  return { documents: entries.document, aliases: entries.alias, files, isComplete };
}

const CAUSES: { readonly [content in Content]?: string } = {
  resource: 'resources',
  resources: 'resources',
  deep: 'deep documents',
  version: 'versions',
  versions: 'histories',
  'version-page': 'histories',
  'latest-version': 'latest versions',
  timemap: 'TimeMaps',
  changes: 'changes and feeds',
  feed: 'changes and feeds',
  'node-page': 'lists of nodes',
  'node-group': 'lists of nodes',
  'named-node': 'names of nodes',
  badge: 'badges',
};

/** Returns a plural name for the type of document at a URL, such as `badges`. */
export function contentNameOf(url: string): string {
  const content = endpointOf(url)?.content;
  return (content && CAUSES[content]) ?? 'other documents';
}

export function causesOfFiles(options: CountOptions): [what: string, files: number][] {
  const causes = new Map<string, number>();
  const add = (what: string, files: number) => {
    if (files > 0) causes.set(what, (causes.get(what) ?? 0) + files);
  };
  for (const { type, snapshot, url, count } of countedEntries(options)) {
    const name = contentNameOf(url);
    const isLink = type === 'alias' && name === 'versions';
    add(snapshot === undefined ? (isLink ? 'links to versions' : name) : 'snapshots', count);
  }
  add('other files', options.otherFiles);
  return [...causes].sort(([, a], [, b]) => b - a);
}

export function largestFolder(
  { documents, aliases }: Plan,
  variants: Variants,
): readonly [folder: string, files: number] {
  const folders = new Map<string, number>();
  for (const { list } of [...documents, ...aliases]) {
    for (const { url } of list()) {
      for (const name of namesOf(url, variants)) {
        const folder = pathAbove(name);
        folders.set(folder, (folders.get(folder) ?? 0) + 1);
      }
    }
  }
  return [...folders].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0]);
}

interface CountedEntry {
  readonly type: 'document' | 'alias';
  readonly snapshot: number | undefined;
  readonly url: string;
  readonly count: number;
}

/** Yields the entries outside of snapshots first, then the entries of each snapshot. Stops after `maxFiles` files. */
function* countedEntries({ plan, variants, otherFiles, maxFiles }: CountOptions): Generator<CountedEntry> {
  const filesOf = fileCounter(variants);
  let files = otherFiles;
  for (const [snapshot, sections] of sectionsBySnapshot(plan)) {
    for (const { type, list } of sections) {
      for (const { url } of list()) {
        const count = filesOf(url);
        yield { type, snapshot, url, count };
        files += count;
        if (files > maxFiles) return;
      }
    }
  }
}

interface CountedSection extends Pick<PlanSection<{ readonly url: string }>, 'list'> {
  readonly type: CountedEntry['type'];
}

function sectionsBySnapshot({ documents, aliases }: Plan): ReadonlyMap<number | undefined, CountedSection[]> {
  const sections = new Map<number | undefined, CountedSection[]>([[undefined, []]]);
  const add = (snapshot: number | undefined, section: CountedSection) =>
    getOrCreate(sections, snapshot, (): CountedSection[] => []).push(section);
  for (const { snapshot, list } of documents) add(snapshot, { type: 'document', list });
  for (const { snapshot, list } of aliases) add(snapshot, { type: 'alias', list });
  return sections;
}

function namesOf(url: string, variants: Variants): string[] {
  const file = fileOfUrl(url);
  return [file, ...namesOfUrl(url, variants), ...variantFilesOf(file, variants)];
}

export function fileCounter(variants: Variants): (url: string) => number {
  const [atRoot = 0, elsewhere = 0] = ['/', '/x'].map((url) => namesOf(url, variants).length);
  return (url) => {
    if (rawFormOf(url) !== undefined) return namesOf(url, variants).length;
    return url === '/' ? atRoot : elsewhere;
  };
}
