/** Imports in tests: the base repository, the import itself, and its results. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { resourcesIn } from '../../../src/core/model/state.ts';
import { storedObject } from '../../../src/core/registry/registry.ts';
import { type ImportOptions, importRegistry } from '../../../src/features/import/import.ts';
import { checkFindings, loadSources } from '../../../src/features/sources/load-sources.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Entry, json } from './git-repository.ts';

/** The folder of the grid in the repositories. */
export const GRID = 'data/testbed';
export const SITE = 'sites/lyra';
export const CLUSTER = `${SITE}/clusters/main`;
export const NODE = `${CLUSTER}/nodes/n1`;

export const GRID_BODY = { type: 'grid', uid: 'testbed' };
export const SITE_BODY = { type: 'site', uid: 'lyra', name: 'Lyra' };
export const CLUSTER_BODY = { type: 'cluster', uid: 'main' };
export const NODE_BODY = { type: 'node', uid: 'n1', node_type: 'compute', cores: 8 };

/** The files of these resources, in the most common layout. */
export const GRID_FILE = `${GRID}/testbed.json`;
export const SITE_FILE = `${GRID}/${SITE}/lyra.json`;
export const CLUSTER_FILE = `${GRID}/${CLUSTER}/main.json`;
export const NODE_FILE = `${GRID}/${NODE}.json`;

/** A grid with a site, a cluster and a node. */
export const BASE: Readonly<Record<string, Entry>> = {
  [GRID_FILE]: json(GRID_BODY),
  [SITE_FILE]: json(SITE_BODY),
  [CLUSTER_FILE]: json(CLUSTER_BODY),
  [NODE_FILE]: json(NODE_BODY),
};

/** The resources of BASE, by path. */
export const BASE_RESOURCES = { '': GRID_BODY, [SITE]: SITE_BODY, [CLUSTER]: CLUSTER_BODY, [NODE]: NODE_BODY };

export interface Imported {
  readonly registry: string;
  /** The printed warnings. */
  readonly warnings: string;
  /** The revisions, oldest first. */
  readonly revisions: readonly ImportedRevision[];
  /** The bodies after each revision, by its identifier and their paths. */
  readonly at: (id: string) => Readonly<Record<string, JsonObject>>;
  /** The changes of each revision, by its identifier: `updated sites/lyra`. */
  readonly changes: (id: string) => readonly string[];
}

export interface ImportedRevision {
  readonly id: string;
  readonly parents: readonly string[];
  readonly date: string;
  readonly author: string;
  readonly message: string;
}

export type Options = Partial<Omit<ImportOptions, 'repository' | 'out'>>;

/** Imports into a folder, by default a new one, and replays the result. The registry must be valid. */
export async function imported(
  repository: string,
  options: Options = {},
  registry = join(temporaryFolder(), 'registry-data'),
): Promise<Imported> {
  const { warnings } = await importRegistry({
    repository,
    out: registry,
    ref: 'HEAD',
    firstParent: false,
    showsProgress: false,
    ...options,
  });
  const sources = loadSources({ registry });
  expect(renderFindings(checkFindings(sources))).toBe('');
  const { history, store } = sources;
  const indexOf = (id: string) => history.indexOf.get(id) ?? -1;
  return {
    registry,
    warnings: renderFindings(warnings),
    revisions: history.revisions.map(({ id, parents, date, author, message }) => ({
      id,
      parents,
      date,
      author,
      message,
    })),
    at: (id) => {
      const resources = resourcesIn(history.states[indexOf(id)] ?? null);
      return Object.fromEntries([...resources].map(([path, { body }]) => [path, storedObject(store, body.handle)]));
    },
    changes: (id) => (history.changes[indexOf(id)] ?? []).map(({ action, path }) => `${action} ${path}`),
  };
}

/** A warning as printed. */
export function warning(id: string, what: string, code: string, fix: string): string {
  return `warning: ${id.slice(0, 8)}: ${what} [${code}]\n  ${fix}\n`;
}
