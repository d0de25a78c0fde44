import { referenceOf } from '../../core/api/citation.ts';
import { sourceFields } from '../../core/api/written-fields.ts';
import { labelling } from '../../core/labels/labels.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { type BodyStore, membersOf, type RegistryState } from '../../core/model/state.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { readFleet } from '../../core/query/table-fleet.ts';
import { storedObject } from '../../core/registry/registry.ts';
import { columnOfBodies } from '../../core/table/body-encoder.ts';
import { nodesIn, surveyNodes } from '../../core/table/node-survey.ts';
import { newClusterRows } from '../../core/table/node-table.ts';
import { type FleetSource, nodeState } from './fleet-source.ts';

const MOST_READS = 12;

/** Returns the revision that last changed a node, or undefined if this revision is unknown. */
export type LatestOf = (path: string) => string | undefined;

export function stateFleet(
  { configuration, state, store }: { configuration: Configuration; state: RegistryState; store: BodyStore },
  latestOf: (paths: readonly string[]) => LatestOf,
): Omit<FleetSource, 'origin' | 'revision' | 'isPast'> {
  const labels = labelling(configuration.labels);
  const nodes = [...nodesIn(state)];
  const clusters = newClusterRows();
  for (const node of nodes) clusters.add(node);
  function* bodies() {
    for (const { resource } of nodes) yield store.get(resource.body.handle);
  }
  const uids = nodes.map(({ uid }) => uid);
  const survey = lazily(() => surveyNodes(state, store, 'nothing'));
  const all = lazily(() => new Map(survey().table.columns.map((column) => [column.name, column])));
  let reads = 0;
  // Reading a single column parses all bodies, so one survey is faster than many reads of columns.
  const read = (name: string) => (reads++ < MOST_READS ? columnOfBodies(name, bodies()) : all().get(name));
  return {
    fleet: readFleet({ uids, clusters: clusters.all, read, all: () => survey().table.columns }, labels),
    survey,
    labels,
    nodesAt: async (rows) => {
      const asked = rows.flatMap((row) => nodes[row] ?? []);
      const latest = lazily(() => latestOf(asked.map(({ path }) => path)));
      return asked.map(({ path, resource }) => ({
        ...nodeState(path, sourceFields(storedObject(store, resource.body.handle)), undefined),
        get latest() {
          return latest()(path);
        },
      }));
    },
    siteNames: async () => siteNames(state, store),
    reference: async () => {
      const grid = state ? storedObject(store, state.body.handle) : {};
      return referenceOf(configuration, grid);
    },
  };
}

function siteNames(state: RegistryState, store: BodyStore): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [uid, site] of state ? membersOf(state, 'sites').entries() : []) {
    const { name } = storedObject(store, site.body.handle);
    if (typeof name === 'string') names.set(uid, name);
  }
  return names;
}
