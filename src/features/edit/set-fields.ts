import { fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { labelling } from '../../core/labels/labels.ts';
import { findNodes } from '../../core/query/evaluate.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { tableFleet } from '../../core/query/table-fleet.ts';
import { valueHints } from '../../core/query/value-hints.ts';
import { nodesIn, surveyNodes } from '../../core/table/node-survey.ts';
import type { Worktree } from '../sources/load-worktree.ts';
import { rejectTaken, renaming } from './add-nodes.ts';
import { applyEdits, type Edited } from './apply-edits.ts';
import { type FoundResource, resourceFinder } from './find-resource.ts';
import { type CellValue, withCells } from './new-body.ts';
import { namesOf } from './node-names.ts';
import type { EditOptions } from './pending-edit.ts';

export interface SetOptions extends EditOptions {
  /** A query or resource names, then assignments such as `placement.rack=4`. For example, `a=` removes the field a. */
  readonly words: readonly string[];
}

const ASSIGNMENT = /^([^\s=<>!'"(),]+)=(.*)$/s;
/** These fields determine the file of a resource, so they cannot be set. */
const IDENTITY = ['type', 'uid'];

export function setFields({ words: [first = '', ...words], ...options }: SetOptions): Edited {
  const at = words.findIndex((word) => word.includes('='));
  const targets = [first, ...words.slice(0, at < 0 ? undefined : at)];
  const cells = at < 0 ? [] : words.slice(at).map(cellOf);
  if (cells.length === 0) fail(finding('set-nothing', { targets }));
  const twice = cells.find(({ field }, i) => cells.slice(0, i).some((other) => other.field === field));
  if (twice) {
    const hint = 'Nothing was written. Write each field once.';
    fail(finding('usage', { problem: `The field "${twice.field}" has two values.`, hint }));
  }
  return applyEdits(options, (sources) => {
    const changed = resourcesNamed(targets, sources).map(({ subject, body, name }) => {
      const { body: after, problems } = withCells(body, cells, subject.kind);
      if (problems.length > 0)
        failAll(problems.map(({ field, problem }) => finding('set-value', { name, field, problem })));
      return { subject, before: body, after };
    });
    const renamed = changed.flatMap((edit) => renaming(edit));
    if (renamed.length > 0) rejectTaken([], renamed, sources);
    return { changed };
  });
}

function cellOf(word: string): CellValue {
  const [, field = '', text = ''] = ASSIGNMENT.exec(word) ?? fail(finding('set-value-form', { word }));
  return IDENTITY.includes(field.split('.')[0] ?? '') ? fail(finding('set-identity', { field })) : { field, text };
}

/** `words` is one query, or a list of paths, uids, names and patterns of names. A name can look like a query. */
export function resourcesNamed(words: readonly string[], sources: Worktree): FoundResource[] {
  const { find, has } = resourceFinder('all', sources);
  const [query = ''] = words;
  const isQuery = words.length === 1 && !has(query) && !/^[^\s=<>!()'"]+$/.test(query);
  if (isQuery) return nodesMatching(query, sources).map(find);
  const namesIn = (word: string) => (has(word) ? [word] : namesOf(word));
  const names = words.flatMap((pattern) => namesIn(pattern) ?? fail(finding('add-too-many', { pattern })));
  return [...new Map(names.map(find).map((found) => [found.subject.path, found])).values()];
}

function nodesMatching(query: string, { worktree, store, configuration }: Worktree): string[] {
  const fleet = tableFleet(surveyNodes(worktree, store, 'nothing').table, labelling(configuration.labels));
  const rows = findNodes(query, fleet);
  if (rows.length === 0) fail(...valueHints(parseQuery(query), fleet, query), finding('set-no-nodes', { query }));
  const nodes = [...nodesIn(worktree)];
  return rows.flatMap((row) => nodes[row]?.path ?? []);
}
