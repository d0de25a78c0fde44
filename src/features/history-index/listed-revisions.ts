/**
 * The revisions of an index as they lie in its file: names in lists of texts, what each says one behind the other, and beside
 * it columns of numbers and digests. Every question looks at all of them, so that little is made of each.
 */

import { itemsIn, type Json, parsedJson } from '../../core/model/json.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import { itemAt, mustGet } from '../../core/platform/certain.ts';
import { type Lazy, lazily } from '../../core/platform/on-demand.ts';
import { DIGEST_BYTES } from './columns.ts';
import type { FileMark, MarkOf } from './file-marks.ts';
import { damaged } from './index-damaged.ts';
import { bytesOf, type Section } from './index-file.ts';

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

/** The sections of an index that list revisions, which come after their parents. */
export function revisionSections(listed: readonly ListedRevision[], markOf: MarkOf): Section[] {
  const places = new Map(listed.map(({ header }, at) => [header.id, at]));
  const parents = listed.flatMap(({ header }) => [
    header.parents.length,
    ...header.parents.map((id) => mustGet(places, id)),
  ]);
  const said = listed.map(({ header: { date, author, message, origin } }) =>
    Buffer.from(JSON.stringify([date, author, message, origin])),
  );
  const marks = listed.flatMap(({ file, digest }) => {
    const { size, number, modified, changed } = markOf(file, digest);
    return [size, number, modified, changed];
  });
  const digests = (of: (revision: ListedRevision) => Buffer) => Buffer.concat(listed.map(of));
  return [
    { name: 'files', bytes: Buffer.from(JSON.stringify(listed.map(({ file }) => file))) },
    { name: 'ids', bytes: Buffer.from(JSON.stringify(listed.map(({ header }) => header.id))) },
    { name: 'parents', bytes: bytesOf(Uint32Array.from(parents)) },
    { name: 'said', bytes: Buffer.concat(said) },
    { name: 'ends', bytes: bytesOf(Uint32Array.from(endsOf(said))) },
    { name: 'counts', bytes: bytesOf(Uint32Array.from(listed, ({ rows }) => rows)) },
    { name: 'marks', bytes: bytesOf(Float64Array.from(marks)) },
    { name: 'sums', bytes: digests(({ digest }) => Buffer.from(digest, 'base64')) },
    { name: 'states', bytes: digests(({ header }) => Buffer.from(header.state, 'hex')) },
    { name: 'contents', bytes: digests(({ header }) => Buffer.from(header.contents ?? NO_DIGEST, 'hex')) },
  ];
}

const NO_DIGEST = '0'.repeat(2 * DIGEST_BYTES);

/** Where each of some parts ends, once they are one behind the other. */
function endsOf(parts: readonly Buffer[]): number[] {
  let end = 0;
  return parts.map(({ length }) => (end += length));
}

/** The revisions in an index of so many rows. */
export function listedRevisions(section: (name: string) => Buffer<ArrayBuffer>, allRows: number): KnownRevision[] {
  const ids = textsIn(section('ids'));
  const files = textsIn(section('files'));
  if (files.length !== ids.length) return damaged('files');
  const column = (name: string, bytes: number) => {
    const held = section(name);
    return held.length === ids.length * bytes ? held : damaged(name);
  };
  const numbers = (name: string) => new Uint32Array(column(name, Uint32Array.BYTES_PER_ELEMENT).buffer);
  const counts = numbers('counts');
  const marked = column('marks', MARK_NUMBERS * Float64Array.BYTES_PER_ELEMENT);
  const marks = { numbers: new Float64Array(marked.buffer), sums: column('sums', DIGEST_BYTES) };
  const parents = parentsIn(new Uint32Array(section('parents').buffer), ids);
  const columns: HeaderColumns = {
    said: lazily(() => section('said')),
    ends: lazily(() => numbers('ends')),
    states: lazily(() => column('states', DIGEST_BYTES)),
    contents: lazily(() => column('contents', DIGEST_BYTES)),
  };
  let first = 0;
  const revisions = ids.map((id, at): KnownRevision => {
    const header = new ListedHeader(columns, at, id, itemAt(parents, at));
    const rows = itemAt(counts, at);
    first += rows;
    return { header, file: itemAt(files, at), mark: new ListedMark(marks, at), first: first - rows, rows };
  });
  return first === allRows ? revisions : damaged('the rows of its revisions');
}

/** The parents of each revision, from how many they are and their places among the revisions. */
function parentsIn(numbers: Uint32Array, ids: readonly string[]): string[][] {
  let next = 0;
  return ids.map(() => {
    const count = numbers[next++] ?? damaged('parents');
    const end = next + count;
    const parents: string[] = [];
    while (next < end) parents.push(ids[numbers[next++] ?? -1] ?? damaged('parents'));
    return parents;
  });
}

/** The texts that are listed in JSON. */
export function textsIn(bytes: Buffer): string[] {
  return itemsIn(parsedJson(bytes.toString('utf8'))).map(textOf);
}

function textOf(json: Json | undefined): string {
  return typeof json === 'string' ? json : damaged('a text');
}

/** What is said of revisions besides their names: one behind the other, or in columns. */
interface HeaderColumns {
  readonly said: Lazy<Buffer>;
  readonly ends: Lazy<Uint32Array>;
  readonly states: Lazy<Buffer>;
  readonly contents: Lazy<Buffer>;
}

type Said = Pick<RevisionHeader, 'date' | 'author' | 'message' | 'origin'>;

/** A header of which no more is read than is asked for. */
class ListedHeader implements RevisionHeader {
  readonly id: string;
  readonly parents: readonly string[];
  readonly #columns: HeaderColumns;
  readonly #at: number;
  #said: Said | undefined;

  constructor(columns: HeaderColumns, at: number, id: string, parents: readonly string[]) {
    this.id = id;
    this.parents = parents;
    this.#columns = columns;
    this.#at = at;
  }

  get date(): string {
    return this.#saying().date;
  }

  get author(): string {
    return this.#saying().author;
  }

  get message(): string {
    return this.#saying().message;
  }

  get origin(): RevisionHeader['origin'] {
    return this.#saying().origin;
  }

  get state(): string {
    return digestAt(this.#columns.states(), this.#at);
  }

  get contents(): string | undefined {
    const digest = digestAt(this.#columns.contents(), this.#at);
    return digest === NO_DIGEST ? undefined : digest;
  }

  #saying(): Said {
    this.#said ??= this.#read();
    return this.#said;
  }

  #read(): Said {
    const ends = this.#columns.ends();
    const start = ends[this.#at - 1] ?? 0;
    const text = this.#columns.said().toString('utf8', start, itemAt(ends, this.#at));
    const [date, author, message, origin] = itemsIn(parsedJson(text));
    return {
      date: textOf(date),
      author: textOf(author),
      message: textOf(message),
      origin: origin === 'git' ? 'git' : 'recorded',
    };
  }
}

/** In hexadecimal digits. */
function digestAt(digests: Buffer, at: number): string {
  return digests.toString('hex', at * DIGEST_BYTES, (at + 1) * DIGEST_BYTES);
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
