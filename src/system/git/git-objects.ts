/**
 * Objects of a repository by their identifiers, one `git cat-file --batch` for all. git trusts its own storage; here
 * each object is digested, so that nobody who hands out a repository can replace contents.
 */
import { tooLarge } from '../../core/diagnostics/words.ts';
import { sha1 } from '../../core/model/digest.ts';
import { FILE_BYTES } from '../../core/platform/limits.ts';
import { type GitPlace, refuse, startGit } from './run-git.ts';

/** The contents of a blob, or why it is not read, in words; undefined when the repository lacks it. */
export type BlobContents = { readonly bytes: Uint8Array } | { readonly broken: string } | undefined;

/** The contents of blobs of at most so many bytes, in the order in which they are asked for. */
export async function* readBlobs(place: GitPlace, ids: readonly string[], most: number): AsyncGenerator<BlobContents> {
  for await (const object of readObjects(place, ids, most)) {
    if (object?.type !== 'blob') yield undefined;
    else if (object.bytes) yield { bytes: object.bytes };
    else yield { broken: `${tooLarge(object.size, most)} unless limits.source_bytes is raised` };
  }
}

/** Ends the command unless every object is there and is what its identifier says. */
export async function proveObjects(place: GitPlace, ids: readonly string[]): Promise<void> {
  let at = 0;
  for await (const object of readObjects(place, ids, FILE_BYTES)) {
    const id = ids[at++];
    if (!object) refuse(place, `it lacks the object ${id}`);
    if (!object.bytes) refuse(place, `in its object ${id}, ${tooLarge(object.size, FILE_BYTES)}`);
  }
}

interface GitObject {
  readonly type: string;
  readonly size: number;
  readonly bytes: Uint8Array | undefined;
}

const NEWLINE = 10;

/** Objects in order; undefined for those that are missing. Whoever stops early ends git, which would wait for ever. */
async function* readObjects(
  place: GitPlace,
  ids: readonly string[],
  most: number,
): AsyncGenerator<GitObject | undefined> {
  if (ids.length === 0) return;
  const { child, ended } = startGit(place, ['cat-file', '--batch', '--buffer'], ids.map((id) => `${id}\n`).join(''));
  const output: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]();
  let pending: Buffer = Buffer.alloc(0);
  const more = async (): Promise<Buffer> => {
    const chunk = await output.next();
    return chunk.done ? refuse(place, (await ended).reason) : chunk.value;
  };
  const take = async (length: number) => {
    const parts = [pending];
    for (let got = pending.length; got < length; got += parts.at(-1)?.length ?? 0) parts.push(await more());
    const bytes = parts.length > 1 ? Buffer.concat(parts) : pending;
    pending = bytes.subarray(length);
    return bytes.subarray(0, length);
  };
  const skip = async (length: number) => {
    let left = length;
    for (; left > pending.length; pending = await more()) left -= pending.length;
    pending = pending.subarray(left);
  };
  try {
    for (const id of ids) {
      while (!pending.includes(NEWLINE)) pending = Buffer.concat([pending, await more()]);
      const end = pending.indexOf(NEWLINE);
      const header = pending.toString('latin1', 0, end);
      const [, start = '', type = '', digits] = /^([0-9a-f]+ )([a-z]+) (\d+)$/.exec(header) ?? [];
      const size = Number(digits);
      if (digits === undefined) {
        await skip(end + 1);
        yield undefined;
      } else if (size > most) {
        await skip(end + 1 + size + 1);
        yield { type, size, bytes: undefined };
      } else {
        const object = (await take(end + 1 + size + 1)).subarray(start.length, -1);
        const contents = end + 1 - start.length;
        // The digest is of "type size NUL contents" (gitformat): the line as it came, but for its end.
        object[contents - 1] = 0;
        if (sha1(object) !== id) refuse(place, `the object ${id} is not what its identifier says`);
        yield { type, size, bytes: object.subarray(contents) };
      }
    }
  } finally {
    child.kill();
  }
}
