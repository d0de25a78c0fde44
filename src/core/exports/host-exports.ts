/** Exports nodes as hosts for tools such as Ansible. Each host has a name, and variables with its place and labels. */

import { LABELS } from '../labels/label-fields.ts';
import type { Labelling } from '../labels/labels.ts';
import { ruleOfField } from '../model/field-classes.ts';
import { asText, byCodeUnit, type Json, type JsonObject } from '../model/json.ts';
import { NODE } from '../model/kinds.ts';
import { nodeNameOf } from '../model/uid.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { printableJson } from '../platform/text.ts';
import { columnOfLabel } from '../table/label-columns.ts';
import type { NodeSurvey } from '../table/node-survey.ts';
import { bodyAt } from '../table/node-table.ts';
import { isPerNodeAt } from '../table/per-node-fields.ts';
import type { ExportedNode } from './whole-node.ts';

interface HostVariable {
  readonly name: string;
  /** The value is a text, a number, or a list of texts. */
  readonly value: Json;
}

export const HOST_FIELDS: readonly string[] = ['node_name', 'node_type'];

/** The names of variables contain only letters and underscores. */
function hostVariables({ site, cluster, uid, body, labels }: ExportedNode): HostVariable[] {
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

/** Matches names that all tools accept as names, not as patterns, paths or ports. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/;

/**
 * Returns the `node_name` of each node. The uid replaces a name that is not unique, is the uid of another node, or is
 * not a valid host name. A uid that several nodes have is followed by the cluster and the site.
 */
export function hostNames(nodes: readonly ExportedNode[]): string[] {
  const [names, uids] = [new Map<string, number>(), new Map<string, number>()];
  const count = (counts: Map<string, number>, text: string) => counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const { body, uid } of nodes) {
    count(names, nodeNameOf(body) ?? '');
    count(uids, uid);
  }
  return nodes.map(({ body, uid, cluster, site }) => {
    const name = nodeNameOf(body);
    const others = name === uid ? 1 : 0;
    if (name !== undefined && NAME.test(name) && names.get(name) === 1 && (uids.get(name) ?? 0) === others) return name;
    return uids.get(uid) === 1 ? uid : `${uid}.${cluster}.${site}`;
  });
}

/** Reads a host from a row. Hosts with equal labels share one `labels` object, which can serve as a cache key. */
export type HostRowReader = (row: number) => Pick<ExportedNode, 'body' | 'labels'>;

/** Reads hosts from the columns of a table, without the bodies. Returns undefined if the table lacks a needed field. */
export function hostRowReader(survey: NodeSurvey, labels: Labelling): HostRowReader | undefined {
  if (!hasHostFields(survey)) return undefined;
  const { columns } = survey.table;
  const fields = columns.filter(({ name }) => HOST_FIELDS.includes(name));
  const columnOf = (field: string) => columns.find(({ name }) => name === field);
  const labelled = LABELS.flatMap((label) => {
    const column = columnOfLabel(label, columnOf, labels);
    return column ? { ...column, name: label.name } : [];
  });
  const known = new Map<string, JsonObject>();
  const labelsIn = (row: number): JsonObject => {
    const key = labelled.map(({ rows }) => rows[row]).join(' ');
    return getOrCreate(known, key, () => bodyAt({ columns: labelled }, row));
  };
  return (row) => ({ body: bodyAt({ columns: fields }, row), labels: labelsIn(row) });
}

/** Host exports need no component fields, such as serial numbers. */
function hasHostFields({ fields, own }: NodeSurvey): boolean {
  const needed = [...HOST_FIELDS, ...LABELS.flatMap((label) => label.fields)];
  return !fields.some(
    ({ path }) =>
      needed.includes(path[0] ?? '') && ruleOfField(NODE, path).class !== 'component' && isPerNodeAt(path, own),
  );
}

/** The prefix of variables in an Ansible inventory. */
const PREFIX = 'gridpress_';

/** The variables that form groups, with the prefixes of the group names. */
const GROUPED: ReadonlyMap<string, string> = new Map([
  ['site', 'site'],
  ['node_type', 'type'],
  ['gpu', 'gpu'],
]);

export function* ansibleInventory(nodes: readonly ExportedNode[], revision: string): Generator<string> {
  const names = hostNames(nodes);
  const groups = new Map<string, string[]>();
  yield `all:\n  vars:\n    ${PREFIX}revision: ${scalar(revision)}\n`;
  yield nodes.length === 0 ? '  hosts: {}\n' : '  hosts:\n';
  for (const [i, node] of nodes.entries()) {
    const host = scalar(names[i] ?? node.uid);
    const variables = hostVariables(node);
    yield `    ${host}:\n${variables.map(({ name, value }) => `      ${PREFIX}${name}: ${flow(value)}\n`).join('')}`;
    for (const { name, value } of variables) {
      const kind = GROUPED.get(name);
      for (const group of kind === undefined ? [] : groupNames(kind, value))
        getOrCreate(groups, group, (): string[] => []).push(host);
    }
  }
  yield groups.size === 0 ? '  children: {}\n' : '  children:\n';
  for (const [name, hosts] of [...groups].sort(([a], [b]) => byCodeUnit(a, b))) {
    yield `    ${name}:\n      hosts:\n`;
    for (const host of hosts) yield `        ${host}: {}\n`;
  }
}

/**
 * The maximum length of a group name, in characters. YAML keys have at most 1,024 characters (YAML 1.2.2, section
 * 7.4.2).
 */
const LONGEST_GROUP = 1000;

function groupNames(kind: string, value: Json): string[] {
  const texts = Array.isArray(value) ? value : [value];
  const nameOf = (text: Json) => `${kind}_${asText(text).replaceAll(/[^A-Za-z0-9_]/gu, '_')}`.slice(0, LONGEST_GROUP);
  return [...new Set(texts.map(nameOf))];
}

function flow(value: Json): string {
  return Array.isArray(value) ? `[${value.map(scalar).join(', ')}]` : scalar(value);
}

/** Matches the start of a Jinja expression, statement or comment. */
const TEMPLATE = /\{[{%#]/;

/** Quotes strings in printable ASCII, which every YAML parser accepts. */
function scalar(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const text = JSON.stringify(value).replace(/[^\x20-\x7e]/gu, escaped);
  return TEMPLATE.test(value) ? `!unsafe ${text}` : text;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Prometheus drops labels with the prefix `__` after relabelling. */
const META = '__meta_gridpress_';

export function* prometheusTargets(nodes: readonly ExportedNode[]): Generator<string> {
  const names = hostNames(nodes);
  for (const [i, node] of nodes.entries()) {
    const labels = hostVariables(node).map(({ name, value }) => [META + name, labelText(value)] as const);
    const target = { targets: [names[i] ?? node.uid], labels: Object.fromEntries(labels) };
    yield `${i === 0 ? '[' : ','}${printableJson(JSON.stringify(target))}`;
  }
  yield nodes.length === 0 ? '[]' : ']';
}

/** Encloses every list item in commas, as Prometheus does, so that a pattern can match one whole item. */
function labelText(value: Json): string {
  return Array.isArray(value) ? `,${value.map(asText).join(',')},` : asText(value);
}
