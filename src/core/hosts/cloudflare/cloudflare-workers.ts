/** Cloudflare Workers with static assets alone: `_headers`, `_redirects` and a configuration that says where they are. */
import { NOT_FOUND } from '../../api/problem.ts';
import { HOSTS_FOLDER, NOT_ALLOWED_FILE, NOT_FOUND_FILE, PRETTY_FOLDER } from '../../tree/layout.ts';
import type { Host } from '../host.ts';
import {
  CHOSEN_BY_PATH,
  COMPRESSED_ON_THE_WAY,
  FOREMOST_LATEST,
  MISSES_SHARE_RULES,
  NO_ACCEPT,
  NO_GONE,
  NO_RULES,
  namesOnly,
  ONE_ETAG,
} from '../plain-hosting.ts';
import { assetLimits, ignoreFile, wranglerFile } from './assets.ts';
import { headersFile } from './headers-file.ts';
import { RULE_LIMITS, redirectsFile, redirectsWithin } from './redirects-file.ts';

export const cloudflareWorkers: Host = {
  name: 'cloudflare-workers',
  title: 'Cloudflare Workers, static assets',
  evidence: 'emulator',
  variants: namesOnly(),
  shortcomings: [
    NO_ACCEPT,
    ...CHOSEN_BY_PATH,
    ...NO_RULES,
    MISSES_SHARE_RULES,
    { capability: 'last-modified', extent: 'none', why: 'Assets are kept without file times.' },
    ONE_ETAG,
    {
      capability: 'not-found',
      extent: 'partly',
      why: 'Rules for headers hold for misses too: a miss has the media type of its path. Paths with escapes are redirected first, and /index is the root.',
      covers: / is 404 as |^\/index answers 200, not 404$|^\S*%\S* answers 307, /,
    },
    {
      capability: 'method-not-allowed',
      extent: 'partly',
      why: 'Other methods are 405 with Allow where there is a document, without a problem document; redirects answer them too.',
      covers: / is 405 as | answers 307, not 405$/,
    },
    COMPRESSED_ON_THE_WAY,
    NO_GONE,
    FOREMOST_LATEST,
  ],
  limits: [...assetLimits('workers'), ...RULE_LIMITS],
  files: (rules) => {
    const redirects = redirectsWithin(rules);
    const ignored = [PRETTY_FOLDER, rules.goneFolder, NOT_FOUND_FILE, NOT_ALLOWED_FILE];
    return new Map([
      ['_headers', headersFile(rules, { redirects, missesAreApart: false })],
      ['_redirects', redirectsFile(rules, redirects)],
      ['404.html', NOT_FOUND],
      ['.assetsignore', ignoreFile(rules, ignored)],
      [
        `${HOSTS_FOLDER}/cloudflare-workers/wrangler.jsonc`,
        wranglerFile(rules, {}, { not_found_handling: '404-page' }),
      ],
    ]);
  },
};
