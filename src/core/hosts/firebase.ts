/**
 * Firebase Hosting: `firebase.json` at the root of what is deployed. Only pages have clean URLs there, so each document
 * is an index page too, sent with its own media type. Of two rules that set a header, the later one holds.
 */

import { JSON_MEDIA_TYPE } from '../api/dialect.ts';
import { NOT_FOUND } from '../api/problem.ts';
import { HOSTS_FOLDER, NOT_ALLOWED_FILE, NOT_FOUND_FILE, PRETTY_FOLDER } from '../tree/layout.ts';
import type { Host } from './host.ts';
import { literally, pathsPattern, rawPattern } from './patterns.ts';
import {
  CHOSEN_BY_PATH,
  COMPRESSED_ON_THE_WAY,
  FOREMOST_LATEST,
  foremostRedirects,
  MISSES_SHARE_RULES,
  NO_ACCEPT,
  NO_GONE,
  NO_RULES,
  namesOnly,
  ONE_ETAG,
  plainHeaders,
} from './plain-hosting.ts';
import type { HostRules } from './rules.ts';

const CONFIGURATION_FILE = 'firebase.json';
const MOST_REDIRECTS = 200;

export const firebase: Host = {
  name: 'firebase',
  title: 'Firebase Hosting',
  evidence: 'emulator',
  variants: namesOnly('{path}/index.html'),
  shortcomings: [
    NO_ACCEPT,
    ...CHOSEN_BY_PATH,
    ...NO_RULES,
    MISSES_SHARE_RULES,
    { capability: 'headers', extent: 'partly', why: 'Redirects are sent without them.', covers: /\/latest has / },
    { capability: 'last-modified', extent: 'none', why: 'Last-Modified is the time of the deployment.' },
    ONE_ETAG,
    {
      capability: 'not-found',
      extent: 'partly',
      why: 'Rules for headers hold for misses too: a miss has the media type of its path. Paths that end in /index are redirected.',
      covers: / is 404 as |^\/(?:sites\/)?index answers 301, not 404$/,
    },
    {
      capability: 'method-not-allowed',
      extent: 'none',
      why: 'Methods are not looked at: others are answered as GET is.',
    },
    COMPRESSED_ON_THE_WAY,
    NO_GONE,
    FOREMOST_LATEST,
  ],
  limits: [
    {
      of: 'file-size',
      most: 2_000_000_000,
      source: 'firebase.google.com/docs/hosting/usage-quotas-pricing: 2 GB for one file',
    },
  ],
  files: (rules) =>
    new Map([
      [CONFIGURATION_FILE, configurationFile(rules)],
      ['404.html', NOT_FOUND],
    ]),
};

function configurationFile(rules: HostRules): string {
  const { prefix } = rules;
  const redirects = foremostRedirects(rules, ({ length }) => length + rules.pages.length <= MOST_REDIRECTS);
  const hosting = {
    public: '.',
    ignore: [
      CONFIGURATION_FILE,
      // But for .well-known.
      '**/.[!w]*',
      ...[HOSTS_FOLDER, PRETTY_FOLDER, rules.goneFolder].map((folder) => `**/${folder}/**`),
      ...[NOT_FOUND_FILE, NOT_ALLOWED_FILE].map((file) => `${prefix}/${file}`.slice(1)),
      '**/*.gz',
      '**/*.br',
    ],
    cleanUrls: true,
    redirects: [
      ...rules.pages.map(({ folder, page }) => ({
        regex: `^${literally(prefix + folder)}/?$`,
        destination: prefix + page,
        type: 307,
      })),
      ...redirects.map(({ from, to }) => ({
        regex: `^${literally(prefix + from)}(?:/|\\.json)?$`,
        destination: prefix + to,
        type: 307,
      })),
    ],
    headers: headerRules(rules),
  };
  return `${JSON.stringify({ hosting }, null, 2)}\n`;
}

function headerRules(rules: HostRules): object[] {
  const { prefix, classes, vendorTypes } = rules;
  const common = {
    ...plainHeaders(rules),
    'Cache-Control': rules.cacheControl('mutable'),
    'Content-Type': JSON_MEDIA_TYPE,
  };
  const all = headerRule(`^${literally(prefix)}(?:/.*)?$`, common);
  const raw = rules.raw.map((each) => headerRule(rawPattern(rules, each), { 'Content-Type': each.mediaType }));
  if (!vendorTypes) return [all, ...raw];
  return [
    all,
    ...(['item', 'collection', 'feed'] as const).map((form) =>
      headerRule(
        `^${literally(prefix)}(?:${pathsPattern(classes.filter((each) => each.form === form)).slice(1, -1)})/?$`,
        { 'Content-Type': `${vendorTypes[form]}; charset=utf-8` },
      ),
    ),
    headerRule(`^${literally(prefix)}/.*\\.json$`, { 'Content-Type': JSON_MEDIA_TYPE }),
    ...raw,
  ];
}

function headerRule(regex: string, headers: Readonly<Record<string, string>>): object {
  return { regex, headers: Object.entries(headers).map(([key, value]) => ({ key, value })) };
}
