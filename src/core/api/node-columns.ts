/** The nodes of all sites in columns: their table, and what there is in their fields. */
import { describedField } from '../model/fields/field-descriptions.ts';
import type { Json } from '../model/json.ts';
import { type Facet, facetsOf } from '../table/facets.ts';
import { firstAppearances } from '../table/first-appearance.ts';
import { labelColumns } from '../table/label-columns.ts';
import type { TableColumn } from '../table/node-table.ts';
import { NODE_FACETS_PATH, NODE_TABLE_PATH, NODES_PATH } from './endpoints.ts';
import type { View } from './item.ts';
import { idAt } from './publication.ts';

/** The JSON text of the table. */
export function renderNodeTable(view: View): string {
  const { publication } = view;
  const { table } = publication.nodes();
  const labels = labelColumns(table.columns, publication.labels);
  return document(view, NODE_TABLE_PATH, {
    ...{ type: 'table', uid: 'table', total: table.total, clusters: table.clusters, left_out: table.leftOut },
    uids: table.uids,
    columns: table.columns.map(columnBody),
    labels: labels.map(({ name, of }) => ({ name, of })),
  });
}

function columnBody({ name, values, rows }: TableColumn) {
  return { name, values, rows: [...rows] };
}

/** The JSON text of the data dictionary. */
export function renderNodeFacets(view: View): string {
  const { publication } = view;
  const survey = publication.nodes();
  const facets = facetsOf(survey, labelColumns(survey.table.columns, publication.labels));
  const ways = facets.map(({ way }) => way ?? []);
  const since = firstAppearances(publication.history, publication.store, ways);
  return document(view, NODE_FACETS_PATH, {
    ...{ type: 'facets', uid: 'facets', total: survey.table.total },
    fields: facets.map((facet, i) => {
      const index = facet.way && since[i];
      return facetBody(facet, index === undefined ? undefined : idAt(publication, index));
    }),
  });
}

function facetBody({ way, range, longer, ...facet }: Facet, since: string | undefined) {
  const { text, unit, source } = (way ? describedField('node', way) : facet.described) ?? {};
  const { name, types, nodes, distinct, values, lengths } = facet;
  return {
    ...{ name, types, class: facet.class },
    ...(types.includes('number') && unit !== undefined ? { unit } : {}),
    ...(text === undefined ? {} : { description: text }),
    ...(source === undefined ? {} : { source }),
    ...(since === undefined ? {} : { since }),
    ...{ nodes, distinct },
    ...(values ? { values } : {}),
    ...(longer > 0 ? { longer } : {}),
    ...(range ?? {}),
    ...(lengths ? { lengths } : {}),
  };
}

function document({ publication, index }: View, self: string, body: Readonly<Record<string, Json | object>>) {
  const links = publication.dialect.links([
    { rel: 'self', href: self, form: 'item' },
    { rel: 'parent', href: NODES_PATH, form: 'collection' },
  ]);
  return `${JSON.stringify(body).slice(0, -1)},"version":"${idAt(publication, index)}","links":${links}}`;
}
