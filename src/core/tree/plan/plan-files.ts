/** The files that answer in the place of documents: the problem documents of the whole tree, and tombstones. */

import { tombstones } from '../../api/histories/tombstone.ts';
import { METHOD_NOT_ALLOWED, NOT_FOUND } from '../../api/problem.ts';
import type { Publication } from '../../api/publication.ts';
import { NOT_ALLOWED_FILE, NOT_FOUND_FILE, tombstoneFile } from '../layout.ts';
import type { PlannedFile } from './planned.ts';

export function problemFiles(publication: Publication): PlannedFile[] {
  return [
    { file: NOT_FOUND_FILE, body: () => NOT_FOUND },
    { file: NOT_ALLOWED_FILE, body: () => METHOD_NOT_ALLOWED },
    ...Array.from(tombstones(publication), ({ url, body }) => ({ file: tombstoneFile(url), removed: url, body })),
  ];
}
