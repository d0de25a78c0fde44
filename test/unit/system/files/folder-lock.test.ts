import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holderOf, processIdentity, releaseLock, takeLock } from '../../../../src/system/files/folder-lock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const [pid = '', started = '', boot = '', space = '', host = ''] = processIdentity().split(' ');

function lockOf(owner: readonly string[]): string {
  const lock = join(temporaryFolder(), '.history.gridpress');
  mkdirSync(lock);
  writeFileSync(join(lock, `owner-${owner.join('-')}`), '');
  return lock;
}

test.skipIf(space === '').each([
  ['another container', ['99999999', '1', boot, '1', host]],
  ['another container with another host name', ['99999999', '1', boot, '1', 'my-container-1']],
  ['another machine', ['99999999', '1', '00000000', space, 'other-host-1']],
  ['another container, with the same pid', [pid, started, boot, '1', host]],
])('a lock from %s is held (needs /proc)', (_, owner) => {
  const lock = lockOf(owner);
  expect(takeLock(lock)).toBe(false);
  expect(holderOf(lock)).toBe(Number.NaN);
  expect(readdirSync(lock)).toEqual([`owner-${owner.join('-')}`]);
});

test.skipIf(space === '').each([
  ['an ended process', ['99999999', '1', boot, space, host]],
  ['an earlier boot', [pid, started, '00000000', space, host]],
  ['an earlier boot, with another namespace', ['1', '1', '00000000', '1', host]],
])('a lock from %s is taken over (needs /proc)', (_, owner) => {
  const lock = lockOf(owner);
  expect(takeLock(lock)).toBe(true);
  expect(holderOf(lock)).toBe(process.pid);
  expect(takeLock(lock)).toBe(false);
  releaseLock(lock);
  expect(takeLock(lock)).toBe(true);
});
