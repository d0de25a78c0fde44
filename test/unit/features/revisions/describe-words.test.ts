import { expect, test } from 'vitest';
import { PLAIN } from '../../../../src/core/diagnostics/palette.ts';
import { describeValues } from '../../../../src/features/revisions/describe-words.ts';

const flags = 'fpu vme de pse '.repeat(10);

test.each([
  ['one', 'two', '"one" -> "two"'],
  [undefined, 'two', 'nothing -> "two"'],
  [`a${flags}`, `b${flags}`, `"a${flags.slice(0, 57)}… -> "b${flags.slice(0, 57)}…`],
  [`${flags}avx`, `${flags}sse2`, '… pse fpu vme de pse avx" -> … pse fpu vme de pse sse2"'],
  [flags.slice(0, 45), `${flags.slice(0, 45)}avx`, `"${flags.slice(0, 45)}" -> "${flags.slice(0, 45)}avx"`],
  [flags, undefined, `"${flags.slice(0, 58)}… -> nothing`],
])('the text of a change shows its difference (%#)', (from, to, expected) => {
  const values = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  expect(describeValues({ at: '', ...values }, PLAIN)).toBe(expected);
});
