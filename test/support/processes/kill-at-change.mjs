/**
 * A preload script that kills the program right before its KILL_AT-th change to the file system. Without KILL_AT it
 * counts the changes and writes their number to the file CHANGES_COUNTED_IN. With EVERY_CALL, each write, each change
 * of a time and each deletion counts too.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { writeFileSync } = fs;
const killAt = Number(process.env.KILL_AT ?? 0);
const WHOLE = ['mkdirSync', 'writeFileSync', 'linkSync', 'symlinkSync', 'renameSync', 'rmSync'];
const SMALL = ['writeSync', 'futimesSync', 'unlinkSync', 'rmdirSync'];
let changes = 0;

for (const name of process.env.EVERY_CALL ? [...WHOLE, ...SMALL] : WHOLE) {
  const change = fs[name];
  fs[name] = (...args) => {
    changes++;
    if (changes === killAt) process.kill(process.pid, 'SIGKILL');
    return change(...args);
  };
}
syncBuiltinESMExports();

if (process.env.CHANGES_COUNTED_IN) {
  process.on('exit', () => writeFileSync(process.env.CHANGES_COUNTED_IN, String(changes)));
}
