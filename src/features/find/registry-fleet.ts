import type { Origin } from '../../core/lock/lock-format.ts';
import { pendingEditWarnings, withPendingEdit } from '../sources/edit-plan.ts';
import { loadWorktree } from '../sources/load-worktree.ts';
import { WORKTREE } from '../sources/revision-names.ts';
import type { FleetSource } from './fleet-source.ts';
import { stateFleet } from './state-fleet.ts';

interface RegistryFleetOptions {
  readonly config?: string | undefined;
  /** A revision, `head` or a date. The default is the current registry files, including unrecorded changes. */
  readonly at?: string | undefined;
  /** Whether the nodes must come from a recorded revision, as for lock files. */
  readonly isPinned: boolean;
}

export async function withRegistryFleet<T>(
  origin: Origin,
  { config, at, isPinned }: RegistryFleetOptions,
  read: (fleet: FleetSource) => Promise<T>,
): Promise<T> {
  const options = { registry: origin.place, config };
  if (at !== undefined && at !== WORKTREE) {
    const { fleetAt } = await import('./past-fleet.ts');
    return await read(fleetAt(origin, options, at));
  }
  if (isPinned) {
    const { recordedFleet } = await import('./past-fleet.ts');
    return await read(withPendingEdit(origin.place, () => recordedFleet(origin, options)));
  }
  const { configuration, worktree, store } = withPendingEdit(origin.place, () => loadWorktree(options));
  const stored = { configuration, state: worktree, store };
  const publicFleet = async () => (await import('./public-fleet.ts')).publicFleet(options, stored);
  const nodes = stateFleet(stored, () => () => undefined);
  const warnings = pendingEditWarnings(origin.place);
  return await read({ ...nodes, origin, revision: undefined, isPast: false, publicFleet, warnings });
}
