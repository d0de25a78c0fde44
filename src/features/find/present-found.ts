/** Found nodes in the form that is asked for. */
import type { Finding } from '../../core/diagnostics/finding.ts';
import type { SnippetName } from '../../core/exports/snippet-context.ts';
import { ndjsonLine } from '../../core/exports/whole-node.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { findField, type NamedField } from '../../core/query/columns.ts';
import { namedField } from '../../core/query/named-field.ts';
import { foundLines, noteOf } from './describe-found.ts';
import { type FindOptions, type Found, find } from './find.ts';
import type { FleetSource } from './fleet-source.ts';
import { partialItem, wholeItem } from './found-items.ts';

/** A `table` is for people, `json` one object with all of it, `ndjson` an object in each line. */
export type FoundForm = 'table' | 'json' | 'ndjson' | 'csv' | 'uids' | SnippetName;

export interface PresentOptions extends FindOptions {
  readonly form: FoundForm;
  /** The fields to show; by default those that the form needs, or all. */
  readonly columns?: readonly string[] | undefined;
}

export interface PresentedNodes {
  /** Of the form `json`. */
  readonly record: object;
  /** Of all other forms. */
  readonly lines: Iterable<string>;
  /** How many nodes these are, and what was written. */
  readonly note: string;
  readonly findings: readonly Finding[];
}

export async function presentFound(options: PresentOptions): Promise<PresentedNodes> {
  const shown = options.form === 'csv' ? 'all' : (options.columns ?? []);
  return await find(options, shown, async (found, source) => {
    const { total, nodes, revision, lock, findings } = found;
    const isJson = options.form === 'json';
    const counts = { total, nodes, ...(revision ? { revision } : {}), ...(lock === undefined ? {} : { lock }) };
    return {
      record: isJson ? { ...counts, items: await itemsOf(found, source, options) } : {},
      lines: isJson ? [] : await linesOf(found, source, options),
      note: noteOf(found),
      findings,
    };
  });
}

async function linesOf(found: Found, source: FleetSource, options: PresentOptions): Promise<Iterable<string>> {
  const { rows, fleet } = found;
  switch (options.form) {
    case 'json':
      return [];
    case 'ndjson':
      return (await itemsOf(found, source, options)).map(ndjsonLine);
    case 'csv': {
      const { csvLines } = await import('./found-csv.ts');
      return csvLines(found, source, options.columns);
    }
    case 'uids': {
      const uid = namedField('uid', fleet);
      return rows.map((row) => textOf(uid, row));
    }
    case 'table':
      return rows.length === 0 ? [] : foundLines(columnsOf(options, found) ?? usualColumns(found), rows);
    default:
      return await snippetLines(options.form, found, source);
  }
}

async function itemsOf(found: Found, source: FleetSource, options: PresentOptions): Promise<readonly JsonObject[]> {
  const columns = columnsOf(options, found);
  if (columns) return found.rows.map((row) => partialItem(columns, row));
  return (await source.nodesAt(found.rows)).map((node) => wholeItem(node, source.labels));
}

function columnsOf({ columns }: PresentOptions, { fleet }: Found): NamedField[] | undefined {
  return columns?.map((name) => namedField(name, fleet));
}

/** What people know nodes by, what the query asks about, and the uid. */
function usualColumns({ fields, fleet }: Found): NamedField[] {
  const names = new Set(['node_name', 'site', 'node_type', ...fields].filter((name) => name !== 'uid'));
  return [...names, 'uid'].map((name) => findField(name, fleet)).filter(({ isHeld }) => isHeld);
}

function textOf({ valuesOf }: NamedField, row: number): string {
  return String(valuesOf(row)[0] ?? '');
}

async function snippetLines(
  name: SnippetName,
  { rows, fleet }: Found,
  { origin, siteNames }: FleetSource,
): Promise<Iterable<string>> {
  if (rows.length === 0) return [];
  const [site, cluster, uid] = ['site', 'cluster', 'uid'].map((field) => namedField(field, fleet));
  if (!site || !cluster || !uid) return [];
  const nodes = rows.map((row) => ({ site: textOf(site, row), cluster: textOf(cluster, row), uid: textOf(uid, row) }));
  const { snippet } = await import('../../core/exports/snippet.ts');
  return snippet(name, nodes, await siteNames(), origin.kind === 'url' ? origin.place : undefined);
}
