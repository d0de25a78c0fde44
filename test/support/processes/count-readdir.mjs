/** A preload script that writes the number of listed folders to the file LISTINGS_COUNTED_IN. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { readdirSync, writeFileSync } = fs;
let count = 0;
fs.readdirSync = (...args) => {
  count++;
  return readdirSync(...args);
};
syncBuiltinESMExports();
process.on('exit', () => writeFileSync(process.env.LISTINGS_COUNTED_IN, String(count)));
