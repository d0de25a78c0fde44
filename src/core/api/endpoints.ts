/** The table of all URLs. Links, files, host rules and the API description derive from this table. */

import { ANY_COLLECTION, type Kind, type Kinds, NODE, READABLE_KINDS } from '../model/kinds.ts';
import { collectionOf, gridOf, itemOf, joinPath, type Subject } from '../model/resource-path.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { COLLECTION_NAME, NON_COLLECTION_SEGMENTS } from './collection-names.ts';
import { DESCRIPTION_ROWS, type DescriptionContent, WELL_KNOWN_FOLDER } from './description/description-paths.ts';
import { EXPLORER_ROWS } from './explorer/explorer-paths.ts';
import { EXPORT_ROWS, type ExportContent } from './exports/export-urls.ts';
import { NODE_ROWS, type NodeContent } from './nodes/node-endpoints.ts';
import { PAGE_PARAMETER } from './nodes/node-paths.ts';
import { atomUrl, isRaw, type RawForm, rawFormEnding, timemapLinksUrl } from './raw-forms.ts';
import {
  badgeUrl,
  changesPageUrl,
  changesUrl,
  deepUrl,
  EXPORTS_FOLDER,
  feedUrl,
  latestVersionUrl,
  resourceUrl,
  revisionBadgeUrl,
  SNAPSHOTS_PATH,
  snapshotUrl,
  timemapUrl,
  VERSIONS,
  versionsPageUrl,
  versionsUrl,
  versionUrl,
} from './urls.ts';

export type SubjectForm = 'item' | 'collection';

/** The shape of a JSON body. Each shape has a media type in the legacy dialect. */
export type Form = SubjectForm | 'feed';

/** How long a cache may store a response. An `immutable` document never changes. */
export type CacheClass = 'mutable' | 'immutable';

export type CacheControl = Readonly<Record<CacheClass, string>>;

/** Returns cache headers. Caches may store mutable documents for `maxAge` seconds. */
export function cacheControlOf(maxAge: number): CacheControl {
  return {
    mutable: `public, max-age=${maxAge}, s-maxage=${maxAge}, must-revalidate, proxy-revalidate`,
    immutable: 'public, max-age=31536000, immutable',
  };
}

/** Reverses `cacheControlOf`. Returns undefined for headers that `cacheControlOf` never returns. */
export function maxAgeIn({ mutable }: CacheControl): number | undefined {
  const seconds = Number(/\bmax-age=(\d+)/.exec(mutable)?.[1]);
  return cacheControlOf(seconds).mutable === mutable ? seconds : undefined;
}

/** The cache headers of trees from older versions of gridpress. The manifests of these trees contain no headers. */
export const CACHE_CONTROL: CacheControl = cacheControlOf(60);

export type Content =
  | 'resource'
  | 'resources'
  | 'deep'
  | 'version'
  | 'versions'
  | 'version-page'
  | 'latest-version'
  | 'timemap'
  | 'changes'
  | 'feed'
  | 'snapshots'
  | 'badge'
  | 'explorer'
  | NodeContent
  | ExportContent
  | DescriptionContent
  | 'legacy-item'
  | 'legacy-collection';

export interface Endpoint {
  /** The path with parameters in braces: `/sites/{site_uid}`. */
  readonly template: string;
  readonly content: Content;
  readonly form: Form | RawForm;
  readonly cache: CacheClass;
  /** The kind of the item, or the kind of the items in the collection. */
  readonly kind: Kind;
  readonly subject: SubjectForm;
  /** Whether the path begins with `/snapshots/{version_id}`. */
  readonly inSnapshot: boolean;
}

const VERSION_PARAMETER = '{version_id}';

/** Words that cannot be uids, because they have a special meaning in paths. */
const RESERVED_UIDS = new Set(['', VERSIONS, SNAPSHOTS_PATH.slice(1)]);

/** Returns the format of a raw document. Returns undefined for an item, even if its uid ends in `.csv`. */
export function rawFormOf(url: string): RawForm | undefined {
  const form = rawFormEnding(url);
  return form !== undefined && !endsInUid(url) ? form : undefined;
}

