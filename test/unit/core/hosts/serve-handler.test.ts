import { expect, test } from 'vitest';
import { serveHandler } from '../../../../src/core/hosts/all.ts';
import { fixtureRules } from './support/fixture.ts';

test('serve-handler needs no files: the manifest decides', () => {
  expect([...serveHandler.files(fixtureRules('legacy', '/api/v1', serveHandler.variants))]).toEqual([]);
});
