/** The bodies of a comparison: of nodes as they are, as they were, and of what most of a type have. */

import { wayOfField } from '../../core/model/fields/field-name.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject, setOwn } from '../../core/model/json.ts';
import { ABSENT, type NodeTable, rowsOfValues } from '../../core/table/node-table.ts';
import { ownFields, withoutOwnFields } from '../../core/table/own-fields.ts';
import { type Fleet, fleetOf } from '../fleet/fleet.ts';
import { TYPE, typeOf } from '../fleet/node-types.ts';
import { visible } from '../parts/value.tsx';
import { MOST_COMPARED } from '../state/place.ts';
import { historyOf, momentNamed, tableAt } from './history.ts';
import { bodyOfVersion, readNode, tableBody, versionsOf } from './nodes.ts';
import { type DocumentReader, ReadError } from './reader.ts';
import type { ShownRegistry } from './registry.ts';

export interface ComparedBody {
  /** Empty where there was no such node. */
  readonly body: JsonObject;
  /** Whether fields are missing that the table leaves out. */
  readonly isPartial: boolean;
  /** What it is of, beside the node: a revision of a day, or so many nodes of a type. */
  readonly revision?: { readonly id: string; readonly date: string };
  readonly type?: { readonly name: string; readonly nodes: number };
  readonly isMissing?: boolean;
}

interface Source {
  readonly reader: DocumentReader;
  readonly fleet: Fleet;
  readonly registry: ShownRegistry;
}

/** Where one of them is known but for what the table leaves out, so are all: that would differ from nothing. */
export async function comparedBodies(source: Source, columns: readonly ComparedColumn[]): Promise<ComparedBody[]> {
  const read = await Promise.all(columns.map((column) => bodyOf(source, column)));
  const { leftOut } = source.fleet.table;
  if (!read.some(({ isPartial }) => isPartial)) return read;
  return read.map((each) =>
    each.isPartial ? each : { ...each, body: sharedFields(each.body, leftOut), isPartial: true },
  );
}

async function bodyOf(source: Source, { row, as }: ComparedColumn): Promise<ComparedBody> {
  const { reader, fleet, registry } = source;
  if (as === 'now') return readNode(reader, fleet, row, registry);
  if (as !== 'majority') return bodyThen(source, fleet.pathOf(row), as.revision);
  const majority = majorityOf(fleet.table, row);
  if (!majority) throw new ReadError(`${fleet.nameOf(row)} has no node_type: there is no majority of it.`);
  const { type: name, nodes, body } = majority;
  return { body: { uid: fleet.table.uids[row] ?? '', ...body }, isPartial: true, type: { name, nodes } };
}

type PastSource = Pick<Source, 'reader' | 'registry'>;

export async function versionBody(source: PastSource, path: string, id: string): Promise<ComparedBody> {
  if (source.reader.isLocal) return bodyThen(source, path, id);
  return { body: (await bodyOfVersion(source.reader, path, id)) ?? {}, isPartial: false };
}

/** The whole body of one of the node's versions, where it can be read; else its row in the history of all nodes. */
async function bodyThen({ reader, registry }: PastSource, path: string, start: string): Promise<ComparedBody> {
  const versions = reader.isLocal ? [] : ((await versionsOf(reader, path)) ?? []);
  const [version, ...others] = versions.filter(({ id }) => id.startsWith(start));
  if (version && others.length === 0) {
    const body = await bodyOfVersion(reader, path, version.id);
    return { body: body ?? {}, isPartial: false, revision: version, isMissing: body === null };
  }
  const history = await historyOf(reader, registry);
  const index = history ? momentNamed(history, start) : -1;
  const moment = history?.moments[index];
  if (!history || !moment)
    throw new ReadError(
      `The revision ${visible(start)} is not one that this page can show: ${whyNot(reader, history === undefined)}.`,
    );
  const then = fleetOf(tableAt(history, index), []);
  const row = then.rowOf(path);
  const body = row < 0 ? {} : tableBody(then, row);
  return { body, isPartial: true, revision: moment, isMissing: row < 0 };
}

function whyNot({ isLocal }: DocumentReader, isUntold: boolean): string {
  if (isUntold && isLocal)
    return 'histories do not lie beside the page, since they would be too long. Serve the folder';
  return isUntold
    ? 'no version of the node begins so, and the history of all nodes is too long to be told'
    : 'the registry has none that begins so, or more than one';
}

