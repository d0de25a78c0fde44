/** What is exported, field by field, in the words of Frictionless Data (Data Package 1.0): for programs that read tables by it. */
import { CHANGE_COLUMNS } from '../../exports/change-lines.ts';
import { cellText } from '../../exports/csv.ts';
import type { NodeColumn } from '../../exports/node-columns.ts';
import { describedField } from '../../model/fields/field-descriptions.ts';
import { epochSeconds, isoTimestamp } from '../../model/revision.ts';
import { printableJson } from '../../platform/text.ts';
import type { Link } from '../dialect.ts';
import type { View } from '../item.ts';
import { NODES_PATH } from '../nodes/node-paths.ts';
import { revisionAt } from '../publication.ts';
import {
  CHANGE_EXPORT_PATH,
  DATA_PACKAGE_PATH,
  inventoryUrl,
  nodeExportUrl,
  pathInPackage,
  targetsUrl,
} from './export-urls.ts';

/** `sites` are the uids of those whose nodes are exported apart; undefined where they are together. */
export function renderDataPackage(
  { publication, index }: View,
  sites: readonly string[] | undefined,
  columns: readonly NodeColumn[],
): string {
  const { id, date } = revisionAt(publication, index);
  const parts = sites ?? [undefined];
  const links: Link[] = [
    { rel: 'self', href: DATA_PACKAGE_PATH, form: 'item' },
    { rel: 'parent', href: NODES_PATH, form: 'collection' },
    { rel: 'item', href: CHANGE_EXPORT_PATH, form: 'csv' },
    ...parts.flatMap((site): Link[] => [
      { rel: 'item', href: nodeExportUrl('csv', site), form: 'csv' },
      { rel: 'item', href: nodeExportUrl('ndjson', site), form: 'ndjson' },
      { rel: 'item', href: inventoryUrl(site), form: 'yaml' },
      { rel: 'item', href: targetsUrl(site), form: 'item' },
    ]),
  ];
  const body = {
    type: 'exports',
    uid: 'exports',
    profile: 'data-package',
    name: 'exports',
    title: 'The nodes of a testbed, and what changed',
    created: isoTimestamp(epochSeconds(date)),
    resources: [
      ...parts.flatMap((site) => nodeResources(site, columns)),
      tableResource('changes', CHANGE_EXPORT_PATH, 'Every change, the oldest first.', CHANGE_COLUMNS),
    ],
  };
  return `${printableJson(JSON.stringify(body)).slice(0, -1)},"version":"${id}","links":${publication.dialect.links(links)}}`;
}

function nodeResources(site: string | undefined, columns: readonly NodeColumn[]) {
  const suffix = site === undefined ? '' : `-${site.toLowerCase()}`;
  const fields = columns.map(columnField);
  const table = tableResource(`nodes${suffix}`, nodeExportUrl('csv', site), 'A node in each line.', fields);
  return [
    { ...table, schema: { ...table.schema, primaryKey: ['site', 'cluster', 'uid'] } },
    {
      profile: 'data-resource',
      name: `node-objects${suffix}`,
      description: 'The same nodes, whole: a JSON object in each line.',
      path: pathInPackage(nodeExportUrl('ndjson', site)),
      format: 'ndjson',
      mediatype: 'application/x-ndjson',
      encoding: 'utf-8',
    },
  ];
}

function tableResource(name: string, url: string, description: string, fields: readonly object[]) {
  return {
    profile: 'tabular-data-resource',
    name,
    description,
    path: pathInPackage(url),
    format: 'csv',
    mediatype: 'text/csv',
    encoding: 'utf-8',
    schema: { fields, missingValues: [''] },
  };
}

/** Named as the line above the cells says it. */
function columnField({ name: column, content, facet }: NodeColumn) {
  const name = cellText(column);
  const { text, unit } = (facet.way ? describedField('node', facet.way) : facet.described) ?? {};
  const said = text === undefined ? {} : { description: text };
  if (content === 'length') return { name, type: 'integer', description: `How many items there are in ${facet.name}.` };
  const type = content === 'list' ? 'array' : typeOf(facet.types);
  const isNumeric = facet.types.includes('number');
  return { name, type, ...said, ...(isNumeric && unit !== undefined ? { unit } : {}), class: facet.class };
}

/** The type of Table Schema in which all values of these types of JSON can be read. */
function typeOf(types: readonly string[]): string {
  const [only, ...others] = types.filter((type) => ['string', 'number', 'boolean'].includes(type));
  if (only === undefined) return 'any';
  return others.length > 0 ? 'any' : only;
}
