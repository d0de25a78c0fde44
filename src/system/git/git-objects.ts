/** Reads git objects. Verifies each object against its identifier, because git trusts its own storage. */
import { tooLargeReason } from '../../core/diagnostics/words.ts';
import { sha1 } from '../../core/model/digest.ts';
import { FILE_BYTES } from '../../core/platform/limits.ts';
import { type GitPlace, startGit, throwNotRepository } from './run-git.ts';

/**
 * The contents are undefined if the repository does not contain the blob. `broken` is the reason why an existing blob
 * was not read.
 */
export type BlobContents = { readonly bytes: Uint8Array } | { readonly broken: string } | undefined;

export async function* readBlobs(place: GitPlace, ids: readonly string[], most: number): AsyncGenerator<BlobContents> {
  for await (const object of readObjects(place, ids, most)) {
    if (object?.type !== 'blob') yield undefined;
    else if (object.bytes) yield { bytes: object.bytes };
    else yield { broken: `${tooLargeReason(object.size, most)} unless limits.source_bytes is raised` };
  }
}

/** Fails if an object is missing or does not match its identifier. */
export async function verifyObjects(place: GitPlace, ids: readonly string[]): Promise<void> {
  let at = 0;
  for await (const object of readObjects(place, ids, FILE_BYTES)) {
    const id = ids[at++];
    if (!object) throwNotRepository(place, `it lacks the object ${id}`);
    if (!object.bytes) throwNotRepository(place, `in its object ${id}, ${tooLargeReason(object.size, FILE_BYTES)}`);
  }
}

interface GitObject {
  readonly type: string;
  readonly size: number;
  readonly bytes: Uint8Array | undefined;
}

const NEWLINE = 10;

/** Yields undefined for missing objects. Kills git if the caller stops early, because git would keep waiting. */
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
    return chunk.done ? throwNotRepository(place, (await ended).reason) : chunk.value;
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
        // The digest covers "type size NUL contents" (gitformat), so a NUL replaces the newline.
        object[contents - 1] = 0;
        if (sha1(object) !== id) throwNotRepository(place, `the object ${id} is not what its identifier says`);
        yield { type, size, bytes: object.subarray(contents) };
      }
    }
  } finally {
    child.kill();
  }
}
