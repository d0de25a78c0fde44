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

test('what is written is read, to the byte', () => {
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

test('what is not what its seal says is refused', () => {
  const reason = 'it is not what its seal says';
  const text = bundleText(HEAD);
  expect(readBundleText(text.replace('"serial":3', '"serial":4'))).toEqual({ reason });
  expect(readBundleText(text.trimEnd())).toEqual({ reason });
  expect(readBundleText(text.replace('"serial":3', '"serial": 3'))).toEqual({ reason });
});

test('what is another file, or of another format, is refused', () => {
  const reason = 'it is no bundle.json of a format that this gridpress knows';
  for (const text of [
    '',
    '{}',
    '{"a":1,"seal":"x"}\n',
    bundleText(HEAD).replace('"gridpress_bundle":1', '"gridpress_bundle":2'),
  ])
    expect(readBundleText(text)).toEqual({ reason });
});

test('files that are brought keep the order of the manifest', () => {
  const contents = ['b', 'a', 'c'].map((file) => ({ file, sha256: '', size: 0, modified: 0 }));
  const names = (files: readonly string[] | null) =>
    Array.from(contentsInBundle({ files: files && [...files] }, contents), ({ file }) => file);
  expect(names(['a', 'b'])).toEqual(['b', 'a']);
  expect(names(null)).toEqual(['b', 'a', 'c']);
});
