/**
 * Patterns for servers with PCRE, nginx and Apache: what the common subset cannot say, or says slowly. Their rules for
 * prefixes: below a prefix and in a snapshot a client may put what stands before every link before it once more, and asks
 * for histories in the snapshot, where its links do not lead.
 */
import { versionsUrl } from '../api/urls.ts';
import { groupName, literally, PROBLEM_PATHS_PATTERN, pathsPattern, SNAPSHOT_PATTERN, SUFFIX } from './patterns.ts';
import type { HostRules, RawClass } from './rules.ts';

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
