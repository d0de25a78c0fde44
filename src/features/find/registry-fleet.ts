/** The nodes of a registry: as its files say, or as its history says that they were. */
import { labelling } from '../../core/labels/labels.ts';
import type { Origin } from '../../core/lock/lock-format.ts';
import { loadWorktree } from '../sources/load-worktree.ts';
import { WORKTREE } from '../sources/moment-names.ts';
import { awaitedWithIndex } from '../sources/with-index.ts';
import type { FleetSource } from './fleet-source.ts';
import { stateFleet } from './state-fleet.ts';

export interface RegistryFleetOptions {
  readonly config?: string | undefined;
  /** A revision, `head` or a date; by default the files, recorded or not. */
  readonly at?: string | undefined;
  /** Whether nodes are to be locked, which takes a revision. */
  readonly isPinned: boolean;
}

/** What `read` makes of the nodes of a registry. */
export function withRegistryFleet<T>(
  origin: Origin,
  { config, at, isPinned }: RegistryFleetOptions,
  read: (fleet: FleetSource) => Promise<T>,
): Promise<T> {
  return awaitedWithIndex({ registry: origin.place, config }, async (options) => {
    if (at !== undefined && at !== WORKTREE) {
      const { fleetAt } = await import('./past-fleet.ts');
      return read(fleetAt(origin, options, at));
    }
    if (isPinned) {
      const { recordedFleet } = await import('./past-fleet.ts');
      return read(recordedFleet(origin, options));
    }
    const { configuration, worktree, store } = loadWorktree(options);
    const labels = labelling(configuration.labels);
    const nodes = stateFleet({ state: worktree, store, labels }, () => () => undefined);
    return read({ ...nodes, origin, revision: undefined, labels });
  });
}
