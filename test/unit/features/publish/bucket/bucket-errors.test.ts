import { expect, test } from 'vitest';
import { retryWait } from '../../../../../src/features/publish/bucket/bucket-errors.ts';

test('a store may give Retry-After as a number or a date', () => {
  const busy = (header: string) => ({
    $metadata: { httpStatusCode: 503 },
    $response: { headers: { 'retry-after': header } },
  });
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
  expect(['0', '7', 'soon', at(-60)].map((header) => retryWait(busy(header), 1, true))).toEqual([0, 7000, 0, 0]);
  expect(retryWait(busy(at(60)), 1, true)).toBeGreaterThan(50_000);
  // Ends the attempts.
  expect(retryWait(busy(at(600)), 1, true)).toBeUndefined();
});
