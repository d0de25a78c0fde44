/**
 * What most nodes of a type have, field by field, as a body that no node need have: the most frequent value of each field
 * among them, where having none counts as a value too, and what no two agree on as none. Arrays are taken as a whole,
 * since their items hang together.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject, setOwn } from '../../core/model/json.ts';
import { ABSENT } from '../../core/table/dictionary.ts';
import { type NodeTable, rowsOfValues } from '../../core/table/node-table.ts';
import { TYPE, typeOf } from './node-types.ts';

export interface Majority {
  readonly type: string;
  readonly nodes: number;
  readonly body: JsonObject;
}

interface Said {
  readonly value: Json;
  readonly nodes: number;
}

export function majorityOf(table: NodeTable, row: number): Majority | undefined {
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
