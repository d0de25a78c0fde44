/**
 * The layout of an archive: a bag (BagIt 1.0, RFC 8493) in one folder, whose payload is the tree, its sources, and how
 * to cite them. What the bag says of itself follows from the payload alone.
 */
import { TREE_NAME } from '../../core/tree/archive-name.ts';
import { citedDay } from './citation.ts';

/** The files of the payload, below data/. */
export const BAG_FILES = {
  citation: 'CITATION.cff',
  cite: 'CITE.txt',
  crate: 'ro-crate-metadata.json',
  sources: 'sources',
  tree: TREE_NAME,
} as const;

export const BAG_INFO = 'bag-info.txt';
export const BAG_DECLARATION = 'bagit.txt';
export const PAYLOAD_MANIFEST = 'manifest-sha256.txt';
export const TAG_MANIFEST = 'tagmanifest-sha256.txt';
export const DECLARATION = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';

export interface BagInfo {
  readonly title: string;
  readonly grid: string;
  readonly revision: string;
  /** ISO 8601, of the revision. */
  readonly date: string;
  /** The program that made it, which decides the bytes of the tree too. */
  readonly agent: string;
  readonly bytes: number;
  readonly files: number;
}

/** RFC 8493, section 2.2.2: one label on each line. Nothing in it depends on when and where it is made. */
export function bagInfoText(info: BagInfo): string {
  const fields = [
    ['External-Description', info.title],
    ['External-Identifier', info.revision],
    ['Bag-Group-Identifier', info.grid],
    ['Bagging-Date', citedDay(info)],
    ['Payload-Oxum', `${info.bytes}.${info.files}`],
    ['Bag-Software-Agent', info.agent],
  ];
  return fields.map(([label, value]) => `${label}: ${value}\n`).join('');
}

export function bagInfoField(text: string, label: string): string | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${label}: `));
  return line?.slice(label.length + 2);
}

export interface ManifestLine {
  readonly sha256: string;
  /** Below the folder of the bag. */
  readonly file: string;
}

/** What `sha256sum -c` reads. */
export function bagManifest(lines: readonly ManifestLine[]): string {
  return lines.map(({ sha256, file }) => `${sha256}  ${file}\n`).join('');
}

export function readBagManifest(text: string): ManifestLine[] | undefined {
  if (text !== '' && !text.endsWith('\n')) return undefined;
  const lines: ManifestLine[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const [, sha256, file] = /^([0-9a-f]{64}) {2}(\S.*)$/.exec(line) ?? [];
    if (sha256 === undefined || file === undefined) return undefined;
    lines.push({ sha256, file });
  }
  return lines;
}
