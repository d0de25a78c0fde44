import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lighttpd } from '../../../../src/core/hosts/lighttpd.ts';
import { DIALECTS } from '../../../../src/core/model/configuration.ts';
import { expectFiles } from '../../../support/trees/expected-files.ts';
import { smallRules } from '../../../support/values/host-rules.ts';

const EXPECTED = join(import.meta.dirname, 'expected/lighttpd');

describe.each(DIALECTS)('lighttpd, dialect %s', (dialect) => {
  test('writes the files for an API at the root of its host', () => {
    expectFiles(join(EXPECTED, dialect), lighttpd.files(smallRules(dialect, '')));
  });

  test('writes the files for an API below a prefix', () => {
    expectFiles(join(EXPECTED, `${dialect}-prefixed`), lighttpd.files(smallRules(dialect, '/api/v1')));
  });
});

test('lighttpd has only one limitation: requests that it rejects before its rules', () => {
  expect(lighttpd.shortcomings.map(({ capability, extent }) => [capability, extent])).toEqual([['refusals', 'partly']]);
});
