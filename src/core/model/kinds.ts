/**
 * The kinds of resources: the one table from which paths, files, links and schemas derive. A new kind is one row
 * here and its schema in schemas.ts.
 */
import type { z } from 'zod';
import type { Lazy } from '../platform/on-demand.ts';
import type { FieldClass } from './field-classes.ts';
import { FLAVOR_TYPES } from './flavor-types.ts';
import { declaredSchema, resourceSchemas } from './schemas.ts';

export interface KindRow {
  readonly name: string;
  readonly types?: readonly string[];
  /** The path segment of its collections; none for the root. */
  readonly collection?: string;
  /** The names of the kinds whose items hold its collections; none for the root. */
  readonly parents: readonly string[];
  readonly schema: Lazy<z.ZodObject>;
  readonly about: FieldClass;
  /** `name`, the default, is any uid that is safe in a path; `node` is what the configuration's `node_uid` says. */
  readonly uidRule?: 'name' | 'node';
  /**
   * Its collections are linked to, and have documents, only where they have members; clients of the legacy dialect ask for
   * them unlinked, and get empty ones.
   */
  readonly onlyIfAny?: boolean;
  /** Clients of the current dialect too ask for its collections where there are none, and get empty ones. */
  readonly isAskedUnlinked?: boolean;
  readonly hasFeed?: boolean;
  readonly hasLatestVersion?: boolean;
  /** What the parent of an item's history is; by default the item. */
  readonly historyParent?: 'item' | 'collection';
  /** Whether its collections link to what holds them in the legacy dialect too; by default they do. */
  readonly linksLegacyParent?: boolean;
  /** Collections and items that legacy responses link to and that this service leaves empty. */
  readonly legacyChildren?: Readonly<Record<string, 'collection' | 'item'>>;
}

export interface Kind extends Required<Omit<KindRow, 'collection'>> {
  readonly collection: string | undefined;
  readonly children: readonly Kind[];
  /** The link relations of an item, in order, in each dialect. Collection names are among them. */
  readonly rels: { readonly current: readonly string[]; readonly legacy: readonly string[] };
}

const ROWS: readonly KindRow[] = [
  {
    name: 'grid',
    parents: [],
    schema: () => resourceSchemas().grid,
    about: 'administrative',
    hasFeed: true,
    legacyChildren: { users: 'collection', notifications: 'collection' },
  },
  {
    name: 'site',
    collection: 'sites',
    parents: ['grid'],
    schema: () => resourceSchemas().site,
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
  {
    name: 'cluster',
    collection: 'clusters',
    parents: ['site'],
    schema: () => resourceSchemas().cluster,
    about: 'administrative',
  },
  {
    name: 'node',
    collection: 'nodes',
    parents: ['cluster'],
    schema: () => resourceSchemas().node,
    about: 'hardware',
    uidRule: 'node',
    hasLatestVersion: true,
  },
  {
    name: 'flavor',
    types: FLAVOR_TYPES,
    collection: 'flavors',
    parents: ['site'],
    schema: () => resourceSchemas().flavor,
    about: 'hardware',
    onlyIfAny: true,
    isAskedUnlinked: true,
  },
  {
    name: 'server',
    collection: 'servers',
    parents: ['site'],
    schema: () => resourceSchemas().server,
    about: 'hardware',
    onlyIfAny: true,
  },
  {
    name: 'pdu',
    collection: 'pdus',
    parents: ['site'],
    schema: () => resourceSchemas().pdu,
    about: 'hardware',
    onlyIfAny: true,
  },
  {
    name: 'network_equipment',
    collection: 'network_equipments',
    parents: ['grid', 'site'],
    schema: () => resourceSchemas().network_equipment,
    about: 'hardware',
    onlyIfAny: true,
  },
  {
    name: 'environment',
    collection: 'environments',
    parents: ['grid', 'site'],
    schema: () => resourceSchemas().environment,
    about: 'administrative',
    onlyIfAny: true,
  },
];

const DEFAULTS = {
  collection: undefined,
  uidRule: 'name',
  onlyIfAny: false,
  isAskedUnlinked: false,
  hasFeed: false,
  hasLatestVersion: false,
  historyParent: 'item',
  linksLegacyParent: true,
  legacyChildren: {},
} as const;

export interface Kinds {
  readonly grid: Kind;
  readonly all: readonly Kind[];
  readonly declared: readonly DeclaredKind[];
}

export function kindsOf(rows: readonly KindRow[], declared: readonly DeclaredKind[] = []): Kinds {
  const kinds = rows.map((row): Kind & { readonly children: Kind[] } => {
    const below = rows.filter(({ parents }) => parents.includes(row.name));
    return { ...DEFAULTS, types: [row.name], ...row, children: [], rels: relsOf(row, below) };
  });
  for (const kind of kinds) kind.children.push(...kinds.filter(({ parents }) => parents.includes(kind.name)));
  const grid = kinds.find(({ parents }) => parents.length === 0);
  if (!grid) throw new Error('no row has no parents');
  return { grid, all: kinds, declared };
}

/**
 * The link relations of a kind's items, in the order of the contract (section 4): the collections that may not be there
 * stand behind those that are, and of what is not in the contract behind everything.
 */
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

/** The kinds of the items that can hold collections of a registry's own kinds. */
export const DECLARED_PARENTS = ['site', 'cluster'] as const;

/** A kind of a registry's own: its items are leaves, of which nothing but their identity is known. */
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
  return kindsOf([...ROWS, ...rows], declared);
}

const DECLARED = { about: 'hardware', onlyIfAny: true } as const;

/** Stands for any collection of kinds that only the registry knows that is read. */
export const ANY_COLLECTION = '{resources}';

/** The kinds of whatever registry's API: those that every registry has, and any other. */
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

/** What experimenters reserve, what locks are of, and what fleets are made of. */
export const NODE: Kind = kindNamed('node');

export const WAY_TO_NODES: readonly Kind[] = wayTo(NODE);

function wayTo(kind: Kind): Kind[] {
  const [parent] = kind.parents;
  return parent === undefined ? [] : [...wayTo(kindNamed(parent)), kind];
}

/** Kinds with others below them live in a folder of their own; the rest are single files in their collection's. */
export function hasOwnFolder({ children }: Kind): boolean {
  return children.length > 0;
}
