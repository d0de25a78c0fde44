/**
 * The endpoint table: every URL that the API answers, derived from the table of kinds. Links, files, host rules and the
 * description of the API follow it; `urls.ts` spells the paths.
 */

import { ANY_COLLECTION, type Kind, type Kinds, NODE, READABLE_KINDS } from '../model/kinds.ts';
import { collectionOf, gridOf, itemOf, type Subject } from '../model/resource-path.ts';
import { COLLECTION_NAME, NO_COLLECTIONS } from './collection-names.ts';
import { type BadgeContent, badgeUrl, deepUrl, revisionBadgeUrl } from './deep-and-badge-paths.ts';
import { DESCRIPTION_ROWS, type DescriptionContent, WELL_KNOWN_FOLDER } from './description/description-paths.ts';
import { EXPLORER_ROWS, type ExplorerContent } from './explorer/explorer-paths.ts';
import { EXPORT_ROWS, type ExportContent } from './exports/export-urls.ts';
import { NODE_ROWS, type NodeContent, PAGE_PARAMETER } from './nodes/node-paths.ts';
import { atomUrl, isRaw, type RawForm, rawFormEnding, timemapLinksUrl } from './raw-forms.ts';
import {
  changesPageUrl,
  changesUrl,
  EXPORTS_FOLDER,
  feedUrl,
  latestVersionUrl,
  resourceUrl,
  SNAPSHOTS_PATH,
  snapshotUrl,
  timemapUrl,
  VERSIONS,
  versionsPageUrl,
  versionsUrl,
  versionUrl,
} from './urls.ts';

/** Whether a resource is one thing or a list of things. */
export type SubjectForm = 'item' | 'collection';

/** What a JSON body is: legacy responses have a media type for each. */
export type Form = SubjectForm | 'feed';

/** How long a cache may keep a response: `immutable` for what never changes once it is built. */
export type CacheClass = 'mutable' | 'immutable';

/** What a response says, in whatever form. */
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
  | NodeContent
  | ExportContent
  | DescriptionContent
  | ExplorerContent
  | BadgeContent
  | 'legacy-item'
  | 'legacy-collection';

export interface Endpoint {
  /** The path with its parameters in braces: `/sites/{site_uid}`. */
  readonly template: string;
  readonly content: Content;
  readonly form: Form | RawForm;
  readonly cache: CacheClass;
  /** The kind of the item, or of the collection's members. */
  readonly kind: Kind;
  /** Whether it is about an item of the kind or a collection of them: histories exist of both. */
  readonly subject: SubjectForm;
  /** Whether it stands below `/snapshots/{version_id}`. */
  readonly inSnapshot: boolean;
}

const VERSION_PARAMETER = '{version_id}';

/** The form of what a path without suffix answers, where it is no JSON. Uids may end as raw documents do. */
export function rawFormOf(url: string): RawForm | undefined {
  const form = rawFormEnding(url);
  return form !== undefined && !endsInUid(url) ? form : undefined;
}

/** Collections and uids take turns from the root on. */
function endsInUid(url: string): boolean {
  const segments = url.slice(1).split('/');
  if (segments[0] === EXPORTS_FOLDER || segments[0] === WELL_KNOWN_FOLDER) return false;
  return segments.length % 2 === 0 && !NO_COLLECTIONS.has(segments.at(-2) ?? '');
}

/** Every subject of the registry with its uids as parameters: `sites/{site_uid}`. */
function subjectTemplates(item: Subject): Subject[] {
  const below = item.kind.children.flatMap((kind) => {
    const collection = collectionOf(item, kind);
    return [collection, ...subjectTemplates(itemOf(collection, `{${kind.name}_uid}`))];
  });
  return [item, ...below];
}

