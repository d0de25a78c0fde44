/**
 * Loaded before a program: writes what it does to the file system into the file CHANGES_RECORDED_IN, a line of JSON for
 * each change in the order of their ends, and for each time that it has the disk take them.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';

const { lstatSync, openSync, writeSync, spawnSync: spawn } = { ...fs, ...childProcess };
const log = openSync(process.env.CHANGES_RECORDED_IN, 'a');
/** With the number of the file, which may have several names. */
const note = (what, given, to = given) => {
  const [path, other] = [resolve(String(given)), resolve(String(to))];
  const { ino = 0 } = lstatSync(other, { throwIfNoEntry: false }) ?? {};
  writeSync(log, `${JSON.stringify([what, path, other, ino])}\n`);
};

const opened = new Map();
const pathOf = (file) => (typeof file === 'number' ? (opened.get(file) ?? '/') : file);
const watch = (name, noted) => {
  const change = fs[name];
  fs[name] = (...args) => {
    const result = change(...args);
    noted(args, result);
    return result;
  };
};

watch('openSync', ([path], file) => opened.set(file, path));
for (const name of ['writeSync', 'writeFileSync', 'futimesSync', 'mkdirSync'])
  watch(name, ([file]) => note('write', pathOf(file)));
watch('copyFileSync', ([, path]) => note('write', path));
for (const name of ['linkSync', 'symlinkSync']) watch(name, ([, path]) => note('link', path));
watch('renameSync', ([from, to]) => note('rename', from, to));
for (const name of ['rmSync', 'unlinkSync', 'rmdirSync']) watch(name, ([path]) => note('remove', path));
watch('fsyncSync', ([file]) => note('sync', pathOf(file)));
childProcess.spawnSync = (program, args, options) => {
  const result = spawn(program, args, options);
  if (program === 'sync' && result.status === 0) note('sync-all', args[1]);
  return result;
};
syncBuiltinESMExports();
