/** Every question of docs/experimenters.md, asked of the sample registry, has the answer that stands there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gridpress } from '../support/cli.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const text = readFileSync(join(ROOT, 'docs', 'experimenters.md'), 'utf8');
const asked = [...text.matchAll(/^ {4}\$ gridpress find (.+)\n {4}(.+)$/gm)];

test('there are questions', () => {
  expect(asked.length).toBeGreaterThan(5);
});

test.each(asked.map(([, query = '', answer = '']) => [query.replace(/^"|"$/g, ''), answer]))(
  '%s',
  async (query, answer) => {
    const { status, stderr } = await gridpress(['find', query, '--uids'], { cwd: ROOT });
    expect([status, stderr]).toEqual([0, `${answer}\n`]);
  },
);
