import { isLabelSource } from '../labels/label-fields.ts';
import { fieldRules } from '../model/field-classes.ts';
import { fieldName, pathOfField } from '../model/fields/field-name.ts';
import { byCodeUnit } from '../model/json.ts';
import { NODE } from '../model/kinds.ts';
import { nodePath } from '../model/node-path.ts';
import { type BodyStore, membersOf, type RegistryState, type ResourceState } from '../model/state.ts';
import { newTableColumns } from './body-encoder.ts';
import { type FieldCounts, newFieldCounter } from './field-counts.ts';
import {
  ABSENT,
  type ClusterRows,
  type NodeTable,
  newClusterRows,
  newDictionary,
  type TableColumn,
} from './node-table.ts';
import { isPerNodeAt, type OnPerNodeField, type PerNodeFields, perNodeFields, sharedValue } from './per-node-fields.ts';

export interface NodeSurvey {
  readonly table: NodeTable;
  readonly fields: readonly FieldCounts[];
  readonly own: PerNodeFields;
}

/**
 * The fields that the node table omits. `by-values` omits the fields that have different values in nearly every node.
 */
export type LeftOut = readonly string[] | 'by-values' | 'nothing';

const UID = ['uid'];

export function surveyNodes(state: RegistryState, store: BodyStore, leftOut: LeftOut = 'by-values'): NodeSurvey {
  return surveyBodies(bodiesIn(state, store), leftOut);
}

export interface PlacedBody extends Omit<ClusterRows, 'nodes'> {
  readonly uid: string;
  readonly json: string;
}

function* bodiesIn(state: RegistryState, store: BodyStore): Generator<PlacedBody> {
  for (const { site, cluster, uid, resource } of nodesIn(state)) {
    yield { site, cluster, uid, json: store.get(resource.body.handle) };
  }
}

/** The nodes must be ordered by site, cluster and uid. */
export function surveyBodies(nodes: Iterable<PlacedBody>, leftOut: LeftOut = 'by-values'): NodeSurvey {
  const rule = leftOut === 'nothing' ? undefined : fieldRules(NODE);
  const named = typeof leftOut === 'string' ? [] : leftOut.flatMap((name) => [pathOfField(name) ?? []]);
  const known = perNodeFields(rule, [UID, ...named]);
  const counter = newFieldCounter();
  const rows = newTableColumns(known);
  const uids: string[] = [];
  const clusters = newClusterRows();
  const countOwn: OnPerNodeField = ({ path }, value) => counter.count(counter.fieldAt(path), value);
  for (const node of nodes) {
    counter.next(1);
    rows.add(node.json, countOwn);
    uids.push(node.uid);
    clusters.add(node);
  }
  const columns = rows.close();
  for (const column of columns) counter.countColumn(counter.fieldAt([column.name]), column);
  const fields = counter.close();
  const decided = leftOut === 'by-values' ? detectPerNodeFields(fields, known).map(({ path }) => path) : [];
  const own = decided.length > 0 ? perNodeFields(rule, [UID, ...decided]) : known;
  const kept = decided.length > 0 ? withoutPerNodeColumns(columns, own, decided) : columns;
  const table = {
    total: uids.length,
    clusters: clusters.all,
    uids,
    columns: kept.toSorted((a, b) => byCodeUnit(a.name, b.name)),
    omittedFields: perNodeNames(fields, own),
  };
  return { table, fields, own };
}

function perNodeNames(fields: readonly FieldCounts[], own: PerNodeFields): string[] {
  return fields
    .filter(({ path }) => isPerNodeAt(path, own) && !isPerNodeAt(path.slice(0, -1), own))
    .map(({ path }) => fieldName(path))
    .filter((name) => !UID.includes(name))
    .sort(byCodeUnit);
}

export interface PlacedNode {
  readonly path: string;
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
  readonly resource: ResourceState;
}

export function* nodesIn(state: RegistryState, of?: string): Generator<PlacedNode> {
  if (!state) return;
  for (const [site, held] of membersOf(state, 'sites').entries()) {
    if (of !== undefined && site !== of) continue;
    for (const [cluster, { collections }] of membersOf(held, 'clusters').entries()) {
      for (const [uid, resource] of collections.get('nodes')?.entries() ?? [])
        yield { path: nodePath({ site, cluster, uid }), site, cluster, uid, resource };
    }
  }
}

/** A field with at most this number of distinct values is never a per-node field. */
const FEWEST_VALUES = 50;
/** Above `FEWEST_VALUES`, a field is a per-node field if its distinct values exceed this share of its nodes. */
const LARGEST_SHARE = 0.2;
/** Other documents need these fields, such as the tables of hardware and the groups of node types. */
const ALWAYS_LISTED = ['uid', 'node_name', 'node_type'];

/** Detects per-node fields by their values. Fields from which labels are computed stay in the table. */
function detectPerNodeFields(fields: readonly FieldCounts[], own: PerNodeFields): FieldCounts[] {
  const labelled = fields.filter(({ path }) => isLabelSource(path));
  return fields.filter(({ path, nodes, values: { distinct } }) => {
    const isShared = distinct <= FEWEST_VALUES || distinct <= LARGEST_SHARE * nodes;
    if (isShared || ALWAYS_LISTED.includes(path[0] ?? '') || isPerNodeAt(path, own)) return false;
    return !labelled.some((field) => path.every((name, i) => name === field.path[i]));
  });
}

/** Removes per-node fields from the columns. `decided` lists the paths of the fields to remove. */
function withoutPerNodeColumns(
  columns: readonly TableColumn[],
  own: PerNodeFields,
  decided: readonly (readonly string[])[],
): TableColumn[] {
  const changed = new Set(decided.map(([name]) => name));
  return columns.flatMap((column) => {
    if (!changed.has(column.name)) return [column];
    const field = own.below(column.name);
    return field.isPerNode ? [] : [narrowed(column, field)];
  });
}

function narrowed({ name, values, rows }: TableColumn, field: PerNodeFields): TableColumn {
  const dictionary = newDictionary();
  const numbers = values.map((value) => dictionary.numberOf(JSON.stringify(sharedValue(value, field))));
  return { name, values: dictionary.values, rows: Int32Array.from(rows, (old) => numbers[old] ?? ABSENT) };
}
