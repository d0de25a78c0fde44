/** Plans the uploads and the bucket settings for object storage that has the S3 interface and a website endpoint. */

import { endpointOf, type Form } from '../api/endpoints.ts';
import { isRaw, type RawForm } from '../api/raw-forms.ts';
import { HOSTS_FOLDER, MANIFEST_FILE, NOT_FOUND_FILE } from '../tree/layout.ts';
import { INDEX_END, isPlainJsonForm, storedForms } from '../tree/url-forms.ts';
import { type Host, type HostDocument, type PerDocumentFile, partly, unsupported } from './host.ts';
import { NO_TOMBSTONES, namesOnly, ONE_ETAG, PATH_ONLY, TOP_LEVEL_LATEST, topLevelRedirects } from './plain-hosting.ts';
import type { HostRules, PathClass } from './rules.ts';

const FOLDER = `${HOSTS_FOLDER}/s3`;
const MOST_RULES = 50;

/** Uploads each document once for each form of its URL, because S3 compares keys literally. Each line is one upload. */
export const uploadPlan: PerDocumentFile = {
  file: `${FOLDER}/upload.jsonl`,
  head: (rules) =>
    line(keyOf(rules, `/${NOT_FOUND_FILE}`), NOT_FOUND_FILE, { 'Content-Type': rules.problemType }) +
    line(keyOf(rules, `/${MANIFEST_FILE}`), MANIFEST_FILE, { 'Content-Type': rules.plainType }),
  lines: documentLines,
};

/** Returns the key for a path below the base. Keys do not begin with a slash. */
export function keyOf({ prefix }: Pick<HostRules, 'prefix'>, path: string): string {
  return `${prefix}${path}`.slice(1);
}

function documentLines(rules: HostRules, { path, file }: HostDocument): string {
  const endpoint = endpointOf(path);
  const classes: readonly PathClass<Form | RawForm>[] = [...rules.raw, ...rules.classes];
  const found = classes.find(({ form, cache }) => form === endpoint?.form && cache === endpoint.cache);
  if (!found) return '';
  const lines = storedForms(path).map((form) => {
    const key = keyOf(rules, form);
    const metadata = {
      'Content-Type': isPlainJsonForm(form) && !isRaw(found.form) ? rules.plainType : found.mediaType,
      'Cache-Control': rules.cacheControl[found.cache],
    };
    return key === '' ? '' : line(key, file, metadata);
  });
  return lines.join('');
}

function line(key: string, file: string, metadata: Readonly<Record<string, string>>): string {
  return `${JSON.stringify({ key, file, ...metadata })}\n`;
}

export const s3: Host = {
  name: 's3',
  title: 'S3-like object storage, website endpoint',
  evidence: 'documentation',
  variants: namesOnly(),
  shortcomings: [
    ...PATH_ONLY,
    partly(
      'headers',
      'Objects store only Content-Type and Cache-Control. CORS headers are sent to requests with an Origin.',
      / has /,
    ),
    unsupported('last-modified', 'Last-Modified is the time of the upload.'),
    ONE_ETAG,
    partly(
      'not-found',
      'The storage rejects some requests, such as long keys, with its own errors. The problem document itself has a path. Paths that begin like a redirected path are redirected.',
      / \(\d+ characters\) |^\S*%\S* |^\/404\.json answers 200, not 404$|^\/versions\/latest\/nope answers 307, not 404$/,
    ),
    partly(
      'method-not-allowed',
      'The storage rejects other methods without a problem document.',
      / is 405 | answers 4\d\d, not 405$/,
    ),
    unsupported('precompressed', 'Each object has one encoding.'),
    NO_TOMBSTONES,
    { ...TOP_LEVEL_LATEST, why: `${TOP_LEVEL_LATEST.why} Redirects lead to http URLs, since the endpoint has no TLS.` },
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

/** Returns the bucket's website settings. A redirect rule matches every key that begins with the rule's prefix. */
function website(rules: HostRules): object {
  const redirects = topLevelRedirects(rules, ({ length }) => length <= MOST_RULES);
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
