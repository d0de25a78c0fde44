import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { apache, htaccess } from '../../../../src/core/hosts/apache.ts';
import { DIALECTS } from '../../../../src/core/model/configuration.ts';
import { expectFiles } from '../../../support/trees/expected-files.ts';
import { smallRules } from '../../../support/values/host-rules.ts';

const EXPECTED = join(import.meta.dirname, 'expected');

describe.each([apache, htaccess])('$name', (host) => {
  test.each(DIALECTS)('the files for an API at the root of its host, dialect %s', (dialect) => {
    expectFiles(join(EXPECTED, host.name, dialect), host.files(smallRules(dialect, '', host.variants)));
  });

  test.each(DIALECTS)('the files for an API below a prefix, dialect %s', (dialect) => {
    expectFiles(
      join(EXPECTED, host.name, `${dialect}-prefixed`),
      host.files(smallRules(dialect, '/api/v1', host.variants)),
    );
  });
});

test('a virtual host can do everything that comes to its rules', () => {
  expect(apache.shortcomings.map(({ capability, extent }) => [capability, extent])).toEqual([['refusals', 'partly']]);
});

test('a .htaccess cannot answer what Apache refuses before it reads it', () => {
  expect(htaccess.shortcomings.map(({ capability, extent }) => [capability, extent])).toEqual([
    ['not-found', 'partly'],
    ['refusals', 'partly'],
  ]);
});
