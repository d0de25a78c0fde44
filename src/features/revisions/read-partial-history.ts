/** The history of a registry for commands that ask for little of it: read as far as the question goes. */

import { closeSync, existsSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { placedOf } from '../../core/history/excerpt.ts';
import { type Graph, orderGraph, type Placed } from '../../core/history/graph.ts';
import {
  NotInOrder,
  type PartialHistory,
  partialHistory,
  unlessNotInOrder,
} from '../../core/history/partial-history.ts';
import { readRevisionFile } from '../../core/history/revision-file.ts';
import { itemAt, mustGet } from '../../core/platform/certain.ts';
import { SOURCE_LIMITS } from '../../core/platform/limits.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { openPlainFile, readPlainFile } from '../../system/files/plain-file.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import type { SourceOptions } from '../sources/load-sources.ts';

export interface PartialHistoryRead extends PartialHistory {
  readonly graph: Graph<Placed>;
}

/**
 * What `ask` answers; undefined when the history is not laid out as gridpress writes it or not in order, so that it has
 * to be read as a whole. States and identifiers are not checked against their digests: `gridpress check` does that.
 */
export function withPartialHistory<T>(
  { registry }: SourceOptions,
  ask: (history: PartialHistoryRead) => T,
): T | undefined {
  const root = join(registry, HISTORY_FOLDER);
  if (!existsSync(root)) return undefined;
  return unlessNotInOrder(() => ask(quickHistory(root)));
}

function quickHistory(root: string): PartialHistoryRead {
  const check = packagedChecks()('revision');
  const read = (bytes: Uint8Array) => {
    const revision = readRevisionFile('', bytes, check);
    return revision.findings ? undefined : revision.value;
  };
  const files = new Map<string, string>();
  const headers = readdirSync(root).map((name) => {
    const file = join(root, name);
    const header = name.endsWith('.yaml') ? placedOf(beginningOf(file)) : undefined;
    if (!header || files.has(header.id)) throw new NotInOrder();
    files.set(header.id, file);
    return header;
  });
  const ordered = orderGraph(headers, () => ({ file: '' }));
  if (ordered.findings || headers.length === 0) throw new NotInOrder();
  const { graph } = ordered;
  const textOf = (index: number) => {
    const file = mustGet(files, itemAt(graph.revisions, index).id);
    return readPlainFile(file, SOURCE_LIMITS.revision_bytes, shownPath(file)).toString('utf8');
  };
  return { graph, ...partialHistory(graph, textOf, (text) => read(Buffer.from(text))) };
}

/** Enough of a file to hold the identifiers and the date of a revision. */
function beginningOf(file: string): string {
  const bytes = Buffer.alloc(BEGINNING);
  const { file: opened, size } = openPlainFile(file, shownPath(file));
  try {
    // Whether it may be as large, the configuration says, which who reads all has read.
    if (size > SOURCE_LIMITS.revision_bytes) throw new NotInOrder();
    return bytes.toString('latin1', 0, readSync(opened, bytes));
  } finally {
    closeSync(opened);
  }
}

const BEGINNING = 1024;
