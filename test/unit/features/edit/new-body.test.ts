import { expect, test } from 'vitest';
import { FIELD_PARTS } from '../../../../src/core/platform/limits.ts';
import { withCells } from '../../../../src/features/edit/new-body.ts';

const nested = (parts: number) => Array.from({ length: parts }, (_, i) => `a${i}`).join('.');

test('a field can have only as many parts as a YAML file can nest', () => {
  const body = { type: 'node', uid: '00000000-0000-4000-8000-000000000001' };
  const problems = (parts: number) =>
    withCells(body, [{ field: nested(parts), text: '1' }]).problems.filter(({ field }) => field.startsWith('a0'));
  expect(problems(FIELD_PARTS)).toEqual([]);
  expect(problems(FIELD_PARTS + 1)).toEqual([
    { field: nested(FIELD_PARTS + 1), problem: `the name has more than ${FIELD_PARTS} parts` },
  ]);
});
