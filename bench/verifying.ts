/** Verifies a tree. The baseline computes the digests of all files and parses the JSON. */
import { type Command, GRIDPRESS } from './measure.ts';

export function verifying(tree: string): Command {
  return { program: 'node', parameters: [GRIDPRESS, 'verify', tree] };
}

/** Each document once, without aliases. */
const READ_JSON = `
  const { readFileSync } = require('node:fs');
  const tree = process.argv[1];
  const read = (file) => JSON.parse(readFileSync(tree + '/' + file, 'utf8'));
  for (const { file, sha256 } of read('_manifest.json').documents)
    if (sha256 !== undefined && file.endsWith('.json')) read(file);`;

export function summingAndReading(tree: string): Command {
  const script = 'find "$1" -type f -print0 | xargs -0 sha256sum >/dev/null\n"$2" -e "$3" "$1"';
  return { program: 'sh', parameters: ['-ec', script, 'sh', tree, process.execPath, READ_JSON] };
}
