/** `gridpress find`: which nodes a query is true of, wherever the nodes are described. */
import type { Finding } from '../../core/diagnostics/finding.ts';
import type { Origin, RevisionName } from '../../core/lock/lock-format.ts';
import { findField, type QueryFleet } from '../../core/query/columns.ts';
import { namedField } from '../../core/query/named-field.ts';
import { sortedNodes } from '../../core/query/sort.ts';
import type { PublishedApi } from '../../system/client/api-over-http.ts';
import { rereadOnce } from '../../system/client/retry.ts';
import { originOf, type ReachOptions } from '../lock/node-source.ts';
import { askedFields, askedNodes } from './asked-nodes.ts';
import type { FleetSource } from './fleet-source.ts';

export interface FindOptions extends ReachOptions {
  /** In the text form of CQL2, or what one node or several are called; by default all nodes. */
  readonly query?: string | undefined;
  /** A base URL, or the folder of a tree or a registry. */
  readonly from: string;
  /** A revision or a date. */
  readonly at?: string | undefined;
  /** The field to order by, with a hyphen before it for the greatest first; by default site, cluster and uid. */
  readonly sort?: string | undefined;
  /** How many nodes are given at the most. */
  readonly most?: number | undefined;
  /** The lock to write. */
  readonly lock?: string | undefined;
}

export interface Found {
  /** How many nodes the query is true of, and how many there are. */
  readonly total: number;
  readonly nodes: number;
  readonly revision: RevisionName | undefined;
  /** Those that are given, by their numbers in the fleet. */
  readonly rows: readonly number[];
  readonly fleet: QueryFleet;
  /** The fields that the query asks about and that it is ordered by. */
  readonly fields: readonly string[];
  /** What the nodes are called, where the query is no condition but a name. */
  readonly called: string | undefined;
  /** The lock that was written; null where there was nothing to lock, undefined where none was asked for. */
  readonly lock: string | null | undefined;
  /** What the query may have been meant to be, where it finds nothing. */
  readonly findings: readonly Finding[];
}

/** The fields to show besides those that tell nodes apart; `all` where it takes to know what is in every field. */
export type ShownFields = readonly string[] | 'all';

/** Finds nodes, and makes of them what is asked for, which may read them whole. */
export async function find<T>(
  options: FindOptions,
  shown: ShownFields,
  present: (found: Found, source: FleetSource) => Promise<T>,
): Promise<T> {
  return await withFleet(
    options,
    (fleet) => isAnswerable(options, shown, fleet),
    async (source) => {
      const found = foundIn(source, options);
      const lock = options.lock === undefined ? undefined : await writeLock(options.lock, found.rows, source);
      return await present({ ...found, lock }, source);
    },
  );
}

/**
 * Opens the place that options name, of which only that is loaded which reads it; what is published anew meanwhile is read
 * anew, once. Where a service has its nodes in columns, and `isEnough` says that these tell what is asked, only they are read.
 */
async function withFleet<T>(
  options: Omit<FindOptions, 'query' | 'sort' | 'most'>,
  isEnough: (fleet: QueryFleet) => boolean,
  read: (source: FleetSource) => Promise<T>,
): Promise<T> {
  const { at, timeout, config, lock, from, ...rest } = options;
  const origin = originOf(from);
  if (origin.kind === 'registry') {
    const { withRegistryFleet } = await import('./registry-fleet.ts');
    return await withRegistryFleet(origin, { config, at, isPinned: lock !== undefined }, read);
  }
  const { publishedFleet } = await import('./published-fleet.ts');
  const api = await apiOf(origin, { ...rest, timeoutMs: timeout * 1000 });
  try {
    return await rereadOnce(() => publishedFleet(origin, api, { at, isEnough }, read), api.refresh);
  } finally {
    api.close();
  }
}

async function apiOf(
  { kind, place }: Origin,
  reach: Omit<ReachOptions, 'timeout'> & { readonly timeoutMs: number },
): Promise<PublishedApi> {
  if (kind === 'tree') {
    const { apiInFolder } = await import('../../system/client/api-in-folder.ts');
    return apiInFolder(place);
  }
  const { apiOverHttp } = await import('../../system/client/api-over-http.ts');
  return apiOverHttp({ ...reach, base: place });
}

function foundIn({ fleet, revision }: FleetSource, { query = '', sort, most }: FindOptions): Omit<Found, 'lock'> {
  const asked = askedNodes(query, fleet);
  const isDescending = sort?.startsWith('-') === true;
  const order = sort === undefined ? undefined : namedField(isDescending ? sort.slice(1) : sort, fleet);
  const rows = order ? sortedNodes(asked.rows, order.valuesOf, isDescending) : asked.rows;
  return {
    ...asked,
    total: rows.length,
    nodes: fleet.total,
    revision,
    fleet,
    rows: most === undefined ? rows : rows.slice(0, most),
    fields: [...new Set([...asked.fields, ...(order ? [order.name] : [])])],
  };
}

/** Whether a fleet, of which some fields may be left out, has all those that options name. */
function isAnswerable({ query = '', sort }: FindOptions, shown: ShownFields, fleet: QueryFleet): boolean {
  if (shown === 'all') return false;
  const order = sort === undefined ? [] : [sort.replace(/^-/, '')];
  const names = [...askedFields(query), ...order, ...shown];
  return names.every((name) => findField(name, fleet).isHeld);
}

async function writeLock(
  file: string,
  rows: readonly number[],
  { origin, revision, nodesAt }: FleetSource,
): Promise<string | null> {
  if (rows.length === 0 || revision === undefined) return null;
  const [{ lockOf, lockText }, { placedFor }, { replaceFile }] = await Promise.all([
    import('../../core/lock/lock-format.ts'),
    import('../lock/take-lock.ts'),
    import('../../system/files/replace-file.ts'),
  ]);
  const nodes = await nodesAt(rows);
  replaceFile('', file, lockText(lockOf(placedFor(origin, file), revision, nodes)));
  return file;
}
