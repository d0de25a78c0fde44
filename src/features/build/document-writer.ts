/** Writing batches of documents and aliases into a stage, and their lines of the manifest beside them. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CacheClass, rawFormOf } from '../../core/api/endpoints.ts';
import { certain } from '../../core/platform/certain.ts';
import { fileOfUrl, namesOfUrl, prettyFile, type Variants, variantFilesOf } from '../../core/tree/layout.ts';
import { aliasLine, documentLine, LINE_SEPARATOR } from '../../core/tree/manifest/manifest.ts';
import type { PlannedAlias } from '../../core/tree/plan/planned.ts';
import { compressAll } from '../../system/trees/precompress.ts';
import { type TreeWriter, treeWriter } from '../../system/trees/tree-writer.ts';

/** A document that is rendered: all that is left to do is to write it. */
export interface RenderedDocument {
  readonly url: string;
  /** Or its bytes in UTF-8. */
  readonly text: string | Uint8Array;
  /** The media type. */
  readonly type: string;
  readonly cache: CacheClass;
  /** Epoch seconds. */
  readonly modified: number;
}

/** A document whose text can be long: it is rendered while it is written, by the thread that asks. It has no variants. */
export interface LongDocument extends Omit<RenderedDocument, 'text'> {
  readonly parts: () => Iterable<string>;
}

/** A document that the previous tree has as it would be written now: its files are linked in. */
export interface StandingDocument {
  readonly url: string;
  /** Its line of the manifest. */
  readonly line: string;
}

/** What is written together, by whichever thread. */
export interface Batch {
  /** Its place among all batches. */
  readonly order: number;
  readonly documents: readonly (RenderedDocument | LongDocument | StandingDocument)[];
  readonly aliases: readonly PlannedAlias[];
}

/** Where the manifest's lines of one batch stand. */
export interface ManifestFragment {
  readonly order: number;
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

export interface DocumentWriterOptions {
  /** The root of the stage. */
  readonly root: string;
  readonly previous: string | undefined;
  readonly variants: Variants;
  /** The number of this thread. */
  readonly thread: number;
}

/** The file that a thread puts its lines into, below the root of the stage. */
export function fragmentFile(thread: number): string {
  return `_part-${thread}`;
}

export interface DocumentWriter {
  readonly write: (batch: Batch) => void;
  /** Ends it, and says where the lines of everything that it wrote are. Can be called again. */
  readonly close: () => readonly ManifestFragment[];
}

/** Writes files below the root, or all but the lines into `spool`, for which nothing stands yet. */
export function documentWriter(options: DocumentWriterOptions, spool?: TreeWriter): DocumentWriter {
  const { root, previous, variants, thread } = options;
  const stage = spool ? undefined : treeWriter(root, previous);
  const writer = spool ?? certain(stage);
  const file = fragmentFile(thread);
  const lines = openSync(join(root, file), 'w');
  const parts: ManifestFragment[] = [];
  let offset = 0;
  let isOpen = true;

  const writeDocument = ({ url, text, type, cache, modified }: RenderedDocument): string => {
    const file = fileOfUrl(url);
    const isReusable = cache === 'immutable';
    const written = writer.write(file, text, modified, isReusable);
    for (const name of namesOfUrl(url, variants)) writer.link(file, name);
    const document = { path: url, file, ...written, type, cache, modified };
    if (!variants.pretty && !variants.precompressed) return documentLine(document);
    const companions: string[] = [];
    const accompany = (name: string, content: string | Uint8Array) =>
      companions.push(writer.write(name, content, modified, isReusable).sha256);
    const whole = typeof text === 'string' ? text : Buffer.from(text).toString();
    const texts = [[file, whole] as const];
    if (variants.pretty && rawFormOf(url) === undefined) {
      const pretty = JSON.stringify(JSON.parse(whole), null, 2);
      accompany(prettyFile(file), pretty);
      texts.push([prettyFile(file), pretty]);
    }
    const compressed = variants.precompressed ? compressAll(texts.map(([, content]) => content)) : [];
    for (const [i, [name]] of texts.entries()) {
      for (const [ending, bytes] of compressed[i] ?? []) accompany(name + ending, bytes);
    }
    return documentLine(companions.length > 0 ? { ...document, companions } : document);
  };

  const writeLong = ({ url, parts, ...said }: LongDocument): string => {
    const file = fileOfUrl(url);
    const written = certain(stage).writeParts(file, parts(), said.modified);
    for (const name of namesOfUrl(url, variants)) writer.link(file, name);
    return documentLine({ path: url, file, ...written, ...said });
  };

  const keepDocument = ({ url, line }: StandingDocument): string => {
    const file = fileOfUrl(url);
    for (const name of [file, ...variantFilesOf(file, variants)]) certain(stage).keep(name);
    for (const name of namesOfUrl(url, variants)) writer.link(file, name);
    return line;
  };

  const writeAlias = ({ url, target, cache }: PlannedAlias): string => {
    const file = fileOfUrl(url);
    const source = fileOfUrl(target);
    for (const name of [file, ...namesOfUrl(url, variants)]) writer.link(source, name);
    const sources = variantFilesOf(source, variants);
    for (const [i, name] of variantFilesOf(file, variants).entries()) writer.link(sources[i] ?? source, name);
    return aliasLine(url, file, target, cache);
  };

  return {
    write: ({ order, documents, aliases }) => {
      const written = documents.map((each) => {
        if ('line' in each) return keepDocument(each);
        return 'parts' in each ? writeLong(each) : writeDocument(each);
      });
      const text = Buffer.from([...written, ...aliases.map(writeAlias)].join(LINE_SEPARATOR));
      // Unlike writeSync, it goes on until all is written, or fails.
      writeFileSync(lines, text);
      parts.push({ order, file, offset, length: text.length });
      offset += text.length;
    },
    close: () => {
      if (isOpen) closeSync(lines);
      isOpen = false;
      return parts;
    },
  };
}
