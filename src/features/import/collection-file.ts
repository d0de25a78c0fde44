/** Files that hold the items of a whole collection, and what is listed in them. */
import type { Subject } from '../../core/model/resource-path.ts';
import type { BlobContents } from '../../system/git/git-objects.ts';
import { readForeignItems } from './foreign-file.ts';

/** The uids of the items in a file, or why they are not known: for no reason where its contents are missing. */
export type ListedUids =
  | { readonly uids: readonly string[] }
  | { readonly uids?: undefined; readonly broken: string | undefined };

export function listedUids(path: string, collection: Subject, blob: BlobContents): ListedUids {
  if (!blob) return { broken: undefined };
  if ('broken' in blob) return blob;
  const items = readForeignItems(path, blob.bytes, collection);
  return 'broken' in items ? items : { uids: [...items.keys()] };
}
