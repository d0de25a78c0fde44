import { expect, test } from 'vitest';
import { nameTaken } from '../../../../src/core/api/configured-names.ts';
import { endpointsOf } from '../../../../src/core/api/endpoints.ts';
import { KINDS } from '../../../../src/core/model/kinds.ts';

test('no path of the API is a base path', () => {
  for (const { template } of endpointsOf(KINDS).filter((each) => each.template !== '/')) {
    const [, name = ''] = template.split('/');
    expect(nameTaken(`/${name}`, KINDS)).toBe(name);
    expect(nameTaken(`/${name}/v1`, KINDS)).toBe(name);
  }
});

test.each(['', '/api', '/api/sites', '/sites2', '/site'])('%j is none', (basePath) => {
  expect(nameTaken(basePath, KINDS)).toBe(undefined);
});
