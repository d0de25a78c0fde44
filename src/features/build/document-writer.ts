/** Writing batches of documents and aliases into a stage. */
import { type CacheClass, rawFormOf } from '../../core/api/endpoints.ts';
import { certain } from '../../core/platform/certain.ts';
import { fileOfUrl, namesOfUrl, prettyFile, type Variants, variantFilesOf } from '../../core/tree/layout.ts';
import { aliasLine, documentLine, LINE_SEPARATOR } from '../../core/tree/manifest/manifest.ts';
import type { PlannedAlias } from '../../core/tree/plan/planned.ts';
import { compressAll } from '../../system/trees/precompress.ts';
import type { TreeWriter } from '../../system/trees/tree-writer.ts';

interface DocumentHead {
  readonly url: string;
  readonly type: string;
  readonly cache: CacheClass;
  /** Epoch seconds. */
  readonly modified: number;
}

export interface RenderedDocument extends DocumentHead {
  readonly text: string;
}

/** A document whose text can be long: it is rendered while it is written. It has no variants. */
export interface LongDocument extends DocumentHead {
  readonly parts: () => Iterable<string>;
}

/** Documents and aliases that one thread writes together. */
export interface Batch {
  readonly documents: readonly (RenderedDocument | LongDocument)[];
  readonly aliases: readonly PlannedAlias[];
}

/** Writes a batch, and returns its entries as the manifest lists them, with separators between them. */
export type BatchWriter = (batch: Batch) => string;

export function batchWriter(writer: TreeWriter, variants: Variants): BatchWriter {
  const writeDocument = ({ url, text, type, cache, modified }: RenderedDocument): string => {
    const file = fileOfUrl(url);
    const written = writer.write(file, text, modified);
    for (const name of namesOfUrl(url, variants)) writer.link(file, name);
    const document = { path: url, file, ...written, type, cache, modified };
    if (!variants.pretty && !variants.precompressed) return documentLine(document);
    const companions: string[] = [];
    const accompany = (name: string, content: string | Uint8Array) =>
      companions.push(writer.write(name, content, modified).sha256);
    const texts = [[file, text] as const];
    if (variants.pretty && rawFormOf(url) === undefined) {
      const pretty = JSON.stringify(JSON.parse(text), null, 2);
      accompany(prettyFile(file), pretty);
      texts.push([prettyFile(file), pretty]);
    }
    const compressed = variants.precompressed ? compressAll(texts.map(([, content]) => content)) : [];
    for (const [i, [name]] of texts.entries()) {
      for (const [ending, bytes] of compressed[i] ?? []) accompany(name + ending, bytes);
    }
    return documentLine(companions.length > 0 ? { ...document, companions } : document);
  };

  const writeLong = ({ url, parts, ...head }: LongDocument): string => {
    const file = fileOfUrl(url);
    const written = certain(writer.writeParts)(file, parts(), head.modified);
    for (const name of namesOfUrl(url, variants)) writer.link(file, name);
    return documentLine({ path: url, file, ...written, ...head });
  };

  const writeAlias = ({ url, target, cache }: PlannedAlias): string => {
    const file = fileOfUrl(url);
    const source = fileOfUrl(target);
    for (const name of [file, ...namesOfUrl(url, variants)]) writer.link(source, name);
    const sources = variantFilesOf(source, variants);
    for (const [i, name] of variantFilesOf(file, variants).entries()) writer.link(sources[i] ?? source, name);
    return aliasLine(url, file, target, cache);
  };

  return ({ documents, aliases }) => {
    const written = documents.map((each) => ('parts' in each ? writeLong(each) : writeDocument(each)));
    return [...written, ...aliases.map(writeAlias)].join(LINE_SEPARATOR);
  };
}
