import { type Finding, fail, finding } from '../../core/diagnostics/finding.ts';
import { suggestSimilar } from '../../core/diagnostics/nearest.ts';
import type { ReasonedReservation } from '../../core/exports/reservations.ts';
import { LABEL_PREFIX, pathOfField } from '../../core/model/fields/field-name.ts';
import { isNodePath, withoutSlashes } from '../../core/model/resource-path.ts';
import type { RevisionName } from '../../core/model/revision.ts';
import { findField, type QueryFleet } from '../../core/query/columns.ts';
import { nodesOf } from '../../core/query/evaluate.ts';
import { namedField } from '../../core/query/named-field.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { conditionsOf, fieldsIn, type Query } from '../../core/query/query.ts';
import { fieldText } from '../../core/query/query-text.ts';
import { sortedNodes } from '../../core/query/sort.ts';
import { labelConditions, queryHints } from '../../core/query/value-hints.ts';
import { originOf } from '../lock/node-source.ts';
import type { ReachOptions } from '../lock/published-source.ts';
import type { FleetSource } from './fleet-source.ts';
import { rowPaths } from './row-paths.ts';

export interface FindOptions extends ReachOptions {
  /** CQL2 text, or the name, uid or path of a node. By default, all nodes match. */
  readonly query?: string | undefined;
  /** A base URL, or the folder of a tree or a registry. */
  readonly from: string;
  /** A revision or a date. */
  readonly at?: string | undefined;
  /** The field to sort by. A leading hyphen means descending order. */
  readonly sort?: string | undefined;
  /** The field to sort by if `sort` is missing. If both are missing, nodes are sorted by site, cluster and uid. */
  readonly usualSort?: string | undefined;
  readonly maxNodes?: number | undefined;
  readonly lock?: string | undefined;
  readonly choice?: Choice | undefined;
}

/** Chooses some of the found nodes for a reservation. The lock file and the output contain only the chosen nodes. */
export interface Choice {
  /** The fields that `choose` needs, in addition to uid, site and cluster. */
  readonly fields: readonly string[];
  readonly choose: (found: AllFound, source: FleetSource) => Promise<Required<Chosen> & Pick<AllFound, 'findings'>>;
}

/** `rows` are the row numbers of the chosen nodes. `reservations` are the requests that reserve exactly these nodes. */
interface Chosen {
  readonly rows: readonly number[];
  readonly reservations?: readonly ReasonedReservation[];
}

/** All matching nodes, including nodes that `choice` does not select. `fields` includes the field to sort by. */
export interface AllFound extends MatchingNodes {
  /** The number of nodes that match the query. `nodes` counts all nodes of the fleet. */
  readonly total: number;
  readonly nodes: number;
  readonly revision: RevisionName | undefined;
  readonly fleet: QueryFleet;
}

export interface Found extends AllFound, Chosen {
  /** The path of the lock file. Null if no node matches, and undefined if no lock file was requested. */
  readonly lock: string | null | undefined;
}

/** The fields to show in addition to uid, site and cluster. */
type ShownFields = readonly string[] | 'all';

export async function find<T>(
  options: FindOptions,
  shown: ShownFields,
  present: (found: Found, source: FleetSource) => Promise<T>,
): Promise<T> {
  const { choice } = options;
  return await withFleet(
    options,
    (fleet) => isAnswerable(options, shown, fleet),
    async (source) => {
      const all = foundIn(source, options);
      const found = choice ? { ...all, ...(await choice.choose(all, source)) } : all;
      if (options.lock === undefined) return await present({ ...found, lock: undefined }, source);
      const lock = await writeLock(options.lock, found.rows, source);
      const problems = lock === null ? [finding('lock-no-nodes', { file: options.lock })] : [];
      return await present({ ...found, lock, findings: [...found.findings, ...problems] }, source);
    },
  );
}

/**
 * Loads only the modules that this kind of source needs. Reads the documents of the nodes only if `isEnough` rejects
 * the published node table.
 */
async function withFleet<T>(
  options: Omit<FindOptions, 'query' | 'sort' | 'choice'>,
  isEnough: (fleet: QueryFleet) => boolean,
  read: (source: FleetSource) => Promise<T>,
): Promise<T> {
  const { at, config, lock, from } = options;
  const origin = originOf(from);
  if (origin.kind === 'registry') {
    const { withRegistryFleet } = await import('./registry-fleet.ts');
    return await withRegistryFleet(origin, { config, at, isPinned: lock !== undefined }, read);
  }
  const [{ publishedFleet }, { readPublished }] = await Promise.all([
    import('./published-fleet.ts'),
    import('../lock/published-source.ts'),
  ]);
  return await readPublished(origin, options, (api) => publishedFleet(origin, api, { at, isEnough }, read));
}

