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
import { createServer } from 'node:http';
import { join } from 'node:path';
import { JSON_MEDIA_TYPE } from '../../core/api/dialect.ts';
import { EXPLORER_PATHS } from '../../core/api/explorer/explorer-paths.ts';
import { folderOfPage } from '../../core/api/page-folders.ts';
import { resourceUrl } from '../../core/api/urls.ts';
import { linkOf } from '../../core/client/pinned-reader.ts';
import { Failure, fail, finding } from '../../core/diagnostics/finding.ts';
import { megabytes } from '../../core/diagnostics/words.ts';
import { parsedObject } from '../../core/model/json.ts';
import { fileOfUrl, MANIFEST_FILE, MANIFEST_URL, tombstoneFile } from '../../core/tree/layout.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { type ServedDocument, servedDocuments } from '../../core/tree/served-documents.ts';
import { isInside } from '../../system/files/read-folder.ts';
import { readingIfExists, reasonOf, systemCode, undefinedOnSystemError } from '../../system/files/system-errors.ts';
import { printError, reportsResults } from '../../system/terminal/terminal.ts';
import { readManifestIfExists } from '../../system/trees/manifest-file.ts';
import { recoverIfPermitted, stageOf, throwNoTree } from '../../system/trees/staging.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import { readConfiguration } from '../sources/read-configuration.ts';
import { configurationFile } from '../sources/registry-files.ts';
import { rejection } from './exchange.ts';
import { respond } from './respond.ts';
import { type AnswerSettings, answerSettings, type OpenBody, type OpenTrees, type ServedTree } from './served-tree.ts';

export interface ServeCommandOptions extends SourceOptions {
  readonly folder: string;
  readonly port: number;
  readonly host: string;
  /** Whether to print progress messages for steps that take seconds. */
  readonly showsProgress?: boolean;
  readonly onBug: (error: unknown) => void;
}

/** Reading a manifest of this size or more takes seconds, because the reader also looks for the listed files. */
const LARGE_MANIFEST_BYTES = 5_000_000;

/** Serves a folder until the server is closed. A configuration is optional. */
export async function serve(options: ServeCommandOptions): Promise<Serving> {
  const { folder, port, host, onBug } = options;
  recoverIfPermitted(stageOf(folder));
  if (options.showsProgress === true) announceReading(folder);
  const configuration = existsSync(configurationFile(options)) ? readConfiguration(options) : undefined;
  const settings = answerSettings(configuration);
  const basePath = basePathOfLinks(folder) || settings.basePath;
  return serveTrees({ trees: openTrees(folder, { ...settings, basePath }), port, host, onBug });
}

/** A tree with `prefixed_links` states its base path. A mirror has no configuration. */
function basePathOfLinks(folder: string): string {
  const text = undefinedOnSystemError(() => readFileSync(join(folder, fileOfUrl(resourceUrl(''))), 'utf8'));
  const self = linkOf(parsedObject(text ?? '') ?? {}, 'self') ?? '';
  return /^(?:\/[\w.~-]+)+$/.test(self) ? self : '';
}

function announceReading(folder: string): void {
  const size = undefinedOnSystemError(() => statSync(join(folder, MANIFEST_FILE)).size) ?? 0;
  if (size >= LARGE_MANIFEST_BYTES && reportsResults()) printError(`Reading the manifest (${megabytes(size)})`);
}

export function openTrees(folder: string, settings: AnswerSettings): OpenTrees {
  const identityNow = () => fileIdentity(join(folder, MANIFEST_FILE));
  const first = identityNow();
  const manifest = first === undefined ? throwNoTree(folder) : readableManifest(folder);
  const tree = manifest && servedTree(folder, manifest, settings);
  if (!tree) return throwIncomplete(folder, `${MANIFEST_FILE} cannot be read`);
  checkFiles(folder, manifest);
  let known = { id: first, tree };
  return {
    current: () => known.tree,
    isCurrent: () => [undefined, known.id].includes(identityNow()),
    reload: () => {
      const id = identityNow();
      if (id === undefined || id === known.id) return;
      const renewed = readableManifest(folder);
      const tree = renewed && servedTree(folder, renewed, settings);
      if (tree) known = { id, tree };
    },
  };
}

