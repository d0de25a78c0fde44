/**
 * Azure Static Web Apps reads `staticwebapp.config.json`. For a path without a file extension, Azure only looks for
 * HTML files, so each document is also stored as `index.html`. The file extension determines the media type.
 */

import { JSON_MEDIA_TYPE } from '../api/dialect.ts';
import { NOT_FOUND } from '../api/problem.ts';
import { type Host, partly, unsupported } from './host.ts';
import {
  DEPLOYMENT_TIME,
  namesOnly,
  ONE_ETAG,
  PATH_ONLY,
  plainHeaders,
  RULES_MATCH_ERRORS,
  TOP_LEVEL_LATEST,
  topLevelRedirects,
} from './plain-hosting.ts';
import type { HostRules, Redirect } from './rules.ts';

const LARGEST_CONFIGURATION = 20_000;
/** Azure derives the media type of the 404 document from this ending. */
const MISSES_FILE = '404.problem';

export const azure: Host = {
  name: 'azure',
  title: 'Azure Static Web Apps',
  evidence: 'emulator',
  variants: namesOnly('{path}/index.html'),
  shortcomings: [
    partly(
      'media-types',
      'The file extension decides. In the legacy dialect, every document is application/json. The API catalog is application/octet-stream.',
      / is application\/json, not application\/(?:vnd\.|feed\+json)|^\/\.well-known\/api-catalog is application\/octet-stream, not /,
    ),
    ...PATH_ONLY,
    RULES_MATCH_ERRORS,
    DEPLOYMENT_TIME,
    ONE_ETAG,
    partly(
      'not-found',
      'The host rejects some paths, such as long ones, with its own error pages. It also serves files of the tree that are not documents, and paths that end in /index. A 404 has the Cache-Control of documents.',
      / \(3\d\d characters\) | answers 404 with Cache-Control: |^\/(?:sites\/index|40[45]\.json|_gone\/\S+\.json) answers 200, not 404$/,
    ),
    partly(
      'method-not-allowed',
      '405 has Allow, but no problem document.',
      / is 405 as | has no detail in its problem document$/,
    ),
    unsupported('precompressed', 'Each path has one file. Accept-Encoding has no effect.'),
    unsupported('gone', 'Only 400, 401, 403 and 404 can have a document: removed resources return 404.'),
    {
      ...TOP_LEVEL_LATEST,
      why: `Redirects are 302. ${TOP_LEVEL_LATEST.why}`,
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
    const redirects = topLevelRedirects(
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
  const redirect = (path: string, target: string) => ({
    route: prefix + path,
    redirect: prefix + target,
    statusCode: 302,
    headers: { 'Cache-Control': '' },
  });
  const configuration = {
    routes: [
      { route: '/*', methods: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], statusCode: 405 },
      ...rules.pages.flatMap(({ folder, page }) => ['', '/'].map((end) => redirect(folder + end, page))),
      ...redirects.flatMap(({ from, to }) => ['', '/', '.json'].map((end) => redirect(from + end, to))),
    ],
    responseOverrides: { 404: { rewrite: `/${MISSES_FILE}` } },
    globalHeaders: { ...plainHeaders(rules), 'Cache-Control': rules.cacheControl.mutable },
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
