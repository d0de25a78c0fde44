/** Bodies as columns for queries, with one row per value or with shared values. */
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import type { QueryColumn, QueryFleet } from '../../../src/core/query/columns.ts';
import { ABSENT } from '../../../src/core/table/node-table.ts';

export interface PlacedBody {
  readonly body: JsonObject;
  readonly site?: string;
  readonly cluster?: string;
  readonly labels?: JsonObject;
}

export function fleetOfBodies(nodes: readonly PlacedBody[]): QueryFleet {
  const columns = (of: (node: PlacedBody) => JsonObject): ReadonlyMap<string, QueryColumn> => {
    const names = new Set(nodes.flatMap((node) => Object.keys(of(node))));
    return new Map([...names].map((name) => [name, columnOf(nodes.map((node) => own(of(node), name)))]));
  };
  const kinds = {
    place: columns(({ site = 'lyra', cluster = 'main' }) => ({ site, cluster })),
    label: columns(({ labels = {} }) => labels),
    field: columns(({ body }) => body),
  };
  return { total: nodes.length, column: (kind, name) => kinds[kind].get(name), names: (kind) => kinds[kind].keys() };
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Stores each value once. */
function columnOf(cells: readonly (Json | undefined)[]): QueryColumn {
  const numbers = new Map<string, number>();
  const values: Json[] = [];
  const rows = cells.map((value) => {
    if (value === undefined) return ABSENT;
    const text = JSON.stringify(value);
    const number = numbers.get(text) ?? values.push(value) - 1;
    numbers.set(text, number);
    return number;
  });
  return { values, rows };
}
