import { expect, test } from 'vitest';
import { reservedSegmentOf } from '../../../../src/core/api/configured-names.ts';
import { endpointsOf } from '../../../../src/core/api/endpoints.ts';
import { KINDS } from '../../../../src/core/model/kinds.ts';

test('nameTaken rejects paths of the API', () => {
  for (const { template } of endpointsOf(KINDS).filter((each) => each.template !== '/')) {
    const [, name = ''] = template.split('/');
    expect(reservedSegmentOf(`/${name}`, KINDS)).toBe(name);
    expect(reservedSegmentOf(`/${name}/v1`, KINDS)).toBe(name);
  }
});

test.each(['', '/api', '/api/sites', '/sites2', '/site'])('nameTaken accepts %j', (basePath) => {
  expect(reservedSegmentOf(basePath, KINDS)).toBe(undefined);
});
