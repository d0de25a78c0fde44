import { expect, test } from 'vitest';
import { httpClient } from '../../../../src/system/client/http-client.ts';
import { failureOf } from '../../../support/failure.ts';

test.each(['/a b', '/\u2603', '/a\r\nHost: x', ''])('a path that no request can have: %j', async (path) => {
  const client = httpClient({ base: 'http://127.0.0.1:1', rate: 0, timeoutMs: 20 });
  expect(await failureOf(() => client.ask({ path }))).toMatch(
    /^error: .* gave no answer: its path has characters that no request can have\. \[no-answer\]/s,
  );
  // The time for an answer is over, and nothing waits for it.
  await new Promise((resolve) => setTimeout(resolve, 40));
  client.close();
});
