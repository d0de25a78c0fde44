/**
 * What the manifest of a tree promises, entry by entry: which files there must be and with which bytes. Entries that no
 * build writes are told and passed over, so that nothing outside the tree is ever read for them.
 */
import { type Endpoint, endpointOf } from '../api/endpoints.ts';
import { type Finding, finding } from '../diagnostics/finding.ts';
import { parsedObject } from '../model/json.ts';
import { fileOfUrl, MANIFEST_FILE, namesOfUrl, variantFilesOf } from './layout.ts';
import type { ManifestSummary, ManifestText } from './manifest.ts';
import { urlOfRequest } from './url-forms.ts';

export interface DocumentEntry {
  readonly path: string;
  readonly file: string;
  readonly endpoint: Endpoint;
  readonly sha256: string;
  readonly size: number;
  readonly type: string;
  /** Epoch seconds. */
  readonly modified: number;
  /** The digests of its companions, in order. */
  readonly companions: readonly string[];
  readonly alias: undefined;
}

export interface AliasEntry {
  readonly path: string;
  readonly file: string;
  readonly endpoint: Endpoint;
  /** The path of the document that it is an alias of. */
  readonly alias: string;
}

export type ManifestEntry = DocumentEntry | AliasEntry;

export interface ManifestListing {
  readonly summary: ManifestSummary;
  /** What is signed of it. */
  readonly unsigned: ManifestText['unsigned'];
  /** For each path of a document itself, of an alias its target. */
  readonly targets: ReadonlyMap<string, string>;
  readonly entries: () => Generator<ManifestEntry>;
  /** The files that are no documents, and lie inside the tree. */
  readonly files: ManifestSummary['files'];
  readonly findings: readonly Finding[];
}

/** Reads all entries once; what is wrong with the manifest itself is in the findings. */
export function listingOf({
  summary: stated,
  computed,
  isEnded,
  unsigned,
  lines,
}: ManifestText): ManifestListing {
  const findings: Finding[] = [];
  const say = (found: Finding) => findings.push({ ...found, place: { file: MANIFEST_FILE } });
  const summary = { ...stated, variants: { ...stated.variants, names: goodNames(stated, say) } };
  if (!isEnded)
    say(finding('verify-manifest', { reason: 'it does not end in its digest, its seal and its signature' }));
  for (const name of ['digest', 'seal'] as const) {
    const stated = summary[name];
    if (isEnded && stated !== undefined && stated !== computed[name])
      say(finding('verify-manifest-digest', { name, stated, computed: computed[name] }));
  }
  const targets = new Map<string, string>();
  const bad = new Set<number>();
  const counts = { documents: 0, aliases: 0 };
  let line = 0;
  for (const text of lines()) {
    const entry = listed(text, summary);
    const reason = typeof entry === 'string' ? entry : placeProblem(entry, targets);
    if (reason !== undefined) {
      bad.add(line);
      say(finding('verify-line', { line: line + 1, reason }));
    }
    if (typeof entry !== 'string') {
      counts[entry.alias === undefined ? 'documents' : 'aliases']++;
      if (reason === undefined) targets.set(entry.path, entry.alias ?? entry.path);
    }
    line++;
  }
  for (const what of ['documents', 'aliases'] as const) {
    const [stated, found] = [summary.counts[what], counts[what]];
    if (stated !== found) say(finding('verify-count', { what, stated, found }));
  }
  const files = goodFiles(summary, targets, say);
  return { summary, unsigned, targets, files, findings, entries: () => goodEntries(lines, bad, summary) };
}

/** The patterns of other names that lead to a file of each document's own, inside the tree. */
function goodNames({ variants: { names } }: ManifestSummary, say: (found: Finding) => void): string[] {
  return names.filter((name, i) => {
    const isGood =
      name.includes('{path}') && isInTree(name.replace('{path}', 'x')) && names.indexOf(name) === i;
    if (!isGood) say(finding('verify-manifest', { reason: `${name} is no name of documents` }));
    return isGood;
  });
}

/** The files that are no documents, each once. */
function goodFiles(
  { files }: ManifestSummary,
  targets: ReadonlyMap<string, string>,
  say: (found: Finding) => void,
): ManifestSummary['files'] {
  const known = new Set<string>();
  return files.filter(({ file }) => {
    const isDocument = targets.has(urlOfRequest(`/${file}`) ?? '');
    const isGood = isInTree(file) && !isDocument && !known.has(file);
    known.add(file);
    if (!isGood) say(finding('verify-manifest', { reason: `${file} is no file of a tree` }));
    return isGood;
  });
}

function* goodEntries(
  lines: ManifestText['lines'],
  bad: ReadonlySet<number>,
  summary: ManifestSummary,
): Generator<ManifestEntry> {
  let line = 0;
  for (const text of lines()) {
    const entry = bad.has(line++) ? '' : listed(text, summary);
    if (typeof entry !== 'string') yield entry;
  }
}

/** An entry, or what is wrong with it. */
function listed(text: string, { variants }: ManifestSummary): ManifestEntry | string {
  const entry = parsedObject(text);
  if (!entry) return 'is no JSON object';
  const { path, file, alias_of: alias, sha256, size, type, modified, companions = [] } = entry;
  if (typeof path !== 'string' || typeof file !== 'string') return 'has no path or no file';
  const endpoint = DOTS.test(path) ? undefined : endpointOf(path);
  if (!endpoint) return `has ${path}, which is no path of the API`;
  if (file !== fileOfUrl(path)) return `has ${file} for ${path}, whose file is ${fileOfUrl(path)}`;
  if (typeof alias === 'string') return { path, file, endpoint, alias };
  if (typeof sha256 !== 'string' || typeof size !== 'number' || typeof type !== 'string')
    return `lacks a digest, a size or a type for ${path}`;
  if (typeof modified !== 'number') return `lacks a time for ${path}`;
  const digests = Array.isArray(companions) ? companions.map(String) : [];
  const expected = variantFilesOf(file, variants).length;
  if (digests.length !== expected)
    return `has ${digests.length} companions of ${path} instead of ${expected}`;
  return { path, file, endpoint, sha256, size, type, modified, companions: digests, alias: undefined };
}

function placeProblem(
  { path, alias }: ManifestEntry,
  targets: ReadonlyMap<string, string>,
): string | undefined {
  if (targets.has(path)) return `has ${path} a second time`;
  if (alias !== undefined && targets.get(alias) !== alias)
    return `has ${path} as an alias of ${alias}, which is no document before it`;
  return undefined;
}

/** A segment that leads elsewhere. */
const DOTS = /(?:^|\/)\.\.?(?:\/|$)/;

function isInTree(file: string): boolean {
  return !DOTS.test(file) && !file.split('/').includes('') && !file.includes('\\');
}

/** The names under which the bytes of an entry's document stand, its own first. */
export function namesOf({ path, file }: ManifestEntry, { variants }: ManifestSummary): string[] {
  return [file, ...namesOfUrl(path, variants)];
}

/** Every file that there must be. */
export function* expectedFiles({ summary, entries, files }: ManifestListing): Generator<string> {
  yield MANIFEST_FILE;
  for (const { file } of files) yield file;
  for (const entry of entries()) {
    yield* namesOf(entry, summary);
    yield* variantFilesOf(entry.file, summary.variants);
  }
}
