/**
 * The revisions of an index as they lie in its file: what each says in one list of texts, and beside it columns of numbers
 * and digests. Every question looks at all of them, so that little is made of each.
 */

import { itemsIn, type Json, parsedJson } from '../../core/model/json.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { DIGEST_BYTES } from './columns.ts';
import type { FileMark, MarkOf } from './file-marks.ts';
import { damaged } from './index-damaged.ts';
import type { Section } from './index-file.ts';

/** A revision that the index knows. */
export interface KnownRevision {
  readonly header: RevisionHeader;
  /** The name of its file in the folder of the history. */
  readonly file: string;
  readonly mark: FileMark;
  /** Its rows. */
  readonly first: number;
  readonly rows: number;
}

export interface ListedRevision extends Pick<KnownRevision, 'header' | 'file' | 'rows'> {
  /** SHA-256, in base64, of the text of its file. */
  readonly digest: string;
}

/** Size, number, and times of a file. */
const MARK_NUMBERS = 4;

/** The sections of an index that list revisions. */
export function revisionSections(listed: readonly ListedRevision[], markOf: MarkOf): Section[] {
  const said = listed.map(({ file, header: { id, parents, date, author, message, origin } }): Json => {
    return [file, id, parents, date, author, message, origin];
  });
  const marks = listed.flatMap(({ file, digest }) => {
    const { size, number, modified, changed } = markOf(file, digest);
    return [size, number, modified, changed];
  });
  const digests = (of: (revision: ListedRevision) => Buffer) => Buffer.concat(listed.map(of));
  return [
    { name: 'revisions', bytes: Buffer.from(JSON.stringify(said)) },
    { name: 'counts', bytes: bytesOf(Uint32Array.from(listed, ({ rows }) => rows)) },
    { name: 'marks', bytes: bytesOf(Float64Array.from(marks)) },
    { name: 'sums', bytes: digests(({ digest }) => Buffer.from(digest, 'base64')) },
    { name: 'states', bytes: digests(({ header }) => Buffer.from(header.state, 'hex')) },
    { name: 'contents', bytes: digests(({ header }) => Buffer.from(header.contents ?? NO_DIGEST, 'hex')) },
  ];
}

const NO_DIGEST = '0'.repeat(2 * DIGEST_BYTES);

export function bytesOf({ buffer, byteOffset, byteLength }: NodeJS.ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The revisions in an index of so many rows. */
export function listedRevisions(
  section: (name: string) => Buffer<ArrayBuffer>,
  allRows: number,
): KnownRevision[] {
  const list = itemsIn(parsedJson(section('revisions').toString('utf8')));
  const column = (name: string, bytes: number) => {
    const held = section(name);
    return held.length === list.length * bytes ? held : damaged(name);
  };
  const counts = new Uint32Array(column('counts', Uint32Array.BYTES_PER_ELEMENT).buffer);
  const numbers = column('marks', MARK_NUMBERS * Float64Array.BYTES_PER_ELEMENT);
  const marks = { numbers: new Float64Array(numbers.buffer), sums: column('sums', DIGEST_BYTES) };
  const states = column('states', DIGEST_BYTES);
  const contents = column('contents', DIGEST_BYTES);
  let first = 0;
  const revisions = list.map((each, at): KnownRevision => {
    const [file, id, parents, date, author, message, origin]: readonly Json[] = Array.isArray(each)
      ? each
      : [];
    const digest = digestAt(contents, at);
    const header: RevisionHeader = {
      id: textOf(id),
      parents: itemsIn(parents).map(textOf),
      date: textOf(date),
      author: textOf(author),
      message: textOf(message),
      origin: origin === 'git' ? 'git' : 'recorded',
      state: digestAt(states, at),
      contents: digest === NO_DIGEST ? undefined : digest,
    };
    const rows = itemAt(counts, at);
    first += rows;
    return { header, file: textOf(file), mark: new ListedMark(marks, at), first: first - rows, rows };
  });
  return first === allRows ? revisions : damaged('the rows of its revisions');
}

/** In hexadecimal digits. */
function digestAt(digests: Buffer, at: number): string {
  return digests.toString('hex', at * DIGEST_BYTES, (at + 1) * DIGEST_BYTES);
}

/** The text that stands in a list. */
export function textOf(json: Json | undefined): string {
  return typeof json === 'string' ? json : damaged('a text');
}

interface MarkColumns {
  readonly numbers: Float64Array;
  readonly sums: Buffer;
}

/** A mark in columns, of which nothing is made before it is asked for. */
class ListedMark implements FileMark {
  readonly #columns: MarkColumns;
  readonly #at: number;

  constructor(columns: MarkColumns, at: number) {
    this.#columns = columns;
    this.#at = at;
  }

  get size(): number {
    return this.#number(0);
  }

  get number(): number {
    return this.#number(1);
  }

  get modified(): number {
    return this.#number(2);
  }

  get changed(): number {
    return this.#number(3);
  }

  get digest(): string {
    return this.#columns.sums.toString('base64', this.#at * DIGEST_BYTES, (this.#at + 1) * DIGEST_BYTES);
  }

  #number(place: number): number {
    return itemAt(this.#columns.numbers, this.#at * MARK_NUMBERS + place);
  }
}
