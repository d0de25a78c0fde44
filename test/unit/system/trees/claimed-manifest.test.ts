import { expect, test } from 'vitest';
import type { Claim } from '../../../../src/core/tree/manifest/manifest.ts';
import { splitClaim, withClaim } from '../../../../src/system/trees/claimed-manifest.ts';

const CLAIM: Claim = { nonce: 'n', purpose: 'publish', revision: 'r', since: 1, until: 301, begun: ['a'] };
const MANIFEST = Buffer.from('{"gridpress":1,"note":"a \\",\\"claim\\":{}\\" in a text"}\n');

test('a claim is the last field of the manifest, and does not change the rest', () => {
  const both = withClaim(MANIFEST, CLAIM);
  expect(both.toString()).toBe(
    `${MANIFEST.toString().slice(0, -2)},"claim":{"nonce":"n","purpose":"publish","revision":"r","since":1,"until":301,"begun":["a"]}}\n`,
  );
  expect(splitClaim(both)).toEqual({ manifest: MANIFEST, claim: CLAIM });
});

test('a claim before the first publication has no manifest', () => {
  expect(splitClaim(withClaim(undefined, CLAIM))).toEqual({ manifest: undefined, claim: CLAIM });
});

test('a manifest without a claim is returned unchanged, even if a text resembles a claim', () => {
  expect(splitClaim(MANIFEST)).toEqual({ manifest: MANIFEST, claim: undefined });
  for (const text of ['{"a":1,"claim":{"nonce":1}}\n', '{"a":1,"claim":{}', '{"claim":7}\n', '']) {
    const bytes = Buffer.from(text);
    expect(splitClaim(bytes)).toEqual({ manifest: bytes, claim: undefined });
  }
});
