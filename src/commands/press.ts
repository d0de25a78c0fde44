/** Writing a plan's units into a stage, alone or beside another thread that takes units from the same counter. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Publication } from '../api/publication.ts';
import { treeWriter } from '../io/staging.ts';
import { fileOfUrl, variantsOfUrl } from '../site/layout.ts';
import { aliasLine, documentLine, LINE_SEPARATOR } from '../site/manifest.ts';
import type { Plan, PlannedAlias, PlannedDocument, Unit } from '../site/plan.ts';

/** Where the manifest's lines of one unit stand in a thread's part file. */
export interface Part {
  readonly unit: number;
  readonly offset: number;
  readonly length: number;
}

/** Counters that threads share. */
export interface Shared {
  /** The next unit of documents, the next of aliases, and how many documents and aliases are done. */
  readonly counters: Int32Array;
}

export const COUNTERS = { documents: 0, aliases: 1, done: 2, barrier: 3 } as const;

export interface PressOptions {
  readonly publication: Publication;
  readonly plan: Plan;
  /** The root of the stage. */
  readonly root: string;
  readonly previous: string | undefined;
  readonly indexFiles: boolean;
  readonly shared: Shared;
  /** The number of this thread. */
  readonly thread: number;
  readonly onProgress: (done: number) => void;
}

export interface Press {
  readonly documents: () => Part[];
  readonly aliases: () => Part[];
  readonly close: () => void;
}

export function partFile(thread: number): string {
  return `_part-${thread}`;
}

export function press(options: PressOptions): Press {
  const { publication, plan, indexFiles, shared, root } = options;
  const writer = treeWriter(root, options.previous);
  const file = openSync(join(root, partFile(options.thread)), 'w');
  let offset = 0;

  const run = <T>(units: readonly Unit<T>[], counter: number, write: (entry: T) => string): Part[] => {
    const parts: Part[] = [];
    for (;;) {
      const unit = Atomics.add(shared.counters, counter, 1);
      const chosen = units[unit];
      if (!chosen) return parts;
      const lines: string[] = [];
      for (const entry of chosen.list()) {
        lines.push(write(entry));
        options.onProgress(Atomics.add(shared.counters, COUNTERS.done, 1) + 1);
      }
      const length = lines.length > 0 ? writeSync(file, lines.join(LINE_SEPARATOR)) : 0;
      parts.push({ unit, offset, length });
      offset += length;
    }
  };

  const writeDocument = ({ url, form, cache, modified, body }: PlannedDocument): string => {
    const path = fileOfUrl(url);
    const written = writer.write(path, body(), modified, cache === 'immutable');
    for (const variant of variantsOfUrl(url, indexFiles)) writer.link(path, variant);
    return documentLine({
      path: url,
      file: path,
      ...written,
      type: publication.dialect.mediaType(form),
      cache,
      modified,
    });
  };

  const writeAlias = ({ url, target, cache }: PlannedAlias): string => {
    const path = fileOfUrl(url);
    for (const name of [path, ...variantsOfUrl(url, indexFiles)]) writer.link(fileOfUrl(target), name);
    return aliasLine(url, path, target, cache);
  };

  return {
    documents: () => run(plan.documents, COUNTERS.documents, writeDocument),
    aliases: () => run(plan.aliases, COUNTERS.aliases, writeAlias),
    close: () => closeSync(file),
  };
}
