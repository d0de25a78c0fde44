/**
 * A bundle is a tar file. It contains `bundle.json`, the new manifest, and then files of the tree in the order of the
 * manifest.
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
    /** The tree that the bundle updates. Null if the bundle contains a complete tree. */
    from: z.strictObject(tree).nullable(),
    /** The tree that `apply` creates from the bundle. `manifest` is the SHA-256 digest of this tree's manifest file. */
    to: z.strictObject({ ...tree, manifest: z.string() }),
    /** The files in the bundle, in the order of the manifest. Null means all files. */
    files: z.array(z.string()).nullable(),
    remove: z.array(z.string()),
  });
});

type Written = z.output<ReturnType<typeof headSchema>>;
export type BundleHead = Omit<Written, 'gridpress_bundle'>;

/** The last field of `bundle.json` is a SHA-256 digest of the text before this field. */
export function bundleText({ from, to, files, remove }: BundleHead): string {
  const written: Written = { gridpress_bundle: FORMAT, from, to, files, remove };
  const text = JSON.stringify(written).slice(0, -1);
  return `${text}${SEAL}${sha256(text)}"}\n`;
}

export function readBundleText(text: string): BundleHead | { readonly reason: string } {
  const body = text.slice(0, Math.max(0, text.lastIndexOf(SEAL)));
  const parsed = headSchema().safeParse(parsedJson(`${body}}`));
  if (!parsed.success) return { reason: 'it is not a bundle.json that this version of gridpress can read' };
  const { gridpress_bundle: _, ...head } = parsed.data;
  return bundleText(head) === text ? head : { reason: 'it does not match its seal' };
}

export function* contentsInBundle(
  { files }: Pick<BundleHead, 'files'>,
  contents: Iterable<TreeContent>,
): Generator<TreeContent> {
  const included = files && new Set(files);
  for (const content of contents) if (!included || included.has(content.file)) yield content;
}
