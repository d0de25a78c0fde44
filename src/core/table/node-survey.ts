/** One way through the nodes of a state: their table, and what each of their fields has. Every body is read once. */

import { fieldRules } from '../model/field-classes.ts';
import { fieldName, wayOfField } from '../model/fields/field-name.ts';
import { byCodeUnit } from '../model/json.ts';
import { NODE } from '../model/kinds.ts';
import type { BodyStore, RegistryState } from '../model/state.ts';
import { newTableColumns } from './body-encoder.ts';
import { type FieldCounts, newFieldCounter } from './field-counts.ts';
import { ownByValues, withoutOwnColumns } from './left-out.ts';
import { type ClusterRows, type NodeTable, newClusterRows } from './node-table.ts';
import { nodesIn } from './nodes-in.ts';
import { isOwnAt, type OwnFields, ownFields, type TellOwn } from './own-fields.ts';

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
