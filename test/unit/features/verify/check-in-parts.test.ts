import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dialectOf } from '../../../../src/core/api/dialect.ts';
import { endpointOf } from '../../../../src/core/api/endpoints.ts';
import { assertDefined } from '../../../../src/core/platform/lookups.ts';
import { bodySchemas, checkAnswer } from '../../../../src/features/verify/check-response.ts';
import { checkInParts } from '../../../../src/features/verify/verify-content.ts';
import { packagedChecks } from '../../../../src/system/trees/packaged-checks.ts';

const URL = '/sites/x/clusters/main/nodes';
const REVISION = '1'.repeat(40);
const endpoint = assertDefined(endpointOf(URL));
const asked = {
  url: URL,
  endpoint,
  basePath: '',
  baseUrl: '',
  dialect: dialectOf({ dialect: 'current', vendor: 'example', release: '' }),
  schema: bodySchemas('current', 'typed', packagedChecks)(endpoint),
};

function collection(count: number): string {
  const item = (i: number) => {
    const uid = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
    const link = (rel: string, path: string) => ({ rel, href: path });
    const links = [
      link('self', `${URL}/${uid}`),
      link('parent', '/sites/x/clusters/main'),
      link('versions', `${URL}/${uid}/versions`),
      link('version', `${URL}/${uid}/versions/${REVISION}`),
      link('latest-version', `${URL}/${uid}/versions/${REVISION}`),
    ];
    return { type: 'node', uid, note: 'a "brace" }],"version": {', version: REVISION, links };
  };
  const links = [
    { rel: 'self', href: URL },
    { rel: 'parent', href: '/sites/x/clusters/main' },
  ];
  const items = Array.from({ length: count }, (_, i) => item(i));
  return JSON.stringify({ total: count, offset: 0, items, version: REVISION, links });
}

function answers(body: string, length: number) {
  const response = { status: 200, headers: { 'content-type': 'application/json' }, body };
  return { whole: checkAnswer(asked, response), parts: [...checkInParts(asked, response, length)] };
}

const hrefs = (links: readonly { href: string }[]) => [...new Set(links.map(({ href }) => href))];

describe('a long collection', () => {
  test('is checked in parts that are smaller than the whole', () => {
    const { whole, parts } = answers(collection(40), 2000);
    expect(whole.findings).toEqual([]);
    expect(parts.flatMap(({ findings }) => findings)).toEqual([]);
    const counts = parts.map(({ body }) => body?.['total']);
    expect(counts.length).toBeGreaterThan(5);
    expect(counts.every((count) => Number(count) < 10)).toBe(true);
    expect(hrefs(parts.flatMap(({ links }) => links))).toEqual(hrefs(whole.links));
  });

  test('gives the same findings in parts as in whole, for any alteration', () => {
    const text = collection(12);
    const altered = fc
      .tuple(fc.nat(text.length - 1), fc.nat(40), fc.string({ maxLength: 3 }))
      .map(([at, length, by]) => text.slice(0, at) + by + text.slice(at + length));
    fc.assert(
      fc.property(altered, fc.integer({ min: 200, max: 3000 }), (body, length) => {
        const { whole, parts } = answers(body, length);
        expect(parts.at(-1)?.findings).toEqual(whole.findings);
        // Parts before invalid JSON still have links.
        if (whole.body) expect(hrefs(parts.flatMap(({ links }) => links))).toEqual(hrefs(whole.links));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['two items in the wrong order', (text: string) => text.replaceAll('000000000007', '000000000031')],
    ['a total that is too large', (text: string) => text.replace('"total":40', '"total":41')],
    ['a missing item', (text: string) => text.replace(/\{"type":"node".*?\]\},(?=\{"type")/, '')],
  ])('with %s is reported', (_, alter) => {
    const { whole, parts } = answers(alter(collection(40)), 2000);
    expect(whole.findings).not.toEqual([]);
    expect(parts.at(-1)?.findings).toEqual(whole.findings);
  });
});
