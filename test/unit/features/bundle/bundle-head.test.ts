import { expect, test } from 'vitest';
import { sha256 } from '../../../../src/core/model/digest.ts';
import {
  type BundleHead,
  bundleText,
  contentsInBundle,
  readBundleText,
} from '../../../../src/features/bundle/bundle-head.ts';

const TREE = { revision: 'a'.repeat(40), serial: 3, digest: 'd'.repeat(64) };
const HEAD: BundleHead = {
  from: { ...TREE, serial: 2 },
  to: { ...TREE, manifest: 'e'.repeat(64) },
  files: ['sites.json'],
  remove: ['sites/lyra.json'],
};

test('a written header is read back, byte for byte', () => {
  const text = bundleText(HEAD);
  expect(readBundleText(text)).toEqual(HEAD);
  expect(readBundleText(bundleText({ ...HEAD, from: null, files: null }))).toEqual({
    ...HEAD,
    from: null,
    files: null,
  });
  const body = text.slice(0, text.lastIndexOf(',"seal"'));
  expect(text).toBe(`${body},"seal":"${sha256(body)}"}\n`);
});

test('a header with a wrong seal is rejected', () => {
  const reason = 'it does not match its seal';
  const text = bundleText(HEAD);
  expect(readBundleText(text.replace('"serial":3', '"serial":4'))).toEqual({ reason });
  expect(readBundleText(text.trimEnd())).toEqual({ reason });
  expect(readBundleText(text.replace('"serial":3', '"serial": 3'))).toEqual({ reason });
});

test('another file and another format are rejected', () => {
  const reason = 'it is not a bundle.json that this version of gridpress can read';
  for (const text of [
    '',
    '{}',
    '{"a":1,"seal":"x"}\n',
    bundleText(HEAD).replace('"gridpress_bundle":1', '"gridpress_bundle":2'),
  ])
    expect(readBundleText(text)).toEqual({ reason });
});

test('files in a bundle keep the order of the manifest', () => {
  const contents = ['b', 'a', 'c'].map((file) => ({ file, sha256: '', size: 0, modified: 0 }));
  const names = (files: readonly string[] | null) =>
    Array.from(contentsInBundle({ files: files && [...files] }, contents), ({ file }) => file);
  expect(names(['a', 'b'])).toEqual(['b', 'a']);
  expect(names(null)).toEqual(['b', 'a', 'c']);
});
