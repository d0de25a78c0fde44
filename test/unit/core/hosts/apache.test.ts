import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { apache, htaccess } from '../../../../src/core/hosts/apache.ts';
import { DIALECTS } from '../../../../src/core/model/configuration.ts';
import { expectFiles } from '../../../support/trees/expected-files.ts';
import { smallRules } from '../../../support/values/host-rules.ts';

const EXPECTED = join(import.meta.dirname, 'expected');

describe.each([apache, htaccess])('$name', (host) => {
  test.each(DIALECTS)('writes the files for an API at the root of its host, dialect %s', (dialect) => {
    expectFiles(join(EXPECTED, host.name, dialect), host.files(smallRules(dialect, '')));
  });

  test.each(DIALECTS)('writes the files for an API below a prefix, dialect %s', (dialect) => {
    expectFiles(join(EXPECTED, host.name, `${dialect}-prefixed`), host.files(smallRules(dialect, '/api/v1')));
  });
});

test('a virtual host has limitations: older dates, and requests that Apache rejects before its rules', () => {
  expect(apache.shortcomings.map(({ capability, extent }) => [capability, extent])).toEqual([
    ['last-modified', 'partly'],
    ['refusals', 'partly'],
  ]);
});

test('.htaccess has limitations: older dates, and requests that Apache rejects before reading it', () => {
  expect(htaccess.shortcomings.map(({ capability, extent }) => [capability, extent])).toEqual([
    ['last-modified', 'partly'],
    ['not-found', 'partly'],
    ['refusals', 'partly'],
  ]);
});
