import { expect, test } from 'vitest';
import { ownText } from '../../../../src/core/platform/text.ts';

test.each(['', 'sites/aa', 'a "quoted" \\ text', 'é\u2028\ud83d\ude00', '\ud800'])(
  'ownText returns an equal text: %j',
  (text) => {
    expect(ownText(text)).toBe(text);
  },
);
