/** The variants of documents: their contents, and that their ETags can differ. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { rawFormOf } from '../../../src/core/api/endpoints.ts';
import { nginx } from '../../../src/core/hosts/nginx.ts';
import { hostTree } from '../../support/trees/host-tree.ts';
import { manifestOf } from '../../support/trees/served.ts';

const isRaw = (path: string) => rawFormOf(path) !== undefined;

test.each(['current', 'legacy'] as const)('every variant equals its document, %s dialect', async (dialect) => {
  const { tree } = await hostTree(nginx, dialect, '');
  for (const { path, file } of manifestOf(tree).documents) {
    const [plain, pretty] = [join(tree, file), join(tree, '_pretty', file)];
    const text = readFileSync(plain, 'utf8');
    const contents = new Map([[plain, text]]);
    expect({ path, isIndented: existsSync(pretty) }).toEqual({ path, isIndented: !isRaw(path) });
    if (!isRaw(path)) {
      const indented = JSON.stringify(JSON.parse(text), null, 2);
      expect({ path, pretty: readFileSync(pretty, 'utf8') }).toEqual({ path, pretty: indented });
      contents.set(pretty, indented);
    }
    for (const [variant, content] of contents) {
      expect(gunzipSync(readFileSync(`${variant}.gz`)).toString()).toBe(content);
      expect(brotliDecompressSync(readFileSync(`${variant}.br`)).toString()).toBe(content);
    }
    // Servers derive ETags from time and size.
    const tags = [...contents.keys()].flatMap((variant) =>
      ['', '.gz', '.br'].map((ending) => {
        const { mtimeMs, size } = statSync(variant + ending);
        return `${mtimeMs} ${size}`;
      }),
    );
    expect({ path, tags: new Set(tags).size }).toEqual({ path, tags: 3 * contents.size });
    expect(new Set(tags.map((tag) => tag.split(' ')[0])).size).toBe(1);
  }
});
