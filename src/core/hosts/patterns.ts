/** Regular expressions for paths and request headers, in the syntax that PCRE, RE2 and ECMAScript share. */

import { JSON_MEDIA_TYPE } from '../api/dialect.ts';
import type { Form } from '../api/endpoints.ts';
import { EXPLORER_FOLDER } from '../api/explorer/explorer-paths.ts';
import { EXPORTS_FOLDER, SNAPSHOTS_PATH, versionsUrl } from '../api/urls.ts';
import { groupBy } from '../platform/lookups.ts';
import { MANIFEST_FILE, NOT_ALLOWED_FILE, NOT_FOUND_FILE } from '../tree/layout.ts';
import type { HostRules, PathClass, RawClass } from './rules.ts';

/** Matches the paths of all templates. Common beginnings and ends occur once, to shorten the pattern. */
export function pathsPattern(classes: readonly Pick<PathClass, 'templates'>[]): string {
  const root: Branch = { ends: false, below: new Map() };
  for (const template of classes.flatMap(({ templates }) => templates)) {
    let branch = root;
    for (const segment of template.slice(1).split('/').map(segmentPattern)) {
      const next = branch.below.get(segment) ?? { ends: false, below: new Map() };
      branch.below.set(segment, next);
      branch = next;
    }
    branch.ends = true;
  }
  return `^${branchPattern(root)}$`;
}

export function formPattern({ classes }: Pick<HostRules, 'classes'>, wanted: Form): string {
  return pathsPattern(classes.filter(({ form }) => form === wanted));
}

export function immutablePattern({ classes, raw }: HostRules): string {
  return pathsPattern([...classes, ...raw].filter(({ cache }) => cache === 'immutable'));
}

export function globOf(template: string): string {
  return template.replace(/\{(\w+)\}/g, ':$1');
}

/** Quotes an argument for Apache or a parameter for nginx. A backslash escapes quotes and backslashes. */
export function quotedArgument(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

export function formatHeaders(
  headers: Readonly<Record<string, string>>,
  line: (name: string, value: string) => string,
): string {
  return Object.entries(headers)
    .map(([name, value]) => line(name, value))
    .join('');
}

export function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

export function groupName(group: string): string {
  return group === '' ? '' : `?<${group}>`;
}

export const SNAPSHOT_PATTERN = `${escapeRegExp(SNAPSHOTS_PATH)}/[0-9a-f]{40}`;

const PROBLEM_PATHS_PATTERN = `(?:${[NOT_FOUND_FILE, NOT_ALLOWED_FILE]
  .map((file) => escapeRegExp(file.replace(/\.json$/, '')))
  .join('|')})`;

/** Matches the optional suffix of a request path. */
export const SUFFIX = '(?:/index\\.json|\\.json|/)?';

export function rootPattern({ prefix }: HostRules): string {
  return prefix === '' ? '^/(?:index\\.json)?$' : `^${escapeRegExp(prefix)}(?:/(?:index\\.json)?)?$`;
}

/**
 * Matches request paths of documents, except the root. Captures the path without prefix and suffix. Segments must look
 * like uids, so escapes, dot segments, long names and internal folders never reach the file system.
 */
export function requestPattern({ prefix }: HostRules): string {
  return `^${escapeRegExp(prefix)}((?:/[A-Za-z0-9~-][A-Za-z0-9._~-]{0,127}?)+?)${SUFFIX}$`;
}

/** Matches paths that `requestPattern` also matches, but whose files are not documents. */
export function shadowPattern({ prefix }: HostRules): string {
  return `^${escapeRegExp(prefix)}(?:/${PROBLEM_PATHS_PATTERN}${SUFFIX}|(?:/.*)?/index(?:/index\\.json|/)?)$`;
}

/** Matches complete paths of raw documents. Captures each path without its prefix. */
export function rawPattern({ prefix }: Pick<HostRules, 'prefix'>, ...raw: readonly RawClass[]): string {
  return `^${escapeRegExp(prefix)}(${pathsPattern(raw).slice(1, -1)})$`;
}

/** Returns globs for raw documents, exact paths first. An asterisk stands for a resource path, site or file name. */
export function rawGlobs({ templates }: RawClass): readonly string[] {
  const isExport = (template: string) => template.startsWith(`/${EXPORTS_FOLDER}/`);
  const globs = templates.map((template) =>
    template.startsWith(`/${EXPLORER_FOLDER}/`)
      ? template.replace(/[^/]+(?=\.)/, '*')
      : template.replace(isExport(template) ? /\{.*\}/ : /^.*\}/, (path) => (path.startsWith('/') ? '/*' : '*')),
  );
  return [...new Set(globs)].sort((a, b) => Number(a.includes('*')) - Number(b.includes('*')));
}

/** Returns the paths of raw documents that `requestPattern` does not match, because a segment begins with a dot. */
export function hiddenPaths({ prefix, raw }: Pick<HostRules, 'prefix' | 'raw'>): string[] {
  const templates = raw.flatMap(({ templates }) => templates);
  return templates.filter((template) => template.includes('/.')).map((template) => prefix + template);
}

export function manifestPattern({ prefix }: HostRules): string {
  return `^${escapeRegExp(prefix)}/${escapeRegExp(MANIFEST_FILE)}$`;
}

/** Matches Accept headers that list application/json with a q-value above 0. The pattern ignores case. */
export const ACCEPTS_JSON = `(?:^|,)\\s*${escapeRegExp(JSON_MEDIA_TYPE)}\\s*${parameters()}(?:,|$)`;

