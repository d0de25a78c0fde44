/** Generated registries of any size. The first revision adds every node; others change some. */

import { join } from 'node:path';
import { type Commit, commit, type Edits, REGISTRY, writeFiles } from './revisions.ts';
import { clusterFile, nodeFile, nodeText, siteFile, siteText } from './testbed.ts';

export interface Generated {
  readonly registry: string;
  /** The revisions from the first to the head. */
  readonly revisions: readonly Commit[];
}

/** Each revision after the first updates every tenth node. */
export function writeGenerated(
  folder: string,
  nodes: number,
  revisions: number,
  ...configuration: readonly string[]
): Generated {
  writeFiles(folder, [['gridpress.yaml', ['cluster_uid: main', ...configuration, ''].join('\n')]]);
  const made: Commit[] = [];
  for (let n = 0; n < revisions; n++) {
    const parents = made.slice(-1);
    made.push(
      commit(folder, {
        parents,
        edits: n === 0 ? everything(nodes) : updates(nodes, n),
        message: `Revision ${n}`,
        date: `2026-01-${String(n + 1).padStart(2, '0')}T00:00:00Z`,
      }),
    );
  }
  return { registry: join(folder, REGISTRY), revisions: made };
}

function everything(nodes: number): Edits {
  return {
    'grid.yaml': 'type: grid\nuid: testgrid\n',
    [siteFile('lyra')]: siteText('lyra', 'baremetal'),
    [clusterFile('lyra')]: 'type: cluster\nuid: main\n',
    ...nodesOf(nodes, 1, () => ''),
  };
}

function updates(nodes: number, revision: number): Edits {
  return nodesOf(nodes, 10, (n) => `bios:\n  version: 1.${revision}.${n}\n`);
}

function nodesOf(nodes: number, step: number, fields: (n: number) => string): Edits {
  const edits: Record<string, string> = {};
  for (let n = 0; n < nodes; n += step) edits[nodeFile('lyra', n)] = nodeText(n, fields(n));
  return edits;
}
