/** Regular expressions over paths without prefix and suffix, in the common subset of PCRE, RE2 and ECMAScript, and over what requests ask for. */

import { JSON_MEDIA_TYPE } from '../api/dialect.ts';
import type { Form } from '../api/endpoints.ts';
import { EXPLORER_FOLDER } from '../api/explorer/explorer-paths.ts';
import { EXPORTS_FOLDER, SNAPSHOTS_PATH, versionsUrl } from '../api/urls.ts';
import { MANIFEST_FILE, NOT_ALLOWED_FILE, NOT_FOUND_FILE } from '../tree/layout.ts';
import type { HostRules, PathClass, RawClass } from './rules.ts';

/** Matches the whole of any path of the classes. Shared beginnings are written once, so that it stays short. */
export function pathsPattern(classes: readonly Pick<PathClass, 'templates'>[]): string {
  const root: Branch = { ends: false, below: new Map() };
  for (const template of classes.flatMap(({ templates }) => templates)) {
    let here = root;
    for (const segment of template === '/' ? [''] : template.slice(1).split('/')) {
      const next = here.below.get(segmentPattern(segment)) ?? { ends: false, below: new Map() };
      here.below.set(segmentPattern(segment), next);
      here = next;
    }
    here.ends = true;
  }
  return `^${branchPattern(root)}$`;
}

export function collectionsPattern({ classes }: Pick<HostRules, 'classes'>): string {
  return pathsPattern(classes.filter(({ form }) => form === 'collection'));
}

export function feedsPattern({ classes }: Pick<HostRules, 'classes'>): string {
  return pathsPattern(classes.filter(({ form }) => form === 'feed'));
}

export function immutablePattern({ classes, raw }: HostRules): string {
  return pathsPattern([...classes, ...raw].filter(({ cache }) => cache === 'immutable'));
}

/** `/sites/{site_uid}` as `/sites/:site_uid`. */
export function globOf(template: string): string {
  return template.replace(/\{(\w+)\}/g, ':$1');
}

/** A text in quotes, in which a backslash escapes quotes and backslashes: arguments of Apache, parameters of nginx. */
export function quotedArgument(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** The beginning of a group: its name, or nothing for one without a name. */
export function groupName(group: string): string {
  return group === '' ? '' : `?<${group}>`;
}

/** Matches the path of a snapshot. */
export const SNAPSHOT_PATTERN = `${literally(SNAPSHOTS_PATH)}/[0-9a-f]{40}`;

/** Matches the paths that the problem documents have by their files, without suffix. */
const PROBLEM_PATHS_PATTERN = `(?:${[NOT_FOUND_FILE, NOT_ALLOWED_FILE]
  .map((file) => literally(file.replace(/\.json$/, '')))
  .join('|')})`;

/** What a request may add to the path of a document. */
export const SUFFIX = '(?:/index\\.json|\\.json|/)?';

export function rootPattern({ prefix }: HostRules): string {
  return prefix === '' ? '^/(?:index\\.json)?$' : `^${literally(prefix)}(?:/(?:index\\.json)?)?$`;
}

/**
 * Matches the paths of all requests that the tree can answer but for the root's, and captures them without prefix and
 * suffix, in a group with the name or without one. Segments have the characters and lengths of uids, so that a server
 * never asks the file system for anything else: escapes, dot segments, folders of the tree's own, names too long.
 */
export function requestPattern({ prefix }: HostRules, group = ''): string {
  return `^${literally(prefix)}(${groupName(group)}(?:/[A-Za-z0-9~-][A-Za-z0-9._~-]{0,127}?)+?)${SUFFIX}$`;
}

/** Matches requests that requestPattern matches too, and for which there is a file, but no document of its own. */
export function shadowPattern({ prefix }: HostRules): string {
  return `^${literally(prefix)}(?:/${PROBLEM_PATHS_PATTERN}${SUFFIX}|(?:/.*)?/index(?:/index\\.json|/)?)$`;
}

/** Matches the whole of any path of raw documents, which have no other form, and captures it without prefix. */
export function rawPattern({ prefix }: Pick<HostRules, 'prefix'>, ...raw: readonly RawClass[]): string {
  return `^${literally(prefix)}(${pathsPattern(raw).slice(1, -1)})$`;
}

/**
 * The paths of raw documents as globs: behind a resource, whatever it is, they have the same end, and so have exports of
 * sites; where the explorer stands, nothing else does. Exact paths come first.
 */
export function rawGlobs({ templates }: RawClass): readonly string[] {
  const isExport = (template: string) => template.startsWith(`/${EXPORTS_FOLDER}/`);
  const globs = templates.map((template) =>
    template.startsWith(`/${EXPLORER_FOLDER}/`)
      ? template.replace(/[^/]+(?=\.)/, '*')
      : template.replace(isExport(template) ? /\{.*\}/ : /^.*\}/, (way) => (way.startsWith('/') ? '/*' : '*')),
  );
  return [...new Set(globs)].sort((a, b) => Number(a.includes('*')) - Number(b.includes('*')));
}

