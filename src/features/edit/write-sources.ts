/** Writing sources of a registry: each with the comment that makes an editor check it, and all of them or none. */

import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { modeline } from '../../core/registry/editor-schemas.ts';
import { SCHEMAS_FOLDER } from '../../core/registry/schema-files.ts';
import { replaceFile } from '../../system/files/replace-file.ts';
import type { Source } from './site-sources.ts';

/** Writes new files below a registry. Where one cannot be written, those before it are taken away again. */
export function writeSources(registry: string, sources: readonly Source[]): void {
  const hasSchemas = existsSync(join(dirname(registry), SCHEMAS_FOLDER));
  const written: string[] = [];
  try {
    for (const { file, kind, text } of sources) {
      const way = '../'.repeat(file.split('/').length);
      replaceFile(registry, file, hasSchemas ? modeline(way + SCHEMAS_FOLDER, kind) + text : text);
      written.push(file);
    }
  } catch (error) {
    for (const file of written) rmSync(join(registry, file), { force: true });
    throw error;
  }
}
