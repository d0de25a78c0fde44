import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type HttpClient, httpClient } from '../../../../src/system/client/http-client.ts';
import { failureOf } from '../../../support/processes/failure.ts';
import { listening } from '../../../support/services/listening.ts';

test.each(['/a b', '/\u2603', '/a\r\nHost: x', ''])('an invalid request path is reported: %j', async (path) => {
  const client = httpClient({ base: 'http://127.0.0.1:1', rate: 0, timeoutMs: 20 });
  expect(await failureOf(() => client.send({ path }))).toMatch(
    /^error: .* does not answer: its path has characters that no request can have\. \[no-answer\]/s,
  );
  // After the timeout, no timer is left that could fail later.
  await new Promise((resolve) => setTimeout(resolve, 40));
  client.close();
});

describe('after a server closed an idle connection', () => {
  /** A client of a server that answers the first request of each connection and closes it at the second. */
  async function client(): Promise<HttpClient> {
    const known = new WeakSet<object>();
    const server = createServer(({ socket }, response) => {
      if (known.has(socket)) socket.destroy();
      else response.end('yes');
      known.add(socket);
    });
    return httpClient({ base: await listening(server), rate: 0, timeoutMs: 10_000 });
  }

  test('a reading request is repeated', async () => {
    const { send, close } = await client();
    for (let time = 0; time < 3; time++) expect((await send({ path: '/' })).status).toBe(200);
    close();
  });

  test('a writing request is not repeated', async () => {
    const { send, close } = await client();
    await send({ path: '/' });
    expect(await failureOf(() => send({ path: '/', method: 'POST' }))).toMatch(
      /^error: .* does not answer: socket hang up\. \[no-answer\]/,
    );
    close();
  });
});

test('a server that switches to another protocol is reported', async () => {
  const server = createServer();
  server.on('connection', (socket) => {
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    );
  });
  const { send, close } = httpClient({ base: await listening(server), rate: 0, timeoutMs: 10_000 });
  expect(await failureOf(() => send({ path: '/' }))).toMatch(
    /^error: .* does not answer: it asks for another protocol \(status 101\)\. \[no-answer\]/,
  );
  close();
});
