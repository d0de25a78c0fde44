/**
 * A bundle carries a tree, or what is new in it, in one tar file: `bundle.json` first, then the manifest of the tree, then
 * the files, in the order of the manifest. The manifest says what every file is; `bundle.json` says which ones there
 * are, and what they go onto.
 */

import type { z } from 'zod';
import { sha256 } from '../../core/model/digest.ts';
import { parsedJson } from '../../core/model/json.ts';
import { zod } from '../../core/platform/modules.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import type { TreeContent } from '../../core/tree/tree-contents.ts';

export const BUNDLE_FILE = 'bundle.json';
const FORMAT = 1;
const SEAL = ',"seal":"';

const headSchema = lazily(() => {
  const z = zod();
  const tree = { revision: z.string(), serial: z.int().nonnegative(), digest: z.string() };
  return z.strictObject({
    gridpress_bundle: z.literal(FORMAT),
    /** The tree that it goes onto, by the digest in its manifest; null where it brings everything. */
    from: z.strictObject(tree).nullable(),
    /** The tree that it makes; `manifest` is the SHA-256 of its whole manifest. */
    to: z.strictObject({ ...tree, manifest: z.string() }),
    /** The files that it brings, in the order of the manifest; null for all. */
    files: z.array(z.string()).nullable(),
    remove: z.array(z.string()),
  });
});

type Written = z.output<ReturnType<typeof headSchema>>;
export type BundleHead = Omit<Written, 'gridpress_bundle'>;

/** The text of `bundle.json`, with a seal over what stands before it. */
export function bundleText({ from, to, files, remove }: BundleHead): string {
  const written: Written = { gridpress_bundle: FORMAT, from, to, files, remove };
  const text = JSON.stringify(written).slice(0, -1);
  return `${text}${SEAL}${sha256(text)}"}\n`;
}

/** Accepts only what `bundleText` writes, to the byte; otherwise says what is wrong. */
export function readBundleText(text: string): BundleHead | { readonly reason: string } {
  const body = text.slice(0, Math.max(0, text.lastIndexOf(SEAL)));
  const parsed = headSchema().safeParse(parsedJson(`${body}}`));
  if (!parsed.success) return { reason: 'it is no bundle.json of a format that this gridpress knows' };
  const { gridpress_bundle: _, ...head } = parsed.data;
  return bundleText(head) === text ? head : { reason: 'it is not what its seal says' };
}

export function* contentsInBundle(
  { files }: Pick<BundleHead, 'files'>,
  contents: Iterable<TreeContent>,
): Generator<TreeContent> {
  const brought = files === null ? undefined : new Set(files);
  for (const content of contents) if (!brought || brought.has(content.file)) yield content;
}
