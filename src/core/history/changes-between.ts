import { difference } from '../model/differences/difference.ts';
import { fieldRules } from '../model/field-classes.ts';
import { type JsonObject, sameJson } from '../model/json.ts';
import type { Kind, Kinds } from '../model/kinds.ts';
import { byTree, kindAt } from '../model/resource-path.ts';
import { type BodyStore, type RegistryState, stateDifference } from '../model/state.ts';
import { storedObject } from '../registry/registry.ts';
import type { ResourceChange } from './revision-file.ts';

export interface ComparedResource {
  readonly kind: Kind;
  readonly change: ResourceChange;
  /** Undefined for an added resource. */
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** Yields a resource before the resources below it. Items of a collection are ordered by uid. */
export function* changesBetween(
  from: RegistryState,
  to: RegistryState,
  store: BodyStore,
  kinds: Kinds,
): Generator<ComparedResource> {
  for (const { path, before: old, after: now } of stateDifference(from, to)) {
    const before = old && storedObject(store, old.body.handle);
    const after = now && storedObject(store, now.body.handle);
    yield compared(path, kindAt(path, kinds), before, after);
  }
}

/** Compares two maps from paths to bodies. */
export function changesOfBodies(
  from: ReadonlyMap<string, JsonObject>,
  to: ReadonlyMap<string, JsonObject>,
  kinds: Kinds,
): ComparedResource[] {
  const paths = [...new Set([...from.keys(), ...to.keys()])].sort(byTree);
  return paths.flatMap((path) => {
    const [before, after] = [from.get(path), to.get(path)];
    if (before && after && sameJson(before, after)) return [];
    return [compared(path, kindAt(path, kinds), before, after)];
  });
}

function compared(
  path: string,
  kind: Kind,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): ComparedResource {
  return { kind, change: changeOf(path, kind, before, after), before, after };
}

function changeOf(
  path: string,
  kind: Kind,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): ResourceChange {
  if (!after) return { action: 'removed', path };
  if (!before) return { action: 'added', path, value: after };
  return { action: 'updated', path, fields: difference(before, after, fieldRules(kind)) };
}
