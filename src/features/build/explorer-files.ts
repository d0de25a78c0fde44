/** The compiled page of the explorer, which lies in the package; undefined where the package was not built with it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExplorerFiles } from '../../core/api/publication.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { unlessRefused } from '../../system/files/system-errors.ts';

/** From the sources and from what they compile to, the package is as far up. */
const FOLDER = join(import.meta.dirname, '..', '..', '..', 'lib', 'explorer');

export const explorerFiles = lazily((): ExplorerFiles | undefined => {
  const read = (file: string) => unlessRefused(() => readFileSync(join(FOLDER, file), 'utf8'));
  const files = {
    page: read('index.html'),
    script: read('explorer.js'),
    more: read('more.js'),
    style: read('explorer.css'),
    icon: read('icon.svg'),
  };
  return isWhole(files) ? files : undefined;
});

function isWhole(files: { readonly [Name in keyof ExplorerFiles]: string | undefined }): files is ExplorerFiles {
  return Object.values(files).every((text) => text !== undefined);
}
