import { expect, test } from 'vitest';
import { serveHandler } from '../../../../src/core/hosts/all.ts';
import { fixtureRules } from './support/fixture.ts';

test('serve-handler writes no files, because serve reads the manifest', () => {
  expect([...serveHandler.files(fixtureRules('legacy', '/api/v1'))]).toEqual([]);
});
