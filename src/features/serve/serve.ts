import {
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { JSON_MEDIA_TYPE } from '../../core/api/dialect.ts';
import { EXPLORER_PATHS } from '../../core/api/explorer/explorer-paths.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { MANIFEST_FILE, MANIFEST_URL, tombstoneFile } from '../../core/tree/layout.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { type ServedDocument, servedDocuments } from '../../core/tree/served-documents.ts';
import { isInside } from '../../system/files/read-folder.ts';
import { readingIfThere, unlessRefused } from '../../system/files/system-errors.ts';
import { manifestUnlessAbsent } from '../../system/trees/manifest-file.ts';
import { recover, stageOf } from '../../system/trees/staging.ts';
import { configurationFile } from '../sources/configuration-file.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import { readConfiguration } from '../sources/read-configuration.ts';
import { type AnswerSettings, answerSettings, type OpenBody, type OpenTrees, type ServedTree } from './served-tree.ts';
import { type Serving, serveTrees } from './server.ts';

export interface ServeCommandOptions extends SourceOptions {
  readonly folder: string;
  readonly port: number;
  readonly host: string;
  readonly onBug: (error: unknown) => void;
}

/** Serves until it is closed. A tree needs no sources beside it: without a configuration it is served all the same. */
export async function serve(options: ServeCommandOptions): Promise<Serving> {
  const { folder, port, host, onBug } = options;
  recover(stageOf(folder));
  const configuration = existsSync(configurationFile(options)) ? readConfiguration(options) : undefined;
  return serveTrees({ trees: openTrees(folder, answerSettings(configuration)), port, host, onBug });
}

/** Fails when there is no tree, or one that lacks something. */
export function openTrees(folder: string, settings: AnswerSettings): OpenTrees {
  const first = identity(join(folder, MANIFEST_FILE));
  const manifest = first === undefined ? fail(finding('no-tree', { folder })) : readableManifest(folder);
  const tree = manifest && servedTree(folder, manifest, settings);
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
      const tree = renewed && servedTree(folder, renewed, settings);
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
function servedTree(folder: string, manifest: Manifest, settings: AnswerSettings): ServedTree | undefined {
  const status = statSync(join(folder, MANIFEST_FILE), { throwIfNoEntry: false });
  if (!status) return undefined;
  const own = {
    ...({ file: MANIFEST_FILE, type: JSON_MEDIA_TYPE, cache: 'mutable', target: undefined } as const),
    modified: Math.floor(status.mtimeMs / 1000),
    size: status.size,
    sha256: manifest.sha256,
  };
  const documents = servedDocuments(manifest, new Map([[MANIFEST_URL, own]]));
  const files = new Set(manifest.files.map(({ file }) => file));
  return {
    settings,
    dialect: manifest.summary.dialect,
    hasExplorer: documents.has(EXPLORER_PATHS.page),
    has: documents.has,
    get: (url) => {
      const document = documents.get(url);
      return document && { ...document, open: () => openBody(folder, document) };
    },
    isGone: (url) => files.has(tombstoneFile(url)),
    tombstone: (url) => {
      const file = openInside(folder, tombstoneFile(url));
      if (file === undefined) return undefined;
      const body = unlessRefused(() => readFileSync(file, 'utf8'));
      closeSync(file);
      return body;
    },
  };
}

function openBody(folder: string, document: Pick<ServedDocument, 'file' | 'size'>): OpenBody | undefined {
  const file = openInside(folder, document.file);
  if (file === undefined) return undefined;
  const close = () => closeSync(file);
  return {
    bytes: () => {
      const bytes = Buffer.allocUnsafe(document.size);
      const isWhole = readSync(file, bytes, 0, document.size, 0) === document.size;
      close();
      return isWhole ? bytes : undefined;
    },
    stream: (part) => createReadStream('', { ...part, fd: file }),
    size: () => fstatSync(file).size,
    close,
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

/** A file that is open for reading; undefined where there is none inside the folder. The folder may be a link itself. */
export function openInside(folder: string, file: string): number | undefined {
  return unlessRefused(() => {
    const path = realpathSync.native(join(folder, file));
    if (!isInside(path, realpathSync.native(folder))) return undefined;
    const opened = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (fstatSync(opened).isFile()) return opened;
    closeSync(opened);
    return undefined;
  });
}
