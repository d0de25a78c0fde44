/** The tree that stands in a folder, taken up anew whenever another is put in its place. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { finding } from '../diagnostics/finding.ts';
import { MANIFEST_FILE } from '../site/layout.ts';
import type { Manifest } from '../site/manifest.ts';
import { openTree, type ServedTree } from '../site/served-tree.ts';
import { fail } from './failure.ts';
import { readManifest } from './manifest-file.ts';

export interface OpenTrees {
  /** The tree as it was last taken up. */
  readonly known: () => ServedTree;
  /** Whether no other tree stands there now. While one is swapped for another there is none at all, for a moment. */
  readonly isStill: () => boolean;
  /** Takes up the tree that stands there now. */
  readonly renew: () => void;
}

/** Fails when there is no tree, or one that lacks something. */
export function openTrees(folder: string): OpenTrees {
  const first = identity(join(folder, MANIFEST_FILE));
  const manifest = first === undefined ? fail(finding('no-tree', { folder })) : readManifest(folder);
  if (!manifest) return incomplete(folder, `${MANIFEST_FILE} cannot be read`);
  checkFiles(folder, manifest.documents);
  let known = { id: first, tree: openTree(manifest) };
  const now = () => identity(join(folder, MANIFEST_FILE));
  return {
    known: () => known.tree,
    isStill: () => [undefined, known.id].includes(now()),
    renew: () => {
      const id = now();
      const renewed = id === undefined || id === known.id ? undefined : readManifest(folder);
      if (id !== undefined && renewed) known = { id, tree: openTree(renewed) };
    },
  };
}

function identity(path: string): string | undefined {
  try {
    const { ino, size, ctimeMs } = statSync(path);
    return `${ino} ${size} ${ctimeMs}`;
  } catch {
    return undefined;
  }
}

function incomplete(folder: string, reason: string): never {
  return fail(finding('tree-incomplete', { folder, reason }));
}

/** Aliases are links to documents: only that they are there is worth a look. */
function checkFiles(folder: string, documents: Manifest['documents']): void {
  for (const document of documents) {
    const { file } = document;
    const status = statSync(join(folder, file), { throwIfNoEntry: false });
    if (!status) incomplete(folder, `${file} is missing`);
    if ('size' in document && status?.size !== document.size) {
      incomplete(folder, `${file} does not have the size that ${MANIFEST_FILE} says`);
    }
  }
}
