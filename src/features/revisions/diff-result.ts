/** What `gridpress diff` is asked for and tells. */

import { Failure, failAll } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import type { ComparedResource } from '../../core/history/changes-between.ts';
import type { Graph, Placed } from '../../core/history/graph.ts';
import type { Counts } from '../../core/history/touches.ts';
import type { FieldClass } from '../../core/model/field-classes.ts';
import { itemAt } from '../../core/platform/certain.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import { countsOf, type DifferingResource, differingResources } from './differing-resources.ts';

export interface DiffOptions extends SourceOptions {
  /** Each a revision, a date, `head` or `worktree`. */
  readonly from: string;
  readonly to: string;
  readonly resource?: string | undefined;
  /** Only what belongs to one of these classes. */
  readonly classes?: readonly FieldClass[] | undefined;
}

/** A side of a comparison; without a revision, the registry's files. */
export interface Side {
  readonly revision: string | undefined;
  readonly date: string | undefined;
}

export interface DiffResult {
  readonly from: Side;
  readonly to: Side;
  readonly resource: string;
  readonly counts: Counts;
  readonly changes: readonly DifferingResource[];
}

export function sideAt({ revisions }: Graph<Placed>, index: number): Side {
  const { id, date } = itemAt(revisions, index);
  return { revision: id, date };
}

export function resultOf(
  from: Side,
  to: Side,
  path: string,
  { classes }: DiffOptions,
  compared: Iterable<ComparedResource>,
): DiffResult {
  const changes = differingResources(compared, { within: path, classes });
  return { from, to, resource: `/${path}`, counts: countsOf(changes), changes };
}

/** What `compare` answers; where it fails for what is wrong with the sources, it is said that nothing was compared. */
export async function orNotCompared<T>(compare: () => T | Promise<T>): Promise<T> {
  try {
    return await compare();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { exitStatus } = await import('../../core/diagnostics/render.ts');
    if (exitStatus(error.findings) !== 1) throw error;
    return failAll([...error.findings, finding('not-compared', {})]);
  }
}
