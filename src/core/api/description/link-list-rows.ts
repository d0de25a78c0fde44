/** What `/links` leads to: everything that no link of the root leads to, since the root says what its contract says. */
import { DEEP, deepUrl } from '../deep/deep-paths.ts';
import type { Form } from '../endpoints.ts';
import { DATA_PACKAGE_PATH } from '../exports/export-urls.ts';
import {
  NODE_FACETS_PATH,
  NODE_GROUPS_PATH,
  NODE_HISTORY_PATH,
  NODE_SEARCH_PATH,
  NODE_TABLE_PATH,
  NODES_PATH,
} from '../nodes/node-paths.ts';
import type { RawForm } from '../raw-forms.ts';
import { changesUrl, SNAPSHOTS_PATH } from '../urls.ts';
import { CATALOG_PATH, OPENAPI_PATH, REFERENCE_PATH } from './description-paths.ts';

export const LINK_LIST = [
  { rel: 'service-desc', href: OPENAPI_PATH, form: 'item' },
  { rel: 'service-doc', href: REFERENCE_PATH, form: 'html' },
  { rel: 'monitor', href: changesUrl(''), form: 'collection' },
  { rel: 'snapshots', href: SNAPSHOTS_PATH, form: 'collection' },
  { rel: 'nodes', href: NODES_PATH, form: 'collection' },
  { rel: 'search', href: NODE_SEARCH_PATH, form: 'collection' },
  { rel: 'node-table', href: NODE_TABLE_PATH, form: 'item' },
  { rel: 'node-history', href: NODE_HISTORY_PATH, form: 'item' },
  { rel: 'node-facets', href: NODE_FACETS_PATH, form: 'item' },
  { rel: 'node-groups', href: NODE_GROUPS_PATH, form: 'collection' },
] as const satisfies readonly { readonly rel: string; readonly href: string; readonly form: Form | RawForm }[];

/** Where everything is in one response, it leads there. */
export const DEEP_LINK = { rel: DEEP, href: deepUrl(''), form: 'item' } as const;
/** Where there are exports, it leads to these too. */
export const EXPORTS_LINK = { rel: 'exports', href: DATA_PACKAGE_PATH, form: 'item' } as const;
/** Where the tree is the whole host, to this one. */
export const CATALOG_LINK = { rel: 'api-catalog', href: CATALOG_PATH, form: 'linkset' } as const;
