/** Compares the files of a tree with its manifest by size and time, without reading them. */
import { join } from 'node:path';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { firstMismatch } from '../../core/tree/manifest/listed-files.ts';
import { readFrame } from '../../core/tree/manifest/manifest-frame.ts';
import { reading } from '../files/system-errors.ts';
import { statusIn } from './listed-tree.ts';
import { fileSource, withFile } from './manifest-summary.ts';
import { packagedChecks } from './packaged-checks.ts';

/** The first file that is missing, or has another size or time than the manifest states; undefined where there is none. */
export function firstDamaged(folder: string): string | undefined {
  const path = join(folder, MANIFEST_FILE);
  const status = statusIn(folder);
  return reading(path, () =>
    withFile(path, (open) => {
      const source = fileSource(open);
      const frame = readFrame(source, packagedChecks());
      if (!frame) return MANIFEST_FILE;
      return firstMismatch(source, frame, ({ file, size, modified }) => {
        const found = status(file);
        if (!found) return false;
        return (
          (size === undefined || size === found.size) && (modified === undefined || modified * 1000 === found.mtimeMs)
        );
      });
    }),
  );
}
