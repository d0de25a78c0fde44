/** Object storage with the S3 interface and its website endpoint: what is uploaded, and how the bucket is set up. */

import { HOSTS_FOLDER, NOT_FOUND_FILE } from '../../tree/layout.ts';
import { INDEX_END } from '../../tree/url-forms.ts';
import { foremostRedirects } from '../foremost-redirects.ts';
import type { Host } from '../host.ts';
import {
  CHOSEN_BY_PATH,
  FOREMOST_LATEST,
  NO_ACCEPT,
  NO_GONE,
  NO_RULES,
  namesOnly,
  ONE_ETAG,
} from '../plain-hosting.ts';
import type { HostRules } from '../rules.ts';
import { keyOf, uploadPlan } from './upload-plan.ts';

const FOLDER = `${HOSTS_FOLDER}/s3`;
const MOST_RULES = 50;

export const s3: Host = {
  name: 's3',
  title: 'S3-like object storage, website endpoint',
  evidence: 'documentation',
  variants: namesOnly(),
  shortcomings: [
    NO_ACCEPT,
    ...CHOSEN_BY_PATH,
    ...NO_RULES,
    {
      capability: 'headers',
      extent: 'partly',
      why: 'An object keeps Content-Type and Cache-Control, no other header; CORS headers are sent to requests with an Origin.',
      covers: / has /,
    },
    { capability: 'last-modified', extent: 'none', why: 'Last-Modified is the time of the upload.' },
    ONE_ETAG,
    {
      capability: 'not-found',
      extent: 'partly',
      why: 'Requests that the storage itself refuses, such as for keys that are too long, are answered in its own words. The object of the problem document is answered, and what begins like a redirected path is redirected.',
      covers:
        / \(\d+ characters\) |^\S*%\S* |^\/404\.json answers 200, not 404$|^\/versions\/latest\/nope answers 307, not 404$/,
    },
    {
      capability: 'method-not-allowed',
      extent: 'partly',
      why: 'Other methods are refused in the words of the storage, without a problem document.',
      covers: / is 405 | answers 4\d\d, not 405$/,
    },
    { capability: 'precompressed', extent: 'none', why: 'An object has one encoding.' },
    NO_GONE,
    {
      ...FOREMOST_LATEST,
      why: `${FOREMOST_LATEST.why} Where it leads to is an http URL: the endpoint has no TLS of its own.`,
    },
  ],
  limits: [
    {
      of: 'redirects',
      most: MOST_RULES,
      source: 'docs.aws.amazon.com/AmazonS3/latest/userguide/how-to-page-redirect.html: 50 routing rules',
    },
  ],
  files: (rules) =>
    new Map([
      [`${FOLDER}/website.json`, `${JSON.stringify(website(rules), null, 2)}\n`],
      [`${FOLDER}/cors.json`, `${JSON.stringify(CORS, null, 2)}\n`],
    ]),
  listing: uploadPlan,
};

const CORS = { CORSRules: [{ AllowedOrigins: ['*'], AllowedMethods: ['GET', 'HEAD'], ExposeHeaders: ['ETag'] }] };

/** A rule holds for all keys that begin with its prefix: `latest`, `latest/` and `latest.json`. */
function website(rules: HostRules): object {
  const redirects = foremostRedirects(rules, ({ length }) => length <= MOST_RULES);
  return {
    IndexDocument: { Suffix: INDEX_END.slice(1) },
    ErrorDocument: { Key: keyOf(rules, `/${NOT_FOUND_FILE}`) },
    ...(redirects.length === 0
      ? {}
      : {
          RoutingRules: redirects.map(({ from, to }) => ({
            Condition: { KeyPrefixEquals: keyOf(rules, from) },
            Redirect: { ReplaceKeyWith: keyOf(rules, to), HttpRedirectCode: '307' },
          })),
        }),
  };
}
