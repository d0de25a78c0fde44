/** Parses lock files. A lock file is evidence, so every deviation from the format is a finding. */

import type { z } from 'zod';
import { type Finding, finding, MOST_FINDINGS_PER_FILE } from '../diagnostics/finding.ts';
import { FIELD_CLASSES } from '../model/field-classes.ts';
import { parsedObject } from '../model/json.ts';
import { type Kind, PATH_TO_NODES } from '../model/kinds.ts';
import { lastSegment } from '../model/resource-path.ts';
import { isRevisionId } from '../model/uid.ts';
import { TAG_FILE_BYTES } from '../platform/limits.ts';
import { zod } from '../platform/modules.ts';
import { lazily } from '../platform/on-demand.ts';
import type { QuickCheck } from '../registry/quick-check.ts';
import { firstProblems, type SchemaProblem, schemaProblems } from '../registry/schema-problems.ts';
import { decodeText, type Read } from '../registry/yaml/read-yaml.ts';
import { positionsIn } from '../registry/yaml/yaml-positions.ts';
import { hostFormatOf, lockOptionOf } from './host-formats.ts';
import { LOCK_VERSION, type Lock, lockFrom } from './lock-format.ts';

export function readLockFile(file: string, bytes: Uint8Array, check: QuickCheck | undefined): Read<Lock> {
  const invalid = (findings: readonly Finding[]) => ({
    findings: [...findings, finding('lock-invalid', {}, { file })],
  });
  const otherFile = (option?: string) => ({ findings: [finding('lock-other-file', { file, option })] });
  if (bytes.includes(0)) return otherFile();
  const text = decodeText(file, bytes);
  if (text.findings) return invalid(text.findings);
  const value = parsedObject(text.value);
  const version = value?.['gridpress_lock'];
  if (!value || version === undefined) {
    const option = lockOptionOf(hostFormatOf(text.value));
    // Unrecognized text can be a damaged lock file.
    const isOther = value !== undefined || option !== undefined || text.value.trim() === '';
    return isOther ? otherFile(option) : { findings: [finding('lock-not-json', {}, { file })] };
  }
  if (typeof version === 'number' && version > LOCK_VERSION)
    return { findings: [finding('lock-newer', { version, known: LOCK_VERSION }, { file })] };
  const deviations = check?.(value) ? [] : (check ? firstProblems : schemaProblems)(lockSchema(), value);
  // Copies the value only if it is valid, because invalid values can be large.
  const lock = deviations.length > 0 ? undefined : lockFrom(value);
  const problems = lock ? contradictionsIn(lock).slice(0, MOST_FINDINGS_PER_FILE) : deviations;
  if (lock && problems.length === 0) return { value: lock };
  const places = bytes.length <= TAG_FILE_BYTES ? positionsIn(file, text.value) : undefined;
  const findings = problems.map(({ path, at, message }) =>
    finding('schema', { field: path.map(String).join('.'), problem: message }, places?.locate(path, at) ?? { file }),
  );
  return invalid(findings);
}

type Problem = Pick<SchemaProblem, 'path' | 'at' | 'message'>;

/** Finds problems that a schema cannot express. gridpress identifies revisions by 40 hex digits. */
function contradictionsIn({ from, revision, nodes }: Lock): Problem[] {
  const problems: Problem[] = [];
  const reject = (path: readonly PropertyKey[], message: string) => problems.push({ path, at: 'value', message });
  if (from.kind !== 'url' && !isRevisionId(revision.id))
    reject(['revision', 'id'], 'expected 40 hexadecimal digits, the identifier of a revision');
  const seen = new Set<string>();
  for (const [i, { path, uid }] of nodes.entries()) {
    if (seen.has(path)) reject(['nodes', i, 'path'], 'another node has the same path');
    else if (uid !== lastSegment(path)) reject(['nodes', i, 'uid'], `expected "${lastSegment(path)}", as in the path`);
    seen.add(path);
  }
  return problems;
}

/** Matches ISO 8601 dates. Years after 9999 have a sign and six digits. */
const DATE = /^([0-9]{4}|[+-][0-9]{6})-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2})$/;

const SEGMENT = '[A-Za-z0-9_~-][A-Za-z0-9._~-]*';

export const lockSchema = lazily(() => {
  const z = zod();
  const digest = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits');
  const id = z.string().regex(/^[0-9A-Za-z_-][0-9A-Za-z._-]*$/, 'expected the identifier of a revision');
  const date = z.string().regex(DATE, 'expected ISO 8601, such as 2026-03-01T12:00:00Z');
  const classes: Record<string, z.ZodOptional<typeof digest>> = {};
  for (const name of FIELD_CLASSES) classes[name] = digest.optional();
  const pathWith = (uidOf: (kind: Kind) => string) =>
    PATH_TO_NODES.map((kind) => `${kind.collection}/${uidOf(kind)}`).join('/');
  const path = new RegExp(`^${pathWith(() => SEGMENT)}$`);
  const example = pathWith(({ name }) => name.toUpperCase());

  const node = z.strictObject({
    path: z.string().regex(path, `expected a path such as ${example}`),
    uid: z.string(),
    node_name: z.string().optional(),
    latest_version: id.optional().describe('The newest revision that changed the node, if known.'),
    digest: digest.describe('SHA-256 of the canonical JSON (RFC 8785) of the body without version and links.'),
    classes: z.strictObject(classes).describe('The same digest of the fields of each class.'),
  });

  return z
    .strictObject({
      gridpress_lock: z.literal(LOCK_VERSION),
      from: z.strictObject({
        kind: z.enum(['url', 'tree', 'registry']),
        place: z.string().describe('A base URL, or a folder relative to the folder of this file.'),
      }),
      revision: z.strictObject({ id, date: date.optional() }),
      class_rules: digest.describe('The digest of the table of field classes on which the class digests are based.'),
      nodes: z.array(node).min(1, 'expected at least one node'),
    })
    .describe('Digests of nodes at a revision. gridpress lock writes this file, gridpress verify-lock reads it.');
});
