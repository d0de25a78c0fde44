/** The schemas of what shows the nodes of all sites together: lists, the table, the data dictionary. */
import type { z } from 'zod';
import { FIELD_CLASSES } from '../../model/field-classes.ts';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
import { NODE_PAGE_SIZE } from '../page-size.ts';
import { isNodePage } from './body-rules.ts';
import { envelopeSchemas } from './envelope-schemas.ts';
import { type DialectName, type LinkRows, linksSchema } from './link-schemas.ts';

const PAGE_LINKS: LinkRows = [
  { rel: 'self', target: 'collection' },
  { rel: 'parent', target: 'item' },
  { rel: 'first', target: 'collection' },
  { rel: 'last', target: 'collection' },
  { rel: 'search', target: 'collection' },
  { rel: 'describedby', target: 'item' },
  { rel: 'alternate', target: 'item' },
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
  });
  return listSchema(found, documentLinks(dialect, 'collection')).describe(
    'All nodes, for clients that filter by themselves; the first, where there are too many. Query strings are ignored.',
  );
}

function listSchema<T extends z.ZodType>(item: T, links: z.ZodType) {
  const { count, revision } = envelopeSchemas();
  const items = zod().array(item);
  return zod().strictObject({ total: count, offset: count, items, version: revision, links });
}

function documentLinks(dialect: DialectName, self: 'item' | 'collection'): z.ZodType {
  return linksSchema(dialect, [
    { rel: 'self', target: self },
    { rel: 'parent', target: 'collection' },
  ]);
}

/** The schema of the table. */
export function nodeTableSchema(dialect: DialectName): z.ZodType {
  const z = zod();
  const { count, revision } = envelopeSchemas();
  const column = z.strictObject({
    name: z.string().describe('A field at the top of nodes.'),
    values: z.array(z.unknown()).describe('Each of its values once, whole.'),
    rows: z
      .array(z.int().min(-1))
      .describe('For each row the number of its value, counted from 0; -1 where the node has not the field.'),
  });
  const label = z.strictObject({
    name: z.string(),
    of: z
      .array(z.strictObject({ column: z.string(), values: z.array(z.unknown()) }))
      .describe(
        'What it is made of: for each value of a column, by its number, the label, or null. Of several columns the first counts that says anything.',
      ),
  });
  return z
    .strictObject({
      ...{ type: z.literal('table'), uid: z.literal('table'), total: count },
      clusters: z
        .array(z.strictObject({ site: z.string(), cluster: z.string(), nodes: count }))
        .describe('How many rows, one after the other, are nodes of a cluster.'),
      left_out: z.array(z.string()).describe('The fields that are in no column, though nodes have them.'),
      uids: z.array(z.string()).describe('The uid of each row.'),
      columns: z.array(column),
      labels: z.array(label),
      ...{ version: revision, links: documentLinks(dialect, 'item') },
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
      .describe(
        'The names on the way to the field, with dots between them; positions in arrays are passed over.',
      ),
    types: z.array(z.enum(['array', 'boolean', 'null', 'number', 'object', 'string'])),
    class: z.enum(FIELD_CLASSES).describe('What the field is about.'),
    unit: z.string().optional().describe('The unit of its numbers.'),
    description: z.string().optional(),
    source: z.string().optional().describe('The standard, or the program, whose term it is.'),
    since: revision.optional().describe('The first revision after which a node had the field.'),
    nodes: count.describe('How many nodes have the field, whatever is in it.'),
    distinct: count.describe('How many texts, numbers, booleans and nulls there are in it.'),
    values: counted
      .optional()
      .describe('How many nodes have each of them, the most frequent first, 200 at most.'),
    longer: count.optional().describe('How many values are too long to be listed.'),
    ...{ min: z.number().optional(), max: z.number().optional() },
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
      ...{
        type: z.literal('facets'),
        uid: z.literal('facets'),
        total: count.describe('How many nodes there are.'),
      },
      fields: z.array(facetSchema()),
      ...{ version: revision, links: documentLinks(dialect, 'item') },
    })
    .describe('What is in the fields of nodes: how many have each, and which values there are.');
}
