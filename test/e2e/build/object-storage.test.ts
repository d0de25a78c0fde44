/** Follows the upload plan of a tree exactly, then answers from it by the rules that S3 documents for its websites. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { SendRequest } from '../../../src/core/api/http-exchange.ts';
import { probe } from '../../../src/core/hosts/probe/probe.ts';
import { s3 } from '../../../src/core/hosts/s3.ts';
import { decodeContent } from '../../../src/system/trees/content-coding.ts';
import { hostTree } from '../../support/trees/host-tree.ts';

const objectSchema = z.strictObject({
  key: z.string(),
  file: z.string(),
  'Content-Type': z.string(),
  'Cache-Control': z.string().exactOptional(),
});
const websiteSchema = z.strictObject({
  IndexDocument: z.strictObject({ Suffix: z.string() }),
  ErrorDocument: z.strictObject({ Key: z.string() }),
  RoutingRules: z.array(
    z.strictObject({
      Condition: z.strictObject({ KeyPrefixEquals: z.string() }),
      Redirect: z.strictObject({ ReplaceKeyWith: z.string(), HttpRedirectCode: z.string() }),
    }),
  ),
});

function objectsOf(tree: string) {
  return readFileSync(join(tree, '_hosts/s3/upload.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => objectSchema.parse(JSON.parse(line)));
}

function websiteOf(tree: string, prefix: string): SendRequest {
  const objects = new Map(objectsOf(tree).map((object) => [object.key, object]));
  const { IndexDocument, ErrorDocument, RoutingRules } = websiteSchema.parse(
    JSON.parse(readFileSync(join(tree, '_hosts/s3/website.json'), 'utf8')),
  );
  const answer = (status: number, key: string, known: string | undefined, isHead: boolean) => {
    const object = objects.get(key);
    if (!object) throw new Error(`no object has the key ${key}`);
    const body = readFileSync(join(tree, object.file));
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    const cache = object['Cache-Control'];
    return {
      status: known === etag ? 304 : status,
      headers: {
        'content-type': object['Content-Type'],
        etag,
        ...(cache === undefined ? {} : { 'cache-control': cache }),
      },
      body: known === etag || isHead ? new Uint8Array() : body,
    };
  };
  return async ({ method = 'GET', path, headers = {} }) => {
    if (method !== 'GET' && method !== 'HEAD')
      return { status: 405, headers: { 'content-type': 'application/xml' }, body: new Uint8Array() };
    const key = `${prefix}${path}`.replace(/\?.*$/s, '').slice(1);
    const rule = RoutingRules.find(({ Condition }) => key.startsWith(Condition.KeyPrefixEquals));
    if (rule) {
      const location = `http://bucket.example/${rule.Redirect.ReplaceKeyWith}`;
      return { status: Number(rule.Redirect.HttpRedirectCode), headers: { location }, body: new Uint8Array() };
    }
    const found = [key, `${key}${IndexDocument.Suffix}`].find((each) => objects.has(each));
    const isHead = method === 'HEAD';
    if (found === undefined) return answer(404, ErrorDocument.Key, undefined, isHead);
    return answer(200, found, String(headers['If-None-Match'] ?? '').replace(/^W\//, '') || undefined, isHead);
  };
}

test.each([
  ['current', ''],
  ['legacy', ''],
  ['legacy', '/api/v1'],
] as const)('the upload plan fulfills the contract: dialect %s, prefix "%s"', async (dialect, prefix) => {
  const { tree } = await hostTree(s3, dialect, prefix);
  const wrong: string[] = [];
  for await (const probed of probe(websiteOf(tree, prefix), decodeContent, s3)) {
    if (!probed) throw new Error('there is no API');
    if (probed.outcome === 'wrong')
      wrong.push(...probed.failing.map(({ request, message }) => `${probed.capability}: ${request} ${message}`));
  }
  expect(wrong).toEqual([]);
});
