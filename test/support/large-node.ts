/** A served registry in which one node is small, and another so long that its document is streamed. */
import { join } from 'node:path';
import { newFolder } from './folders.ts';
import { commit, REGISTRY, writeFiles } from './revisions.ts';
import { buildAndServe, type Served } from './served.ts';
import { clusterFile, nodeFile, nodeText, nodeUid, siteFile, siteText } from './testbed.ts';

const NODES = '/sites/lyra/clusters/main/nodes';
export const SMALL = `${NODES}/${nodeUid(1)}`;
export const LARGE = `${NODES}/${nodeUid(2)}`;

/** Serves it; the large node has a note of so many characters. */
export async function serveLargeNode(noteLength: number): Promise<Served> {
  const folder = newFolder();
  writeFiles(folder, [['gridpress.yaml', 'cluster_uid: main\nsnapshots: none\nindex_files: false\n']]);
  commit(folder, {
    parents: [],
    message: 'First revision',
    date: '2026-01-01T00:00:00Z',
    edits: {
      'grid.yaml': 'type: grid\nuid: testgrid\n',
      [siteFile('lyra')]: siteText('lyra', 'baremetal'),
      [clusterFile('lyra')]: 'type: cluster\nuid: main\n',
      [nodeFile('lyra', 1)]: nodeText(1),
      [nodeFile('lyra', 2)]: nodeText(2, `note: ${'0123456789'.repeat(noteLength / 10)}\n`),
    },
  });
  return await buildAndServe(join(folder, REGISTRY));
}
