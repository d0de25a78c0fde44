import { publicState } from '../../core/history/public-history.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { kindsWith } from '../../core/model/kinds.ts';
import type { BodyStore, RegistryState } from '../../core/model/state.ts';
import { publicBodiesOf } from '../sources/privacy.ts';
import type { ConfigurationPlace } from '../sources/registry-files.ts';
import type { PublicFleet } from './fleet-source.ts';
import { stateFleet } from './state-fleet.ts';

interface StoredState {
  readonly configuration: Configuration;
  readonly state: RegistryState;
  readonly store: BodyStore;
}

/** Returns the fleet without private fields, or undefined if every field is public. */
export function publicFleet(
  place: ConfigurationPlace,
  { configuration, state, store }: StoredState,
): PublicFleet | undefined {
  const bodyOf = publicBodiesOf(place, { configuration, store, kinds: kindsWith(configuration.kinds) });
  if (!bodyOf) return undefined;
  return stateFleet({ configuration, state: publicState(state, bodyOf), store }, () => () => undefined);
}
