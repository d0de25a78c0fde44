/** The schemas of what shows the nodes of all sites in lists: pages, what is found, groups, nodes of one name. */
import type { z } from 'zod';
import { zod } from '../../platform/modules.ts';
import { NODE_PAGE_SIZE } from '../page-size.ts';
import { isNodePage } from './body-rules.ts';
import { collectionSchema, envelopeSchemas } from './envelope-schemas.ts';
import { type DialectName, type LinkRows, linksSchema } from './link-schemas.ts';

const PAGE_LINKS: LinkRows = [
  { rel: 'self', target: 'collection' },
  { rel: 'parent', target: 'item' },
  { rel: 'first', target: 'collection' },
  { rel: 'last', target: 'collection' },
  { rel: 'search', target: 'collection' },
  { rel: 'describedby', target: 'item' },
  { rel: 'alternate', target: 'item' },
  { rel: 'version-history', target: 'item' },
  { rel: 'collection', target: 'collection' },
  { rel: 'enclosure', target: 'item', isOptional: true },
  { rel: 'prev', target: 'collection', isOptional: true },
  { rel: 'next', target: 'collection', isOptional: true },
];

/** The schema of a page of nodes; `item` is that of a node. */
export function nodePageSchema(item: z.ZodType, dialect: DialectName): z.ZodType {
  return listSchema(item, linksSchema(dialect, PAGE_LINKS))
    .refine(isNodePage, 'a page has more nodes than a full one, or than there are')
    .describe(
      `The nodes of all sites, by site, cluster and uid, ${NODE_PAGE_SIZE} on a page: \`offset\` is how many stand before them, \`total\` how many there are.`,
    );
}

/** The schema of the nodes that a search finds, which are all; `item` is that of a node. */
export function nodeSearchSchema(item: z.ZodObject, dialect: DialectName): z.ZodType {
  const z = zod();
  const found = item.extend({
    site_id: z.string().describe('The uid of the site.'),
    cluster_id: z.string().describe('The uid of the cluster.'),
    availability: z.literal('unknown').describe('A static API knows nothing of reservations.'),
    availability_until: z.null(),
    node_type: z.string().describe('Its type; `unknown` where its source says none.'),
  });
  return listSchema(found, ownLinks(dialect, 'collection')).describe(
    'All nodes, for clients that filter by themselves; the first, where there are too many. Query strings are ignored.',
  );
}

function listSchema<T extends z.ZodType>(item: T, links: z.ZodType) {
  const { count, revision } = envelopeSchemas();
  const items = zod().array(item);
  return zod().strictObject({ total: count, offset: count, items, version: revision, links });
}

function ownLinks(dialect: DialectName, self: 'item' | 'collection'): z.ZodType {
  return linksSchema(dialect, [
    { rel: 'self', target: self },
    { rel: 'parent', target: 'collection' },
  ]);
}

/** The schema of the groups. */
export function nodeGroupsSchema(dialect: DialectName): z.ZodType {
  const z = zod();
  const { count, revision } = envelopeSchemas();
  const links = linksSchema(dialect, [
    { rel: 'parent', target: 'collection' },
    { rel: 'self', target: 'collection', isOptional: true },
  ]);
  const group = z.strictObject({
    type: z.literal('group'),
    field: z.string().describe('The field by whose values nodes are grouped.'),
    value: z.union([z.string(), z.number(), z.boolean()]),
    nodes: count.describe('How many nodes have the value.'),
    version: revision,
    links,
  });
  return collectionSchema(group, ownLinks(dialect, 'collection')).describe(
    'What the nodes are grouped by: for each value of a field a link to the nodes that have it, unless there are very many nodes.',
  );
}

/** The schema of a group; `item` is that of a node. */
export function nodeGroupSchema(item: z.ZodType, dialect: DialectName): z.ZodType {
  return collectionSchema(item, ownLinks(dialect, 'collection')).describe(
    'The nodes that have a value in a field, by site, cluster and uid.',
  );
}

/** The schema of what a name stands for: mostly one node, of which `item` is the schema. */
export function namedNodeSchema(item: z.ZodType, dialect: DialectName): z.ZodType {
  const z = zod();
  const { count, revision } = envelopeSchemas();
  const several = z.strictObject({
    type: z.literal('namesakes'),
    uid: z.string(),
    node_name: z.string(),
    total: count,
    items: z.array(item).min(2),
    version: revision,
    links: ownLinks(dialect, 'item'),
  });
  return z
    .union([item, several])
    .describe('The node of a name, as it answers at its own path; several nodes, where they share the name.');
}
