/**
 * A preload script that kills the program right before its KILL_AT-th change to the file system. Without KILL_AT it
 * counts the changes and writes their number to the file CHANGES_COUNTED_IN. With EVERY_CALL, each write, each change
 * of a time and each deletion counts too. KILL_AT_RENAME counts renames only. The FAIL_AT-th rename fails, as on a
 * full disk, and with FAIL_AFTER each rename after that one.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { writeFileSync } = fs;
const killAt = Number(process.env.KILL_AT ?? 0);
const killAtRename = Number(process.env.KILL_AT_RENAME ?? 0);
const failAt = Number(process.env.FAIL_AT ?? 0);
const failAfter = Number(process.env.FAIL_AFTER ?? Number.POSITIVE_INFINITY);
const WHOLE = ['mkdirSync', 'writeFileSync', 'linkSync', 'symlinkSync', 'renameSync', 'rmSync'];
const SMALL = ['writeSync', 'futimesSync', 'unlinkSync', 'rmdirSync'];
let changes = 0;
let renames = 0;

for (const name of process.env.EVERY_CALL ? [...WHOLE, ...SMALL] : WHOLE) {
  const change = fs[name];
  fs[name] = (...args) => {
    changes++;
    if (changes === killAt) process.kill(process.pid, 'SIGKILL');
    if (name === 'renameSync') renames++;
    if (name === 'renameSync' && renames === killAtRename) process.kill(process.pid, 'SIGKILL');
    if (name === 'renameSync' && (renames === failAt || renames > failAfter))
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    return change(...args);
  };
}
syncBuiltinESMExports();

if (process.env.CHANGES_COUNTED_IN) {
  process.on('exit', () => writeFileSync(process.env.CHANGES_COUNTED_IN, String(changes)));
}
