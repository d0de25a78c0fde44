/**
 * The kinds of resources: the one table from which paths, files, links and schemas derive. A new kind is one row
 * here and its schema in schemas.ts.
 */
import type { z } from 'zod';
import type { Lazy } from '../platform/on-demand.ts';
import { resourceSchemas } from './schemas.ts';

export type KindName = 'grid' | 'site' | 'cluster' | 'node' | 'flavor';

export interface Kind {
  /** The value of `type` in the kind's items. */
  readonly name: KindName;
  /** The path segment of its collection; none for the root. */
  readonly collection: string | undefined;
  readonly parent: KindName | undefined;
  /** `name` is any uid that is safe in a path; `node` is what the configuration's `node_uid` says. */
  readonly uidRule: 'name' | 'node';
  readonly schema: Lazy<z.ZodObject>;
  /** A collection that exists, and is linked to, only where it has members. */
  readonly onlyIfAny: boolean;
  /** Whether each item has a feed of the changes at and below it. */
  readonly hasFeed: boolean;
  /** The link relations of an item, in order, in each dialect. Collection names are among them. */
  readonly rels: { readonly current: readonly string[]; readonly legacy: readonly string[] };
  /** Collections and items that legacy responses link to and that this service leaves empty. */
  readonly legacyChildren: Readonly<Record<string, 'collection' | 'item'>>;
}

export const KINDS: readonly Kind[] = [
  {
    name: 'grid',
    collection: undefined,
    parent: undefined,
    uidRule: 'name',
    schema: () => resourceSchemas().grid,
    onlyIfAny: false,
    hasFeed: true,
    rels: {
      current: ['sites', 'self', 'parent', 'versions'],
      legacy: ['sites', 'self', 'parent', 'version', 'versions', 'users', 'notifications'],
    },
    legacyChildren: { users: 'collection', notifications: 'collection' },
  },
  {
    name: 'site',
    collection: 'sites',
    parent: 'grid',
    uidRule: 'name',
    schema: () => resourceSchemas().site,
    onlyIfAny: false,
    hasFeed: true,
    rels: {
      current: ['self', 'parent', 'clusters', 'versions', 'version', 'flavors'],
      legacy: [
        ...['clusters', 'self', 'parent', 'version', 'versions'],
        ...['jobs', 'deployments', 'vlans', 'metrics', 'status', 'flavors'],
      ],
    },
    legacyChildren: {
      jobs: 'collection',
      deployments: 'collection',
      vlans: 'collection',
      metrics: 'collection',
      status: 'item',
    },
  },
  {
    name: 'cluster',
    collection: 'clusters',
    parent: 'site',
    uidRule: 'name',
    schema: () => resourceSchemas().cluster,
    onlyIfAny: false,
    hasFeed: false,
    rels: {
      current: ['self', 'parent', 'nodes', 'versions', 'version'],
      legacy: ['nodes', 'self', 'parent', 'version', 'versions'],
    },
    legacyChildren: {},
  },
  {
    name: 'node',
    collection: 'nodes',
    parent: 'cluster',
    uidRule: 'node',
    schema: () => resourceSchemas().node,
    onlyIfAny: false,
    hasFeed: false,
    rels: {
      current: ['self', 'parent', 'versions', 'version', 'latest-version'],
      legacy: ['self', 'parent', 'version', 'versions', 'latest-version'],
    },
    legacyChildren: {},
  },
  {
    name: 'flavor',
    collection: 'flavors',
    parent: 'site',
    uidRule: 'name',
    schema: () => resourceSchemas().flavor,
    onlyIfAny: true,
    hasFeed: false,
    rels: {
      current: ['self', 'parent', 'versions', 'version'],
      legacy: ['self', 'parent', 'version', 'versions'],
    },
    legacyChildren: {},
  },
];

const byName = new Map(KINDS.map((kind) => [kind.name, kind]));
const childrenOf = new Map(
  KINDS.map((kind) => [kind.name, KINDS.filter((child) => child.parent === kind.name)]),
);

export function kindNamed(name: KindName): Kind {
  const kind = byName.get(name);
  if (!kind) throw new Error(`no row for the kind ${name}`);
  return kind;
}

/** The kinds whose collections stand directly below an item of this kind. */
export function childKinds(kind: Kind): readonly Kind[] {
  return childrenOf.get(kind.name) ?? [];
}

/** Kinds with others below them live in a folder of their own; the rest are single files in their collection's. */
export function hasOwnFolder(kind: Kind): boolean {
  return childKinds(kind).length > 0;
}
