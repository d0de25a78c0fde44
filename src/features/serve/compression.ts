import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import type { Coding } from '../../core/tree/headers.ts';
import { codeOf } from '../../system/files/system-errors.ts';
import type { OpenBody } from './served-tree.ts';

/** Fast rather than small: it is done for each request. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export function compressed(body: Buffer, coding: Coding | undefined): Buffer {
  if (coding === undefined) return body;
  return coding === 'br' ? brotliCompressSync(body, BROTLI) : gzipSync(body);
}

interface Requested {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Its length is known only at its end, and so is not said. */
export async function streamCompressed(
  { request, response }: Requested,
  headers: Readonly<Record<string, string>>,
  body: OpenBody,
  coding: Coding,
): Promise<void> {
  response.writeHead(200, headers);
  if (request.method === 'HEAD') {
    body.close();
    response.end();
    return;
  }
  const encoder = coding === 'br' ? createBrotliCompress(BROTLI) : createGzip();
  try {
    await pipeline(body.stream({}), encoder, response);
  } catch (error) {
    // The client went away.
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
