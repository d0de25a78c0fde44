import { expect, test } from 'vitest';
import { finding } from '../../../../src/core/diagnostics/finding.ts';
import { readPlainFile } from '../../../../src/system/files/file-io.ts';

test('a name with a NUL character is a finding', () => {
  expect(() => readPlainFile('a\0', 10)).toThrow(
    expect.objectContaining({
      findings: [finding('read-failed', { file: 'a\0', reason: 'its name contains a NUL character' })],
    }),
  );
});