function resourceEndpoints(subject: Subject, base: string): Endpoint[] {
  const { path, kind, isCollection } = subject;
  const form = isCollection ? 'collection' : 'item';
  const cache = base === '' ? 'mutable' : 'immutable';
  const common = { kind, subject: form, cache, inSnapshot: base !== '' } as const;
  const own: Endpoint = {
    ...common,
    template: resourceUrl(path, base),
    content: isCollection ? 'resources' : 'resource',
    form,
  };
  if (isCollection) return [own];
  const legacy = Object.entries(kind.legacyChildren).map(
    ([name, form]): Endpoint => ({
      ...common,
      template: resourceUrl(path === '' ? name : `${path}/${name}`, base),
      content: form === 'item' ? 'legacy-item' : 'legacy-collection',
      form,
    }),
  );
  const deep: Endpoint = { ...common, template: deepUrl(path, base), content: 'deep', form: 'item' };
  return [own, ...(kind.children.length > 0 ? [deep] : []), ...legacy];
}

function historyEndpoints({ path, kind, isCollection }: Subject): Endpoint[] {
  const common = { kind, subject: isCollection ? 'collection' : 'item', inSnapshot: false } as const;
  const mutable = { ...common, cache: 'mutable' } as const;
  const timemaps: Endpoint[] = [
    { ...mutable, template: timemapUrl(path), content: 'timemap', form: 'item' },
    { ...mutable, template: timemapLinksUrl(path), content: 'timemap', form: 'link-format' },
  ];
  return [
    { ...mutable, template: versionsUrl(path), content: 'versions', form: 'collection' },
    { ...mutable, template: versionsPageUrl(path, PAGE_PARAMETER), content: 'version-page', form: 'collection' },
    { ...mutable, template: latestVersionUrl(path), content: 'latest-version', form: 'item' },
    { ...common, template: versionUrl(path, VERSION_PARAMETER), content: 'version', form: 'item', cache: 'immutable' },
    ...(isCollection ? [] : timemaps),
  ];
}

function feedEndpoints({ path, kind, isCollection }: Subject): Endpoint[] {
  if (isCollection || !kind.hasFeed) return [];
  const common = { kind, subject: 'item', inSnapshot: false, cache: 'mutable' } as const;
  return [
    { ...common, template: changesUrl(path), content: 'changes', form: 'collection' },
    // Full pages never change, but the open one has a path like theirs, and caches go by templates.
    { ...common, template: changesPageUrl(path, PAGE_PARAMETER), content: 'changes', form: 'collection' },
    { ...common, template: feedUrl(path), content: 'feed', form: 'feed' },
    { ...common, template: atomUrl(path), content: 'feed', form: 'atom' },
  ];
}

/** Of each node, and of the registry's revisions. */
function badgeEndpoints({ path, kind, isCollection }: Subject): Endpoint[] {
  const isNode = kind.name === NODE.name && !isCollection;
  if (!isNode && path !== '') return [];
  const template = isNode ? badgeUrl(path) : revisionBadgeUrl(VERSION_PARAMETER);
  const common = { subject: 'item', inSnapshot: false, cache: 'mutable' } as const;
  return [{ ...common, template, kind, content: 'badge', form: 'svg' }];
}

/** What shows the nodes of all sites together, what describes the API, and the page that shows the registry. */
function otherEndpoints(grid: Kind): Endpoint[] {
  const common = { inSnapshot: false, cache: 'mutable' } as const;
  const ofNodes = { ...common, kind: NODE, subject: 'collection' } as const;
  const ofGrid = { ...common, kind: grid, subject: 'item' } as const;
  return [
    ...[...NODE_ROWS, ...EXPORT_ROWS].map(([template, content, form]) => ({ ...ofNodes, template, content, form })),
    ...[...DESCRIPTION_ROWS, ...EXPLORER_ROWS].map(([template, content, form]) => ({
      ...ofGrid,
      template,
      content,
      form,
    })),
  ];
}

/** Every endpoint of a registry of some kinds. */
export function endpointsOf(kinds: Kinds): readonly Endpoint[] {
  const grid = gridOf(kinds);
  const subjects = subjectTemplates(grid);
  return [
    ...subjects.flatMap((subject) => [
      ...resourceEndpoints(subject, ''),
      ...historyEndpoints(subject),
      ...feedEndpoints(subject),
      ...badgeEndpoints(subject),
    ]),
    {
      template: SNAPSHOTS_PATH,
      content: 'snapshots',
      form: 'collection',
      cache: 'mutable',
      kind: grid.kind,
      subject: 'item',
      inSnapshot: false,
    },
    ...otherEndpoints(grid.kind),
    ...subjects.flatMap((subject) => resourceEndpoints(subject, snapshotUrl(VERSION_PARAMETER))),
  ];
}

