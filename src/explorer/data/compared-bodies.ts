import { pathOfField } from '../../core/model/fields/field-name.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject, setOwn } from '../../core/model/json.ts';
import { ABSENT, type NodeTable, rowsOfValues } from '../../core/table/node-table.ts';
import { perNodeFields, withoutPerNodeFields } from '../../core/table/per-node-fields.ts';
import { type Fleet, fleetOf } from '../fleet/fleet.ts';
import { TYPE, typeOf } from '../fleet/node-types.ts';
import { visible } from '../parts/value.tsx';
import { MOST_COMPARED } from '../state/place.ts';
import type { Params } from '../state/view-params.ts';
import { historyOf, revisionIndex, tableAt } from './history.ts';
import { bodyOfVersion, readNode, tableBody, versionsOf } from './nodes.ts';
import { type DocumentReader, ReadError } from './reader.ts';
import type { ShownRegistry } from './registry.ts';

export interface ComparedBody {
  /** The body is empty if the node did not exist at the revision. */
  readonly body: JsonObject;
  /** True if the body comes from the node table, which omits some fields. */
  readonly isPartial: boolean;
  readonly revision?: { readonly id: string; readonly date: string };
  /** Set if the body contains the most frequent values of a node type, instead of the values of one node. */
  readonly type?: { readonly name: string; readonly nodes: number };
  readonly isMissing?: boolean;
}

interface Source {
  readonly reader: DocumentReader;
  readonly fleet: Fleet;
  readonly registry: ShownRegistry;
}

/** Reads the bodies. If one body comes from the node table, removes from all bodies the fields that the table omits. */
export async function comparedBodies(source: Source, columns: readonly ComparedColumn[]): Promise<ComparedBody[]> {
  const read = await Promise.all(columns.map((column) => bodyOf(source, column)));
  const { omittedFields } = source.fleet.table;
  if (!read.some(({ isPartial }) => isPartial)) return read;
  return read.map((each) =>
    each.isPartial ? each : { ...each, body: sharedFields(each.body, omittedFields), isPartial: true },
  );
}

async function bodyOf(source: Source, { row, as }: ComparedColumn): Promise<ComparedBody> {
  const { reader, fleet, registry } = source;
  if (as === 'now') return readNode(reader, fleet, row, registry);
  if (as !== 'majority') return bodyThen(source, fleet.pathOf(row), as.revision);
  const name = typeOf(fleet.table, row);
  if (name === undefined) throw new ReadError(`${fleet.nameOf(row)} has no node_type to compare with.`);
  const { nodes, body } = majorityOf(fleet.table, row);
  return { body: { uid: fleet.table.uids[row] ?? '', ...body }, isPartial: true, type: { name, nodes } };
}

type PastSource = Pick<Source, 'reader' | 'registry'>;

export async function versionBody(source: PastSource, path: string, id: string): Promise<ComparedBody> {
  if (source.reader.isLocal) return bodyThen(source, path, id);
  return { body: (await bodyOfVersion(source.reader, path, id)) ?? {}, isPartial: false };
}

async function bodyThen({ reader, registry }: PastSource, path: string, start: string): Promise<ComparedBody> {
  const versions = reader.isLocal ? [] : ((await versionsOf(reader, path)) ?? []);
  const [version, ...others] = versions.filter(({ id }) => id.startsWith(start));
  if (version && others.length === 0) {
    const body = await bodyOfVersion(reader, path, version.id);
    return { body: body ?? {}, isPartial: false, revision: version, isMissing: body === null };
  }
  const history = await historyOf(reader, registry);
  const index = history ? revisionIndex(history, start) : -1;
  const revision = history?.revisions[index];
  if (!history || !revision)
    throw new ReadError(`The page cannot show revision ${visible(start)}: ${whyNot(reader, history === undefined)}.`);
  const fleet = fleetOf(tableAt(history, index));
  const row = fleet.rowOf(path);
  const body = row < 0 ? {} : tableBody(fleet, row);
  return { body, isPartial: true, revision, isMissing: row < 0 };
}

