/** Which nodes a query means: those of which a condition is true, those that are called by a name, or all. */
import { fail } from '../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { nearestTo } from '../../core/diagnostics/nearest.ts';
import { isNodePath } from '../../core/model/resource-path.ts';
import { findField, type QueryFleet } from '../../core/query/columns.ts';
import { nodesOf } from '../../core/query/evaluate.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { conditionsOf, type Query } from '../../core/query/query.ts';
import { valueHints } from '../../core/query/value-hints.ts';

export interface AskedNodes {
  readonly rows: readonly number[];
  /** The fields that the query asks about. */
  readonly fields: readonly string[];
  /** What the nodes are called, where the query is no condition but a name. */
  readonly called: string | undefined;
  /** What the query may have been meant to be, where it finds nothing. */
  readonly findings: readonly Finding[];
}

export function askedNodes(query: string, fleet: QueryFleet): AskedNodes {
  const text = query.trim();
  if (text === '') return { rows: allRows(fleet), fields: [], called: undefined, findings: [] };
  return isName(text) ? nodesCalled(text, fleet) : nodesQueried(query, fleet);
}

/** The fields that a query asks about; of a name, those that names stand in. */
export function askedFields(query: string): string[] {
  const text = query.trim();
  if (text === '') return [];
  return isName(text) ? ['uid', 'node_name'] : fieldsOf(parseQuery(query));
}

function fieldsOf(query: Query): string[] {
  return [...conditionsOf(query)].map(({ field }) => field.name);
}

function allRows({ total }: QueryFleet): number[] {
  return Array.from({ length: total }, (_, row) => row);
}

function nodesQueried(text: string, fleet: QueryFleet): AskedNodes {
  const query = parseQuery(text);
  const rows = fleet.total === 0 ? [] : nodesOf(query, fleet, text);
  const fields = fieldsOf(query);
  const findings = rows.length === 0 ? valueHints(query, fleet, text) : [];
  return { rows, fields, called: undefined, findings };
}

/** Whether a query is one word, which is no condition. */
function isName(text: string): boolean {
  return /^[^\s=<>!()'",]+$/.test(text) && !/^(true|false)$/i.test(text);
}

/** By uid, by node_name, or by path. */
function nodesCalled(given: string, fleet: QueryFleet): AskedNodes {
  const cell = (name: string) => {
    const { valuesOf } = findField(name, fleet);
    return (row: number) => valuesOf(row)[0];
  };
  const [uid, name, site, cluster] = [cell('uid'), cell('node_name'), cell('site'), cell('cluster')];
  const path = given.replace(/^\/|\/$/g, '');
  const isMeant = (row: number) =>
    isNodePath(path)
      ? path === `sites/${site(row)}/clusters/${cluster(row)}/nodes/${uid(row)}`
      : uid(row) === given || name(row) === given;
  const rows = allRows(fleet).filter(isMeant);
  if (rows.length > 0 || fleet.total === 0) return { rows, fields: [], called: given, findings: [] };
  const known = allRows(fleet)
    .flatMap((row) => [name(row), uid(row)])
    .filter((each) => typeof each === 'string');
  const nearest = nearestTo(given.replace(/\/$/, '').replace(/^.*\//, ''), known);
  return fail(finding('query-name', { given, nearest }));
}
