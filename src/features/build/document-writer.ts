import { rawFormOf } from '../../core/api/endpoints.ts';
import { fileOfUrl, namesOfUrl, prettyFile, type Variants, variantFilesOf } from '../../core/tree/layout.ts';
import { aliasLine, documentLine } from '../../core/tree/manifest/manifest.ts';
import type { PlannedAlias, PlannedDocument } from '../../core/tree/plan/planned.ts';
import { compressAll } from '../../system/trees/content-coding.ts';
import type { TreeWriter } from '../../system/trees/tree-writer.ts';

/** Returns a function that writes a document, and one that writes an alias. Both return the manifest entry. */
export function documentWriter(
  writer: TreeWriter,
  variants: Variants,
  mediaTypeOf: (form: PlannedDocument['form']) => string,
) {
  const linkNames = (url: string, file: string) => {
    for (const name of namesOfUrl(url, variants)) writer.link(file, name);
  };

  const hasVariants = variants.pretty || variants.precompressed;

  const writeDocument = ({ url, form, cache, modified, body, parts }: PlannedDocument): string => {
    const file = fileOfUrl(url);
    const head = { path: url, file, type: mediaTypeOf(form), cache, modified };
    if (parts && !hasVariants && cache === 'mutable') {
      const written = writer.writeParts(file, parts(), modified);
      linkNames(url, file);
      return documentLine({ ...head, ...written });
    }
    const text = body();
    const document = { ...head, ...writer.write(file, text, modified) };
    linkNames(url, file);
    if (!hasVariants) return documentLine(document);
    const digests: string[] = [];
    const writeVariant = (name: string, content: string | Uint8Array) =>
      digests.push(writer.write(name, content, modified).sha256);
    const texts = [[file, text] as const];
    if (variants.pretty && rawFormOf(url) === undefined) {
      const pretty = JSON.stringify(JSON.parse(text), null, 2);
      writeVariant(prettyFile(file), pretty);
      texts.push([prettyFile(file), pretty]);
    }
    const compressed = variants.precompressed ? compressAll(texts.map(([, content]) => content)) : [];
    for (const [i, [name]] of texts.entries())
      for (const [ending, bytes] of compressed[i] ?? []) writeVariant(name + ending, bytes);
    return documentLine(digests.length > 0 ? { ...document, variant_digests: digests } : document);
  };

  const writeAlias = ({ url, target, cache }: PlannedAlias): string => {
    const [file, source] = [fileOfUrl(url), fileOfUrl(target)];
    writer.link(source, file);
    linkNames(url, source);
    const sources = variantFilesOf(source, variants);
    for (const [i, name] of variantFilesOf(file, variants).entries()) writer.link(sources[i] ?? source, name);
    return aliasLine(url, file, target, cache);
  };

  return { writeDocument, writeAlias };
}
