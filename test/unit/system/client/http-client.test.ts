import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type HttpClient, httpClient } from '../../../../src/system/client/http-client.ts';
import { failureOf } from '../../../support/processes/failure.ts';
import { listening } from '../../../support/services/listening.ts';

test.each(['/a b', '/\u2603', '/a\r\nHost: x', ''])('a path that no request can have: %j', async (path) => {
  const client = httpClient({ base: 'http://127.0.0.1:1', rate: 0, timeoutMs: 20 });
  expect(await failureOf(() => client.ask({ path }))).toMatch(
    /^error: .* gave no answer: its path has characters that no request can have\. \[no-answer\]/s,
  );
  // The time for an answer is over, and nothing waits for it.
  await new Promise((resolve) => setTimeout(resolve, 40));
  client.close();
});

describe('a server that has closed an idle connection', () => {
  /** Answers the first request of each connection, and closes it when it gets another. */
  async function client(): Promise<HttpClient> {
    const known = new WeakSet<object>();
    const server = createServer(({ socket }, response) => {
      if (known.has(socket)) socket.destroy();
      else response.end('yes');
      known.add(socket);
    });
    return httpClient({ base: await listening(server), rate: 0, timeoutMs: 10_000 });
  }

  test('is asked again by what only reads', async () => {
    const { ask, close } = await client();
    for (let time = 0; time < 3; time++) expect((await ask({ path: '/' })).status).toBe(200);
    close();
  });

  test('is not asked again by what may write', async () => {
    const { ask, close } = await client();
    await ask({ path: '/' });
    expect(await failureOf(() => ask({ path: '/', method: 'POST' }))).toMatch(
      /^error: .* gave no answer: socket hang up\. \[no-answer\]/,
    );
    close();
  });
});