/** A node, now or as of a revision, or what most of its type have. */
export interface ComparedColumn {
  readonly row: number;
  readonly as: 'now' | 'majority' | { readonly revision: string };
}

/** The majority of the first node's type comes first, since each is compared with the first; then each node, the past before the present. */
export function comparedColumns(rows: readonly number[], params: URLSearchParams): ComparedColumn[] {
  const [first] = rows;
  const majority = first !== undefined && params.has('majority') ? [{ row: first, as: 'majority' } as const] : [];
  const nodes = rows.flatMap((row) => [
    ...revisionsIn(params).map((revision) => ({ row, as: { revision } })),
    { row, as: 'now' } as const,
  ]);
  return [...majority, ...nodes].slice(0, MOST_COMPARED);
}

/** The beginnings of the revisions at which nodes are compared with what they are now. */
export function revisionsIn(params: URLSearchParams): string[] {
  return (params.get('was') ?? '').split(',').filter((text) => text !== '');
}

/** `leftOut` has the names of those fields. */
function sharedFields(body: JsonObject, leftOut: readonly string[]): JsonObject {
  const ways = leftOut.flatMap((name) => [wayOfField(name) ?? []]);
  return withoutOwnFields(body, ownFields(undefined, ways));
}

/**
 * What most nodes of a type have, field by field, as a body that no node need have: the most frequent value of each field
 * among them, where having none counts as a value too, and what no two agree on as none. Arrays are taken as a whole,
 * since their items hang together.
 */
interface Majority {
  readonly type: string;
  readonly nodes: number;
  readonly body: JsonObject;
}

interface Said {
  readonly value: Json;
  readonly nodes: number;
}

function majorityOf(table: NodeTable, row: number): Majority | undefined {
  const type = typeOf(table, row);
  if (type === undefined) return undefined;
  const types = table.columns.find(({ name }) => name === TYPE);
  const wanted = types?.rows[row] ?? ABSENT;
  const isMember = Uint8Array.from(types?.rows ?? [], (number) => Number(number === wanted));
  const nodes = isMember.reduce((sum, is) => sum + is, 0);
  const body: Record<string, Json> = {};
  for (const { name, values, rows } of table.columns) {
    const own = Int32Array.from(rows, (number, at) => (isMember[at] === 1 ? number : ABSENT));
    const counts = rowsOfValues({ name, values, rows: own });
    const said = values.flatMap((value, i) => ((counts[i] ?? 0) > 0 ? [{ value, nodes: counts[i] ?? 0 }] : []));
    const most = mostSaid(said, nodes);
    if (most !== undefined) setOwn(body, name, most);
  }
  return { type, nodes, body };
}

/** What most of so many nodes say; undefined where that is nothing. */
function mostSaid(said: readonly Said[], nodes: number): Json | undefined {
  const silent = nodes - said.reduce((sum, each) => sum + each.nodes, 0);
  if (said.length > 0 && said.every(({ value }) => isJsonObject(value)))
    return silent > nodes / 2 ? undefined : mostSaidBelow(said, nodes);
  const counts = new Map<string, Said>();
  for (const { value, nodes: more } of said) {
    const key = canonicalJson(value);
    counts.set(key, { value, nodes: (counts.get(key)?.nodes ?? 0) + more });
  }
  const [first] = [...counts].sort(([a, { nodes: m }], [b, { nodes: n }]) => n - m || (a < b ? -1 : 1));
  if (!first) return undefined;
  const [, { value, nodes: agreeing }] = first;
  return agreeing >= silent && (agreeing > 1 || nodes === 1) ? value : undefined;
}

function mostSaidBelow(said: readonly Said[], nodes: number): JsonObject {
  const byKey = new Map<string, Said[]>();
  for (const { value, nodes: having } of said) {
    for (const [key, held] of Object.entries(isJsonObject(value) ? value : {}))
      byKey.set(key, [...(byKey.get(key) ?? []), { value: held, nodes: having }]);
  }
  const body: Record<string, Json> = {};
  for (const [key, each] of byKey) {
    const most = mostSaid(each, nodes);
    if (most !== undefined) setOwn(body, key, most);
  }
  return body;
}
