import { expect, test } from 'vitest';
import { nameTaken } from '../../../../src/core/api/base-path.ts';
import { ENDPOINTS } from '../../../../src/core/api/endpoints.ts';

test('no path of the API is a base path', () => {
  for (const { template } of ENDPOINTS.filter((each) => each.template !== '/')) {
    const [, name = ''] = template.split('/');
    expect(nameTaken(`/${name}`)).toBe(name);
    expect(nameTaken(`/${name}/v1`)).toBe(name);
  }
});

test.each(['', '/api', '/api/sites', '/sites2', '/site'])('%j is none', (basePath) => {
  expect(nameTaken(basePath)).toBe(undefined);
});
