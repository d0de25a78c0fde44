/** A served registry with a small node and one whose document is large enough to be streamed. */
import { join } from 'node:path';
import { newFolder } from '../folders.ts';
import { buildAndServe, type Served } from '../trees/served.ts';
import { REGISTRY } from './revisions.ts';
import { nodeText, nodeUid, writeFirstRevision } from './testbed.ts';

const NODES = '/sites/lyra/clusters/main/nodes';
export const SMALL = `${NODES}/${nodeUid(1)}`;
export const LARGE = `${NODES}/${nodeUid(2)}`;

/** The large node has a note of this length. */
export async function serveLargeNode(noteLength: number): Promise<Served> {
  const folder = newFolder();
  writeFirstRevision(folder, 'cluster_uid: main\nsnapshots: none\nindex_files: false\n', [
    nodeText(1),
    nodeText(2, `note: ${'0123456789'.repeat(noteLength / 10)}\n`),
  ]);
  return await buildAndServe(join(folder, REGISTRY));
}
