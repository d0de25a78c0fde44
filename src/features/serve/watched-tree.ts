/** The tree that stands in a folder, taken up anew whenever another is put in its place. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JSON_MEDIA_TYPE } from '../../core/api/dialect.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { sha256 } from '../../core/model/digest.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import type { Manifest } from '../../core/tree/manifest.ts';
import { openTree, type ServedTree } from '../../core/tree/served-tree.ts';
import { readingIfThere } from '../../system/files/system-errors.ts';
import { parseManifest } from '../../system/trees/manifest-file.ts';

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
  const read = first === undefined ? fail(finding('no-tree', { folder })) : takeUp(folder);
  if (!read) return incomplete(folder, `${MANIFEST_FILE} cannot be read`);
  checkFiles(folder, read.manifest.documents);
  let known = { id: first, tree: read.tree };
  const now = () => identity(join(folder, MANIFEST_FILE));
  return {
    known: () => known.tree,
    isStill: () => [undefined, known.id].includes(now()),
    renew: () => {
      const id = now();
      const renewed = id === undefined || id === known.id ? undefined : takeUp(folder);
      if (id !== undefined && renewed) known = { id, tree: renewed.tree };
    },
  };
}

/** Undefined when there is no tree, or none of this format. The manifest answers too, though it is not in itself. */
function takeUp(folder: string): { readonly manifest: Manifest; readonly tree: ServedTree } | undefined {
  const path = join(folder, MANIFEST_FILE);
  const bytes = readingIfThere(path, () => readFileSync(path));
  const manifest = bytes && parseManifest(bytes);
  const status = statSync(path, { throwIfNoEntry: false });
  if (!manifest || !status) return undefined;
  const tree = openTree(manifest, {
    ...{ file: MANIFEST_FILE, type: JSON_MEDIA_TYPE, cache: 'mutable', target: undefined },
    ...{ modified: Math.floor(status.mtimeMs / 1000), size: bytes.length, sha256: sha256(bytes) },
  });
  return { manifest, tree };
}

function identity(path: string): string | undefined {
  const status = readingIfThere(path, () => statSync(path));
  return status && `${status.ino} ${status.size} ${status.ctimeMs}`;
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
