/** The fields that the API writes at the end of every body, in order: JSON Schemas say nothing of order. */
import type { Dialect } from '../dialect.ts';
import type { Endpoint } from '../endpoints.ts';
import { COLLECTION_FIELDS, ITEM_FIELDS, ROOT_FIELDS } from '../written-fields.ts';

/** The fields that end the items of a collection, in order. */
export function lastItemFields({ content }: Endpoint): readonly string[] {
  return content === 'changes' ? CHANGE_FIELDS : ITEM_FIELDS;
}

/** The fields that end a body, in order; all of its fields, where it is a collection. */
export function lastFields({ content, form, kind }: Endpoint, dialect: Dialect['name']): readonly string[] {
  if (form === 'collection') return COLLECTION_FIELDS;
  if (content === 'feed') return FEED_FIELDS;
  return content === 'resource' && kind.parents.length === 0 ? ROOT_FIELDS[dialect] : ITEM_FIELDS;
}

const CHANGE_FIELDS: readonly string[] = ['links'];
const FEED_FIELDS: readonly string[] = ['version', 'title', 'home_page_url', 'feed_url', 'items'];
