/** The table of kinds. Paths, files, links and schemas derive from this table and from schemas.ts. */
import type { z } from 'zod';
import type { Lazy } from '../platform/on-demand.ts';
import type { FieldClass } from './field-classes.ts';
import { FLAVOR_TYPES } from './flavor-types.ts';
import { declaredSchema, resourceSchemas } from './schemas.ts';

export interface KindRow {
  readonly name: string;
  readonly types?: readonly string[];
  /** The path segment of the kind's collections. The grid has no collection. */
  readonly collection?: string;
  /** The kinds whose items contain collections of this kind. The grid has no parent kind. */
  readonly parents: readonly string[];
  readonly schema: Lazy<z.ZodObject>;
  readonly about: FieldClass;
  /** `name`, the default, allows any uid that is safe in a path. With `node`, the setting `node_uid` applies. */
  readonly uidRule?: 'name' | 'node';
  /** True if nothing links to an empty collection of this kind. The current dialect can also omit its document. */
  readonly onlyIfAny?: boolean;
  /** Whether the current dialect contains the document of an empty collection, although nothing links to it. */
  readonly isServedUnlinked?: boolean;
  readonly hasFeed?: boolean;
  readonly hasLatestVersion?: boolean;
  /** The target of the `parent` link in an item's history. The default is `item`. */
  readonly historyParent?: 'item' | 'collection';
  /** Whether collections also have a `parent` link in the legacy dialect. The default is true. */
  readonly linksLegacyParent?: boolean;
  /** Additional links to empty documents, which an item has only in the legacy dialect. */
  readonly legacyChildren?: Readonly<Record<string, 'collection' | 'item'>>;
}

export interface Kind extends Required<Omit<KindRow, 'collection'>> {
  readonly collection: string | undefined;
  readonly children: readonly Kind[];
  /** The ordered link relations of an item, by dialect. The link relations include the names of child collections. */
  readonly rels: { readonly current: readonly string[]; readonly legacy: readonly string[] };
}

type BuiltIn = Omit<KindRow, 'schema'> & { readonly name: keyof ReturnType<typeof resourceSchemas> };

const BUILT_IN: readonly BuiltIn[] = [
  {
    name: 'grid',
    parents: [],
    about: 'administrative',
    hasFeed: true,
    legacyChildren: { users: 'collection', notifications: 'collection' },
  },
  {
    name: 'site',
    collection: 'sites',
    parents: ['grid'],
    about: 'administrative',
    hasFeed: true,
    historyParent: 'collection',
    linksLegacyParent: false,
    legacyChildren: {
      jobs: 'collection',
      deployments: 'collection',
      vlans: 'collection',
      metrics: 'collection',
      status: 'item',
    },
  },
  { name: 'cluster', collection: 'clusters', parents: ['site'], about: 'administrative' },
  {
    name: 'node',
    collection: 'nodes',
    parents: ['cluster'],
    about: 'hardware',
    uidRule: 'node',
    hasLatestVersion: true,
  },
  {
    name: 'flavor',
    types: FLAVOR_TYPES,
    collection: 'flavors',
    parents: ['site'],
    about: 'hardware',
    onlyIfAny: true,
    isServedUnlinked: true,
  },
  { name: 'server', collection: 'servers', parents: ['site'], about: 'hardware', onlyIfAny: true },
  { name: 'pdu', collection: 'pdus', parents: ['site'], about: 'hardware', onlyIfAny: true },
  {
    name: 'network_equipment',
    collection: 'network_equipments',
    parents: ['grid', 'site'],
    about: 'hardware',
    onlyIfAny: true,
  },
  {
    name: 'environment',
    collection: 'environments',
    parents: ['grid', 'site'],
    about: 'administrative',
    onlyIfAny: true,
  },
];

const ROWS = BUILT_IN.map((row): KindRow => ({ ...row, schema: () => resourceSchemas()[row.name] }));

