import { expect, test } from 'vitest';
import { nodePath, nodePlace } from '../../../../src/core/model/node-path.ts';

test('nodePlace reverses nodePath', () => {
  const place = { site: 'lyra', cluster: 'main', uid: 'n1' };
  expect(nodePath(place)).toBe('sites/lyra/clusters/main/nodes/n1');
  expect(nodePlace(nodePath(place))).toEqual(place);
});

test('nodePlace returns empty texts for the parts that another path lacks', () => {
  expect(nodePlace('sites/lyra')).toEqual({ site: 'lyra', cluster: '', uid: '' });
});
