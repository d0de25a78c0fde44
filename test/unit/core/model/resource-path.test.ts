import { describe, expect, test } from 'vitest';
import { KINDS } from '../../../../src/core/model/kinds.ts';
import {
  gridOf,
  isAtOrBelow,
  joinPath,
  lastSegment,
  parentItemPath,
  parsePath,
  pathAbove,
  selfAndAncestors,
} from '../../../../src/core/model/resource-path.ts';

const NODE = 'sites/lyra/clusters/main/nodes/n1';

describe('parsePath', () => {
  test.each([
    ['', 'grid', false],
    ['sites', 'site', true],
    ['sites/lyra', 'site', false],
    ['sites/lyra/clusters', 'cluster', true],
    ['sites/lyra/clusters/main', 'cluster', false],
    ['sites/lyra/clusters/main/nodes', 'node', true],
    [NODE, 'node', false],
    ['sites/lyra/flavors', 'flavor', true],
    ['sites/lyra/flavors/m1', 'flavor', false],
    ['sites/sites/clusters/clusters', 'cluster', false],
  ])('accepts %j', (path, kind, isCollection) => {
    const subject = parsePath(path, KINDS);
    expect([subject?.path, subject?.kind.name, subject?.isCollection]).toEqual([path, kind, isCollection]);
  });

  test.each(['/', '/sites', 'sites/', '/sites/lyra/', `/${NODE}`])('ignores one slash at each end of %j', (path) => {
    expect(parsePath(path, KINDS)?.path).toBe(path.replace(/^\/|\/$/g, ''));
  });

  test.each([
    ...['nodes', 'clusters/main', 'flavors', 'sites/lyra/nodes', 'sites/lyra/versions', 'sites/lyra/flavors/m1/x'],
    ...['sites//clusters', '//sites', 'sites/lyra//', `${NODE}/disks`, 'Sites', 'sites/../../etc', '__proto__'],
  ])('rejects %j', (path) => {
    expect(parsePath(path, KINDS)).toBeUndefined();
  });
});

test.each([
  ['', ''],
  ['sites', ''],
  ['sites/lyra', ''],
  ['sites/lyra/clusters', 'sites/lyra'],
  ['sites/lyra/clusters/main', 'sites/lyra'],
  ['sites/lyra/clusters/main/nodes', 'sites/lyra/clusters/main'],
  [NODE, 'sites/lyra/clusters/main'],
  ['sites/lyra/flavors/m1', 'sites/lyra'],
])('the parent item of %j is %j', (path, parent) => {
  expect(parentItemPath(parsePath(path, KINDS) ?? gridOf(KINDS))).toBe(parent);
});

test('selfAndAncestors ends at the grid', () => {
  expect([...selfAndAncestors('sites/lyra/flavors/m1')]).toEqual([
    ...['sites/lyra/flavors/m1', 'sites/lyra/flavors', 'sites/lyra', 'sites', ''],
  ]);
  expect([...selfAndAncestors('')]).toEqual(['']);
});

test.each([
  ['sites/lyra', 'sites/lyra', true],
  ['sites/lyra/clusters', 'sites/lyra', true],
  ['sites/lyra2', 'sites/lyra', false],
  ['sites', 'sites/lyra', false],
  ['anything', '', true],
])('isAtOrBelow(%j, %j) is %j', (path, ancestor, is) => {
  expect(isAtOrBelow(path, ancestor)).toBe(is);
});

test('joinPath, lastSegment and pathAbove join and split paths', () => {
  expect([joinPath('', 'sites'), joinPath('sites', 'lyra')]).toEqual(['sites', 'sites/lyra']);
  expect([lastSegment('sites'), lastSegment('sites/lyra'), lastSegment('')]).toEqual(['sites', 'lyra', '']);
  expect([pathAbove('sites/lyra'), pathAbove('sites'), pathAbove('')]).toEqual(['sites', '', '']);
});
