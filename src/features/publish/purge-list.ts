/** The URLs that caches may hold another answer for after a publication: of what changed and is not immutable. */
import { withoutTrailing } from '../../core/platform/without-trailing.ts';
import { MANIFEST_URL } from '../../core/tree/layout.ts';
import { replaceFile } from '../../system/files/replace-file.ts';
import { requestForms } from './bucket/bucket-objects.ts';
import { type PublishedChange, uploadStageOf } from './published-difference.ts';

export function purgeText(sent: readonly PublishedChange[], baseUrl: string | undefined): string {
  const base = withoutTrailing(baseUrl ?? '', '/');
  const changed = sent.filter(({ path }) => uploadStageOf(path) !== 'immutable');
  const forms = [...changed.flatMap(({ path }) => requestForms(path)), MANIFEST_URL];
  return forms
    .filter((form) => form !== '' || base !== '')
    .map((form) => `${base}${form}\n`)
    .join('');
}

/** Fails where the file cannot be written: before anything is published, so that no list is ever lost. */
export function writePurge(file: string, text: string): void {
  replaceFile('', file, text);
}