/** Returns undefined if the manifest is missing or has invalid entries. Does not verify the manifest's digest. */
function readableManifest(folder: string): Manifest | undefined {
  const manifest = readManifestIfExists(folder);
  return manifest?.findings.some(({ code }) => code === 'verify-line') ? undefined : manifest;
}

/** Returns undefined if the folder contains no manifest file. The served documents include the manifest. */
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
      const body = undefinedOnSystemError(() => readFileSync(file, 'utf8'));
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

function fileIdentity(path: string): string | undefined {
  const status = readingIfExists(path, () => statSync(path));
  return status && `${status.ino} ${status.size} ${status.ctimeMs}`;
}

function throwIncomplete(folder: string, reason: string): never {
  return fail(finding('tree-incomplete', { folder, reason }));
}

/** Checks that all files exist, and that documents have the listed sizes. Aliases are links to documents. */
function checkFiles(folder: string, { entries }: Manifest): void {
  for (const entry of entries) {
    const { file } = entry;
    const status = statSync(join(folder, file), { throwIfNoEntry: false });
    if (!status) throwIncomplete(folder, `${file} is missing`);
    if (entry.alias === undefined && status.size !== entry.size) {
      throwIncomplete(folder, `${file} does not have the size that ${MANIFEST_FILE} says`);
    }
  }
}

/** Returns undefined if the file is missing or outside the folder. The folder itself may be a symbolic link. */
function openInside(folder: string, file: string): number | undefined {
  return undefinedOnSystemError(() => {
    const path = realpathSync.native(join(folder, file));
    if (!isInside(path, realpathSync.native(folder))) return undefined;
    const opened = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (fstatSync(opened).isFile()) return opened;
    closeSync(opened);
    return undefined;
  });
}

export interface ServeOptions {
  readonly trees: OpenTrees;
  readonly port: number;
  readonly host: string;
  /** Called with unexpected errors of requests. The server does not stop. */
  readonly onBug: (error: unknown) => void;
}

export interface Serving {
  readonly port: number;
  readonly basePath: string;
  /** The path of the explorer. Undefined if the tree has no explorer. */
  readonly explorer: string | undefined;
  readonly close: () => Promise<void>;
}

export async function serveTrees(options: ServeOptions): Promise<Serving> {
  const { trees, host, onBug } = options;
  // `requireHostHeader` is false, because `respond` itself rejects requests without a Host header.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    respond({ request, response, trees, host }).catch((error: unknown) => {
      // A failed disk read is a temporary error, so the status is 503.
      const isOfSystem = error instanceof Failure || systemCode(error) !== undefined;
      if (!response.headersSent) {
        if (isOfSystem) response.writeHead(503, { 'Retry-After': '1' });
        else response.writeHead(500);
      }
      response.end();
      if (!isOfSystem) onBug(error);
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable && error.code !== 'ECONNRESET') socket.end(rejection(trees, error.code));
    else socket.destroy();
  });
  // Without this listener, Node.js closes the connection without a response.
  server.on('connect', (_, socket) => {
    socket.on('error', () => {});
    socket.end(rejection(trees, 'HPE_INVALID_METHOD'), () => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(refusal(error, host, options.port)));
    server.listen(options.port, host, resolve);
  });
  const address = server.address();
  const { settings, hasExplorer } = trees.current();
  return {
    basePath: settings.basePath,
    explorer: hasExplorer ? `${folderOfPage(EXPLORER_PATHS.page)}/` : undefined,
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns unexpected errors unchanged. */
function refusal(error: Error, host: string, port: number): Error {
  const code = systemCode(error);
  if (code === undefined) return error;
  if (code === 'EADDRINUSE') return new Failure([finding('port-taken', { port })]);
  return new Failure([finding('port-refused', { host, port, reason: reasonOf(error) })]);
}
