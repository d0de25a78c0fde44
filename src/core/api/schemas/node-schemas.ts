import type { z } from 'zod';
import { FIELD_CLASSES } from '../../model/field-classes.ts';
import { lazily } from '../../platform/on-demand.ts';
import { NODE_PAGE_SIZE, ROW_PAGE_SIZE } from '../page-size.ts';
import { fitsNodePage } from './body-rules.ts';
import { collectionSchema, type DialectName, documentSchema, linksSchema, sharedSchemas } from './shared-schemas.ts';

const columnParts = lazily(() => {
  const { z, count } = sharedSchemas();
  return {
    clusters: z
      .array(z.strictObject({ site: z.string(), cluster: z.string(), nodes: count }))
      .describe('The clusters in the order of the rows. `nodes` is the number of consecutive rows of a cluster.'),
    omittedFields: z.array(z.string()).describe('The fields of nodes that have no column.'),
    columnValues: {
      name: z.string().describe('A top-level field of nodes.'),
      values: z.array(z.unknown()).describe('The distinct values of the field.'),
    },
    label: z.strictObject({
      name: z.string(),
      of: z
        .array(z.strictObject({ column: z.string(), values: z.array(z.unknown()) }))
        .describe(
          'The columns from which the label is computed. `values` has a label or null for each value of the column. The first column with a label for a node counts.',
        ),
    }),
  };
});

export function nodeTableSchema(dialect: DialectName): z.ZodType {
  const { z, count } = sharedSchemas();
  const { clusters, omittedFields, columnValues, label } = columnParts();
  const column = z.strictObject({
    ...columnValues,
    rows: z
      .array(z.int().min(-1))
      .describe('For each row, the index of its value in `values`; -1 if the node does not have the field.'),
  });
  const fields = {
    total: count,
    clusters,
    left_out: omittedFields,
    uids: z
      .array(z.string())
      .optional()
      .describe('The uid of each row. In a large registry, the uids are on pages of rows instead.'),
    columns: z.array(column),
    labels: z.array(label),
  };
  const links = linksSchema(dialect, {
    self: 'item',
    parent: 'collection',
    'version-history': 'item',
    'item?': 'item',
  });
  return documentSchema('table', fields, links).describe(
    'The nodes of all sites in columns. Each row is a node. Rows are sorted by site, cluster and uid.',
  );
}

const facetSchema = lazily(() => {
  const { z, count, revision } = sharedSchemas();
  const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
  const counted = z.array(z.strictObject({ value: scalar, nodes: count }));
  return z.strictObject({
    name: z.string().describe('The path of the field: names with dots between them, without positions in lists.'),
    types: z.array(z.enum(['array', 'boolean', 'null', 'number', 'object', 'string'])),
    class: z.enum(FIELD_CLASSES).describe('The class of the field.'),
    unit: z.string().optional().describe('The unit of the numbers.'),
    description: z.string().optional(),
    source: z.string().optional().describe('The standard or the program that defines the field.'),
    since: revision.optional().describe('The first revision after which a node had the field.'),
    nodes: count.describe('The number of nodes with the field, with any value.'),
    distinct: count.describe('The number of distinct texts, numbers, booleans and nulls.'),
    values: counted
      .optional()
      .describe('The number of nodes with each value: most frequent first, at most 200 values.'),
    longer: count.optional().describe('The number of values that are too long to list.'),
    min: z.number().optional(),
    max: z.number().optional(),
    quartiles: z
      .array(z.number())
      .optional()
      .describe('The lowest numbers that a quarter, half and three quarters of the nodes do not exceed.'),
    lengths: counted.optional().describe('The number of nodes with each list length.'),
  });
});

export function nodeFacetsSchema(dialect: DialectName): z.ZodType {
  const { z, count } = sharedSchemas();
  const fields = { total: count.describe('The number of nodes.'), fields: z.array(facetSchema()) };
  return documentSchema('facets', fields, linksSchema(dialect, { self: 'item', parent: 'collection' })).describe(
    'The fields of nodes: how many nodes have each field, and its values.',
  );
}

export function nodeRowsSchema(dialect: DialectName): z.ZodType {
  const { z, count, revision } = sharedSchemas();
  const links = linksSchema(dialect, {
    self: 'item',
    parent: 'item',
    first: 'item',
    last: 'item',
    'prev?': 'item',
    'next?': 'item',
  });
  return z
    .strictObject({
      type: z.literal('rows'),
      uid: z.string(),
      total: count,
      offset: count.describe('The number of rows before this page.'),
      uids: z.array(z.string()).max(ROW_PAGE_SIZE),
      names: z.array(z.unknown()).max(ROW_PAGE_SIZE).describe('The `node_name` of each row, or null.'),
      version: revision,
      links,
    })
    .describe('The uids and names of table rows in a large registry.');
}

