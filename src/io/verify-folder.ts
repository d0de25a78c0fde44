/**
 * Verifying a tree in a folder: every file against the manifest, once. Names that are links to one file are read once;
 * what is kept of a document is its digest and which file it was. Calls are synchronous, as where trees are written.
 */
import { hash } from 'node:crypto';
import { type Dirent, lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Fields } from '../api/schemas.ts';
import { type Finding, finding } from '../diagnostics/finding.ts';
import { CODINGS, companionsOf, fileOfUrl, MANIFEST_FILE, PRETTY_FOLDER } from '../site/layout.ts';
import { manifestText } from '../site/manifest.ts';
import {
  basePathIn,
  type ContentCheck,
  contentCheck,
  FIRST_FEED,
  parsedObject,
} from '../site/verify-content.ts';
import {
  expectedFiles,
  type Listed,
  type ListedDocument,
  type Listing,
  listingOf,
  namesOf,
} from '../site/verify-manifest.ts';
import { reasonOf } from './failure.ts';
import { decodeContent } from './http-ask.ts';
import { readBytes } from './read-tree.ts';

export interface Verified {
  /** Undefined where the manifest cannot be read at all. */
  readonly listing: Listing | undefined;
  readonly files: number;
  readonly findings: readonly Finding[];
}

export interface FolderOptions {
  readonly fields: Fields;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Fails when there is no manifest. */
export async function verifyFolder(folder: string, options: FolderOptions): Promise<Verified> {
  const text = manifestText(readFileSync(join(folder, MANIFEST_FILE)));
  if (!text) {
    const reason = 'it is no manifest of a format that this gridpress knows';
    const found = { ...finding('verify-manifest', { reason }), place: { file: MANIFEST_FILE } };
    return { listing: undefined, files: 0, findings: [found] };
  }
  const listing = listingOf(text);
  const content = contentCheck({
    listing,
    basePath: basePathIn(textAt(folder, FIRST_FEED)),
    fields: options.fields,
  });
  const files = fileCheck(folder);
  const documents = documentCheck(files, listing, content);
  const total = listing.targets.size;
  let done = 0;
  for (const entry of listing.entries()) {
    documents(entry);
    options.onProgress?.(++done, total);
  }
  for (const { file, sha256, size } of listing.files) files.read(file, sha256, size);
  const history = await content.atEnd((path) => parsedObject(textAt(folder, path) ?? ''));
  const foreign = foreignFiles(folder, listing, files.present() + 1);
  return {
    listing,
    files: files.present() + 1,
    findings: [...listing.findings, ...files.findings, ...history, ...foreign],
  };
}

function textAt(folder: string, path: string): string | undefined {
  try {
    return readFileSync(join(folder, fileOfUrl(path)), 'utf8');
  } catch {
    return undefined;
  }
}

interface FileCheck {
  readonly findings: Finding[];
  /** The bytes of a file, in a buffer that is used again; undefined when they are not what they should be. */
  readonly read: (file: string, sha256: string, size?: number) => Uint8Array | undefined;
  /** Checks a name that should be a link to a file known by its identity, or a copy with the same bytes. */
  readonly name: (file: string, identity: number, sha256: string) => void;
  /** A number that no other file has; NaN when the file system does not tell one. */
  readonly identity: (file: string) => number;
  /** How many names are there, whatever their bytes. */
  readonly present: () => number;
}

function fileCheck(folder: string): FileCheck {
  const findings: Finding[] = [];
  const device = lstatSync(folder).dev;
  let present = 0;
  const say = (file: string, found: Finding) => findings.push({ ...found, place: { file } });
  const statusOf = (file: string): Stats | undefined => {
    try {
      const status = lstatSync(`${folder}/${file}`);
      present++;
      if (status.isFile()) return status;
      say(file, finding('verify-not-a-file', {}));
    } catch (error) {
      say(file, finding('verify-missing', { reason: reasonOf(error) }));
    }
    return undefined;
  };
  const identityOf = ({ dev, ino }: Stats) =>
    dev === device && Number.isSafeInteger(ino) ? ino : Number.NaN;
  let last = { file: '', identity: Number.NaN };

  const bytesOf = (file: string, sha256: string, size: number | undefined) => {
    try {
      const bytes = readBytes(`${folder}/${file}`);
      const computed = hash('sha256', bytes, 'hex');
      if (computed !== sha256) say(file, finding('verify-differs', { stated: sha256, computed }));
      else if (size !== undefined && size !== bytes.length)
        say(file, finding('verify-size', { stated: size, found: bytes.length }));
      else return bytes;
    } catch (error) {
      say(file, finding('verify-missing', { reason: reasonOf(error) }));
    }
    return undefined;
  };
  return {
    findings,
    read: (file, sha256, size) => {
      const status = statusOf(file);
      const bytes = status && bytesOf(file, sha256, size);
      // Links to a damaged file are damaged too: they are read, so that each is named.
      last = { file, identity: status && bytes ? identityOf(status) : Number.NaN };
      return bytes;
    },
    name: (file, identity, sha256) => {
      const status = statusOf(file);
      if (status && identityOf(status) !== identity) bytesOf(file, sha256, undefined);
    },
    identity: (file) => (last.file === file ? last.identity : Number.NaN),
    present: () => present,
  };
}

interface KnownFile {
  readonly sha256: string;
  readonly identity: number;
}

/** Checks the files of one entry after the other. What is read of documents is kept for their aliases. */
function documentCheck(files: FileCheck, listing: Listing, content: ContentCheck): (entry: Listed) => void {
  const { variants } = listing.summary;
  const aliased = new Set<string>();
  for (const [path, target] of listing.targets) if (path !== target) aliased.add(target);
  const known = new Map<string, readonly KnownFile[]>();

  const document = (entry: ListedDocument) => {
    const { path, file, sha256, size } = entry;
    const bytes = files.read(file, sha256, size);
    const own = { sha256, identity: files.identity(file) };
    const text = bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    for (const name of namesOf(entry, listing.summary).slice(1)) files.name(name, own.identity, sha256);
    if (text !== undefined) for (const found of content.document(entry, text)) files.findings.push(found);
    const companions = companionsOf(file, variants).map((name, i) => {
      const digest = entry.companions[i] ?? '';
      const held = files.read(name, digest);
      const source = name.startsWith(`${PRETTY_FOLDER}/`) ? prettyOf : plain;
      if (held && text !== undefined && textIn(name, held) !== source(text))
        files.findings.push({ ...finding('verify-companion', { of: file }), place: { file: name } });
      return { sha256: digest, identity: files.identity(name) };
    });
    if (aliased.has(path)) known.set(path, [own, ...companions]);
  };

  return (entry) => {
    if (entry.alias === undefined) return document(entry);
    const [target, ...companions] = known.get(entry.alias) ?? [];
    if (!target) return;
    for (const name of namesOf(entry, listing.summary)) files.name(name, target.identity, target.sha256);
    for (const [i, name] of companionsOf(entry.file, variants).entries())
      files.name(name, companions[i]?.identity ?? Number.NaN, companions[i]?.sha256 ?? '');
  };
}

const plain = (text: string) => text;

/** Undefined for a text that is no JSON, which is told already. */
function prettyOf(text: string): string | undefined {
  const body = parsedObject(text);
  return body && JSON.stringify(body, null, 2);
}

/** What a companion says. */
function textIn(name: string, bytes: Uint8Array): string | undefined {
  const coding = name.endsWith(CODINGS.gzip) ? 'gzip' : name.endsWith(CODINGS.br) ? 'br' : undefined;
  const plainBytes = coding === undefined ? bytes : decodeContent(coding, bytes);
  return plainBytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(plainBytes);
}

/** The files that no entry has. Only when there are more than there should be is it worth looking which. */
function foreignFiles(folder: string, listing: Listing, present: number): Finding[] {
  let there = 0;
  for (const _ of filesIn(folder)) there++;
  if (there === present) return [];
  const expected = new Set(expectedFiles(listing));
  return [...filesIn(folder)]
    .filter((file) => !expected.has(file))
    .map((file) => ({ ...finding('verify-foreign', {}), place: { file } }));
}

/**
 * Everything in a tree that is no folder. Folders at the top whose names begin with a dot are passed over: they belong to
 * those who publish it (.git, .well-known).
 */
function* filesIn(root: string, folder = ''): Generator<string> {
  const entries: Dirent[] = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) yield path;
    else if (folder !== '' || !entry.name.startsWith('.')) yield* filesIn(root, path);
  }
}
