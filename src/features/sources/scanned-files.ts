/** Reads the revision files of a history one by one, and parses only the parts that a search needs. */

import {
  hasChanges,
  type IsWanted,
  NeedsReplay,
  outline,
  readPosition,
  splitChanges,
} from '../../core/history/excerpt.ts';
import { orderGraph, type PositionFields } from '../../core/history/graph.ts';
import type { ResourceChange } from '../../core/history/revision-file.ts';
import type { Kind, Kinds } from '../../core/model/kinds.ts';
import { parsePath } from '../../core/model/resource-path.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import { assertDefined, getOrThrow } from '../../core/platform/lookups.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import type { SourceFolder } from '../../core/registry/registry.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { misnamedRevisions, revisionIn, textIn } from './read-history.ts';
import { revisionFiles } from './registry-files.ts';

/** A folder with revision files. Each call of `read` overwrites the bytes that the previous call returned. */
export type ScannedFolder = Pick<SourceFolder, 'name' | 'files' | 'read'>;

export const EVERYTHING: IsWanted = () => true;

interface ScannedFile {
  readonly header: RevisionHeader;
  /** Every wanted change contains the text `needle`. `isWanted` gets the path and the text of a change. */
  readonly changes: (needle: string | undefined, isWanted: IsWanted) => readonly ResourceChange[];
  readonly outline: () => readonly ResourceChange[];
}

/** Reads the headers. `hint` is the path of the resource that most searches are about, or an empty text. */
export function scanFiles(folder: ScannedFolder, kinds: Kinds, hint: string) {
  const read = (file: string): Buffer => {
    const { buffer, byteOffset, length } = folder.read(file);
    return Buffer.from(buffer, byteOffset, length);
  };
  const check = packagedChecks('revision');
  if (misnamedRevisions(folder).length > 0) throw new NeedsReplay();
  const parsed = (text: string) => revisionIn(text, check);
  const kindOf = (path: string): Kind => {
    const subject = parsePath(path, kinds);
    if (!subject) throw new NeedsReplay();
    return subject.kind;
  };
  const checked = (changes: readonly ResourceChange[]) => {
    for (const { path } of changes) kindOf(path);
    return changes;
  };
  const changesIn = (text: string) => (hasChanges(text) ? parsed(textIn(Buffer.from(text, 'latin1'))).changes : []);
  const scanned = revisionFiles(folder).map((file) => {
    const bytes = read(file);
    const placed = readPosition(bytes.toString('latin1', 0, HEAD_BYTES));
    const whole = placed ? undefined : parsed(textIn(bytes));
    const isHinted = hint !== '' && mayContain(bytes, hint);
    const kept = isHinted ? Buffer.from(bytes) : undefined;
    const rest = () => {
      const bytes = read(file);
      const end = bytes.indexOf(CHANGES);
      return parsed(textIn(end < 0 ? bytes : bytes.subarray(0, end + 1))).header;
    };
    const revision: ScannedFile = {
      header: placed ? new ScannedHeader(placed, rest) : assertDefined(whole).header,
      changes: (needle, isWanted) => {
        if (!whole && hint !== '' && needle === hint && !isHinted) return [];
        const bytes = whole ? undefined : (kept ?? read(file));
        if (bytes && needle !== undefined && needle !== '' && !mayContain(bytes, needle)) return [];
        // Latin-1 maps each byte to one character and is fast. All syntax of revision files is ASCII.
        const split = bytes && splitChanges(bytes.toString('latin1'), isWanted);
        if (split) return checked([...split.known, ...changesIn(split.rest)]);
        const { changes } = whole ?? parsed(textIn(read(file)));
        return checked(changes.filter((change) => isWanted(change.path, () => JSON.stringify(change))));
      },
      outline: () => {
        const split = whole
          ? undefined
          : splitChanges(read(file).toString('latin1'), EVERYTHING, (path, text) => outline(kindOf(path), path, text));
        return split ? [...split.known, ...checked(changesIn(split.rest))] : revision.changes(undefined, EVERYTHING);
      },
    };
    return revision;
  });
  const byId = new Map(scanned.map((revision) => [revision.header.id, revision]));
  if (byId.size < scanned.length || scanned.length === 0) throw new NeedsReplay();
  const ordered = orderGraph(
    scanned.map(({ header }) => header),
    () => ({ file: '' }),
  );
  if (ordered.findings) throw new NeedsReplay();
  return { graph: ordered.graph, revisions: ordered.graph.revisions.map(({ id }) => getOrThrow(byId, id)) };
}

/** The maximum number of bytes that the first fields of a revision file need. */
const HEAD_BYTES = 1024;
const CHANGES = '\nchanges:';

class ScannedHeader implements RevisionHeader {
  readonly id: string;
  readonly parents: readonly string[];
  readonly date: string;
  readonly #rest: () => RevisionHeader;

  constructor({ id, parents, date }: PositionFields, read: () => RevisionHeader) {
    this.id = id;
    this.parents = parents;
    this.date = date;
    this.#rest = lazily(read);
  }

  get author(): string {
    return this.#rest().author;
  }

  get message(): string {
    return this.#rest().message;
  }

  get origin(): RevisionHeader['origin'] {
    return this.#rest().origin;
  }

  get state(): string {
    return this.#rest().state;
  }

  get salt(): string | undefined {
    return this.#rest().salt;
  }

  get contents(): string | undefined {
    return this.#rest().contents;
  }
}

const BACKSLASH = '\\';
/** After a backslash, these characters begin an escape of a letter, a digit or a slash, or join two lines. */
const ESCAPES = 'xuU/\n';

/** Returns true if a YAML text can contain `needle`, literally or with escapes. */
export function mayContain(yaml: Buffer | string, needle: string): boolean {
  if (yaml.includes(needle)) return true;
  for (let at = yaml.indexOf(BACKSLASH); at >= 0; at = yaml.indexOf(BACKSLASH, at + 1)) {
    const next = typeof yaml === 'string' ? yaml.charAt(at + 1) : String.fromCharCode(yaml[at + 1] ?? 0);
    if (ESCAPES.includes(next)) return true;
  }
  return false;
}