/** The paths of raw documents that requestPattern does not match, since a segment of theirs begins with a dot. They have no parameters. */
export function hiddenPaths({ prefix, raw }: Pick<HostRules, 'prefix' | 'raw'>): string[] {
  const templates = raw.flatMap(({ templates }) => templates);
  return templates.filter((template) => template.includes('/.')).map((template) => prefix + template);
}

/** Matches the path of the manifest. */
export function manifestPattern({ prefix }: HostRules): string {
  return `^${literally(prefix)}/${literally(MANIFEST_FILE)}$`;
}

/** Matches Accept headers that want application/json: they name it, with a q-value above 0. To be matched in any case. */
export const ACCEPTS_JSON = `(?:^|,)\\s*${literally(JSON_MEDIA_TYPE)}\\s*${parameters()}(?:,|$)`;

/** Matches Accept headers that want one of the vendor's types. To be matched in any case. */
export function namesVendor(vendorTypes: Readonly<Record<Form, string>>): string {
  const types = Object.values(vendorTypes).map(literally).join('|');
  return `(?:^|,)\\s*(?:${types})\\s*${parameters()}(?:,|$)`;
}

/** Matches Accept-Encoding headers that want a content coding. To be matched in any case. */
export function acceptsCoding(coding: string): string {
  return `(?:^|,)\\s*${literally(coding)}\\s*${parameters()}(?:,|$)`;
}

/** Parameters of which none is a q-value of 0. There is one way to match them, so that no header takes long. */
function parameters(): string {
  return '(?:;\\s*(?:q=(?:1(?:\\.0*)?|0?\\.0*[1-9][0-9]*)\\s*|[^q,;\\s][^,;]*))*';
}

/** A text in which no character has a meaning for a regular expression. */
export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

interface Branch {
  ends: boolean;
  readonly below: Map<string, Branch>;
}

function branchPattern({ ends, below }: Branch): string {
  if (below.size === 0) return '';
  const ways = [...below].map(([segment, branch]) => `/${segment}${branchPattern(branch)}`);
  const only = ways.length === 1 && !ends ? ways[0] : undefined;
  return only ?? `(?:${ways.join('|')})${ends ? '?' : ''}`;
}

function segmentPattern(segment: string): string {
  if (segment === '{version_id}') return '[0-9a-f]{40}';
  return segment.startsWith('{') ? '[^/]+' : literally(segment);
}

/**
 * Patterns for servers with PCRE, nginx and Apache: what the common subset cannot say, or says slowly. Their rules for
 * prefixes: below a prefix and in a snapshot a client may put what stands before every link before it once more, and asks
 * for histories in the snapshot, where its links do not lead.
 */
type Prefixed = Pick<HostRules, 'prefix'>;

/** What ends a segment of a request. */
const END = '(?:/|\\.json\\z|\\z)';
const HISTORY = `(?:/[^/]+)*${literally(versionsUrl(''))}${END}`;

/** The group of pcreRequestPattern that captures the path. */
export const STEM_GROUP = 2;

/**
 * What requestPattern matches and shadowPattern does not, for PCRE, which is slow at the one and would need both; and
 * nothing that would still end in .json, as no uid does. What stands before the path may do so twice, and a history in a
 * snapshot is that of the registry.
 */
