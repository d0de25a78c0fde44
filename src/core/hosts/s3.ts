/**
 * The upload plan: one line of JSON for each object, with its key, its file and the metadata that it is stored with. Each
 * document is stored under every form of its path, since keys are taken literally.
 */

import { endpointOf, type Form } from '../api/endpoints.ts';
import type { RawForm } from '../api/raw-forms.ts';
import { HOSTS_FOLDER, MANIFEST_FILE, NOT_FOUND_FILE } from '../tree/layout.ts';
import { INDEX_END, isPlainForm, storedForms } from '../tree/url-forms.ts';
import type { Host, HostDocument, PerDocumentFile } from './host.ts';
import {
  CHOSEN_BY_PATH,
  FOREMOST_LATEST,
  foremostRedirects,
  NO_ACCEPT,
  NO_GONE,
  NO_RULES,
  namesOnly,
  ONE_ETAG,
} from './plain-hosting.ts';
import type { HostRules, PathClass } from './rules.ts';

export const uploadPlan: PerDocumentFile = {
  file: `${HOSTS_FOLDER}/s3/upload.jsonl`,
  head: (rules) => headLines(rules),
  lines: (rules, document) => documentLines(rules, document),
};

/** The key of a path below the base: keys have no slash at their beginning. */
export function keyOf({ prefix }: Pick<HostRules, 'prefix'>, path: string): string {
  return `${prefix}${path}`.slice(1);
}

/** An error has no Cache-Control. */
function headLines(rules: HostRules): string {
  return (
    line(keyOf(rules, `/${NOT_FOUND_FILE}`), NOT_FOUND_FILE, { 'Content-Type': rules.problemType }) +
    line(keyOf(rules, `/${MANIFEST_FILE}`), MANIFEST_FILE, { 'Content-Type': rules.plainType })
  );
}

function documentLines(rules: HostRules, { path, file }: HostDocument): string {
  const endpoint = endpointOf(path);
  const isIts = ({ form, cache }: PathClass<Form | RawForm>) => form === endpoint?.form && cache === endpoint.cache;
  const raw = rules.raw.find(isIts);
  if (raw) {
    const metadata = { 'Content-Type': raw.mediaType, 'Cache-Control': rules.cacheControl(raw.cache) };
    const lines = storedForms(path).map((form) => line(keyOf(rules, form), file, metadata));
    return lines.join('');
  }
  const answered = rules.classes.find(isIts);
  if (!answered) return '';
  const { mediaType, cache } = answered;
  return storedForms(path)
    .map((form) => {
      const metadata = {
        'Content-Type': isPlainForm(form) ? rules.plainType : mediaType,
        'Cache-Control': rules.cacheControl(cache),
      };
      const key = keyOf(rules, form);
      return key === '' ? '' : line(key, file, metadata);
    })
    .join('');
}

function line(key: string, file: string, metadata: Readonly<Record<string, string>>): string {
  return `${JSON.stringify({ key, file, ...metadata })}\n`;
}

/** Object storage with the S3 interface and its website endpoint: what is uploaded, and how the bucket is set up. */
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
