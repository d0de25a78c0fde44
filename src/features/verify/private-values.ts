/** Searches the bytes and the decompressed contents of files for the private values of a registry. */

import { createReadStream, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Finding, fail, finding } from '../../core/diagnostics/finding.ts';
import { publicBodyOf, publicHistory, publicState } from '../../core/history/public-history.ts';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import { resourcesIn } from '../../core/model/state.ts';
import { storedObject } from '../../core/registry/registry.ts';
import { codingOf } from '../../core/tree/layout.ts';
import { codeOf, reading } from '../../system/files/system-errors.ts';
import { isCompressed } from '../../system/tar/gzip.ts';
import { decodeContent } from '../../system/trees/content-coding.ts';
import { folderFiles } from '../../system/trees/tree-files.ts';
import { loadSources } from '../sources/load-sources.ts';
import { privacyOf } from '../sources/privacy.ts';

/** Fails if the registry has no private fields. */
export async function privateValueFindings(place: string, registry: string): Promise<Finding[]> {
  const fragments = privateFragments(registry);
  const search = searchFor(fragments.keys());
  const findingsOf = (found: ReadonlySet<string>, file: string) => {
    const fields = [...new Set(Array.from(found, (text) => fragments.get(text) ?? ''))];
    return fields.length > 0 ? [finding('verify-private', { fields }, { file })] : [];
  };
  if (!statSync(place).isDirectory()) {
    const longest = [...fragments.keys()].reduce((most, { length }) => Math.max(most, length), 0);
    return findingsOf(await foundInFile(place, search, longest), place);
  }
  return filesIn(place).flatMap((name) => {
    const path = join(place, name);
    const bytes = reading(path, () => readFileSync(path));
    const coding = codingOf(name);
    const decoded = coding && decodeContent(coding, bytes);
    return findingsOf(new Set([bytes, ...(decoded ? [decoded] : [])].flatMap((each) => [...search(each)])), name);
  });
}

function filesIn(folder: string): string[] {
  return [...folderFiles(folder).names()].filter(({ isFile }) => isFile).map(({ name }) => name);
}

/** Reads in chunks, because an archive can exceed the memory. `longest` is the length of the longest searched text. */
async function foundInFile(path: string, search: Search, longest: number): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const searchAll = async (chunks: AsyncIterable<Buffer>) => {
    let end = Buffer.alloc(0);
    for await (const chunk of chunks) {
      const bytes = Buffer.concat([end, chunk]);
      for (const text of search(bytes)) found.add(text);
      end = bytes.subarray(Math.max(0, bytes.length - longest));
    }
  };
  try {
    const file = createReadStream(path);
    await (isCompressed(path) ? pipeline(file, createGunzip(), searchAll) : pipeline(file, searchAll));
  } catch (error) {
    // The verification reports a file that cannot be decompressed.
    if (codeOf(error)?.startsWith('Z_') !== true) throw error;
  }
  return found;
}

/** The minimum length of a searched text. Shorter texts occur in many files by chance. */
const SHORTEST = 6;
/** Matches characters that are written in the same way in JSON, CSV, HTML, XML and YAML. */
const PLAIN = /[\w .:@/+-]+/g;

/** Maps fragments of private values to field names. A fragment of a value is its longest part that needs no escapes. */
function privateFragments(registry: string): Map<string, string> {
  const place = { registry };
  const { configuration, history, worktree, store, findings } = loadSources(place);
  if (findings.length > 0) fail(...findings);
  const secrets = new Map<string, string>();
  const privacy = privacyOf(place, configuration, (value, field) => {
    for (const text of textsIn(value)) secrets.set(text, field);
  });
  if (!privacy) return fail(finding('private-none', {}));
  const bodyOf = publicBodyOf(privacy, store, history.kinds);
  const { states } = publicHistory(history, store, bodyOf);
  const handles = new Set<number>();
  for (const state of [...states, publicState(worktree, bodyOf)])
    for (const [, { body }] of resourcesIn(state)) handles.add(body.handle);
  const known = new Set<string>();
  for (const handle of handles) for (const text of textsIn(storedObject(store, handle))) known.add(text);
  const fragments = new Map<string, string>();
  for (const [text, field] of secrets) {
    const [longest = ''] = (text.match(PLAIN) ?? []).toSorted((a, b) => b.length - a.length);
    if (longest.length >= SHORTEST) fragments.set(longest, field);
  }
  const search = searchFor(fragments.keys());
  // Removes fragments that also occur in public texts.
  for (const text of known) for (const found of search(Buffer.from(text))) fragments.delete(found);
  return fragments;
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

const BITS = 22;

type Search = (bytes: Uint8Array) => Generator<string>;

/** Reads the bytes only once. A table of the first four bytes of all texts excludes most positions. */
function searchFor(texts: Iterable<string>): Search {
  const possible = new Uint8Array(1 << BITS);
  const byStart = new Map<number, Buffer[]>();
  const slotOf = (start: number) => Math.imul(start, 0x9e3779b1) >>> (32 - BITS);
  for (const text of texts) {
    const start = Buffer.from(text).readInt32BE(0);
    possible[slotOf(start)] = 1;
    byStart.set(start, [...(byStart.get(start) ?? []), Buffer.from(text)]);
  }
  return function* (bytes) {
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      start = (start << 8) | (bytes[at] ?? 0);
      if (possible[slotOf(start)] === 0) continue;
      const from = at - 3;
      for (const text of byStart.get(start) ?? [])
        if (text.equals(bytes.subarray(from, from + text.length))) yield text.toString();
    }
  };
}
