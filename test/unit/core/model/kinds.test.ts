import { expect, test } from 'vitest';
import { hasOwnFolder, KINDS, kindNamed, PATH_TO_NODES } from '../../../../src/core/model/kinds.ts';

test('the kinds form the hierarchy grid > sites > clusters > nodes, with flavors next to clusters', () => {
  expect(KINDS.all.map(({ name, parents, collection }) => [name, parents, collection])).toEqual([
    ['grid', [], undefined],
    ['site', ['grid'], 'sites'],
    ['cluster', ['site'], 'clusters'],
    ['node', ['cluster'], 'nodes'],
    ['flavor', ['site'], 'flavors'],
    ['server', ['site'], 'servers'],
    ['pdu', ['site'], 'pdus'],
    ['network_equipment', ['grid', 'site'], 'network_equipments'],
    ['environment', ['grid', 'site'], 'environments'],
  ]);
  expect(PATH_TO_NODES.map(({ name }) => name)).toEqual(['site', 'cluster', 'node']);
  expect(kindNamed('site').children.map(({ name }) => name)).toEqual([
    ...['cluster', 'flavor', 'server', 'pdu', 'network_equipment', 'environment'],
  ]);
  expect(KINDS.all.filter(hasOwnFolder).map(({ name }) => name)).toEqual(['grid', 'site', 'cluster']);
});

// Contract: section 4, the order of links. Flavors are last and optional.
test.each([
  ['grid', 'current', 'sites self parent versions network_equipments environments'],
  ['site', 'current', 'self parent clusters versions version flavors servers pdus network_equipments environments'],
  ['cluster', 'current', 'self parent nodes versions version'],
  ['node', 'current', 'self parent versions version latest-version'],
  ['flavor', 'current', 'self parent versions version'],
  ['grid', 'legacy', 'sites self parent version versions users notifications network_equipments environments'],
  [
    'site',
    'legacy',
    'clusters self parent version versions jobs deployments vlans metrics status flavors servers pdus network_equipments environments',
  ],
  ['cluster', 'legacy', 'nodes self parent version versions'],
  ['node', 'legacy', 'self parent version versions latest-version'],
  ['flavor', 'legacy', 'self parent version versions'],
] as const)('the link relations of a %s in the %s dialect are correct', (name, dialect, rels) => {
  expect(kindNamed(name).rels[dialect].join(' ')).toBe(rels);
});
