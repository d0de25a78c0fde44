/**
 * Decompressing a tar as far as it can be one: it ends at the first header that is damaged, and where it is more than any
 * tar of ours expands to, so that a file of some kilobytes does not fill the disk.
 */
import { createReadStream, writeSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { codeOf } from '../files/system-errors.ts';
import { BLOCK, decodeHeader } from './tar-header.ts';
import { paddingOf } from './tar-writer.ts';

/** How many times its size a tar may expand: the documents of a tree, padded to blocks, expand some twenty times. */
const MOST_TIMES = 100;
/** What an empty tar may expand to, and what may follow the end of any. */
const LEAST = 1 << 20;

/**
 * `whole` is all that is compressed; `cut` what there is up to a damaged header or far beyond the end, where reading it
 * says what is wrong; `damaged` is nothing that can be decompressed, and `bomb` expands beyond the bound.
 */
export type Expanded = 'whole' | 'cut' | 'damaged' | 'bomb';

/** Decompresses a file of so many bytes into an open one. System errors are thrown on. */
export async function expandTar(path: string, size: number, out: number): Promise<Expanded> {
  const goesOn = headerWatch();
  const most = LEAST + MOST_TIMES * size;
  let written = 0;
  let stopped: Expanded | undefined;
  const write = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) {
      written += chunk.length;
      if (written > most) stopped = 'bomb';
      for (let at = 0; at < chunk.length && stopped === undefined; ) at += writeSync(out, chunk, at);
      if (!goesOn(chunk)) stopped ??= 'cut';
      if (stopped !== undefined) return;
    }
  };
  try {
    await pipeline(createReadStream(path), createGunzip(), write);
  } catch (error) {
    // What is not read to its end is closed before it.
    if (stopped !== undefined) return stopped;
    if (codeOf(error)?.startsWith('Z_')) return 'damaged';
    throw error;
  }
  return stopped ?? 'whole';
}

/** Follows the headers of a tar chunk by chunk; false once one is damaged, or much follows the end. */
function headerWatch(): (chunk: Buffer) => boolean {
  let pending: Buffer = Buffer.alloc(0);
  let toPass = 0;
  let isAtEnd = false;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      const passed = Math.min(toPass, chunk.length - at);
      toPass -= passed;
      at += passed;
      if (toPass > 0 || at === chunk.length) break;
      if (isAtEnd) return false;
      const part = chunk.subarray(at, at + BLOCK - pending.length);
      at += part.length;
      pending = Buffer.concat([pending, part]);
      if (pending.length < BLOCK) break;
      if (pending.every((byte) => byte === 0)) {
        isAtEnd = true;
        toPass = LEAST;
      } else {
        const header = decodeHeader(pending);
        if ('reason' in header) return false;
        toPass = header.size + paddingOf(header.size);
      }
      pending = Buffer.alloc(0);
    }
    return true;
  };
}
