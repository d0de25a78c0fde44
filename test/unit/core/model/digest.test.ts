import { expect, test } from 'vitest';
import { bodyDigest, sha1, sha256 } from '../../../../src/core/model/digest.ts';

// The test vectors of FIPS 180 for "abc".
test('sha256 and sha1 give lowercase hexadecimal digits', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(sha1(new TextEncoder().encode('abc'))).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
});

test('bodyDigest ignores key order and nothing else', () => {
  expect(bodyDigest({ a: 1, b: [2] })).toBe(sha256('{"a":1,"b":[2]}'));
  expect(bodyDigest({ b: [2], a: 1 })).toBe(bodyDigest({ a: 1, b: [2] }));
  expect(bodyDigest({ a: '1', b: [2] })).not.toBe(bodyDigest({ a: 1, b: [2] }));
});
