/** Writing a plan's units into a stage, alone or beside another thread that takes units from the same counter. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Publication } from '../api/publication.ts';
import { compress } from '../io/compress.ts';
import { treeWriter } from '../io/staging.ts';
import { CODINGS, companionsOf, fileOfUrl, namesOfUrl, prettyFile, type Variants } from '../site/layout.ts';
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
  readonly variants: Variants;
  readonly shared: Shared;
  /** The number of this thread. */
  readonly thread: number;
  readonly onProgress: (done: number) => void;
}

export interface Press {
  readonly documents: () => Part[];
  readonly aliases: () => Part[];
  /** Can be called again. */
  readonly close: () => void;
}

export function partFile(thread: number): string {
  return `_part-${thread}`;
}

export function press(options: PressOptions): Press {
  const { publication, plan, variants, shared, root } = options;
  const writer = treeWriter(root, options.previous);
  const file = openSync(join(root, partFile(options.thread)), 'w');
  let offset = 0;
  let isOpen = true;

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
      const text = Buffer.from(lines.join(LINE_SEPARATOR));
      // Unlike writeSync, it goes on until all is written, or fails.
      writeFileSync(file, text);
      parts.push({ unit, offset, length: text.length });
      offset += text.length;
    }
  };

  const writeDocument = ({ url, form, cache, modified, body }: PlannedDocument): string => {
    const file = fileOfUrl(url);
    const text = body();
    const isReusable = cache === 'immutable';
    const written = writer.write(file, text, modified, isReusable);
    for (const name of namesOfUrl(url, variants)) writer.link(file, name);
    const texts = [[file, text] as const];
    if (variants.pretty) {
      const pretty = JSON.stringify(JSON.parse(text), null, 2);
      writer.write(prettyFile(file), pretty, modified, isReusable);
      texts.push([prettyFile(file), pretty]);
    }
    for (const [name, content] of variants.precompressed ? texts : []) {
      writer.write(name + CODINGS.gzip, compress('gzip', content), modified, isReusable);
      writer.write(name + CODINGS.br, compress('br', content), modified, isReusable);
    }
    return documentLine({
      path: url,
      file,
      ...written,
      type: publication.dialect.mediaType(form),
      cache,
      modified,
    });
  };

  const writeAlias = ({ url, target, cache }: PlannedAlias): string => {
    const file = fileOfUrl(url);
    const source = fileOfUrl(target);
    for (const name of [file, ...namesOfUrl(url, variants)]) writer.link(source, name);
    const sources = companionsOf(source, variants);
    for (const [i, name] of companionsOf(file, variants).entries()) writer.link(sources[i] ?? source, name);
    return aliasLine(url, file, target, cache);
  };

  return {
    documents: () => run(plan.documents, COUNTERS.documents, writeDocument),
    aliases: () => run(plan.aliases, COUNTERS.aliases, writeAlias),
    close: () => {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}
