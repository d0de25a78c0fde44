/** A preload script that runs the shell command CHANGE right before the program renames a folder named RENAMED. */
import { execSync } from 'node:child_process';
import fs from 'node:fs';
import { basename } from 'node:path';
import { syncBuiltinESMExports } from 'node:module';

const { renameSync } = fs;

fs.renameSync = (from, to) => {
  if (basename(String(from)) === process.env.RENAMED) execSync(process.env.CHANGE, { env: { PATH: process.env.PATH } });
  renameSync(from, to);
};
syncBuiltinESMExports();
