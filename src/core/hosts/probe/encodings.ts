/** The check of precompressed variants: which encoding is chosen, and that it holds the same document. */
import { mediaTypeOf, type ProbeResponse, sameBytes } from '../../api/http-exchange.ts';
import type { Probing } from './probing.ts';

/** Undoes a content coding; undefined when the bytes are not of it. */
export type Decode = (coding: string, bytes: Uint8Array) => Uint8Array | undefined;

/** What a request asks for, and the coding that must come; both may come where the request leaves it open. */
const ASKED: readonly (readonly [accept: string, codings: readonly string[]])[] = [
  ['gzip', ['gzip']],
  ['br', ['br']],
  ['gzip, br', ['br', 'gzip']],
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
  ['gzip, br;q=0', ['gzip']],
  ['br;q=1.0, gzip;q=0', ['br']],
  ['gzip;q=0, br; q=0.0', ['identity']],
  ['identity', ['identity']],
];

export async function checkEncodings({ ask, sample, fails }: Probing, decode: Decode): Promise<void> {
  const indented = sample.paths.map(({ url }) => `${url}?pretty`);
  for (const path of [...[...sample.paths, ...sample.raw].map(({ url }) => url), ...indented]) {
    const plain = await ask({ path });
    const tags = new Map<string, string>();
    for (const [accept, codings] of ASKED) {
      const response = await ask({ path, headers: { 'Accept-Encoding': accept } });
      expectCoding(
        { plain, response, codings, request: `${path} with Accept-Encoding: ${accept}` },
        decode,
        fails,
      );
      await expectOwnTag({ ask, fails, path, accept, response, tags });
    }
  }
}

interface Tagged extends Pick<Probing, 'ask' | 'fails'> {
  readonly path: string;
  readonly accept: string;
  readonly response: ProbeResponse;
  /** The codings of the path by their ETags. */
  readonly tags: Map<string, string>;
}

/** Each coding has an ETag of its own, and is answered with 304 to who has it. */
async function expectOwnTag({ ask, fails, path, accept, response, tags }: Tagged): Promise<void> {
  const etag = response.headers['etag'];
  const coding = response.headers['content-encoding'] ?? 'identity';
  if (etag === undefined || etag.startsWith('W/')) return;
  const request = `${path} with Accept-Encoding: ${accept}`;
  const other = tags.get(etag);
  if (other !== undefined && other !== coding) fails(request, `has the ETag of ${other}`);
  if (other !== undefined) return;
  tags.set(etag, coding);
  const { status } = await ask({ path, headers: { 'Accept-Encoding': accept, 'If-None-Match': etag } });
  if (status !== 304) fails(`${request} and its ETag`, `answers ${status}, not 304`);
}

interface Coded {
  readonly plain: ProbeResponse;
  readonly response: ProbeResponse;
  readonly codings: readonly string[];
  readonly request: string;
}

function expectCoding(
  { plain, response, codings, request }: Coded,
  decode: Decode,
  fails: Probing['fails'],
): void {
  const coding = response.headers['content-encoding'] ?? 'identity';
  if (!codings.includes(coding)) {
    fails(request, `comes as ${coding}, not ${codings.join(' or ')}`);
    return;
  }
  const body = coding === 'identity' ? response.body : decode(coding, response.body);
  if (!body || !sameBytes(plain, { ...response, body })) {
    fails(request, 'holds another document');
    return;
  }
  if (!/accept-encoding/i.test(response.headers['vary'] ?? ''))
    fails(request, 'does not name Accept-Encoding in Vary');
  for (const [found, wanted] of [
    [mediaTypeOf(response), mediaTypeOf(plain)],
    [response.headers['cache-control'], plain.headers['cache-control']],
  ]) {
    if (found !== wanted) fails(request, `has ${found}, not ${wanted}`);
  }
}
