import { describe, test } from 'vitest';
import { githubPages } from '../../../../src/core/hosts/github-pages.ts';
import { CASES } from './support/cases.ts';
import { expectFiles } from './support/fixture.ts';

describe.each(CASES)('GitHub Pages, %s dialect, prefix "%s"', (dialect, prefix) => {
  test('writes these files', () => {
    expectFiles(githubPages, dialect, prefix);
  });
});
