/** What it takes to come from one state of the registry to another. */
import { difference } from '../model/difference.ts';
import { fieldRules } from '../model/field-classes.ts';
import type { JsonObject } from '../model/json.ts';
import { kindAt } from '../model/resource-path.ts';
import { type BodyStore, type RegistryState, stateDifference } from '../model/state.ts';
import { storedObject } from '../registry/registry.ts';
import type { Change } from './revision-file.ts';

/** A change with the bodies that it leads from and to. */
export interface ComparedResource {
  readonly change: Change;
  /** Undefined for what is added. */
  readonly before: JsonObject | undefined;
  /** Undefined for what is removed. */
  readonly after: JsonObject | undefined;
}

/** In the order of the tree: each resource before those below it, members by uid. */
export function* changesBetween(
  from: RegistryState,
  to: RegistryState,
  store: BodyStore,
): Generator<ComparedResource> {
  for (const { path, before: old, after: now } of stateDifference(from, to)) {
    const before = old && storedObject(store, old.body.handle);
    const after = now && storedObject(store, now.body.handle);
    yield { change: changeOf(path, before, after), before, after };
  }
}

function changeOf(path: string, before: JsonObject | undefined, after: JsonObject | undefined): Change {
  if (!after) return { action: 'removed', path };
  if (!before) return { action: 'added', path, value: after };
  return { action: 'updated', path, fields: difference(before, after, fieldRules(kindAt(path).name)) };
}
