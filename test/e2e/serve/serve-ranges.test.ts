import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { LARGE, SMALL, serveLargeNode } from '../../support/registries/large-node.ts';
import type { Served } from '../../support/trees/served.ts';

let served: Served;

beforeAll(async () => {
  // Larger than the buffers between server and client.
  served = await serveLargeNode(15_000_000);
});

describe.each([
  ['a small document', SMALL],
  ['a large document', LARGE],
])('%s', (_, url) => {
  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=5-5', 5, 6],
    ['bytes=20-', 20, undefined],
    ['bytes=-7', -7, undefined],
    ['bytes=0-99999999999', 0, undefined],
    ['bytes=-99999999999', 0, undefined],
  ])('is sent in part for %s', async (range, from, to) => {
    const whole = await served.client.get(url);
    const size = Buffer.byteLength(whole.body);
    const part = whole.body.slice(from, to);
    const start = Math.max(0, from < 0 ? size + from : from);
    const { status, headers, body } = await served.client.get(url, { headers: { range } });
    expect(status).toBe(206);
    expect(body === part).toBe(true);
    expect(headers['content-range']).toBe(`bytes ${start}-${start + part.length - 1}/${size}`);
    expect(headers['content-length']).toBe(String(part.length));
    expect(headers['content-disposition']).toBe(undefined);
    for (const name of ['etag', 'last-modified', 'content-type', 'cache-control', 'accept-ranges']) {
      expect({ [name]: headers[name] }).toEqual({ [name]: whole.headers[name] });
    }
  });

  test.each(['bytes=99999999999-', 'bytes=-0'])('is not satisfiable for %s', async (range) => {
    const size = Buffer.byteLength((await served.client.get(url)).body);
    const { status, headers, body } = await served.client.get(url, { headers: { range } });
    expect(status).toBe(416);
    expect(body).toBe(
      '{"type":"about:blank","title":"Range Not Satisfiable","status":416,"detail":"The document ends before the range begins."}',
    );
    expect(headers['content-type']).toBe('application/problem+json');
    expect(headers['content-range']).toBe(`bytes */${size}`);
    expect(headers['cache-control']).toBe(undefined);
  });

  // The server ignores invalid and unsupported ranges (RFC 9110, section 14.2).
  test.each(['bytes=9-0', 'bytes=a-b', 'bytes=0-1,5-6', 'lines=1-2', 'bytes', 'bytes=-', ''])(
    'is sent completely for the range "%s"',
    async (range) => {
      const whole = await served.client.get(url);
      const { status, headers, body } = await served.client.get(url, { headers: { range } });
      expect(status).toBe(200);
      expect(body === whole.body).toBe(true);
      expect(headers['content-range']).toBe(undefined);
      expect(headers['accept-ranges']).toBe('bytes');
    },
  );

  test('is sent in part only if If-Range matches', async () => {
    const { headers } = await served.client.get(url, { method: 'HEAD' });
    const range = 'bytes=0-9';
    const statusIf = async (ifRange: string | undefined) =>
      (await served.client.get(url, { headers: { range, 'if-range': ifRange ?? '' } })).status;
    expect(await statusIf(headers['etag'])).toBe(206);
    expect(await statusIf(headers['last-modified'])).toBe(206);
    expect(await statusIf('"other"')).toBe(200);
    expect(await statusIf(`W/${headers['etag']}`)).toBe(200);
    expect(await statusIf('Thu, 01 Jan 2026 00:00:01 GMT')).toBe(200);
  });

  test('has no ranges for HEAD requests or indented JSON', async () => {
    const headers = { range: 'bytes=0-9' };
    const head = await served.client.get(url, { method: 'HEAD', headers });
    const size = Buffer.byteLength((await served.client.get(url)).body);
    expect([head.status, head.headers['content-length'], head.body]).toEqual([200, String(size), '']);
    const pretty = await served.client.get(`${url}?pretty`, { headers });
    expect([pretty.status, pretty.headers['accept-ranges']]).toEqual([200, undefined]);
  });
});

const DESCRIPTORS = '/proc/self/fd';

test.runIf(existsSync(DESCRIPTORS))('a client that disconnects leaves no open file', async () => {
  const socket = connect(served.port, '127.0.0.1');
  socket.write(`GET ${LARGE} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, 'data');
  expect(openFiles()).toEqual([`${served.out}${LARGE}.json`]);
  socket.destroy();
  await vi.waitFor(() => expect(openFiles()).toEqual([]));
});

/** Returns the open files of the tree in this process, which is also the server. */
function openFiles(): string[] {
  return readdirSync(DESCRIPTORS)
    .map((descriptor) => linkOf(join(DESCRIPTORS, descriptor)))
    .filter((file) => file.startsWith(served.out));
}

function linkOf(descriptor: string): string {
  try {
    return readlinkSync(descriptor);
  } catch {
    // The descriptor of the listing itself is already closed.
    return '';
  }
}
