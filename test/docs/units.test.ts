import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unitNames } from '../../src/core/model/units.ts';

test('the documentation of queries lists every unit', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/experimenters.md'), 'utf8');
  const [, section = ''] = /\n### Units\n(.*?)\n#/s.exec(page) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  const listed = rows.flatMap((line) => Array.from(line.matchAll(/`([^`]+)`/g), ([, name]) => name));
  expect(listed.sort()).toEqual(unitNames().sort());
});
