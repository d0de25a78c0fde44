/** What tools are told of a node besides its name: which it is, where it is, and its labels. */

import { LABELS, type Labelling } from '../labels/labels.ts';
import { ruleOfField } from '../model/field-classes.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { NODE } from '../model/kinds.ts';
import { nodeNameOf } from '../model/uid.ts';
import { columnOfLabel } from '../table/label-columns.ts';
import type { NodeSurvey } from '../table/node-survey.ts';
import { bodyAt } from '../table/node-table.ts';
import { isOwnAt } from '../table/own-fields.ts';
import type { WholeNode } from './whole-node.ts';

interface HostVariable {
  readonly name: string;
  /** A text, a number, or a list of texts. */
  readonly value: Json;
}

export const HOST_FIELDS: readonly string[] = ['node_name', 'node_type'];

/** Names of letters and underscores, as every tool takes them. */
export function hostVariables({ site, cluster, uid, body, labels }: WholeNode): HostVariable[] {
  const type = Object.hasOwn(body, 'node_type') ? body['node_type'] : undefined;
  const name = nodeNameOf(body);
  const variables: HostVariable[] = [
    { name: 'uid', value: uid },
    { name: 'site', value: site },
    { name: 'cluster', value: cluster },
  ];
  if (name !== undefined) variables.push({ name: 'node_name', value: name });
  if (typeof type === 'string') variables.push({ name: 'node_type', value: type });
  for (const label of Object.keys(labels)) variables.push({ name: label, value: labels[label] ?? null });
  return variables;
}

/** What every tool takes for a name, and none for a pattern, a path or a port. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/;

/** For each node its `node_name`; its uid where that cannot be the name of a host, or several nodes have it. */
export function hostNames(nodes: readonly WholeNode[]): string[] {
  const counts = new Map<string, number>();
  const names = nodes.map(({ body, uid }) => {
    const name = nodeNameOf(body);
    return name !== undefined && NAME.test(name) ? name : uid;
  });
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((name, i) => (counts.get(name) === 1 ? name : (nodes[i]?.uid ?? name)));
}

/**
 * What hosts are told, of the columns of a table: no body is read for it. Nodes of the same labels have them in one
 * object, so that what is written of labels is written once for each of these.
 */
export type ToldInRow = (row: number) => Pick<WholeNode, 'body' | 'labels'>;

/** Undefined where the table leaves out something that it takes. */
export function toldInRows(survey: NodeSurvey, labels: Labelling): ToldInRow | undefined {
  if (!saysAll(survey)) return undefined;
  const { columns } = survey.table;
  const fields = columns.filter(({ name }) => HOST_FIELDS.includes(name));
  const columnOf = (field: string) => columns.find(({ name }) => name === field);
  const labelled = LABELS.flatMap((label) => {
    const column = columnOfLabel(label, columnOf, labels);
    return column ? [{ ...column, name: label.name }] : [];
  });
  const known = new Map<string, JsonObject>();
  const labelsIn = (row: number): JsonObject => {
    const key = labelled.map(({ rows }) => rows[row]).join(' ');
    const found = known.get(key) ?? bodyAt({ columns: labelled }, row);
    known.set(key, found);
    return found;
  };
  return (row) => ({ body: bodyAt({ columns: fields }, row), labels: labelsIn(row) });
}

/** Serials and the like are in no table, and no label is made of them. */
function saysAll({ fields, own }: NodeSurvey): boolean {
  const asked = [...HOST_FIELDS, ...LABELS.flatMap((label) => label.fields)];
  return !fields.some(
    ({ way }) => asked.includes(way[0] ?? '') && ruleOfField(NODE, way).class !== 'component' && isOwnAt(way, own),
  );
}
