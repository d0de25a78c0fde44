/** Verifies that a tree is complete: every document and alias has the bytes that the manifest states. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../src/core/model/digest.ts';
import { manifestOf } from './served.ts';

/** Returns the digest of a complete tree. Throws for any missing or different file. */
export function digestOfWhole(out: string): string {
  const { documents, files, digest } = manifestOf(out);
  const digests = new Map<string, string>();
  for (const document of documents) {
    const bytes = readFileSync(join(out, document.file));
    if ('alias_of' in document) {
      if (sha256(bytes) !== digests.get(document.alias_of)) throw new Error(`${document.file} is another`);
      continue;
    }
    digests.set(document.path, sha256(bytes));
    if (sha256(bytes) !== document.sha256 || bytes.length !== document.size)
      throw new Error(`${document.file} is not what the manifest says`);
  }
  for (const { file, sha256: stated } of files) {
    if (sha256(readFileSync(join(out, file))) !== stated) throw new Error(`${file} is not what the manifest says`);
  }
  if (sha256(documentLines(out) + JSON.stringify(files)) !== digest)
    throw new Error('the manifest is not what it says');
  return digest;
}

/** The lines of the documents in the manifest, from the first brace to the last. */
function documentLines(out: string): string {
  const text = readFileSync(join(out, '_manifest.json'), 'utf8');
  return text.slice(text.indexOf('[\n') + 2, text.lastIndexOf('\n]'));
}

/** Every file below a folder, by relative path, in code-unit order. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** The identity and change time of each file. */
export function statesOf(folder: string): ReadonlyMap<string, string> {
  return new Map(
    filesBelow(folder).map((file) => {
      const { ino, size, mtimeMs, ctimeMs } = statSync(join(folder, file));
      return [file, `${ino} ${size} ${mtimeMs} ${ctimeMs}`];
    }),
  );
}
