/** `gridpress serve` compresses responses as requested. */
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { LARGE, SMALL, serveLargeNode } from '../../support/registries/large-node.ts';
import type { Served } from '../../support/trees/served.ts';

let served: Served;

beforeAll(async () => {
  served = await serveLargeNode(1_600_000);
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

function get(path: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: served.port, path, headers, method }, (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode, headers: response.headers, bytes }),
        reject,
      );
    })
      .on('error', reject)
      .end();
  });
}

const DECODE = { gzip: gunzipSync, br: brotliDecompressSync } as const;

describe.each([
  ['a small document', SMALL],
  ['a small document, indented', `${SMALL}?pretty`],
  ['a large document', LARGE],
])('%s', (_, url) => {
  test.each(['gzip', 'br'] as const)('is sent as %s on request, with its own ETag', async (coding) => {
    const plain = await get(url, {});
    const { status, headers, bytes } = await get(url, { 'accept-encoding': coding });
    expect([status, headers['content-encoding'], headers['content-type']]).toEqual([
      200,
      coding,
      plain.headers['content-type'],
    ]);
    expect(bytes.length).toBeLessThan(plain.bytes.length);
    expect(DECODE[coding](bytes).equals(plain.bytes)).toBe(true);
    const etag = String(headers['etag']);
    expect(etag).toBe(String(plain.headers['etag']).replace(/"$/, `-${coding}"`));
    const known = await get(url, { 'accept-encoding': coding, 'if-none-match': etag });
    expect([known.status, known.headers['etag']]).toEqual([304, etag]);
    expect((await get(url, { 'accept-encoding': 'identity', 'if-none-match': etag })).status).toBe(200);
    const head = await get(url, { 'accept-encoding': coding }, 'HEAD');
    expect([head.status, head.headers['etag'], head.headers['content-encoding'], head.bytes.length]).toEqual([
      200,
      etag,
      coding,
      0,
    ]);
  });
});

test('a range refers to the uncompressed document', async () => {
  const headers = { range: 'bytes=0-9', 'accept-encoding': 'gzip' };
  const { status, headers: answered, bytes } = await get(SMALL, headers);
  expect([status, answered['content-encoding'], bytes.toString()]).toEqual([206, undefined, '{"type":"n']);
});