/** The endpoints of whatever registry, as its readers know them. */
export const READABLE_ENDPOINTS: readonly Endpoint[] = endpointsOf(READABLE_KINDS);

/**
 * Contents that reflect a revision of their own, or none, though what is beside them shows the head: a JSON Feed and targets
 * name no revision, and a full page of changes or versions the one up to which it tells.
 */
const NOT_OF_HEAD: readonly Content[] = [
  ...(['version', 'latest-version', 'version-page', 'changes', 'feed', 'targets', 'openapi', 'schema'] as const),
];

/** Whether the `version` of a body is the head: all such bodies of one tree have the same. What is raw has none. */
export function showsHead({ content, form, inSnapshot }: Endpoint): boolean {
  return !inSnapshot && !isRaw(form) && !NOT_OF_HEAD.includes(content);
}

/** Where a part of a path leads to: the rows that end there, and what may follow. */
interface Step {
  /** The row, and its place among all; the first of them where several end there. */
  row?: { readonly endpoint: Endpoint; readonly place: number };
  readonly literal: Map<string, Step>;
  /** By the parameters of templates. */
  readonly fitting: Map<string, { readonly fits: (segment: string) => boolean; readonly step: Step }>;
}

/** The rows by the segments of their paths: whole trees are looked up path by path. */
const FIRST_STEP = newStep();
for (const [place, endpoint] of READABLE_ENDPOINTS.entries()) {
  const last = endpoint.template.split('/').reduce(stepBelow, FIRST_STEP);
  last.row ??= { endpoint, place };
}

function newStep(): Step {
  return { literal: new Map(), fitting: new Map() };
}

function stepBelow({ literal, fitting }: Step, wanted: string): Step {
  const fits = fittingSegment(wanted);
  const step = literal.get(wanted) ?? fitting.get(wanted)?.step ?? newStep();
  if (fits) fitting.set(wanted, { fits, step });
  else literal.set(wanted, step);
  return step;
}

/** The row that answers a path without suffix, in whatever registry; undefined when the table has none. */
export function endpointOf(url: string): Endpoint | undefined {
  return rowBelow(FIRST_STEP, url.split('/'), 0)?.endpoint;
}

/** The first row that the rest of a path leads to. */
function rowBelow(step: Step, segments: readonly string[], at: number): Step['row'] {
  const segment = segments[at];
  if (segment === undefined) return step.row;
  const literal = step.literal.get(segment);
  let found = literal && rowBelow(literal, segments, at + 1);
  for (const { fits, step: next } of step.fitting.values()) {
    const row = fits(segment) ? rowBelow(next, segments, at + 1) : undefined;
    if (row && (!found || row.place < found.place)) found = row;
  }
  return found;
}

/** What a segment must fit; undefined where it must be the word itself. */
function fittingSegment(wanted: string): ((segment: string) => boolean) | undefined {
  if (wanted === VERSION_PARAMETER) return (segment) => /^[0-9a-f]{40}$/.test(segment);
  if (wanted === PAGE_PARAMETER) return (segment) => /^[1-9][0-9]*$/.test(segment);
  if (wanted === ANY_COLLECTION) return (segment) => COLLECTION_NAME.test(segment);
  return wanted.startsWith('{') ? (segment) => !NO_UIDS.has(segment) : undefined;
}

/** What stands where uids do, and is none. */
const NO_UIDS = new Set(['', VERSIONS, SNAPSHOTS_PATH.slice(1)]);

/** What stands before the path of the API in a link; nothing in one that has no prefix, or leads elsewhere. */
export function basePathBefore(href: string): string {
  let base = '';
  for (const segment of href.split('/').slice(1)) {
    if (endpointOf(href.slice(base.length)) !== undefined) return base;
    base += `/${segment}`;
  }
  return '';
}
