/** Regular expressions over paths without prefix and suffix, in the common subset of PCRE, RE2 and ECMAScript, and over what requests ask for. */

import { JSON_MEDIA_TYPE } from '../api/dialect.ts';
import type { Form } from '../api/endpoints.ts';
import { EXPLORER_FOLDER } from '../api/explorer/explorer-paths.ts';
import { EXPORTS_FOLDER, SNAPSHOTS_PATH } from '../api/urls.ts';
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
export const PROBLEM_PATHS_PATTERN = `(?:${[NOT_FOUND_FILE, NOT_ALLOWED_FILE]
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