export function pcreRequestPattern({ prefix }: Prefixed, group = ''): string {
  const again = optionally(prefix);
  const snapshot = `(?:(${SNAPSHOT_PATTERN})${again}(?=\\1${END}|${HISTORY}))?`;
  const stem = `(${groupName(group)}(?:/[A-Za-z0-9~-][A-Za-z0-9._~-]{0,132})+)(?<!\\.json)(?<!/index)`;
  return `^${literally(prefix)}${again}${snapshot}(?!/${PROBLEM_PATHS_PATTERN}${SUFFIX}\\z)${stem}${SUFFIX}\\z`;
}

/** Matches requests for histories in a snapshot, and captures the path of the snapshot, which must be there. */
export function historyInSnapshotPattern({ prefix }: Prefixed, group = ''): string {
  return `^${literally(prefix)}${optionally(prefix)}(${groupName(group)}${SNAPSHOT_PATTERN})${optionally(prefix)}${HISTORY}`;
}

/** Matches the paths of the root, with its prefix once or twice; of what pcreRequestPattern matches too they are the root's. */
export function pcreRootPattern({ prefix }: Prefixed): string {
  const base = literally(prefix) + optionally(prefix);
  return prefix === '' ? '^/(?:index\\.json)?\\z' : `^${base}(?:/(?:index\\.json)?)?\\z`;
}

/** As rawPattern, below a prefix that may stand there once more. */
export function pcreRawPattern({ prefix }: Prefixed, raw: readonly RawClass[], group = ''): string {
  return `^${literally(prefix)}${optionally(prefix)}(${groupName(group)}${pathsPattern(raw).slice(1, -1)})\\z`;
}

/** A prefix that may stand there once more. */
export function optionally(prefix: string): string {
  return prefix === '' ? '' : `(?:${literally(prefix)})?`;
}

/** The same pattern for PCRE, whose `$` matches before a newline at the end too. */
export function toTheVeryEnd(pattern: string): string {
  return pattern.replace(/\$$/, '\\z');
}

/** Matches Accept-Encoding headers that want gzip more than they want brotli, by q-values. To be matched in any case. */
export function prefersGzip(): string {
  const named = (coding: string, quality: string) => `(?=(?:.*,)?\\s*${coding}\\s*;\\s*q=${quality})`;
  const end = '\\s*(?:,|$)';
  const below = DIGITS.slice(0, -1).map(
    (digit) => `${named('br', `0\\.(\\d*)${digit}\\d*${end}`)}${named('gzip', `0\\.\\g{-1}[${digit + 1}-9]`)}`,
  );
  const shorter = `${named('br', `0(?:\\.(\\d*))?${end}`)}${named('gzip', '0\\.\\g{-1}\\d*[1-9]')}`;
  const whole = `${named('br', `0(?:\\.\\d*)?${end}`)}(?=(?:.*,)?\\s*gzip\\s*(?:,|$|;\\s*q=1))`;
  return `^(?:${[whole, shorter, ...below].join('|')})`;
}

const DIGITS = Array.from({ length: 10 }, (_, digit) => digit);

/**
 * Matches `RANGE LENGTH`, a Range header and the length of the document, where that part of it can be had: its first byte
 * is one of the document's, and not behind its last. The names of the groups begin with `group`.
 */
export function satisfiableRangePattern(group: string): string {
  const number = '(?:0|[1-9]\\d*)';
  const ends = ['\\d+- ', `(?<${group}_same>\\d+)-\\k<${group}_same> `, ...smaller(`${group}_last`, '-')];
  const isInside = `(?:${smaller(`${group}_size`, '-\\d* ').join('|')})`;
  const suffix = '-0*[1-9]\\d* ';
  return `^bytes=(?:${suffix}|(?=${number}-${number}? )(?=${isInside})(?:${ends.join('|')}))`;
}

/** A number that is smaller than the one after what is `between` them: of fewer digits, or of as many with a smaller one. */
function smaller(group: string, between: string): string[] {
  const [pair, start] = [`${group}_pair`, `${group}_start`];
  // As many digits before what is between as after it, by recursion.
  const pairs = `(?<${pair}>\\d(?:(?&${pair})|${between})\\d)`;
  const digits = DIGITS.slice(0, -1).map((digit) => `${digit}\\d*${between}\\k<${start}>[${digit + 1}-9]`);
  return [`${pairs}\\d`, `(?=(?&${pair})(?!\\d))(?<${start}>\\d*)(?:${digits.join('|')})`];
}
