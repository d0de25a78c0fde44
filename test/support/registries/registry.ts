/** Small registries in temporary folders, recorded with fixed dates and authors. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../../../src/core/diagnostics/finding.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { record } from '../../../src/features/revisions/record.ts';
import { checkFindings, loadSources } from '../../../src/features/sources/load-sources.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const NODE_UID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

export const CONFIGURATION = '../gridpress.yaml';
export const GRID = 'grid.yaml';
export const SITE = 'sites/lyra/site.yaml';
export const CLUSTER = 'sites/lyra/clusters/main/cluster.yaml';
export const NODE = `sites/lyra/clusters/main/nodes/${NODE_UID}.yaml`;

/** The smallest valid registry with one resource of each kind. */
const MINIMAL: Readonly<Record<string, string>> = {
  [CONFIGURATION]: 'cluster_uid: main\n',
  [GRID]: 'type: grid\nuid: testgrid\n',
  [SITE]: 'type: site\nuid: lyra\nname: Lyra\nsite_class: baremetal\n',
  [CLUSTER]: 'type: cluster\nuid: main\n',
  [NODE]: `type: node\nuid: ${NODE_UID}\nnode_name: lyra-1\n`,
};

/** Contents by path below the registry; null omits a file of the minimal registry. */
export type Files = Readonly<Record<string, string | Uint8Array | null>>;

export interface TestRegistry {
  /** The folder with the registry and its configuration. */
  readonly folder: string;
  readonly registry: string;
  readonly write: (files: Files) => void;
  readonly read: (file: string) => string;
  /** Records the changes. The nth record has the nth day of January 2026 as its date. */
  readonly record: (message: string) => { readonly id: string; readonly file: string };
  /** Returns the output of a check, with paths relative to `folder`. */
  readonly findings: () => string;
  /** Returns the findings of a failing call, with paths relative to `folder`. */
  readonly failure: (call: () => unknown) => Promise<string>;
}

/** Creates the minimal registry with added, changed or omitted files, by default in a new folder of the test. */
export function registryOf(files: Files = {}, folder = temporaryFolder()): TestRegistry {
  const registry = join(folder, 'registry-data');
  const write = (changed: Files) => {
    for (const [file, content] of Object.entries(changed)) {
      const path = join(registry, file);
      mkdirSync(dirname(path), { recursive: true });
      if (content === null) rmSync(path, { force: true });
      else writeFileSync(path, content);
    }
  };
  const below = (text: string) => text.replaceAll(`${folder}/`, '');
  let day = 0;
  write({ ...MINIMAL, ...files });
  return {
    folder,
    registry,
    write,
    read: (file) => readFileSync(join(registry, file), 'utf8'),
    record: (message) => {
      day++;
      const date = `2026-01-${String(day).padStart(2, '0')}T12:00:00Z`;
      const { id, file } = record({ registry, message, author: 'Ada Brown', date });
      return { id, file: file.slice(registry.length + 1) };
    },
    findings: () => below(renderFindings(checkFindings(loadSources({ registry })))),
    failure: async (call) => {
      try {
        await call();
      } catch (error) {
        if (error instanceof Failure) return below(renderFindings(error.findings));
        throw error;
      }
      return '';
    },
  };
}
