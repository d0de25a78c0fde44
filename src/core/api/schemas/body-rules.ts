/** Rules that JSON Schema cannot express. The zod schemas include these rules. The quick check calls them directly. */

import { asText, byCodeUnit, isJsonObject, type JsonObject } from '../../model/json.ts';
import type { Dialect } from '../dialect.ts';
import type { Endpoint } from '../endpoints.ts';
import { NODE_PAGE_SIZE, PAGE_SIZE, VERSION_PAGE_SIZE } from '../page-size.ts';
import { COLLECTION_FIELDS, ITEM_FIELDS, ROOT_FIELDS } from '../written-fields.ts';

interface Collection {
  readonly total: number;
  readonly items: readonly unknown[];
}

export function hasMatchingTotal({ total, items }: Collection): boolean {
  return total === items.length;
}

export function fitsChangesPage({ total }: Collection): boolean {
  return total <= PAGE_SIZE;
}

/**
 * A short list of versions contains the whole history. The `total` of a longer list also counts the versions on older
 * pages.
 */
export function fitsVersionPage({ total, items }: Collection): boolean {
  if (items.length < VERSION_PAGE_SIZE) return total === items.length;
  return (
    items.length < 2 * VERSION_PAGE_SIZE && total >= items.length && (total - items.length) % VERSION_PAGE_SIZE === 0
  );
}

export function fitsNodePage({ total, offset, items }: Collection & { readonly offset: number }): boolean {
  return items.length <= NODE_PAGE_SIZE && offset + items.length <= total && offset % NODE_PAGE_SIZE === 0;
}

export function isSorted(uids: readonly string[]): boolean {
  return uids.every((uid, i) => i === 0 || byCodeUnit(uids[i - 1] ?? '', uid) < 0);
}

/** Whether a body follows the rules that JSON Schema cannot express. Callers validate with the JSON Schema first. */
export function followsRules({ form, content }: Endpoint, { total, offset, items }: JsonObject): boolean {
  if (form !== 'collection') return true;
  if (typeof total !== 'number' || !Array.isArray(items)) return false;
  if (content === 'node-search') return true;
  if (content === 'node-page') return typeof offset === 'number' && fitsNodePage({ total, offset, items });
  if (content === 'versions' || content === 'version-page') return fitsVersionPage({ total, items });
  if (!hasMatchingTotal({ total, items })) return false;
  if (content === 'changes') return fitsChangesPage({ total, items });
  return content !== 'resources' || isSorted(items.map((item) => (isJsonObject(item) ? asText(item['uid']) : '')));
}

/** Returns the names of the fields at the end of each item in a collection, in the order of the API contract. */
export function lastItemFields({ content }: Endpoint): readonly string[] {
  return content === 'changes' ? CHANGE_FIELDS : ITEM_FIELDS;
}

/** Returns the names of the fields at the end of a body, in order. A collection has no other fields. */
export function lastFields({ content, form, kind }: Endpoint, dialect: Dialect['name']): readonly string[] {
  if (form === 'collection') return COLLECTION_FIELDS;
  if (content === 'feed') return FEED_FIELDS;
  return content === 'resource' && kind.parents.length === 0 ? ROOT_FIELDS[dialect] : ITEM_FIELDS;
}

const CHANGE_FIELDS: readonly string[] = ['links'];
const FEED_FIELDS: readonly string[] = ['version', 'title', 'home_page_url', 'feed_url', 'items'];
