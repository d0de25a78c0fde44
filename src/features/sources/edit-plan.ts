/** A plan of a command that changes several files, in the user's cache folder. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../core/model/digest.ts';
import { isJsonObject, type Json, parsedJson } from '../../core/model/json.ts';
import { DOCUMENT_BYTES } from '../../core/platform/limits.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { readPlainFile } from '../../system/files/file-io.ts';
import { undefinedOnSystemError } from '../../system/files/system-errors.ts';
import { readCached, removeCached, writeCached } from '../../system/files/user-cache.ts';

interface Wanted {
  readonly texts: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
  /** Undefined if no revision is to be recorded. */
  readonly revision?: { readonly message: string; readonly author: string; readonly successors: readonly string[] };
}

export interface Plan extends Wanted {
  /** The digests of all these files before the change. Undefined for a new file. */
  readonly before: Readonly<Record<string, string>>;
  /** Covers the names of the revision files. */
  readonly history: string;
}

const NAME = '-edit.json';

export function savePlan(registry: string, wanted: Wanted): void {
  const digests = filesOf(wanted).flatMap((file) => {
    const digest = digestOf(registry, file);
    return digest === undefined ? [] : [[file, digest] as const];
  });
  const plan: Plan = { ...wanted, before: Object.fromEntries(digests), history: historyOf(registry) };
  const bytes = Buffer.from(JSON.stringify(plan));
  if (bytes.length <= DOCUMENT_BYTES) writeCached(registry, NAME, bytes);
}

/** Returns undefined if there is no plan, or if it is damaged. */
export function readPlan(registry: string): Plan | undefined {
  const plan = parsedJson(readCached(registry, NAME, DOCUMENT_BYTES)?.toString('utf8') ?? '');
  if (!isJsonObject(plan) || !isTexts(plan['texts']) || !isTexts(plan['before'])) return undefined;
  const { texts, before, removed, history, revision } = plan;
  if (!isListOfTexts(removed) || typeof history !== 'string') return undefined;
  if (revision === undefined) return { texts, before, removed, history };
  if (!isJsonObject(revision)) return undefined;
  const { message, author, successors } = revision;
  if (typeof message !== 'string' || typeof author !== 'string' || !isListOfTexts(successors)) return undefined;
  return { texts, before, removed, history, revision: { message, author, successors } };
}

export function forgetPlan(registry: string): void {
  removeCached(registry, NAME);
}

interface PlanState {
  /** `begun` if some files are changed and others are not. `unknown` if a file was changed otherwise. */
  readonly progress: 'none' | 'begun' | 'done' | 'unknown';
  /** Whether the history has other revisions than before the command. */
  readonly hasNewHistory: boolean;
}

export function stateOfPlan(plan: Plan, registry: string): PlanState {
  const { texts, before, history } = plan;
  const states = filesOf(plan).map((file) => {
    const text = texts[file];
    const now = digestOf(registry, file);
    return now === (text === undefined ? undefined : sha256(text)) ? 'done' : now === before[file] ? 'none' : 'unknown';
  });
  const [first = 'done', ...others] = new Set(states);
  const progress = states.includes('unknown') ? 'unknown' : others.length > 0 ? 'begun' : first;
  return { progress, hasNewHistory: history !== historyOf(registry) };
}

export function hasBegunPlan(registry: string): boolean {
  const plan = readPlan(registry);
  return plan !== undefined && stateOfPlan(plan, registry).progress === 'begun';
}

function filesOf({ texts, removed }: Wanted): string[] {
  return [...Object.keys(texts), ...removed];
}

function digestOf(registry: string, file: string): string | undefined {
  return undefinedOnSystemError(() => sha256(readPlainFile(join(registry, file), DOCUMENT_BYTES)));
}

function historyOf(registry: string): string {
  const names = undefinedOnSystemError(() => readdirSync(join(registry, HISTORY_FOLDER)).sort()) ?? [];
  return sha256(names.join('/'));
}

function isTexts(value: Json | undefined): value is Record<string, string> {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

function isListOfTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
