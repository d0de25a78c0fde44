import { expect, test } from 'vitest';
import { childKinds, hasOwnFolder, KINDS, kindNamed } from '../../../../src/core/model/kinds.ts';

test('the kinds form the hierarchy grid > sites > clusters > nodes, with flavors beside the clusters', () => {
  expect(KINDS.map(({ name, parent, collection }) => [name, parent, collection])).toEqual([
    ['grid', undefined, undefined],
    ['site', 'grid', 'sites'],
    ['cluster', 'site', 'clusters'],
    ['node', 'cluster', 'nodes'],
    ['flavor', 'site', 'flavors'],
  ]);
  expect(childKinds(kindNamed('site')).map(({ name }) => name)).toEqual(['cluster', 'flavor']);
  expect(KINDS.filter(hasOwnFolder).map(({ name }) => name)).toEqual(['grid', 'site', 'cluster']);
});

// Contract: section 4, the order of links. Flavors stand last, where there are any.
test.each([
  ['grid', 'current', 'sites self parent versions'],
  ['site', 'current', 'self parent clusters versions version flavors'],
  ['cluster', 'current', 'self parent nodes versions version'],
  ['node', 'current', 'self parent versions version latest-version'],
  ['flavor', 'current', 'self parent versions version'],
  ['grid', 'legacy', 'sites self parent version versions users notifications'],
  ['site', 'legacy', 'clusters self parent version versions jobs deployments vlans metrics status flavors'],
  ['cluster', 'legacy', 'nodes self parent version versions'],
  ['node', 'legacy', 'self parent version versions latest-version'],
  ['flavor', 'legacy', 'self parent version versions'],
] as const)('the link relations of a %s, %s', (name, dialect, rels) => {
  expect(kindNamed(name).rels[dialect].join(' ')).toBe(rels);
});

test('each collection that a kind may hold is one of its relations', () => {
  for (const kind of KINDS) {
    const held = [
      ...childKinds(kind).map(({ collection }) => collection),
      ...Object.keys(kind.legacyChildren),
    ];
    expect(kind.rels.legacy).toEqual(expect.arrayContaining(held));
  }
});
