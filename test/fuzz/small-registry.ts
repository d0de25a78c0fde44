/** The smallest registry with a history, so that a run takes milliseconds. */
import { NODE, NODE_UID, registryOf } from '../support/registries/registry.ts';

export interface SmallRegistry {
  /** Contains the registry and its configuration. */
  readonly folder: string;
  readonly registry: string;
  readonly first: string;
  readonly node: string;
}

export function smallRegistry(folder: string): SmallRegistry {
  const given = registryOf({}, folder);
  const { id } = given.record('First');
  const hardware = 'main_memory:\n  ram_size: 274877906944\nbios:\n  version: "1.0"\nnote: |\n  one\n  two\n';
  given.write({ [NODE]: given.read(NODE) + hardware });
  given.record('Second');
  given.write({ [NODE]: given.read(NODE).replace('"1.0"', '"1.1"') });
  given.record('Third');
  return { folder, registry: given.registry, first: id, node: NODE_UID };
}
