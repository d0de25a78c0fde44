/** A revision file is YAML. Changes contain the values before and after, so that a replay can verify each change. */

import { finding } from '../diagnostics/finding.ts';
import { type FieldChange, fieldChangesFrom } from '../model/differences/difference.ts';
import { isJsonObject, itemsIn, type Json, type JsonObject } from '../model/json.ts';
import { epochSeconds, ORIGINS, type RevisionHeader, type Successors } from '../model/revision.ts';
import { zod } from '../platform/modules.ts';
import { lazily } from '../platform/on-demand.ts';
import { ownText, withoutTrailing } from '../platform/text.ts';
import { fitted } from '../registry/decode.ts';
import type { QuickCheck } from '../registry/quick-check.ts';
import { decodeText, REVISION_DEPTH, type Read, readYaml } from '../registry/yaml/read-yaml.ts';
import { encodeLines, encodeYaml } from '../registry/yaml/write-yaml.ts';
import { locate } from '../registry/yaml/yaml-positions.ts';

/** The changes that documents report. */
export const ACTIONS = ['added', 'updated', 'removed', 'replaced'] as const;
export type Action = (typeof ACTIONS)[number];

export type ResourceChange =
  | { readonly action: 'added'; readonly path: string; readonly value: JsonObject }
  | { readonly action: 'updated'; readonly path: string; readonly fields: readonly FieldChange[] }
  | {
      readonly action: 'removed';
      readonly path: string;
      /** The uid of the successor, in the removed resource's collection. */
      readonly successor?: string | undefined;
    }
  /** The file was rewritten, but its values did not change. */
  | { readonly action: 'touched'; readonly path: string };

export interface StatedChange {
  readonly path: string;
  readonly action: ResourceChange['action'] | 'replaced';
  readonly successor?: string | undefined;
}

export interface RevisionFile {
  readonly header: RevisionHeader;
  readonly changes: readonly ResourceChange[];
}

export function successorsOf(changes: readonly StatedChange[]): Successors {
  return Object.fromEntries(
    changes.flatMap((change) =>
      change.action === 'removed' && change.successor !== undefined ? [[change.path, change.successor] as const] : [],
    ),
  );
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$/;
/** JSON Schema cannot express that a change has exactly one action and no fields of other actions. */
function verbProblem(change: Readonly<Record<string, unknown>>) {
  const { added, updated, removed, touched, value, fields, successor } = change;
  const verbs = [added, updated, removed, touched].filter((path) => path !== undefined);
  if (verbs.length !== 1) return 'expected exactly one of added, updated, removed and touched';
  if ((added !== undefined) !== (value !== undefined)) return '"value" goes with "added", and only with it';
  if ((updated !== undefined) !== (fields !== undefined)) return '"fields" goes with "updated", and only with it';
  if (successor !== undefined && removed === undefined) return '"successor" goes with "removed" only';
  return undefined;
}

/** A field must have either `order`, or one or both of `from` and `to`. */
function isFieldWhole({ from, to, order }: Readonly<Record<string, unknown>>): boolean {
  return (from !== undefined || to !== undefined) !== (order !== undefined);
}

/** Checks the rules that JSON Schema cannot express. Callers validate with the JSON Schema first. */
function areWhole(changes: readonly Json[]): boolean {
  return changes.every(
    (change) =>
      isJsonObject(change) &&
      verbProblem(change) === undefined &&
      itemsIn(change['fields']).every((field) => isJsonObject(field) && isFieldWhole(field)),
  );
}

export const revisionFileSchema = lazily(() => {
  const z = zod();
  const id = z.string().regex(/^[0-9a-f]{40}$/, 'expected 40 hexadecimal digits');
  const value = z.looseObject({});
  const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'expected sha256: and 64 hexadecimal digits');

  const fieldSchema = z
    .strictObject({
      at: z.string().regex(/^\/(?![\s\S]*~(?![01]))/, 'expected a JSON pointer such as /bios/version'),
      from: z.unknown().optional(),
      to: z.unknown().optional(),
      order: z.array(z.int().min(0)).optional(),
    })
    .refine(isFieldWhole, 'expected "from", "to" or both, or "order" alone');

  const changeSchema = z
    .strictObject({
      added: z.string().optional(),
      updated: z.string().optional(),
      removed: z.string().optional(),
      touched: z.string().optional(),
      successor: z.string().optional().describe('The uid of the resource in the same collection that took its place.'),
      value: value.optional(),
      fields: z.array(fieldSchema).min(1, 'expected at least one field').optional(),
    })
    .superRefine((change, context) => {
      const message = verbProblem(change);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    });

  return z
    .strictObject({
      id,
      parents: z.array(id).default([]),
      date: z.string().regex(ISO_DATE, 'expected ISO 8601 with an offset, such as 2026-03-01T12:00:00+01:00'),
      author: z.string(),
      message: z.string(),
      origin: z.enum(ORIGINS).default('recorded'),
      state: digest,
      salt: z
        .string()
        .regex(/^[0-9a-f]{32}$/, 'expected 32 hexadecimal digits')
        .optional()
        .describe('A random text in a registry with private fields. The identifier depends on it.'),
      contents: digest
        .optional()
        .describe(
          'The digest of the contents of this revision and its ancestors. Older versions of gridpress did not write it.',
        ),
      changes: z.array(changeSchema).default([]),
    })
    .describe('One revision of a registry.');
});

