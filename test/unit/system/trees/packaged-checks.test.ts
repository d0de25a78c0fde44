import { expect, test } from 'vitest';
import { packagedChecks } from '../../../../src/system/trees/packaged-checks.ts';

test('compiles the check of a schema once', () => {
  const check = packagedChecks('node');
  expect(check?.({ type: 'node', uid: 'a' })).toBe(true);
  expect(check?.({ type: 'site', uid: 'a' })).toBe(false);
  expect(packagedChecks('node')).toBe(check);
});

test('has no check without a schema', () => {
  expect(packagedChecks('none')).toBe(undefined);
});
