import { type CacheClass, rawFormOf } from '../../core/api/endpoints.ts';
import { fileOfUrl, namesOfUrl, prettyFile, type Variants, variantFilesOf } from '../../core/tree/layout.ts';
import { aliasLine, documentLine, LINE_SEPARATOR } from '../../core/tree/manifest/manifest.ts';
import type { PlannedAlias } from '../../core/tree/plan/planned.ts';
import { compressAll } from '../../system/trees/content-coding.ts';
import type { TreeWriter } from '../../system/trees/tree-writer.ts';

interface DocumentHead {
  readonly url: string;
  readonly type: string;
  readonly cache: CacheClass;
  /** Epoch seconds. */
  readonly modified: number;
}

interface RenderedDocument extends DocumentHead {
  readonly text: string;
}

/** A long document without variants. `parts` renders the document during writing, to save memory. */
interface LongDocument extends DocumentHead {
  readonly parts: () => Iterable<string>;
}

/** Documents and aliases that one thread writes together. */
export interface Batch {
  readonly documents: readonly (RenderedDocument | LongDocument)[];
  readonly aliases: readonly PlannedAlias[];
}

/** Returns a function that writes a batch and returns its manifest entries, joined by separators. */
export function batchWriter(writer: TreeWriter, variants: Variants): (batch: Batch) => string {
  const linkNames = (url: string, file: string) => {
    for (const name of namesOfUrl(url, variants)) writer.link(file, name);
  };

  const writeDocument = ({ url, text, type, cache, modified }: RenderedDocument): string => {
    const file = fileOfUrl(url);
    const document = { path: url, file, ...writer.write(file, text, modified), type, cache, modified };
    linkNames(url, file);
    if (!variants.pretty && !variants.precompressed) return documentLine(document);
    const companions: string[] = [];
    const writeVariant = (name: string, content: string | Uint8Array) =>
      companions.push(writer.write(name, content, modified).sha256);
    const texts = [[file, text] as const];
    if (variants.pretty && rawFormOf(url) === undefined) {
      const pretty = JSON.stringify(JSON.parse(text), null, 2);
      writeVariant(prettyFile(file), pretty);
      texts.push([prettyFile(file), pretty]);
    }
    const compressed = variants.precompressed ? compressAll(texts.map(([, content]) => content)) : [];
    for (const [i, [name]] of texts.entries())
      for (const [ending, bytes] of compressed[i] ?? []) writeVariant(name + ending, bytes);
    return documentLine(companions.length > 0 ? { ...document, companions } : document);
  };

  const writeLong = ({ url, parts, ...head }: LongDocument): string => {
    const file = fileOfUrl(url);
    const written = writer.writeParts(file, parts(), head.modified);
    linkNames(url, file);
    return documentLine({ path: url, file, ...written, ...head });
  };

  const writeAlias = ({ url, target, cache }: PlannedAlias): string => {
    const [file, source] = [fileOfUrl(url), fileOfUrl(target)];
    writer.link(source, file);
    linkNames(url, source);
    const sources = variantFilesOf(source, variants);
    for (const [i, name] of variantFilesOf(file, variants).entries()) writer.link(sources[i] ?? source, name);
    return aliasLine(url, file, target, cache);
  };

  return ({ documents, aliases }) => {
    const written = documents.map((each) => ('parts' in each ? writeLong(each) : writeDocument(each)));
    return [...written, ...aliases.map(writeAlias)].join(LINE_SEPARATOR);
  };
}
