import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nginx } from '../../../../src/core/hosts/nginx.ts';
import { DIALECTS } from '../../../../src/core/model/configuration.ts';
import { expectFiles } from '../../../support/trees/expected-files.ts';
import { smallRules } from '../../../support/values/host-rules.ts';

const EXPECTED = join(import.meta.dirname, 'expected/nginx');

describe.each(DIALECTS)('nginx, dialect %s', (dialect) => {
  test('writes the files for an API at the root of its host', () => {
    expectFiles(join(EXPECTED, dialect), nginx.files(smallRules(dialect, '')));
  });

  test('writes the files for an API below a prefix', () => {
    expectFiles(join(EXPECTED, `${dialect}-prefixed`), nginx.files(smallRules(dialect, '/api/v1')));
  });
});

test('nginx has only one limitation: requests that it rejects before its rules', () => {
  expect(nginx.shortcomings.map(({ capability, extent }) => [capability, extent])).toEqual([['refusals', 'partly']]);
});
