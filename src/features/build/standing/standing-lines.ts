/** Lines of the manifest of a tree that stands there, and whether the files are what they say. */
import { parsedObject } from '../../../core/model/json.ts';
import { fileOfUrl, type Variants, variantFilesOf } from '../../../core/tree/layout.ts';
import type { ManifestFrame } from '../../../core/tree/manifest/manifest-frame.ts';
import { linesIn } from '../../../core/tree/manifest/read-manifest.ts';
import { statusIn } from '../../../system/trees/listed-tree.ts';
import { fileSource, withFile } from '../../../system/trees/manifest-summary.ts';

const PATH = '{"path":"';
const ALIAS = '","alias_of":"';

/** The path of a line; empty for what is no entry. */
export function pathIn(line: string): string {
  return line.startsWith(PATH) ? line.slice(PATH.length, line.indexOf('"', PATH.length)) : '';
}

export function isAliasLine(line: string): boolean {
  return line.includes(ALIAS);
}

/** So many lines are held that were passed over. */
const MOST_PASSED = 5000;

/**
 * Gives the lines of documents by their paths, of those that are wanted. They are asked for in about the order in which they
 * stand: so few of them are held at a time, and where the order is another one, some are not found.
 */
export function linesInTurn(
  manifest: string,
  frame: ManifestFrame,
  isWanted: (path: string) => boolean,
): (path: string) => string | undefined {
  const read = (from: number, length: number) => withFile(manifest, (file) => fileSource(file).read(from, length));
  const lines = linesIn({ size: frame.end, read }, frame, []);
  const passed = new Map<string, string>();
  return (path) => {
    while (!passed.has(path) && passed.size < MOST_PASSED) {
      const { value: line, done } = lines.next();
      if (done === true) break;
      const found = pathIn(line);
      if (isWanted(found) && !isAliasLine(line)) passed.set(found, line);
    }
    const line = passed.get(path);
    passed.delete(path);
    return line;
  };
}

/** Whether the files of a document have the time and, as far as its line says it, the size that they should. */
export function isAsListed(tree: string, url: string, line: string, modified: number, variants: Variants): boolean {
  const file = fileOfUrl(url);
  const { size, modified: listed } = parsedObject(line) ?? {};
  if (listed !== modified) return false;
  const statusOf = statusIn(tree);
  return [file, ...variantFilesOf(file, variants)].every((name) => {
    const status = statusOf(name);
    const isRight = name !== file || status?.size === size;
    return isRight && status?.mtimeMs === modified * 1000;
  });
}
