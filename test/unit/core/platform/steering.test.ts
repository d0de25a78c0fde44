import { expect, test } from 'vitest';
import { escapedHtml, printableJson } from '../../../../src/core/platform/text.ts';

test('printableJson escapes control characters that JSON allows', () => {
  const value = { 'a\u202e': 'b\u0085\u007f\u001b\u2029\nc' };
  const json = printableJson(JSON.stringify(value));
  expect(json).toBe('{"a\\u202e":"b\\u0085\\u007f\\u001b\\u2029\\nc"}');
  expect(JSON.parse(json)).toEqual(value);
});

test('escapedHtml replaces control characters, and escapes tags and entities', () => {
  expect(escapedHtml('<b a="1">&\u202ec\0\n\t')).toBe('&lt;b a=&quot;1&quot;&gt;&amp;\ufffdc\ufffd\n\t');
});
