/** What a lock file may say: for checking one, and for editors. */
import type { z } from 'zod';
import { FIELD_CLASSES } from '../model/field-classes.ts';
import { type Kind, WAY_TO_NODES } from '../model/kinds.ts';
import { zod } from '../platform/modules.ts';
import { lazily } from '../platform/on-demand.ts';
import { LOCK_VERSION } from './lock-format.ts';

const SEGMENT = '[A-Za-z0-9_~-][A-Za-z0-9._~-]*';

export const lockSchema = lazily(() => {
  const z = zod();
  const digest = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits');
  const id = z.string().regex(/^[0-9A-Za-z._-]+$/, 'expected the identifier of a revision');
  const classes: Record<string, z.ZodOptional<typeof digest>> = {};
  for (const name of FIELD_CLASSES) classes[name] = digest.optional();
  const wayOf = (uidOf: (kind: Kind) => string) =>
    WAY_TO_NODES.map((kind) => `${kind.collection}/${uidOf(kind)}`).join('/');
  const path = new RegExp(`^${wayOf(() => SEGMENT)}$`);
  const example = wayOf(({ name }) => name.toUpperCase());

  const node = z.strictObject({
    path: z.string().regex(path, `expected a path such as ${example}`),
    uid: z.string(),
    node_name: z.string().optional(),
    latest_version: id.optional().describe('The newest revision that changed the node, where it was known.'),
    digest: digest.describe('SHA-256 over the canonical JSON (RFC 8785) of the body without version and links.'),
    classes: z.strictObject(classes).describe('The same over what of the body belongs to each class.'),
  });

  return z
    .strictObject({
      gridpress_lock: z.literal(LOCK_VERSION),
      from: z.strictObject({
        kind: z.enum(['url', 'tree', 'registry']),
        place: z.string().describe('A base URL, or a folder as seen from the folder of this file.'),
      }),
      revision: z.strictObject({ id, date: z.string().optional() }),
      class_rules: digest.describe('The table of field classes by which the digests were made.'),
      nodes: z.array(node).min(1, 'expected at least one node'),
    })
    .describe('What nodes were at a revision: written by gridpress lock, read by gridpress verify-lock.');
});