/** Whether a path ends in a uid. Collections and uids alternate in a path. */
function endsInUid(url: string): boolean {
  const segments = url.slice(1).split('/');
  if (segments[0] === EXPORTS_FOLDER || segments[0] === WELL_KNOWN_FOLDER) return false;
  return segments.length % 2 === 0 && !NON_COLLECTION_SEGMENTS.has(segments.at(-2) ?? '');
}

/** Returns the path templates of all subjects, such as `sites/{site_uid}`. */
function subjectTemplates(item: Subject): Subject[] {
  const below = item.kind.children.flatMap((kind) => {
    const collection = collectionOf(item, kind);
    return [collection, ...subjectTemplates(itemOf(collection, `{${kind.name}_uid}`))];
  });
  return [item, ...below];
}

type EndpointMaker = (template: string, content: Content, form: Endpoint['form']) => Endpoint;

function endpointsAbout(kind: Kind, isCollection: boolean, inSnapshot = false): EndpointMaker {
  return (template, content, form) => ({
    template,
    content,
    form,
    cache: inSnapshot || content === 'version' ? 'immutable' : 'mutable',
    kind,
    subject: isCollection ? 'collection' : 'item',
    inSnapshot,
  });
}

function resourceEndpoints({ path, kind, isCollection }: Subject, base = ''): Endpoint[] {
  const endpoint = endpointsAbout(kind, isCollection, base !== '');
  if (isCollection) return [endpoint(resourceUrl(path, base), 'resources', 'collection')];
  const legacy = Object.entries(kind.legacyChildren).map(([name, form]) =>
    endpoint(resourceUrl(joinPath(path, name), base), form === 'item' ? 'legacy-item' : 'legacy-collection', form),
  );
  return [
    endpoint(resourceUrl(path, base), 'resource', 'item'),
    ...(kind.children.length > 0 ? [endpoint(deepUrl(path, base), 'deep', 'item')] : []),
    ...legacy,
  ];
}

function historyEndpoints({ path, kind, isCollection }: Subject): Endpoint[] {
  const endpoint = endpointsAbout(kind, isCollection);
  const versions = [
    endpoint(versionsUrl(path), 'versions', 'collection'),
    endpoint(versionsPageUrl(path, PAGE_PARAMETER), 'version-page', 'collection'),
    endpoint(latestVersionUrl(path), 'latest-version', 'item'),
    endpoint(versionUrl(path, VERSION_PARAMETER), 'version', 'item'),
  ];
  if (isCollection) return versions;
  return [
    ...versions,
    endpoint(timemapUrl(path), 'timemap', 'item'),
    endpoint(timemapLinksUrl(path), 'timemap', 'link-format'),
  ];
}

function feedEndpoints({ path, kind, isCollection }: Subject): Endpoint[] {
  if (isCollection || !kind.hasFeed) return [];
  const endpoint = endpointsAbout(kind, false);
  return [
    endpoint(changesUrl(path), 'changes', 'collection'),
    // The newest page is mutable. A template has one cache class, so immutable full pages also count as mutable.
    endpoint(changesPageUrl(path, PAGE_PARAMETER), 'changes', 'collection'),
    endpoint(feedUrl(path), 'feed', 'feed'),
    endpoint(atomUrl(path), 'feed', 'atom'),
  ];
}

function badgeEndpoints({ path, kind, isCollection }: Subject): Endpoint[] {
  const isNode = kind.name === NODE.name && !isCollection;
  if (!isNode && path !== '') return [];
  const template = isNode ? badgeUrl(path) : revisionBadgeUrl(VERSION_PARAMETER);
  return [endpointsAbout(kind, false)(template, 'badge', 'svg')];
}

