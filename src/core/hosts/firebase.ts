/**
 * Firebase Hosting reads `firebase.json`. Firebase serves URLs without a suffix only from HTML pages. Each document
 * therefore has a copy `index.html`, and a rule sets its media type. If two rules set a header, the later rule applies.
 */

import { JSON_MEDIA_TYPE } from '../api/dialect.ts';
import { NOT_FOUND } from '../api/problem.ts';
import { HOSTS_FOLDER, NOT_ALLOWED_FILE, NOT_FOUND_FILE, PRETTY_FOLDER } from '../tree/layout.ts';
import { type Host, partly, unsupported } from './host.ts';
import { escapeRegExp, formPattern, rawPattern } from './patterns.ts';
import {
  DEPLOYMENT_TIME,
  HOST_COMPRESSION,
  NO_TOMBSTONES,
  namesOnly,
  ONE_ETAG,
  PATH_ONLY,
  plainHeaders,
  RULES_MATCH_ERRORS,
  TOP_LEVEL_LATEST,
  topLevelRedirects,
} from './plain-hosting.ts';
import { FORMS, type HostRules } from './rules.ts';

const CONFIGURATION_FILE = 'firebase.json';
const MOST_REDIRECTS = 200;

export const firebase: Host = {
  name: 'firebase',
  title: 'Firebase Hosting',
  evidence: 'emulator',
  variants: namesOnly('{path}/index.html'),
  shortcomings: [
    ...PATH_ONLY,
    RULES_MATCH_ERRORS,
    partly('headers', 'Redirects have no configured headers.', /\/latest has /),
    DEPLOYMENT_TIME,
    ONE_ETAG,
    partly(
      'not-found',
      'A 404 has the media type of its path. Paths that end in /index are redirected.',
      / is 404 as |^\/(?:sites\/)?index answers 301, not 404$/,
    ),
    unsupported('method-not-allowed', 'The host handles other methods like GET.'),
    HOST_COMPRESSION,
    NO_TOMBSTONES,
    TOP_LEVEL_LATEST,
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
  const redirects = topLevelRedirects(rules, ({ length }) => length + rules.pages.length <= MOST_REDIRECTS);
  const hosting = {
    public: '.',
    ignore: [
      CONFIGURATION_FILE,
      // Excludes hidden files except .well-known.
      '**/.[!w]*',
      ...[HOSTS_FOLDER, PRETTY_FOLDER, rules.tombstoneFolder].map((folder) => `**/${folder}/**`),
      ...[NOT_FOUND_FILE, NOT_ALLOWED_FILE].map((file) => `${prefix}/${file}`.slice(1)),
      '**/*.gz',
      '**/*.br',
    ],
    cleanUrls: true,
    redirects: [
      ...rules.pages.map(({ folder, page }) => ({
        regex: `^${escapeRegExp(prefix + folder)}/?$`,
        destination: prefix + page,
        type: 307,
      })),
      ...redirects.map(({ from, to }) => ({
        regex: `^${escapeRegExp(prefix + from)}(?:/|\\.json)?$`,
        destination: prefix + to,
        type: 307,
      })),
    ],
    headers: headerRules(rules),
  };
  return `${JSON.stringify({ hosting }, null, 2)}\n`;
}

function headerRules(rules: HostRules): object[] {
  const { prefix, vendorTypes } = rules;
  const common = {
    ...plainHeaders(rules),
    'Cache-Control': rules.cacheControl.mutable,
    'Content-Type': JSON_MEDIA_TYPE,
  };
  const all = headerRule(`^${escapeRegExp(prefix)}(?:/.*)?$`, common);
  const raw = rules.raw.map((each) => headerRule(rawPattern(rules, each), { 'Content-Type': each.mediaType }));
  if (!vendorTypes) return [all, ...raw];
  return [
    all,
    ...FORMS.map((form) =>
      headerRule(`^${escapeRegExp(prefix)}(?:${formPattern(rules, form).slice(1, -1)})/?$`, {
        'Content-Type': `${vendorTypes[form]}; charset=utf-8`,
      }),
    ),
    headerRule(`^${escapeRegExp(prefix)}/.*\\.json$`, { 'Content-Type': JSON_MEDIA_TYPE }),
    ...raw,
  ];
}

function headerRule(regex: string, headers: Readonly<Record<string, string>>): object {
  return { regex, headers: Object.entries(headers).map(([key, value]) => ({ key, value })) };
}
