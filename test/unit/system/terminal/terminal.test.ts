import { expect, test, vi } from 'vitest';

test.each([
  ['xterm', true, true],
  ['dumb', true, false],
  ['xterm', false, false],
])('escape sequences are for terminals that understand them: TERM=%s, isTTY: %s', async (term, isTTY, expected) => {
  vi.resetModules();
  vi.stubEnv('TERM', term);
  const { isTerminal } = await import('../../../../src/system/terminal/terminal.ts');
  expect(isTerminal(Object.assign(Object.create(process.stdout), { isTTY }))).toBe(expected);
  vi.unstubAllEnvs();
});
