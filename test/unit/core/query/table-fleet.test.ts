import { expect, test } from 'vitest';
import { labelling } from '../../../../src/core/labels/labels.ts';
import { tableFleet } from '../../../../src/core/query/table-fleet.ts';

test('each row has the site and the cluster that the table assigns to it', () => {
  const clusters = [
    { site: 'lyra', cluster: 'main', nodes: 2 },
    { site: 'lyra', cluster: 'old', nodes: 1 },
    { site: 'vega', cluster: 'main', nodes: 3 },
  ];
  const uids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const fleet = tableFleet({ total: 6, clusters, uids, columns: [], omittedFields: [] }, labelling(undefined));
  const placesOf = (name: string) => {
    const { values = [], rows = [] } = fleet.column('place', name) ?? {};
    return Array.from(rows, (number) => values[number]);
  };
  expect(placesOf('site')).toEqual(['lyra', 'lyra', 'lyra', 'vega', 'vega', 'vega']);
  expect(placesOf('cluster')).toEqual(['main', 'main', 'old', 'main', 'main', 'main']);
});