export function endpointsOf(kinds: Kinds): readonly Endpoint[] {
  const grid = gridOf(kinds);
  const subjects = subjectTemplates(grid);
  const gridEndpoint = endpointsAbout(grid.kind, false);
  const nodeEndpoint = endpointsAbout(NODE, true);
  return [
    ...subjects.flatMap((subject) => [
      ...resourceEndpoints(subject),
      ...historyEndpoints(subject),
      ...feedEndpoints(subject),
      ...badgeEndpoints(subject),
    ]),
    gridEndpoint(SNAPSHOTS_PATH, 'snapshots', 'collection'),
    ...[...NODE_ROWS, ...EXPORT_ROWS].map(([template, content, form]) => nodeEndpoint(template, content, form)),
    ...[...DESCRIPTION_ROWS, ...EXPLORER_ROWS].map(([template, content, form]) =>
      gridEndpoint(template, content, form),
    ),
    ...subjects.flatMap((subject) => resourceEndpoints(subject, snapshotUrl(VERSION_PARAMETER))),
  ];
}

/** The endpoints of any registry. A placeholder stands for each declared kind. */
export const READABLE_ENDPOINTS: readonly Endpoint[] = endpointsOf(READABLE_KINDS);

/** Documents with these contents do not show the head. Full pages show an older revision. */
const NOT_OF_HEAD: ReadonlySet<Content> = new Set([
  ...(['version', 'latest-version', 'version-page', 'changes', 'feed', 'targets', 'openapi', 'schema'] as const),
]);

/** Whether `version` of a document contains the head. All these documents of a tree have the same `version`. */
export function showsHead({ content, form, inSnapshot }: Endpoint): boolean {
  return !inSnapshot && !isRaw(form) && !NOT_OF_HEAD.has(content);
}

type SegmentPattern = string | ((segment: string) => boolean);

interface EndpointPattern {
  readonly endpoint: Endpoint;
  readonly segments: readonly SegmentPattern[];
}

const PATTERNS_BY_LENGTH = new Map<number, EndpointPattern[]>();
for (const endpoint of READABLE_ENDPOINTS) {
  const segments = endpoint.template.split('/').map(segmentPattern);
  getOrCreate(PATTERNS_BY_LENGTH, segments.length, (): EndpointPattern[] => []).push({ endpoint, segments });
}

function segmentPattern(segment: string): SegmentPattern {
  if (segment === VERSION_PARAMETER) return (value) => /^[0-9a-f]{40}$/.test(value);
  if (segment === PAGE_PARAMETER) return (value) => /^[1-9][0-9]*$/.test(value);
  if (segment === ANY_COLLECTION) return (value) => COLLECTION_NAME.test(value);
  return segment.startsWith('{') ? (value) => !RESERVED_UIDS.has(value) : segment;
}

/** Returns the first endpoint of any registry that matches a path without suffix. */
export function endpointOf(url: string): Endpoint | undefined {
  const segments = url.split('/');
  const patterns = PATTERNS_BY_LENGTH.get(segments.length) ?? [];
  return patterns.find((pattern) => matches(pattern, segments))?.endpoint;
}

/** Compares the last segments first, because most templates differ there. */
function matches({ segments: patterns }: EndpointPattern, segments: readonly string[]): boolean {
  for (let i = segments.length - 1; i >= 0; i--) {
    const [pattern, segment = ''] = [patterns[i], segments[i]];
    if (typeof pattern === 'function' ? !pattern(segment) : pattern !== segment) return false;
  }
  return true;
}

/** Returns the base path at the start of a link. Returns an empty text for links without a base path. */
export function basePathBefore(href: string): string {
  let base = '';
  for (const segment of href.split('/').slice(1)) {
    if (endpointOf(href.slice(base.length)) !== undefined) return base;
    base += `/${segment}`;
  }
  return '';
}

const SNAPSHOT_CONTENTS: readonly Content[] = ['resource', 'resources', 'deep', 'legacy-item', 'legacy-collection'];

export function isInSnapshots({ content }: Pick<Endpoint, 'content'>): boolean {
  return SNAPSHOT_CONTENTS.includes(content);
}

export function canBeDeep({ content, kind }: Pick<Endpoint, 'content' | 'kind'>): boolean {
  return content === 'resource' && kind.children.length > 0;
}