export function namesVendor(vendorTypes: Readonly<Record<Form, string>>): string {
  const types = Object.values(vendorTypes).map(escapeRegExp).join('|');
  return `(?:^|,)\\s*(?:${types})\\s*${parameters()}(?:,|$)`;
}

export function acceptsCoding(coding: string): string {
  return `(?:^|,)\\s*${escapeRegExp(coding)}\\s*${parameters()}(?:,|$)`;
}

/** Matches parameters unless the q-value is 0. The pattern is unambiguous, so the match takes linear time. */
function parameters(): string {
  return '(?:;\\s*(?:q=(?:1(?:\\.0*)?|0?\\.0*[1-9][0-9]*)\\s*|[^q,;\\s][^,;]*))*';
}

export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

interface Branch {
  ends: boolean;
  readonly below: Map<string, Branch>;
}

function branchPattern({ ends, below }: Branch): string {
  if (below.size === 0) return '';
  const segments = groupBy([...below], ([, branch]) => branchPattern(branch));
  const paths = [...segments].map(([rest, ofRest]) => `/${anyOf(ofRest.map(([segment]) => segment))}${rest}`);
  const only = paths.length === 1 && !ends ? paths[0] : undefined;
  return only ?? `(?:${paths.join('|')})${ends ? '?' : ''}`;
}

function anyOf([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `(?:${[first, ...others].join('|')})`;
}

function segmentPattern(segment: string): string {
  if (segment === '{version_id}') return '[0-9a-f]{40}';
  return segment.startsWith('{') ? '[^/]+' : escapeRegExp(segment);
}

// The patterns below need PCRE, which nginx and Apache use. The common syntax lacks a feature or would match slowly.
type Prefixed = Pick<HostRules, 'prefix'>;

const END = '(?:/|\\.json\\z|\\z)';
const HISTORY = `(?:/[^/]+)*${escapeRegExp(versionsUrl(''))}${END}`;

export const STEM_GROUP = 2;

/**
 * Matches the paths of `requestPattern` without the paths of `shadowPattern`. Allows a repeated prefix and a repeated
 * snapshot. The captured path of a history excludes the snapshot.
 */
export function pcreRequestPattern({ prefix }: Prefixed, group = ''): string {
  const again = optionalPrefix(prefix);
  const snapshot = `(?:(${SNAPSHOT_PATTERN})${again}(?=\\1${END}|${HISTORY}))?`;
  const stem = `(${groupName(group)}(?:/[A-Za-z0-9~-][A-Za-z0-9._~-]{0,132})+)(?<!\\.json)(?<!/index)`;
  return `^${escapeRegExp(prefix)}${again}${snapshot}(?!/${PROBLEM_PATHS_PATTERN}${SUFFIX}\\z)${stem}${SUFFIX}\\z`;
}

/** Matches requests for histories below a snapshot. Captures the path of the snapshot. */
export function historyInSnapshotPattern({ prefix }: Prefixed, group = ''): string {
  return `^${escapeRegExp(prefix)}${optionalPrefix(prefix)}(${groupName(group)}${SNAPSHOT_PATTERN})${optionalPrefix(prefix)}${HISTORY}`;
}

/** Matches the paths of the root, with precedence over `pcreRequestPattern`. */
export function pcreRootPattern({ prefix }: Prefixed): string {
  const base = escapeRegExp(prefix) + optionalPrefix(prefix);
  return prefix === '' ? '^/(?:index\\.json)?\\z' : `^${base}(?:/(?:index\\.json)?)?\\z`;
}

/** Matches the paths of `rawPattern`, even with a repeated prefix. */
export function pcreRawPattern({ prefix }: Prefixed, raw: readonly RawClass[], group = ''): string {
  return `^${escapeRegExp(prefix)}${optionalPrefix(prefix)}(${groupName(group)}${pathsPattern(raw).slice(1, -1)})\\z`;
}

export function optionalPrefix(prefix: string): string {
  return prefix === '' ? '' : `(?:${escapeRegExp(prefix)})?`;
}

/** Replaces the final `$` by `\z`, because `$` in PCRE also matches before a newline at the end. */
export function withPcreEnd(pattern: string): string {
  return pattern.replace(/\$$/, '\\z');
}

/** Matches Accept-Encoding headers with a higher q-value for gzip than for brotli. */
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

/** Matches `RANGE LENGTH` if the first range is satisfiable. LENGTH is the document's size in bytes. */
export function satisfiableRangePattern(group: string): string {
  const number = '(?:0|[1-9]\\d*)';
  const ends = ['\\d+-[ ,]', `(?<${group}_same>\\d+)-\\k<${group}_same>[ ,]`, ...smaller(`${group}_last`, '-')];
  const isInside = `(?:${smaller(`${group}_size`, '-\\d*(?:,[^ ]*)? ').join('|')})`;
  const suffix = '-0*[1-9]\\d*[ ,]';
  return `^bytes=(?:${suffix}|(?=${number}-${number}?[ ,])(?=${isInside})(?:${ends.join('|')}))`;
}

/** Matches a number, then `between`, then a larger number. */
function smaller(group: string, between: string): string[] {
  const [pair, start] = [`${group}_pair`, `${group}_start`];
  // The recursion matches as many digits before `between` as after it.
  const pairs = `(?<${pair}>\\d(?:(?&${pair})|${between})\\d)`;
  const digits = DIGITS.slice(0, -1).map((digit) => `${digit}\\d*${between}\\k<${start}>[${digit + 1}-9]`);
  return [`${pairs}\\d`, `(?=(?&${pair})(?!\\d))(?<${start}>\\d*)(?:${digits.join('|')})`];
}
