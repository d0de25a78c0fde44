/** Fleets in memory: states of a registry whose nodes have the given bodies. */
import { memoryStore } from '../../../src/core/model/body-store.ts';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import { type BodyStore, editState, type RegistryState } from '../../../src/core/model/state.ts';

export interface Fleet {
  readonly state: RegistryState;
  readonly store: BodyStore;
}

/** Nodes by site and uid, each site with a cluster `c`. */
export function fleetOf(sites: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>): Fleet {
  const store = memoryStore();
  const edit = (path: string, body: JsonObject) => {
    const json = JSON.stringify(body);
    return { path, body: { handle: store.put(json), digest: json } };
  };
  const edits = [edit('', { type: 'grid', uid: 'g' })];
  for (const [site, nodes] of Object.entries(sites)) {
    edits.push(edit(`sites/${site}`, { type: 'site', uid: site }));
    edits.push(edit(`sites/${site}/clusters/c`, { type: 'cluster', uid: 'c' }));
    for (const [uid, body] of Object.entries(nodes)) edits.push(edit(`sites/${site}/clusters/c/nodes/${uid}`, body));
  }
  return { state: editState(null, edits), store };
}

/** Creates a fleet of one site, with uids in the order of the bodies. */
export function fleetOfBodies(bodies: readonly JsonObject[]): Fleet {
  const digits = String(bodies.length).length;
  return fleetOf({ x: Object.fromEntries(bodies.map((body, i) => [`n${String(i).padStart(digits, '0')}`, body])) });
}

/** Yields the paths and values of all fields of a body, including array items. */
export function* fieldsIn(value: Json, way: readonly string[] = []): Generator<readonly [way: string, Json]> {
  if (way.length > 0) yield [JSON.stringify(way), value];
  if (Array.isArray(value)) for (const item of value) yield* fieldsIn(item, way);
  else if (typeof value === 'object' && value !== null)
    for (const [name, held] of Object.entries(value)) yield* fieldsIn(held, [...way, name]);
}
