import { expect, test } from 'vitest';
import { apiOverHttp } from '../../../../src/system/client/api-over-http.ts';
import { failureOf } from '../../../support/processes/failure.ts';

test('an invalid request path is not tried again', async () => {
  const site = apiOverHttp({ base: 'http://127.0.0.1:1', timeoutMs: 1000, maxRequests: 1, pauseMs: 1 });
  expect(await failureOf(() => site.answer('/a b'))).toMatch(
    /does not answer: its path has characters that no request can have\. \[no-answer\]/,
  );
  site.close();
});