function whyNot({ isLocal }: DocumentReader, isTooLong: boolean): string {
  if (!isTooLong) return 'no revision of the registry starts with this id, or several do';
  return isLocal
    ? 'the offline copy does not include the history, because it is too long. Serve the folder with gridpress serve'
    : 'no version of the node starts with this id, and the history of all nodes is too long to be published';
}

export interface ComparedColumn {
  readonly row: number;
  readonly as: 'now' | 'majority' | { readonly revision: string };
}

/** Returns a typical node if requested, then each node at each requested revision and in its current state. */
export function comparedColumns(rows: readonly number[], params: Params): ComparedColumn[] {
  const [first] = rows;
  const majority = first !== undefined && params.has('majority') ? [{ row: first, as: 'majority' } as const] : [];
  const nodes = rows
    .slice(0, MOST_COMPARED)
    .flatMap((row) => [
      ...revisionsIn(params).map((revision) => ({ row, as: { revision } })),
      { row, as: 'now' } as const,
    ]);
  return [...majority, ...nodes];
}

export function revisionsIn(params: Params): string[] {
  return (params.get('was') ?? '')
    .split(',')
    .filter((text) => text !== '')
    .slice(0, MOST_COMPARED);
}

function sharedFields(body: JsonObject, omittedFields: readonly string[]): JsonObject {
  const paths = omittedFields.flatMap((name) => [pathOfField(name) ?? []]);
  return withoutPerNodeFields(body, perNodeFields(undefined, paths));
}

interface CountedValue {
  readonly value: Json;
  readonly nodes: number;
}

/** Returns the most frequent values of a node's type. Ignores values that only one node has. */
function majorityOf(table: NodeTable, row: number): { nodes: number; body: JsonObject } {
  const types = table.columns.find(({ name }) => name === TYPE);
  const wanted = types?.rows[row] ?? ABSENT;
  const isMember = Uint8Array.from(types?.rows ?? [], (number) => Number(number === wanted));
  const nodes = isMember.reduce((sum, is) => sum + is, 0);
  const byField = table.columns.map(({ name, values, rows }) => {
    const own = Int32Array.from(rows, (number, at) => (isMember[at] === 1 ? number : ABSENT));
    const counts = rowsOfValues({ name, values, rows: own });
    const counted = values.map((value, i) => ({ value, nodes: counts[i] ?? 0 })).filter((each) => each.nodes > 0);
    return [name, counted] as const;
  });
  return { nodes, body: mostFrequentFields(byField, nodes) };
}

function mostFrequentFields(fields: Iterable<readonly [string, readonly CountedValue[]]>, nodes: number): JsonObject {
  const body: Record<string, Json> = {};
  for (const [name, counted] of fields) {
    const value = mostFrequent(counted, nodes);
    if (value !== undefined) setOwn(body, name, value);
  }
  return body;
}

/** Returns the value that most nodes have, or undefined. Compares objects member by member, and arrays as a whole. */
function mostFrequent(counted: readonly CountedValue[], nodes: number): Json | undefined {
  const absent = nodes - counted.reduce((sum, each) => sum + each.nodes, 0);
  if (counted.length > 0 && counted.every(({ value }) => isJsonObject(value)))
    return absent > nodes / 2 ? undefined : mostFrequentFields(membersOf(counted), nodes);
  const counts = new Map<string, CountedValue>();
  for (const { value, nodes: more } of counted) {
    const key = canonicalJson(value);
    counts.set(key, { value, nodes: (counts.get(key)?.nodes ?? 0) + more });
  }
  const [first] = [...counts].sort(([a, { nodes: m }], [b, { nodes: n }]) => n - m || (a < b ? -1 : 1));
  if (!first) return undefined;
  const [, { value, nodes: agreeing }] = first;
  return agreeing >= absent && (agreeing > 1 || nodes === 1) ? value : undefined;
}

function membersOf(counted: readonly CountedValue[]): Map<string, CountedValue[]> {
  const members = new Map<string, CountedValue[]>();
  for (const { value, nodes } of counted) {
    for (const [key, member] of Object.entries(isJsonObject(value) ? value : {}))
      members.set(key, [...(members.get(key) ?? []), { value: member, nodes }]);
  }
  return members;
}