/** The names of collections that have no document while they are empty. */
export const OPTIONAL_COLLECTIONS = BUILT_IN.flatMap(({ onlyIfAny, isServedUnlinked, collection }) =>
  onlyIfAny === true && isServedUnlinked !== true && collection !== undefined ? [collection] : [],
);

const DEFAULTS = {
  collection: undefined,
  uidRule: 'name',
  onlyIfAny: false,
  isServedUnlinked: false,
  hasFeed: false,
  hasLatestVersion: false,
  historyParent: 'item',
  linksLegacyParent: true,
  legacyChildren: {},
} as const;

export interface Kinds {
  readonly grid: Kind;
  readonly all: readonly Kind[];
}

function kindsOf(rows: readonly KindRow[]): Kinds {
  const kinds = rows.map((row): Kind & { readonly children: Kind[] } => {
    const below = rows.filter(({ parents }) => parents.includes(row.name));
    return { ...DEFAULTS, types: [row.name], ...row, children: [], rels: relsOf(row, below) };
  });
  for (const kind of kinds) kind.children.push(...kinds.filter(({ parents }) => parents.includes(kind.name)));
  const grid = kinds.find(({ parents }) => parents.length === 0);
  if (!grid) throw new Error('no row has no parents');
  return { grid, all: kinds };
}

/** Sorts the link relations in the fixed order of the API. Optional collections come last. */
function relsOf(
  { parents, legacyChildren = {}, hasLatestVersion = false }: KindRow,
  below: readonly KindRow[],
): Kind['rels'] {
  const collections = (onlyIfAny: boolean) =>
    below.flatMap((row) =>
      row.collection === undefined || (row.onlyIfAny ?? false) !== onlyIfAny ? [] : row.collection,
    );
  const own = ['self', 'parent'];
  const last = [...collections(true), ...(hasLatestVersion ? ['latest-version'] : [])];
  return {
    current:
      parents.length === 0
        ? [...collections(false), ...own, 'versions', ...last]
        : [...own, ...collections(false), 'versions', 'version', ...last],
    legacy: [...collections(false), ...own, 'version', 'versions', ...Object.keys(legacyChildren), ...last],
  };
}

export const KINDS: Kinds = kindsOf(ROWS);

export const DECLARED_PARENTS = ['site', 'cluster'] as const;

/** A registry can declare a kind in its configuration. Items of a declared kind have no schema and no collections. */
export interface DeclaredKind {
  readonly name: string;
  readonly collection: string;
  readonly parent: (typeof DECLARED_PARENTS)[number];
}

export function kindsWith(declared: readonly DeclaredKind[]): Kinds {
  if (declared.length === 0) return KINDS;
  const rows = declared.map(({ name, collection, parent }): KindRow => {
    return { name, collection, parents: [parent], ...DECLARED, schema: declaredSchema(name) };
  });
  return kindsOf([...ROWS, ...rows]);
}

const DECLARED = { about: 'hardware', onlyIfAny: true } as const;

export const ANY_COLLECTION = '{resources}';

export const READABLE_KINDS: Kinds = kindsOf([
  ...ROWS,
  {
    name: 'resource',
    collection: ANY_COLLECTION,
    parents: DECLARED_PARENTS,
    ...DECLARED,
    schema: () => resourceSchemas().resource,
  },
]);

export function kindNamed(name: string, { all }: Kinds = KINDS): Kind {
  const kind = all.find((each) => each.name === name);
  if (!kind) throw new Error(`no row for the kind ${name}`);
  return kind;
}

export const NODE: Kind = kindNamed('node');

export const PATH_TO_NODES: readonly Kind[] = pathTo(NODE);

function pathTo(kind: Kind): Kind[] {
  const [parent] = kind.parents;
  return parent === undefined ? [] : [...pathTo(kindNamed(parent)), kind];
}

/** Whether each item has its own folder. Items of kinds without children are single files. */
export function hasOwnFolder({ children }: Kind): boolean {
  return children.length > 0;
}