const DIGEST_PREFIX = 'sha256:';

/**
 * Whether a text is a date of a revision. Documents count seconds since 1970, so no date can be earlier. Their dates in
 * UTC have years with four digits.
 */
export function isRecordable(date: string): boolean {
  const seconds = isDateWithOffset(date) ? epochSeconds(date) : -1;
  return seconds >= 0 && seconds < epochSeconds('9999-12-31T24:00:00Z');
}

/** Whether a text is a valid date in the form that revision files use. Like RFC 3339, this form has no hour 24. */
export function isDateWithOffset(date: string): boolean {
  return (
    ISO_DATE.test(date) && !date.includes('T24') && Number.isFinite(epochSeconds(date)) && isDay(date.slice(0, 10))
  );
}

/** Checks the day, because Date.parse reads 30 February as 2 March. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

export function readRevisionFile(file: string, bytes: Uint8Array, check?: QuickCheck): Read<RevisionFile> {
  const text = decodeText(file, bytes);
  return text.findings ? text : readRevisionText(file, text.value, check);
}

export function readRevisionText(file: string, text: string, check?: QuickCheck): Read<RevisionFile> {
  const read = readYaml(file, text, REVISION_DEPTH);
  if (read.findings) return read;
  const isFine = check?.(read.value) && areWhole(itemsIn(read.value['changes']));
  const checked = isFine ? read : fitted(file, text, read.value, revisionFileSchema);
  if (checked.findings) return checked;
  const source = checked.value;
  const header: RevisionHeader = {
    id: textOf(source['id']),
    parents: itemsIn(source['parents']).map(textOf),
    date: textOf(source['date']),
    author: textOf(source['author']),
    message: withoutTrailing(textOf(source['message']), '\n'),
    origin: ORIGINS.find((origin) => origin === source['origin']) ?? 'recorded',
    state: textOf(source['state']).slice(DIGEST_PREFIX.length),
    salt: source['salt'] === undefined ? undefined : textOf(source['salt']),
    contents: source['contents'] === undefined ? undefined : textOf(source['contents']).slice(DIGEST_PREFIX.length),
  };
  if (!isRecordable(header.date))
    return { findings: [finding('revision-date', { date: header.date }, locate(file, text, ['date']))] };
  return { value: { header, changes: itemsIn(source['changes']).flatMap(changeOf) } };
}

function changeOf(source: Json): ResourceChange[] {
  if (!isJsonObject(source)) return [];
  const { added, updated, removed, value: body, fields, successor, touched } = source;
  if (added !== undefined) return [{ action: 'added', path: pathOf(added), value: isJsonObject(body) ? body : {} }];
  if (updated !== undefined)
    return [{ action: 'updated', path: pathOf(updated), fields: itemsIn(fields).flatMap(fieldChangesFrom) }];
  if (removed !== undefined)
    return [
      {
        action: 'removed',
        path: pathOf(removed),
        ...(successor === undefined ? {} : { successor: textOf(successor) }),
      },
    ];
  return [{ action: 'touched', path: pathOf(touched) }];
}

function pathOf(path: Json | undefined): string {
  const text = textOf(path);
  return text === '/' ? '' : text;
}

/** Returns a copy, so that the text of the whole file can be garbage-collected. */
function textOf(source: Json | undefined): string {
  return typeof source === 'string' ? ownText(source) : '';
}

export function writeRevisionFile({ header, changes }: RevisionFile): string {
  const { id, parents, date, author, message, origin, state, salt, contents } = header;
  const head = encodeYaml({
    id,
    ...(parents.length > 0 ? { parents } : {}),
    date,
    author,
    message,
    ...(origin === 'recorded' ? {} : { origin }),
    state: DIGEST_PREFIX + state,
    ...(salt === undefined ? {} : { salt }),
    ...(contents === undefined ? {} : { contents: DIGEST_PREFIX + contents }),
  });
  return changes.length === 0 ? `${head}changes: []\n` : `${head}changes:\n${changes.map(changeText).join('')}`;
}

function changeText(change: ResourceChange): string {
  const head = `  - ${encodeYaml({ [change.action]: change.path || '/' })}`;
  if (change.action === 'removed' && change.successor !== undefined)
    return `${head}${encodeYaml({ successor: change.successor }, '    ')}`;
  if (change.action === 'removed' || change.action === 'touched') return head;
  if (change.action === 'updated') return `${head}    fields:\n${encodeLines(change.fields.map(plainField), '      ')}`;
  return `${head}${encodeYaml({ value: change.value }, '    ')}`;
}

function plainField({ at, from, to, order }: FieldChange): JsonObject {
  return {
    at,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(order === undefined ? {} : { order }),
  };
}
