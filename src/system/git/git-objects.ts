/**
 * Objects of a repository by their identifiers, one `git cat-file --batch` for all. git takes the place of an object for
 * its identifier; here each is digested, so that nobody who hands out a repository can put other contents in its place.
 */
import { tooLarge } from '../../core/diagnostics/words.ts';
import { sha1 } from '../../core/model/digest.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { FILE_BYTES } from '../../core/platform/limits.ts';
import { type GitPlace, readOutput, refuse, startGit } from './run-git.ts';

/** The contents of a blob, or why it is not read, in words; undefined when the repository lacks it. */
export type BlobContents = { readonly bytes: Uint8Array } | { readonly broken: string } | undefined;

/** The contents of blobs of at most so many bytes, in the order in which they are asked for. */
export async function* readBlobs(place: GitPlace, ids: readonly string[], most: number): AsyncGenerator<BlobContents> {
  const stated = await statedObjects(place, ids);
  const isRead = (i: number) => stated.isBlob[i] === true && itemAt(stated.sizes, i) <= most;
  const read = readObjects(
    place,
    ids.filter((_, i) => isRead(i)),
  );
  try {
    for (const [i] of ids.entries()) {
      const size = itemAt(stated.sizes, i);
      if (!stated.isBlob[i]) yield undefined;
      else if (size > most) yield { broken: `${tooLarge(size, most)} unless limits.source_bytes is raised` };
      else yield (await read.next()).value ?? undefined;
    }
  } finally {
    await read.return(undefined);
  }
}

/** Ends the command unless every object is there and is what its identifier says. */
export async function proveObjects(place: GitPlace, ids: readonly string[]): Promise<void> {
  const stated = await statedObjects(place, ids);
  for (const [i, id] of ids.entries()) {
    const size = itemAt(stated.sizes, i);
    if (size < 0) refuse(place, `it lacks the object ${id}`);
    else if (size > FILE_BYTES) refuse(place, `in its object ${id}, ${tooLarge(size, FILE_BYTES)}`);
  }
  const read = readObjects(place, ids);
  try {
    for (const id of ids) if (!(await read.next()).value) refuse(place, `it lacks the object ${id}`);
  } finally {
    await read.return(undefined);
  }
}

/** What the headers of objects say of them, before any contents are read. Those that are not there have a size of -1. */
async function statedObjects(place: GitPlace, ids: readonly string[]) {
  const format = '%(objecttype) %(objectsize)';
  const sizes: number[] = [];
  const isBlob: boolean[] = [];
  let unfinished = '';
  const take = (text: string) => {
    const [first = '', ...others] = text.split('\n');
    unfinished += first;
    for (const next of others) {
      const [, type, size = -1] = /^([a-z]+) (\d+)$/.exec(unfinished) ?? [];
      sizes.push(Number(size));
      isBlob.push(type === 'blob');
      unfinished = next;
    }
  };
  await readOutput(place, ['cat-file', '--buffer', `--batch-check=${format}`], take, lines(ids));
  return { sizes, isBlob };
}

const lines = (ids: readonly string[]) => ids.map((id) => `${id}\n`).join('');

const NEWLINE = 10;

/**
 * Objects that are there, in order; undefined for those that have gone missing since. Who asks for no more of them has to end it:
 * a git that waits to hand over the rest keeps the command from ending.
 */
async function* readObjects(place: GitPlace, ids: readonly string[]): AsyncGenerator<{ bytes: Buffer } | undefined> {
  if (ids.length === 0) return;
  const { child, ended } = startGit(place, ['cat-file', '--batch', '--buffer'], lines(ids));
  const output: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]();
  let pending: Buffer = Buffer.alloc(0);
  const more = async (): Promise<Buffer> => {
    const chunk = await output.next();
    return chunk.done ? refuse(place, (await ended).reason) : chunk.value;
  };
  /** The next so many bytes. */
  const take = async (length: number) => {
    const parts = [pending];
    for (let got = pending.length; got < length; got += parts.at(-1)?.length ?? 0) parts.push(await more());
    const bytes = parts.length > 1 ? Buffer.concat(parts) : pending;
    pending = bytes.subarray(length);
    return bytes.subarray(0, length);
  };
  try {
    for (const id of ids) {
      while (!pending.includes(NEWLINE)) pending = Buffer.concat([pending, await more()]);
      const end = pending.indexOf(NEWLINE);
      const header = pending.toString('latin1', 0, end);
      const [, start = '', size] = /^([0-9a-f]+ )[a-z]+ (\d+)$/.exec(header) ?? [];
      if (size === undefined) {
        await take(end + 1);
        yield undefined;
        continue;
      }
      const object = (await take(end + 1 + Number(size) + 1)).subarray(start.length, -1);
      const contents = end + 1 - start.length;
      // What git digests is "type size NUL contents" (gitformat): as it has come, but for the end of the line.
      object[contents - 1] = 0;
      if (sha1(object) !== id) refuse(place, `the object ${id} is not what its identifier says`);
      yield { bytes: object.subarray(contents) };
    }
  } finally {
    child.kill();
  }
}
