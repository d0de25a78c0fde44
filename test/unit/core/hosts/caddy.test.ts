import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { caddy } from '../../../../src/core/hosts/caddy.ts';
import { DIALECTS } from '../../../../src/core/model/configuration.ts';
import { expectFiles } from '../../../support/trees/expected-files.ts';
import { smallRules } from '../../../support/values/host-rules.ts';

const EXPECTED = join(import.meta.dirname, 'expected/caddy');

describe.each(DIALECTS)('caddy, dialect %s', (dialect) => {
  test('writes the files for an API at the root of its host', () => {
    expectFiles(join(EXPECTED, dialect), caddy.files(smallRules(dialect, '')));
  });

  test('writes the files for an API below a prefix', () => {
    expectFiles(join(EXPECTED, `${dialect}-prefixed`), caddy.files(smallRules(dialect, '/api/v1')));
  });
});

test('caddy has limitations: older dates, and requests that it rejects before its rules', () => {
  expect(caddy.shortcomings.map(({ capability, extent }) => [capability, extent])).toEqual([
    ['last-modified', 'partly'],
    ['refusals', 'partly'],
  ]);
});
