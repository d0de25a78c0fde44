/** The tree that stands in a folder, taken up anew whenever another is put in its place. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { JSON_MEDIA_TYPE } from '../../core/api/dialect.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { MANIFEST_FILE, MANIFEST_URL } from '../../core/tree/layout.ts';
import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { type DocumentsByPath, servedDocuments } from '../../core/tree/served-documents.ts';
import { readingIfThere } from '../../system/files/system-errors.ts';
import { manifestUnlessAbsent } from '../../system/trees/manifest-file.ts';

export interface OpenTrees {
  /** The tree as it was last taken up. */
  readonly known: () => ServedTree;
  /** Whether no other tree stands there now. While one is swapped for another there is none at all, for a moment. */
  readonly isStill: () => boolean;
  /** Takes up the tree that stands there now. */
  readonly renew: () => void;
}

/** What answers requests, and what the tree's manifest says of it. */
export interface ServedTree {
  readonly dialect: ManifestSummary['dialect'];
  /** By URL path without suffix; the manifest among them. */
  readonly documents: DocumentsByPath;
  /** The files that are answered for what is gone, and other files that are no documents. */
  readonly files: ReadonlySet<string>;
}

/** Fails when there is no tree, or one that lacks something. */
export function openTrees(folder: string): OpenTrees {
  const first = identity(join(folder, MANIFEST_FILE));
  const manifest = first === undefined ? fail(finding('no-tree', { folder })) : readableManifest(folder);
  const tree = manifest && servedTree(folder, manifest);
  if (!tree) return incomplete(folder, `${MANIFEST_FILE} cannot be read`);
  checkFiles(folder, manifest);
  let known = { id: first, tree };
  const now = () => identity(join(folder, MANIFEST_FILE));
  return {
    known: () => known.tree,
    isStill: () => [undefined, known.id].includes(now()),
    renew: () => {
      const id = now();
      if (id === undefined || id === known.id) return;
      const renewed = readableManifest(folder);
      const tree = renewed && servedTree(folder, renewed);
      if (tree) known = { id, tree };
    },
  };
}

/** Undefined when there is none, or one with entries that cannot be read. That it is sealed is for others to say. */
function readableManifest(folder: string): Manifest | undefined {
  const manifest = manifestUnlessAbsent(folder);
  return manifest?.findings.some(({ code }) => code === 'verify-line') ? undefined : manifest;
}

/** Undefined when there is none now. The manifest answers too, though it is not in itself. */
function servedTree(folder: string, manifest: Manifest): ServedTree | undefined {
  const status = statSync(join(folder, MANIFEST_FILE), { throwIfNoEntry: false });
  if (!status) return undefined;
  const own = {
    ...({ file: MANIFEST_FILE, type: JSON_MEDIA_TYPE, cache: 'mutable', target: undefined } as const),
    ...{ modified: Math.floor(status.mtimeMs / 1000), size: status.size, sha256: manifest.sha256 },
  };
  return {
    dialect: manifest.summary.dialect,
    documents: servedDocuments(manifest, new Map([[MANIFEST_URL, own]])),
    files: new Set(manifest.files.map(({ file }) => file)),
  };
}

function identity(path: string): string | undefined {
  const status = readingIfThere(path, () => statSync(path));
  return status && `${status.ino} ${status.size} ${status.ctimeMs}`;
}

function incomplete(folder: string, reason: string): never {
  return fail(finding('tree-incomplete', { folder, reason }));
}

/** Aliases are links to documents: only that they are there is worth a look. */
function checkFiles(folder: string, { entries }: Manifest): void {
  for (const entry of entries) {
    const { file } = entry;
    const status = statSync(join(folder, file), { throwIfNoEntry: false });
    if (!status) incomplete(folder, `${file} is missing`);
    if (entry.alias === undefined && status?.size !== entry.size) {
      incomplete(folder, `${file} does not have the size that ${MANIFEST_FILE} says`);
    }
  }
}
