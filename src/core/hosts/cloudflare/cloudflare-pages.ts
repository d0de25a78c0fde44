/** Cloudflare Pages: `_headers`, `_redirects` and the page for misses, all at the root of what is deployed. */
import { NOT_FOUND } from '../../api/problem.ts';
import type { Host } from '../host.ts';
import {
  CHOSEN_BY_PATH,
  COMPRESSED_ON_THE_WAY,
  FOREMOST_LATEST,
  NO_ACCEPT,
  NO_GONE,
  NO_RULES,
  namesOnly,
} from '../plain-hosting.ts';
import { assetLimits } from './assets.ts';
import { headersFile } from './headers-file.ts';
import { RULE_LIMITS, redirectsFile, redirectsWithin } from './redirects-file.ts';

export const cloudflarePages: Host = {
  name: 'cloudflare-pages',
  title: 'Cloudflare Pages',
  evidence: 'emulator',
  variants: namesOnly(),
  shortcomings: [
    NO_ACCEPT,
    ...CHOSEN_BY_PATH,
    ...NO_RULES,
    { capability: 'last-modified', extent: 'none', why: 'Assets are kept without file times.' },
    {
      capability: 'etag',
      extent: 'partly',
      why: 'If-None-Match is understood with one ETag, not with a list of them, and a 304 does not repeat it.',
      covers: / with If-None-Match: [^ ]+, \S+ answers 200, not 304$| is 304 with etag: none$/,
    },
    {
      capability: 'not-found',
      extent: 'partly',
      why: 'Rules for headers hold for misses too: a miss has the media type of its path. Files of the tree that are no documents, such as 404.json, are answered, and /index is the root.',
      covers: / is 404 as |^\/(?:index|40[45](?:\.json)?|_gone\/\S+) answers 200, not 404$/,
    },
    {
      capability: 'method-not-allowed',
      extent: 'partly',
      why: 'Other methods are 405 with Allow, without a problem document; redirects answer them too.',
      covers: / is 405 as | answers 307, not 405$/,
    },
    COMPRESSED_ON_THE_WAY,
    NO_GONE,
    FOREMOST_LATEST,
  ],
  limits: [...assetLimits('pages'), ...RULE_LIMITS],
  files: (rules) => {
    const redirects = redirectsWithin(rules);
    return new Map([
      ['_headers', headersFile(rules, { redirects, missesAreApart: true })],
      ['_redirects', redirectsFile(rules, redirects)],
      ['404.html', NOT_FOUND],
    ]);
  },
};