export function nodeHistorySchema(dialect: DialectName): z.ZodType {
  const { z, count, revision, timestamp } = sharedSchemas();
  const { clusters, omittedFields, columnValues, label } = columnParts();
  const links = linksSchema(dialect, { self: 'item', parent: 'collection', alternate: 'item' });
  const cells = z
    .array(z.int().min(-1))
    .nullable()
    .describe(
      'Pairs of column index and new value index (-1 for no value) in a flat list; null if the node was removed.',
    );
  const item = z.strictObject({
    uid: revision,
    timestamp,
    parent: count.nullable(),
    older_left_out: z
      .literal(true)
      .optional()
      .describe('Present if older revisions are not published. The events of this revision add all existing nodes.'),
  });
  const whole = {
    total: count.describe('The number of nodes, including removed ones.'),
    left_out: omittedFields,
    revisions: z.array(item).describe('Each revision follows its parents. `parent` is the index of its first parent.'),
    clusters,
    uids: z.array(z.string()).describe('The uid of each node.'),
    columns: z.array(z.strictObject(columnValues)),
    labels: z.array(label),
    events: z
      .array(z.array(z.tuple([count, cells])))
      .describe(
        'For each node its changes, oldest first: the index of a revision and the difference to its first parent. To get the state at a revision, apply the changes on its line of first parents.',
      ),
  };
  const tooLarge = { too_large: z.strictObject({ most: count.describe('The size limit in characters.') }) };
  return z
    .union([documentSchema('history', whole, links), documentSchema('history', tooLarge, links)])
    .describe('The table of nodes over time, from which clients can show any older state.');
}

export function nodePageSchema(item: z.ZodType, dialect: DialectName): z.ZodType {
  const links = linksSchema(dialect, {
    self: 'collection',
    parent: 'item',
    first: 'collection',
    last: 'collection',
    search: 'collection',
    describedby: 'item',
    alternate: 'item',
    'version-history': 'item',
    collection: 'collection',
    'enclosure?': 'item',
    'prev?': 'collection',
    'next?': 'collection',
  });
  return listSchema(item, links)
    .refine(fitsNodePage, `expected at most ${NODE_PAGE_SIZE} nodes, within the total`)
    .describe(
      `The nodes of all sites, sorted by site, cluster and uid, with ${NODE_PAGE_SIZE} nodes per page. \`offset\` is the number of nodes before the page, \`total\` the number of all nodes.`,
    );
}

export function nodeSearchSchema(item: z.ZodObject, dialect: DialectName): z.ZodType {
  const { z } = sharedSchemas();
  const found = item.extend({
    site_id: z.string().describe('The uid of the site.'),
    cluster_id: z.string().describe('The uid of the cluster.'),
    availability: z.literal('unknown').describe('A static API has no reservations.'),
    availability_until: z.null(),
    node_type: z.string().describe('The type of the node; `unknown` if the registry does not contain it.'),
  });
  return listSchema(found, ownLinks(dialect, 'collection')).describe(
    'All nodes, for clients that filter the list themselves. A very large registry has only its first nodes here. Query strings are ignored.',
  );
}

function listSchema<T extends z.ZodType>(item: T, links: z.ZodType) {
  const { z, count, revision } = sharedSchemas();
  return z.strictObject({ total: count, offset: count, items: z.array(item), version: revision, links });
}

function ownLinks(dialect: DialectName, self: 'item' | 'collection'): z.ZodType {
  return linksSchema(dialect, { self, parent: 'collection' });
}

export function nodeGroupsSchema(dialect: DialectName): z.ZodType {
  const { z, count, revision } = sharedSchemas();
  const group = z.strictObject({
    type: z.literal('group'),
    field: z.string().describe('The field that groups the nodes.'),
    value: z.union([z.string(), z.number(), z.boolean()]),
    nodes: count.describe('The number of nodes with the value.'),
    version: revision,
    links: linksSchema(dialect, { parent: 'collection', 'self?': 'collection' }),
  });
  return collectionSchema(group, ownLinks(dialect, 'collection')).describe(
    'The groups of nodes: one group per value of a field, with a link to its nodes. A very large registry has no such links.',
  );
}

export function nodeGroupSchema(item: z.ZodType, dialect: DialectName): z.ZodType {
  return collectionSchema(item, ownLinks(dialect, 'collection')).describe(
    'The nodes with one value in one field, sorted by site, cluster and uid.',
  );
}

export function namedNodeSchema(item: z.ZodType, dialect: DialectName): z.ZodType {
  const { z, count, revision } = sharedSchemas();
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
    .describe('The node with a name, as at its own path; or all nodes that share the name.');
}
