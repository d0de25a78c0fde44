/** One way through the nodes of a state: their table, and what each of their fields has. Every body is read once. */

import { isReadByLabels } from '../labels/labels.ts';
import { fieldRules } from '../model/field-classes.ts';
import { fieldName, wayOfField } from '../model/fields/field-name.ts';
import { byCodeUnit } from '../model/json.ts';
import { NODE } from '../model/kinds.ts';
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
import { isOwnAt, type OwnFields, ownFields, sharedValue, type TellOwn } from './own-fields.ts';

export interface NodeSurvey {
  readonly table: NodeTable;
  /** Of the fields of bodies, each before those below it. */
  readonly fields: readonly FieldCounts[];
  /** The fields that are the nodes' own, and so in no column. */
  readonly own: OwnFields;
}

/**
 * The names of the fields that a table leaves out besides those of components; `by-values` lets the nodes decide, and
 * `nothing` makes a table of everything.
 */
export type LeftOut = readonly string[] | 'by-values' | 'nothing';

const UID = ['uid'];

export function surveyNodes(state: RegistryState, store: BodyStore, leftOut: LeftOut = 'by-values'): NodeSurvey {
  return surveyBodies(bodiesIn(state, store), leftOut);
}

/** A node with its body as compact JSON. */
export interface PlacedBody extends Omit<ClusterRows, 'nodes'> {
  readonly uid: string;
  readonly json: string;
}

function* bodiesIn(state: RegistryState, store: BodyStore): Generator<PlacedBody> {
  for (const { site, cluster, uid, resource } of nodesIn(state)) {
    yield { site, cluster, uid, json: store.get(resource.body.handle) };
  }
}

/** The same of nodes that come in the order of site, cluster and uid, from wherever they are. */
export function surveyBodies(nodes: Iterable<PlacedBody>, leftOut: LeftOut = 'by-values'): NodeSurvey {
  const rule = leftOut === 'nothing' ? undefined : fieldRules(NODE);
  const named = typeof leftOut === 'string' ? [] : leftOut.flatMap((name) => [wayOfField(name) ?? []]);
  const known = ownFields(rule, [UID, ...named]);
  const counter = newFieldCounter();
  const rows = newTableColumns(known);
  const uids: string[] = [];
  const clusters = newClusterRows();
  const countOwn: TellOwn = ({ way }, value) => counter.count(counter.fieldAt(way), value);
  for (const node of nodes) {
    counter.next(1);
    rows.add(node.json, countOwn);
    uids.push(node.uid);
    clusters.add(node);
  }
  const columns = rows.close();
  for (const column of columns) counter.countColumn(counter.fieldAt([column.name]), column);
  const fields = counter.close();
  const decided = leftOut === 'by-values' ? ownByValues(fields, known).map(({ way }) => way) : [];
  const own = decided.length > 0 ? ownFields(rule, [UID, ...decided]) : known;
  const kept = decided.length > 0 ? withoutOwnColumns(columns, own, decided) : columns;
  const table = {
    total: uids.length,
    clusters: clusters.all,
    uids,
    columns: kept.toSorted((a, b) => byCodeUnit(a.name, b.name)),
    leftOut: namesOfOwn(fields, own),
  };
  return { table, fields, own };
}

/** The topmost of the fields that are the nodes' own, but for the uid. */
function namesOfOwn(fields: readonly FieldCounts[], own: OwnFields): string[] {
  return fields
    .filter(({ way }) => isOwnAt(way, own) && !isOwnAt(way.slice(0, -1), own))
    .map(({ way }) => fieldName(way))
    .filter((name) => !UID.includes(name))
    .sort(byCodeUnit);
}

/** The nodes of a state of the registry. */
export interface PlacedNode {
  readonly path: string;
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
  readonly resource: ResourceState;
}

/** In the order of site, cluster and uid; all of them, or those of one site. */
export function* nodesIn(state: RegistryState, of?: string): Generator<PlacedNode> {
  if (!state) return;
  for (const [site, held] of membersOf(state, 'sites').entries()) {
    if (of !== undefined && site !== of) continue;
    for (const [cluster, { collections }] of membersOf(held, 'clusters').entries()) {
      const folder = `sites/${site}/clusters/${cluster}/nodes`;
      for (const [uid, resource] of collections.get('nodes')?.entries() ?? [])
        yield { path: `${folder}/${uid}`, site, cluster, uid, resource };
    }
  }
}

/** A field of so few values is shared by nodes, however few they are. */
const FEWEST_VALUES = 50;
/** Values of which there are more than so many for each node that has one say which node it is. */
const LARGEST_SHARE = 0.2;
/** Asked for, though they are others at every node. */
const ASKED_FOR = ['uid', 'node_name'];

/**
 * The fields that are the nodes' own by what the nodes have: no class says it, but hardly two nodes have the same. What labels
 * are read from stays, as the labels are made of the columns.
 */
function ownByValues(fields: readonly FieldCounts[], own: OwnFields): FieldCounts[] {
  const labelled = fields.filter(({ way }) => isReadByLabels(way));
  return fields.filter(({ way, nodes, values: { distinct } }) => {
    const isShared = distinct <= FEWEST_VALUES || distinct <= LARGEST_SHARE * nodes;
    if (isShared || ASKED_FOR.includes(way[0] ?? '') || isOwnAt(way, own)) return false;
    return !labelled.some((field) => way.every((name, i) => name === field.way[i]));
  });
}

/** Columns without the fields that turned out to be the nodes' own, which `decided` leads to; `own` has them too. */
function withoutOwnColumns(
  columns: readonly TableColumn[],
  own: OwnFields,
  decided: readonly (readonly string[])[],
): TableColumn[] {
  const changed = new Set(decided.map(([name]) => name));
  return columns.flatMap((column) => {
    if (!changed.has(column.name)) return [column];
    const field = own.below(column.name);
    return field.isOwn ? [] : [narrowed(column, field)];
  });
}

function narrowed({ name, values, rows }: TableColumn, field: OwnFields): TableColumn {
  const dictionary = newDictionary();
  const numbers = values.map((value) => dictionary.numberOf(JSON.stringify(sharedValue(value, field))));
  return { name, values: dictionary.values, rows: Int32Array.from(rows, (old) => numbers[old] ?? ABSENT) };
}
