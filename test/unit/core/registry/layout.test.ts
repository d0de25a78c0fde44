import { expect, test } from 'vitest';
import { KINDS } from '../../../../src/core/model/kinds.ts';
import { gridOf, parsePath } from '../../../../src/core/model/resource-path.ts';
import { fileOfResource, resourceOfFile, revisionFileName } from '../../../../src/core/registry/layout.ts';

test.each([
  ['', 'grid.yaml'],
  ['sites/lyra', 'sites/lyra/site.yaml'],
  ['sites/lyra/clusters/main', 'sites/lyra/clusters/main/cluster.yaml'],
  ['sites/lyra/clusters/main/nodes/n1', 'sites/lyra/clusters/main/nodes/n1.yaml'],
  ['sites/lyra/flavors/m1.small', 'sites/lyra/flavors/m1.small.yaml'],
  ['sites/site/clusters/cluster', 'sites/site/clusters/cluster/cluster.yaml'],
])('the resource %j is stored in %s', (path, file) => {
  expect(fileOfResource(parsePath(path, KINDS) ?? gridOf(KINDS))).toBe(file);
  expect(resourceOfFile(file, KINDS)?.path).toBe(path);
});

test.each([
  ...['site.yaml', 'grid.yml', 'grid.json', 'sites/grid.yaml', 'sites/lyra.yaml', 'sites/lyra/lyra.yaml'],
  ...['sites/lyra/cluster.yaml', 'sites/lyra/clusters/main.yaml', 'sites/lyra/clusters/main/node.yaml'],
  ...['sites/lyra/nodes/n1.yaml', 'sites/lyra/flavors/m1/flavor.yaml', 'README.md', 'x/grid.yaml'],
])('%s does not describe a resource', (file) => {
  expect(resourceOfFile(file, KINDS)).toBeUndefined();
});

test('revision files sort by their numbers', () => {
  expect(revisionFileName(12, '3fa9c1d2'.padEnd(40, '0'))).toBe('history/000012-3fa9c1d2.yaml');
  expect(revisionFileName(1_234_567, 'a'.repeat(40))).toBe('history/1234567-aaaaaaaa.yaml');
});
