/** The schemas of what shows the nodes of all sites in columns: the table, its rows, the table over time, the data dictionary. */

import type { z } from 'zod';
import { FIELD_CLASSES } from '../../model/field-classes.ts';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
import { NODE_PAGE_SIZE, ROW_PAGE_SIZE } from '../page-size.ts';
import { isNodePage } from './body-rules.ts';
import {
  collectionSchema,
  type DialectName,
  envelopeSchemas,
  type LinkRow,
  type LinkRows,
  linksSchema,
} from './shared-schemas.ts';

function documentLinks(dialect: DialectName, parent: 'item' | 'collection', ...others: LinkRow[]): z.ZodType {
  return linksSchema(dialect, [{ rel: 'self', target: 'item' }, { rel: 'parent', target: parent }, ...others]);
}

/** What the table and the table over time have in common. */
const columnParts = lazily(() => {
  const z = zod();
  const { count } = envelopeSchemas();
  return {
    clusters: z
      .array(z.strictObject({ site: z.string(), cluster: z.string(), nodes: count }))
      .describe('How many rows, one after the other, are nodes of a cluster.'),
    columnValues: {
      name: z.string().describe('A field at the top of nodes.'),
      values: z.array(z.unknown()).describe('Each of its values once, whole.'),
    },
    label: z.strictObject({
      name: z.string(),
      of: z
        .array(z.strictObject({ column: z.string(), values: z.array(z.unknown()) }))
        .describe(
          'What it is made of: for each value of a column, by its number, the label, or null. Of several columns the first counts that says anything.',
        ),
    }),
  };
});

/** The schema of the table. */
export function nodeTableSchema(dialect: DialectName): z.ZodType {
  const z = zod();
  const { count, revision } = envelopeSchemas();
  const { clusters, columnValues, label } = columnParts();
  const column = z.strictObject({
    ...columnValues,
    rows: z
      .array(z.int().min(-1))
      .describe('For each row the number of its value, counted from 0; -1 where the node has not the field.'),
  });
  const links = documentLinks(
    dialect,
    'collection',
    { rel: 'version-history', target: 'item' },
    { rel: 'item', target: 'item', isOptional: true },
  );
  return z
    .strictObject({
      type: z.literal('table'),
      uid: z.literal('table'),
      total: count,
      clusters,
      left_out: z.array(z.string()).describe('The fields that are in no column, though nodes have them.'),
      uids: z
        .array(z.string())
        .optional()
        .describe('The uid of each row. Of very many nodes, uids and names are in pages of rows.'),
      columns: z.array(column),
      labels: z.array(label),
      version: revision,
      links,
    })
    .describe('The nodes of all sites in columns: one row for each, by site, cluster and uid.');
}

const facetSchema = lazily(() => {
  const z = zod();
  const { count, revision } = envelopeSchemas();
  const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
  const counted = z.array(z.strictObject({ value: scalar, nodes: count }));
  return z.strictObject({
    name: z
      .string()
      .describe('The names on the way to the field, with dots between them; positions in arrays are passed over.'),
    types: z.array(z.enum(['array', 'boolean', 'null', 'number', 'object', 'string'])),
    class: z.enum(FIELD_CLASSES).describe('What the field is about.'),
    unit: z.string().optional().describe('The unit of its numbers.'),
    description: z.string().optional(),
    source: z.string().optional().describe('The standard, or the program, whose term it is.'),
    since: revision.optional().describe('The first revision after which a node had the field.'),
    nodes: count.describe('How many nodes have the field, whatever is in it.'),
    distinct: count.describe('How many texts, numbers, booleans and nulls there are in it.'),
    values: counted.optional().describe('How many nodes have each of them, the most frequent first, 200 at most.'),
    longer: count.optional().describe('How many values are too long to be listed.'),
    min: z.number().optional(),
    max: z.number().optional(),
    quartiles: z
      .array(z.number())
      .optional()
      .describe('The least numbers that a quarter, half, three quarters of the nodes do not exceed.'),
    lengths: counted.optional().describe('Of arrays, how many nodes have so many items.'),
  });
});

/** The schema of the data dictionary. */
export function nodeFacetsSchema(dialect: DialectName): z.ZodType {
  const { count, revision } = envelopeSchemas();
  const z = zod();
  return z
    .strictObject({
      type: z.literal('facets'),
      uid: z.literal('facets'),
      total: count.describe('How many nodes there are.'),
      fields: z.array(facetSchema()),
      version: revision,
      links: documentLinks(dialect, 'collection'),
    })
    .describe('What is in the fields of nodes: how many have each, and which values there are.');
}

/** The schema of a page of the rows of the table. */
export function nodeRowsSchema(dialect: DialectName): z.ZodType {
  const z = zod();
  const { count, revision } = envelopeSchemas();
  const links = documentLinks(
    dialect,
    'item',
    ...[{ rel: 'first', target: 'item' } as const, { rel: 'last', target: 'item' } as const],
    { rel: 'prev', target: 'item', isOptional: true },
    { rel: 'next', target: 'item', isOptional: true },
  );
  return z
    .strictObject({
      type: z.literal('rows'),
      uid: z.string(),
      total: count,
      offset: count.describe('How many rows stand before them.'),
      uids: z.array(z.string()).max(ROW_PAGE_SIZE),
      names: z.array(z.unknown()).max(ROW_PAGE_SIZE).describe('The `node_name` of each, null where it has none.'),
      version: revision,
      links,
    })
    .describe('The uids and names of rows of the table, where there are very many.');
}

/** The schema of the table over time. */
export function nodeHistorySchema(dialect: DialectName): z.ZodType {
  const z = zod();
  const { count, revision, timestamp } = envelopeSchemas();
  const { clusters, columnValues, label } = columnParts();
  const common = { type: z.literal('history'), uid: z.literal('history') };
  const end = { version: revision, links: documentLinks(dialect, 'collection', { rel: 'alternate', target: 'item' }) };
  const cells = z
    .array(z.int().min(-1))
    .nullable()
    .describe(
      'The number of a column and of its value now, -1 for none, one after the other; null where the node is gone.',
    );
  const whole = z.strictObject({
    ...common,
    total: count.describe('How many nodes there ever were.'),
    left_out: z.array(z.string()).describe('The fields that are in no column, though nodes have them.'),
    revisions: z
      .array(
        z.strictObject({
          uid: revision,
          timestamp,
          parent: count.nullable(),
          older_left_out: z
            .literal(true)
            .optional()
            .describe('What stands before it is older than the history that is published: it brings what was there.'),
        }),
      )
      .describe('Each after its parents. `parent` is the number of the first of them.'),
    clusters,
    uids: z.array(z.string()).describe('The uid of each node.'),
    columns: z.array(z.strictObject(columnValues)),
    labels: z.array(label),
    events: z
      .array(z.array(z.tuple([count, cells])))
      .describe(
        'For each node what revisions did to it, the oldest first: the number of the revision and what it changed against its first parent. As of a revision, those count that lead to it by first parents.',
      ),
    ...end,
  });
  const tooLarge = z.strictObject({
    ...common,
    too_large: z.strictObject({ most: count.describe('How many characters it may have.') }),
    ...end,
  });
  return z.union([whole, tooLarge]).describe('The table of nodes over time, so that any past state can be shown.');
}

/** The schemas of what shows the nodes of all sites in lists: pages, what is found, groups, nodes of one name. */
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
