/**
 * Cloudflare's `_headers`. All rules that match are applied in their order, and a header that is set twice is joined
 * with a comma unless it is detached in between (`! Name`). Rules hold for misses and redirects too.
 */

import { JSON_MEDIA_TYPE } from '../api/dialect.ts';
import type { Form } from '../api/endpoints.ts';
import { PAGE_PARAMETER } from '../api/nodes/node-paths.ts';
import {
  changesPageUrl,
  latestVersionUrl,
  SNAPSHOTS_PATH,
  snapshotUrl,
  timemapUrl,
  versionsPageUrl,
  versionsUrl,
  versionUrl,
} from '../api/urls.ts';
import { ANSWERED_ENDS, INDEX_END, urlForms } from '../tree/url-forms.ts';
import { globOf, rawGlobs } from './patterns.ts';
import { plainHeaders, redirectedTemplates } from './plain-hosting.ts';
import type { HostRules, Redirect } from './rules.ts';

interface HeadersFileOptions {
  readonly redirects: readonly Redirect[];
  /** Whether misses are sent with a Cache-Control of the host's own, so that others may say `immutable`. */
  readonly missesAreApart: boolean;
}

export function headersFile(rules: HostRules, options: HeadersFileOptions): string {
  const redirected = redirectedTemplates(options.redirects).map((template) => `${globOf(template)}*`);
  const common = {
    ...plainHeaders(rules),
    'Cache-Control': rules.cacheControl('mutable'),
    'Content-Type': rules.classes.find(({ form }) => form === 'item')?.mediaType ?? JSON_MEDIA_TYPE,
  };
  return [
    '# gridpress: headers by path. Generated; do not edit.',
    rule(`${rules.prefix}/*`, Object.entries(common)),
    ...(rules.vendorTypes ? mediaTypeRules(rules) : []),
    ...(options.missesAreApart ? cacheRules(rules, redirected) : []),
    ...rawRules(rules, options.missesAreApart),
    ...redirected.map((glob) => rule(rules.prefix + glob, [['Cache-Control', undefined]])),
    '',
  ].join('\n');
}

/** What is no JSON. Its rules come last, since the wider ones hold for its paths too. */
function rawRules({ prefix, raw, cacheControl }: HostRules, hasCacheRules: boolean): string[] {
  return raw.flatMap((each) => {
    const headers: [name: string, value: string][] = [['Content-Type', each.mediaType]];
    if (hasCacheRules) headers.push(['Cache-Control', cacheControl(each.cache)]);
    const detached = headers.map(([name]) => [name, undefined] as const);
    return rawGlobs(each).map((glob) => rule(prefix + glob, [...detached, ...headers]));
  });
}

/** Collections and feeds, where everything is an item before; then what ends in `.json`. */
function mediaTypeRules({ prefix, classes }: HostRules): string[] {
  const ofForm = (wanted: Form) => classes.filter(({ form }) => form === wanted);
  const typed = (mediaType: string, globs: readonly string[]) =>
    globs.flatMap((glob) => [glob, `${glob}/`]).map((glob) => replacing(prefix + glob, 'Content-Type', mediaType));
  const items = ofForm('item').flatMap(({ mediaType, templates }) =>
    templates.map((template) => ({ mediaType, template })),
  );
  return [
    ...ofForm('collection').flatMap(({ mediaType, templates }) => {
      const { wide, narrow } = collectionGlobs(templates);
      const among = items.filter(({ template }) => wide.some((glob) => isAmong(template, glob)));
      return [
        ...typed(mediaType, wide),
        ...among.flatMap((item) => typed(item.mediaType, [globOf(item.template)])),
        ...typed(mediaType, narrow),
      ];
    }),
    ...ofForm('feed').flatMap(({ mediaType, templates }) => typed(mediaType, templates.map(globOf))),
    replacing(`${prefix}/*.json`, 'Content-Type', JSON_MEDIA_TYPE),
  ];
}

/** From so many collections at the root or below one item on, they have one glob, and the items among them rules of their own. */
const MANY = 4;

/** One glob for all that many collections have in common, since the number of rules is bounded; one for each of the others. */
function collectionGlobs(templates: readonly string[]) {
  const below = new Map<string, string[]>();
  const narrow = new Set<string>();
  for (const template of templates) {
    const glob = shortGlobOf(template);
    const above = template.slice(0, template.lastIndexOf('/'));
    if (glob !== globOf(template) || !/^$|\}$/.test(above)) narrow.add(glob);
    else below.set(above, [...(below.get(above) ?? []), glob]);
  }
  const wide: string[] = [];
  for (const [above, globs] of below) {
    if (globs.length >= MANY) wide.push(`${globOf(above)}/:collection`);
    else for (const glob of globs) narrow.add(glob);
  }
  return { wide, narrow: [...narrow] };
}

/** Whether paths of a template match a glob. */
function isAmong(template: string, glob: string): boolean {
  if (template === '/') return false;
  const segments = template.split('/');
  const wanted = glob.split('/');
  return (
    segments.length === wanted.length &&
    wanted.every((want, i) => want.startsWith(':') || segments[i]?.startsWith('{') || want === segments[i])
  );
}

/**
 * What never changes, then what these rules match besides. An asterisk stands for any resource: no uid is `versions`,
 * so that nothing else ends like that. Of two rules for the same path only one would count, and a rule
 * with two asterisks would not.
 */
function cacheRules({ prefix, cacheControl }: HostRules, redirected: readonly string[]): string[] {
  const id = ':version_id';
  const immutable = [
    ...['', '*'].flatMap((path) => [versionUrl(path, id), `${versionUrl(path, id)}/`]),
    snapshotUrl(id),
    `${snapshotUrl(id)}/*`,
  ];
  const ends = [...ANSWERED_ENDS, INDEX_END] as const;
  const mutable = [
    `${latestVersionUrl('')}*`,
    ...urlForms(latestVersionUrl('*'), ends),
    `${timemapUrl('')}*`,
    ...urlForms(timemapUrl('*'), ends),
    ...['', '*'].map((path) => `${versionsUrl(path)}/index.json`),
    `${SNAPSHOTS_PATH}/index.json`,
  ];
  return [
    ...immutable.map((glob) => replacing(prefix + glob, 'Cache-Control', cacheControl('immutable'))),
    ...mutable
      .filter((glob) => !redirected.includes(glob))
      .map((glob) => replacing(prefix + glob, 'Cache-Control', cacheControl('mutable'))),
  ];
}

/**
 * One glob for all histories below the root, and one for the pages of all histories and one for those of all changes,
 * since the number of rules is bounded: no uid is `versions`, and none stands before `/pages/` there.
 */
function shortGlobOf(template: string): string {
  for (const url of [versionsPageUrl, changesPageUrl])
    if (template.endsWith(url('', PAGE_PARAMETER))) return globOf(url('', PAGE_PARAMETER)).replace('/', '/*');
  const isBelow = template.endsWith(versionsUrl('')) && template !== versionsUrl('');
  return isBelow ? versionsUrl('*') : globOf(template);
}

function replacing(path: string, name: string, value: string): string {
  return rule(path, [
    [name, undefined],
    [name, value],
  ]);
}

/** A header without a value is detached. */
function rule(path: string, headers: readonly (readonly [name: string, value: string | undefined])[]): string {
  const lines = headers.map(([name, value]) => (value === undefined ? `  ! ${name}` : `  ${name}: ${value}`));
  return [path, ...lines].join('\n');
}
