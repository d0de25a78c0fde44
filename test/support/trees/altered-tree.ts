/** Altered trees with an updated manifest, so that every digest matches. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../src/core/model/digest.ts';
import { manifestOf } from './served.ts';

const MANIFEST = '_manifest.json';

/** Overwrites a file of a tree in place, so that all its hard links have the new bytes. */
export function rewrite(out: string, file: string, alter: (text: string) => string): void {
  const before = readFileSync(join(out, file), 'utf8');
  const after = alter(before);
  if (after === before) throw new Error(`${file} is as it was`);
  writeFileSync(join(out, file), after);
}

/** Updates the manifest of a tree without variants. */
export function updateManifest(out: string): void {
  const path = join(out, MANIFEST);
  let text = readFileSync(path, 'utf8');
  for (const document of manifestOf(out).documents) {
    if ('alias_of' in document) continue;
    const bytes = readFileSync(join(out, document.file));
    const line = JSON.stringify(document);
    const fitting = JSON.stringify({ ...document, sha256: sha256(bytes), size: bytes.length });
    if (line !== fitting) text = text.replace(line, () => fitting);
  }
  writeFileSync(path, withDigest(text));
}

/** Updates the digest and the seal in a manifest's text. */
export function withDigest(text: string): string {
  const listed = text.slice(text.indexOf('[\n') + 2, text.lastIndexOf('\n],"files":'));
  const end = text.lastIndexOf(',"digest":');
  const files = text.slice(text.lastIndexOf('\n],"files":') + '\n],"files":'.length, end);
  const before = `${text.slice(0, end)},"digest":"${sha256(listed + files)}"`;
  return `${before},"seal":"${sha256(before)}"}\n`;
}
