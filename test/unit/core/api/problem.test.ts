import { expect, test } from 'vitest';
import { METHOD_NOT_ALLOWED, NOT_FOUND } from '../../../../src/core/api/problem.ts';

// RFC 9457. Clients print `detail`, which must be text.
test('problem documents have fixed texts', () => {
  expect(NOT_FOUND).toBe(
    '{"type":"about:blank","title":"Not Found","status":404,"detail":"No resource has this path. Start at the root and follow its links."}',
  );
  expect(METHOD_NOT_ALLOWED).toBe(
    '{"type":"about:blank","title":"Method Not Allowed","status":405,"detail":"The API is read-only: use GET or HEAD."}',
  );
});
