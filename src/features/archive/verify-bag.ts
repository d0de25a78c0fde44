import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { tooLargeReason } from '../../core/diagnostics/words.ts';
import { LISTING_BYTES, TAG_FILE_BYTES } from '../../core/platform/limits.ts';
import { ARCHIVE_PREFIX, PAYLOAD_FOLDER } from '../../core/tree/names.ts';
import { digestOf } from '../../system/files/file-io.ts';
import type { TarIndex } from '../../system/tar/tar-reader.ts';
import {
  BAG_DECLARATION,
  BAG_INFO,
  bagInfoField,
  bagInfoText,
  DECLARATION,
  type ManifestLine,
  PAYLOAD_MANIFEST,
  readBagManifest,
  TAG_MANIFEST,
} from './bag.ts';

export interface VerifiedBag {
  readonly name: string;
  readonly revision: string | undefined;
  readonly findings: readonly Finding[];
}

export function verifyBag(index: TarIndex): VerifiedBag {
  const name = [...index.entries.keys()][0]?.split('/')[0] ?? '';
  const bag: OpenBag = { name, index, digests: digestsOf(index), findings: [] };
  checkEntries(bag);
  const texts = [BAG_DECLARATION, BAG_INFO, PAYLOAD_MANIFEST, TAG_MANIFEST].map((file) => textOf(bag, file));
  const [declaration, info, payload, tags] = texts;
  if (declaration !== undefined && declaration !== DECLARATION)
    report(bag, BAG_DECLARATION, finding('archive-bag', { reason: 'it declares another version of BagIt' }));
  checkManifest(bag, TAG_MANIFEST, tags, [BAG_INFO, BAG_DECLARATION, PAYLOAD_MANIFEST]);
  const files = [...index.entries.keys()]
    .filter((each) => each.startsWith(`${name}/${PAYLOAD_FOLDER}/`))
    .map((each) => each.slice(name.length + 1));
  checkManifest(bag, PAYLOAD_MANIFEST, payload, files);
  if (info !== undefined) checkInfo(bag, info, files);
  return { name, revision: bagInfoField(info ?? '', 'External-Identifier'), findings: bag.findings };
}

interface OpenBag {
  readonly name: string;
  readonly index: TarIndex;
  readonly digests: (name: string) => string | undefined;
  readonly findings: Finding[];
}

function report({ name, findings }: OpenBag, file: string, found: Finding): void {
  findings.push({ ...found, place: { file: `${name}/${file}` } });
}

function digestsOf(index: TarIndex): OpenBag['digests'] {
  const known = new Map<number, string>();
  return (name) => {
    const entry = index.entries.get(name);
    if (!entry) return undefined;
    const digest = known.get(entry.offset) ?? digestOf(index.chunks(entry));
    known.set(entry.offset, digest);
    return digest;
  };
}

const TAG_FILES: ReadonlySet<string> = new Set([BAG_DECLARATION, BAG_INFO, PAYLOAD_MANIFEST, TAG_MANIFEST]);

function checkEntries({ name, index, findings }: OpenBag): void {
  const [first] = index.entries.values();
  let last = '';
  for (const entry of index.entries.values()) {
    const place = { file: entry.name };
    const problem = (reason: string) => findings.push(finding('archive-bag', { reason }, place));
    const file = entry.name.slice(name.length + 1);
    if (!entry.name.startsWith(`${name}/`)) problem(`it is not in the folder ${name}`);
    else if (!TAG_FILES.has(file) && !file.startsWith(`${PAYLOAD_FOLDER}/`))
      findings.push(finding('archive-unlisted', {}, place));
    if (entry.name < last) problem('its name sorts before the name of the previous entry');
    if (entry.modified !== first?.modified) problem('its time differs from the time of the other entries');
    last = entry.name;
  }
}

/** A manifest lists all other files of a bag, so a manifest can be large. */
const MANIFESTS: readonly string[] = [PAYLOAD_MANIFEST, TAG_MANIFEST];

function textOf(bag: OpenBag, file: string): string | undefined {
  const name = `${bag.name}/${file}`;
  const most = MANIFESTS.includes(file) ? LISTING_BYTES : TAG_FILE_BYTES;
  const text = bag.index.read(name, most)?.toString('utf8');
  if (text !== undefined) return text;
  const { size = 0 } = bag.index.entries.get(name) ?? {};
  report(bag, file, finding('archive-bag', { reason: size > most ? tooLargeReason(size, most) : 'it is missing' }));
  return undefined;
}

/** Checks that a manifest lists exactly the given files with their digests, and that its lines are sorted. */
function checkManifest(bag: OpenBag, manifest: string, text: string | undefined, files: readonly string[]): void {
  if (text === undefined) return;
  const lines = readBagManifest(text);
  if (!lines) {
    report(bag, manifest, finding('archive-bag', { reason: 'its lines are not digests with file names' }));
    return;
  }
  if (!isInOrder(lines)) report(bag, manifest, finding('archive-bag', { reason: 'its lines are not sorted' }));
  const listed = new Map(lines.map(({ file, sha256 }) => [file, sha256]));
  for (const file of files) {
    const [stated, computed] = [listed.get(file), bag.digests(`${bag.name}/${file}`)];
    if (stated === undefined) report(bag, file, finding('archive-unlisted', {}));
    else if (computed !== undefined && computed !== stated)
      report(bag, file, finding('archive-differs', { manifest, stated, computed }));
    listed.delete(file);
  }
  for (const file of listed.keys()) report(bag, file, finding('archive-missing', { manifest }));
}

function isInOrder(lines: readonly ManifestLine[]): boolean {
  return lines.every(({ file }, i) => i === 0 || (lines[i - 1]?.file ?? '') < file);
}

function checkInfo(bag: OpenBag, text: string, files: readonly string[]): void {
  const entries = files.flatMap((file) => bag.index.entries.get(`${bag.name}/${file}`) ?? []);
  const field = (label: string) => bagInfoField(text, label) ?? '';
  const expected = bagInfoText({
    title: field('External-Description'),
    revision: bag.name.slice(-40),
    grid: bag.name.slice(ARCHIVE_PREFIX.length, -41),
    date: new Date((entries[0]?.modified ?? 0) * 1000).toISOString(),
    agent: field('Bag-Software-Agent'),
    bytes: entries.reduce((sum, { size }) => sum + size, 0),
    files: files.length,
  });
  if (text === expected) return;
  const [wrong] = expected.split('\n').filter((line) => !text.includes(`${line}\n`));
  report(bag, BAG_INFO, finding('archive-bag', { reason: `it should contain "${wrong ?? expected.split('\n')[0]}"` }));
}
