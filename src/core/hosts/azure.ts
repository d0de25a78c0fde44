/**
 * Azure Static Web Apps: `staticwebapp.config.json` at the root of what is deployed. Only pages answer without their
 * ending, so each document is an index page too. Media types go by the ending of the file, and nothing else.
 */

import { JSON_MEDIA_TYPE } from '../api/dialect.ts';
import { NOT_FOUND } from '../api/problem.ts';
import type { Host } from './host.ts';
import {
  CHOSEN_BY_PATH,
  FOREMOST_LATEST,
  foremostRedirects,
  MISSES_SHARE_RULES,
  NO_ACCEPT,
  NO_RULES,
  namesOnly,
  ONE_ETAG,
  plainHeaders,
} from './plain-hosting.ts';
import type { HostRules, Redirect } from './rules.ts';

const LARGEST_CONFIGURATION = 20_000;
/** A file with an ending of its own, so that a miss has a media type of its own. */
const MISSES_FILE = '404.problem';

export const azure: Host = {
  name: 'azure',
  title: 'Azure Static Web Apps',
  evidence: 'emulator',
  variants: namesOnly('{path}/index.html'),
  shortcomings: [
    {
      capability: 'media-types',
      extent: 'partly',
      why: 'Media types go by the ending of a file: in the legacy dialect everything is application/json, and the catalogue of APIs, which has no ending, is application/octet-stream.',
      covers:
        / is application\/json, not application\/(?:vnd\.|feed\+json)|^\/\.well-known\/api-catalog is application\/octet-stream, not /,
    },
    NO_ACCEPT,
    ...CHOSEN_BY_PATH,
    ...NO_RULES,
    MISSES_SHARE_RULES,
    { capability: 'last-modified', extent: 'none', why: 'Last-Modified is the time of the deployment.' },
    ONE_ETAG,
    {
      capability: 'not-found',
      extent: 'partly',
      why: 'Paths that the host itself refuses, such as too long ones, are answered in its own words. Files of the tree that are no documents are answered, and paths that end in /index. Misses have the Cache-Control of everything.',
      covers:
        / \(3\d\d characters\) | answers 404 with Cache-Control: |^\/(?:sites\/index|40[45]\.json|_gone\/\S+\.json) answers 200, not 404$/,
    },
    {
      capability: 'method-not-allowed',
      extent: 'partly',
      why: 'Other methods are 405 with Allow, without a problem document.',
      covers: / is 405 as | has no detail in its problem document$/,
    },
    {
      capability: 'precompressed',
      extent: 'none',
      why: 'There is one file for each path, whatever Accept-Encoding says.',
    },
    {
      capability: 'gone',
      extent: 'none',
      why: 'A document can be chosen for 400, 401, 403 and 404 alone, and one for each: what was removed is 404.',
    },
    {
      ...FOREMOST_LATEST,
      why: `Redirects are 302, never 307. ${FOREMOST_LATEST.why}`,
      covers: / answers 302, not 307$|^\/sites\/(?!versions\/)\S+ answers 200, not 307$/,
    },
  ],
  limits: [
    {
      of: 'tree-size',
      most: 250_000_000,
      paid: 500_000_000,
      source: 'learn.microsoft.com/azure/static-web-apps/quotas: 250 MB on the free plan, 500 MB on the standard one',
    },
    {
      of: 'configuration-size',
      most: LARGEST_CONFIGURATION,
      source: 'learn.microsoft.com/azure/static-web-apps/configuration: 20 KB for staticwebapp.config.json',
    },
  ],
  files: (rules) => {
    const redirects = foremostRedirects(
      rules,
      (some) => configurationFile(rules, some).length <= LARGEST_CONFIGURATION,
    );
    return new Map([
      ['staticwebapp.config.json', configurationFile(rules, redirects)],
      [MISSES_FILE, NOT_FOUND],
    ]);
  },
};

function configurationFile(rules: HostRules, redirects: readonly Redirect[]): string {
  const { prefix, problemType } = rules;
  const configuration = {
    routes: [
      { route: '/*', methods: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], statusCode: 405 },
      ...rules.pages.flatMap(({ folder, page }) =>
        [folder, `${folder}/`].map((form) => ({
          route: prefix + form,
          redirect: prefix + page,
          statusCode: 302,
          headers: { 'Cache-Control': '' },
        })),
      ),
      ...redirects.flatMap(({ from, to }) =>
        ['', '/', '.json'].map((form) => ({
          route: prefix + from + form,
          redirect: prefix + to,
          statusCode: 302,
          headers: { 'Cache-Control': '' },
        })),
      ),
    ],
    responseOverrides: { 404: { rewrite: `/${MISSES_FILE}` } },
    globalHeaders: { ...plainHeaders(rules), 'Cache-Control': rules.cacheControl('mutable') },
    mimeTypes: {
      '.json': JSON_MEDIA_TYPE,
      '.html': JSON_MEDIA_TYPE,
      '.problem': problemType,
      ...Object.fromEntries(
        rules.raw.filter(({ ending }) => /^\.\w+$/.test(ending)).map(({ ending, mediaType }) => [ending, mediaType]),
      ),
    },
  };
  return `${JSON.stringify(configuration, null, 1)}\n`;
}
