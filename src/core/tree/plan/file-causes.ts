/** What makes a tree as large as it is, in words: how many of its files are of what. */
import { type Content, endpointOf } from '../../api/endpoints.ts';
import type { Plan } from './planned.ts';
import { urlsIn } from './section-urls.ts';

const NAMES: { readonly [content in Content]?: string } = {
  resource: 'resources',
  resources: 'resources',
  deep: 'deep responses',
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

/** The largest first. `filesOf` counts the files of a document or an alias; `others` are no documents. */
export function causesOfFiles(
  { documents, aliases }: Plan,
  filesOf: (url: string) => number,
  others: number,
): [what: string, files: number][] {
  const causes = new Map<string, number>();
  const add = (what: string, files: number) => {
    if (files > 0) causes.set(what, (causes.get(what) ?? 0) + files);
  };
  const nameOf = (url: string) => {
    const content = endpointOf(url)?.content;
    return (content && NAMES[content]) ?? 'other documents';
  };
  for (const section of documents) {
    for (const { url, count } of urlsIn(section))
      add(section.snapshot === undefined ? nameOf(url) : 'snapshots', count * filesOf(url));
  }
  for (const section of aliases) {
    for (const { url, count } of urlsIn(section)) {
      const name = nameOf(url);
      const what = name === 'versions' ? 'links to versions' : name;
      add(section.snapshot === undefined ? what : 'snapshots', count * filesOf(url));
    }
  }
  add('other files', others);
  return [...causes].sort(([, a], [, b]) => b - a);
}