function foundIn({ fleet, revision, warnings = [] }: FleetSource, options: FindOptions): AllFound {
  const { query, sort, usualSort, maxNodes } = options;
  const asked = matchingNodes(query, fleet);
  const isDescending = sort?.startsWith('-') === true;
  const order = sort === undefined ? undefined : namedField(isDescending ? sort.slice(1) : sort, fleet);
  const sorted = order ?? (usualSort === undefined ? undefined : findField(usualSort, fleet));
  const rows = sorted ? sortedNodes(asked.rows, sorted.valuesOf, isDescending) : asked.rows;
  return {
    ...asked,
    total: rows.length,
    nodes: fleet.total,
    revision,
    fleet,
    rows: maxNodes === undefined ? rows : rows.slice(0, maxNodes),
    fields: [...new Set([...asked.fields, ...(order ? [order.name] : [])])],
    findings: [...warnings, ...asked.findings],
  };
}

/** Whether a fleet contains all fields that the options name. A fleet from a published table can lack fields. */
function isAnswerable(
  { query = '', sort, usualSort, choice }: FindOptions,
  shown: ShownFields,
  fleet: QueryFleet,
): boolean {
  if (shown === 'all') return false;
  const order = [sort?.replace(/^-/, '') ?? usualSort].filter((name) => name !== undefined);
  const names = [...queryFields(query), ...order, ...shown, ...(choice?.fields ?? [])];
  return names.every((name) => findField(name, fleet).hasValues);
}

async function writeLock(
  file: string,
  rows: readonly number[],
  { origin, revision, nodesAt, lockedAt = nodesAt }: FleetSource,
): Promise<string | null> {
  if (rows.length === 0 || revision === undefined) return null;
  const [{ lockOf, lockText }, { relativeOrigin: placedFor }, { replaceFile }] = await Promise.all([
    import('../../core/lock/lock-format.ts'),
    import('../lock/take-lock.ts'),
    import('../../system/files/replace-file.ts'),
  ]);
  const nodes = await lockedAt(rows);
  replaceFile('', file, lockText(lockOf(placedFor(origin, file), revision, nodes)));
  return file;
}

interface MatchingNodes {
  readonly rows: readonly number[];
  readonly fields: readonly string[];
  /** The name, uid or path in the query. Undefined if the query is a condition. */
  readonly givenName: string | undefined;
  /** Undefined if the query is a name or missing. */
  readonly asked?: { readonly query: Query; readonly text: string };
  /** Warnings about likely mistakes in the query. */
  readonly findings: readonly Finding[];
}

function matchingNodes(query: string | undefined, fleet: QueryFleet): MatchingNodes {
  if (query === undefined) return { rows: allRows(fleet), fields: [], givenName: undefined, findings: [] };
  const text = query.trim();
  if (text === '') fail(finding('query-empty', {}));
  if (isName(text)) return nodesNamed(text, fleet);
  const parsed = parseQuery(query);
  const rows = fleet.total === 0 ? [] : nodesOf(parsed, fleet, query);
  const findings = queryHints(parsed, fleet, query);
  return { rows, fields: fieldsOf(parsed), givenName: undefined, asked: { query: parsed, text: query }, findings };
}

/** Returns the fields that a query reads. A query that is only a name reads `uid` and `node_name`. */
function queryFields(query: string): string[] {
  const text = query.trim();
  if (text === '') return [];
  return isName(text) ? ['uid', 'node_name'] : fieldsOf(parseQuery(query));
}

function fieldsOf(query: Query): string[] {
  return [...conditionsOf(query)].flatMap(fieldsIn).map(({ name }) => name);
}

function allRows({ total }: QueryFleet): number[] {
  return Array.from({ length: total }, (_, row) => row);
}

/** Whether a query is a single word other than `true` and `false`. Such a word is the name, uid or path of a node. */
function isName(text: string): boolean {
  return /^[^\s=<>!()'",]+$/.test(text) && !/^(true|false)$/i.test(text);
}

function nodesNamed(given: string, fleet: QueryFleet): MatchingNodes {
  const cell = (name: string) => {
    const { valuesOf } = findField(name, fleet);
    return (row: number) => valuesOf(row)[0];
  };
  const [uid, name, pathOf] = [cell('uid'), cell('node_name'), rowPaths(fleet)];
  const path = withoutSlashes(given);
  const matchesGiven = (row: number) =>
    isNodePath(path) ? path === pathOf(row) : uid(row) === given || name(row) === given;
  const rows = allRows(fleet).filter(matchesGiven);
  if (rows.length > 0 || fleet.total === 0) return { rows, fields: [], givenName: given, findings: [] };
  const known = allRows(fleet)
    .flatMap((row) => [name(row), uid(row)])
    .filter((each) => typeof each === 'string');
  const nearest = suggestSimilar(given.replace(/\/$/, '').replace(/^.*\//, ''), known);
  return fail(
    finding('query-name', {
      given,
      nearest,
      labels: [...labelConditions(given, fleet), ...fieldConditions(given, fleet)],
    }),
  );
}

/** Suggests conditions if the word is the name of a field or a label. */
function fieldConditions(given: string, fleet: QueryFleet): string[] {
  return [given, `${LABEL_PREFIX}.${given}`].flatMap((name) => {
    if (!pathOfField(name)) return [];
    const { hasValues, valuesOf } = findField(name, fleet);
    if (!hasValues) return [];
    const isBoolean = allRows(fleet).some((row) => valuesOf(row).some((value) => typeof value === 'boolean'));
    return [isBoolean ? `${fieldText(name)} = TRUE` : `${fieldText(name)} IS NOT NULL`];
  });
}
