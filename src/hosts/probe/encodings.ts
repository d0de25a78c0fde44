/** The check of precompressed variants: which encoding is chosen, and that it holds the same document. */
import type { Probing } from './checks.ts';
import { type ProbeResponse, sameBytes } from './exchange.ts';

/** Undoes a content coding; undefined when the bytes are not of it. */
export type Decode = (coding: string, bytes: Uint8Array) => Uint8Array | undefined;

/** What a request asks for, and the coding that must come; both may come where the request leaves it open. */
const ASKED: readonly (readonly [accept: string, codings: readonly string[]])[] = [
  ['gzip', ['gzip']],
  ['br', ['br']],
  ['gzip, br', ['br', 'gzip']],
  ['gzip, br;q=0', ['gzip']],
  ['br;q=1.0, gzip;q=0', ['br']],
  ['gzip;q=0, br;q=0', ['identity']],
  ['identity', ['identity']],
];

export async function checkEncodings({ ask, sample, fails }: Probing, decode: Decode): Promise<void> {
  for (const { url } of sample.paths) {
    for (const path of [url, `${url === '/' ? '/' : url}?pretty`]) {
      const plain = await ask({ path });
      for (const [accept, codings] of ASKED) {
        const response = await ask({ path, headers: { 'Accept-Encoding': accept } });
        expectCoding(
          { plain, response, codings, request: `${path} with Accept-Encoding: ${accept}` },
          decode,
          fails,
        );
      }
    }
  }
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
  const strong = (etag: string | undefined) => etag !== undefined && !etag.startsWith('W/');
  const [etag, own] = [plain.headers['etag'], response.headers['etag']];
  if (coding !== 'identity' && strong(etag) && etag === own)
    fails(request, 'has the ETag of the plain document');
}
