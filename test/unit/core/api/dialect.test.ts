import { expect, test } from 'vitest';
import { dialectOf, vendorMediaType } from '../../../../src/core/api/dialect.ts';
import { kindNamed } from '../../../../src/core/model/kinds.ts';

// Contract: section 4.
const current = dialectOf({ dialect: 'current', vendor: 'acme', release: '1 "x"' });
const legacy = dialectOf({ dialect: 'legacy', vendor: 'acme', release: '1 "x"' });
const LINKS = [
  { rel: 'self', href: '/', form: 'item' },
  { rel: 'sites', href: '/sites', form: 'collection' },
] as const;

test('only legacy links have a type', () => {
  expect(current.links(LINKS)).toBe('[{"rel":"self","href":"/"},{"rel":"sites","href":"/sites"}]');
  expect(legacy.links(LINKS)).toBe(
    '[{"rel":"self","href":"/","type":"application/vnd.acme.item+json"},{"rel":"sites","href":"/sites","type":"application/vnd.acme.collection+json"}]',
  );
  expect([current.links([]), legacy.links([])]).toEqual(['[]', '[]']);
});

test('the root has a timestamp as text, or in legacy a release and a numeric timestamp', () => {
  expect(current.rootFields(1772409600)).toBe(',"timestamp":"1772409600"');
  expect(legacy.rootFields(1772409600)).toBe(',"release":"1 \\"x\\"","timestamp":1772409600');
});

test('each dialect has its content types', () => {
  expect([current.mediaType('item'), current.mediaType('collection')]).toEqual([
    'application/json',
    'application/json',
  ]);
  expect([legacy.mediaType('item'), legacy.mediaType('collection')]).toEqual([
    'application/vnd.acme.item+json; charset=utf-8',
    'application/vnd.acme.collection+json; charset=utf-8',
  ]);
  expect(vendorMediaType('a.b-c', 'item')).toBe('application/vnd.a.b-c.item+json');
});

test('only the legacy collection of sites has no parent', () => {
  const names = ['site', 'cluster', 'node', 'flavor'] as const;
  expect(names.map((name) => current.linksParent(kindNamed(name)))).toEqual([true, true, true, true]);
  expect(names.map((name) => legacy.linksParent(kindNamed(name)))).toEqual([false, true, true, true]);
});

test('only legacy responses have empty children', () => {
  expect(current.emptyChildren(kindNamed('site'))).toEqual([]);
  expect(legacy.emptyChildren(kindNamed('grid'))).toEqual([
    ['users', 'collection'],
    ['notifications', 'collection'],
  ]);
  expect(legacy.emptyChildren(kindNamed('site'))).toEqual([
    ['jobs', 'collection'],
    ['deployments', 'collection'],
    ['vlans', 'collection'],
    ['metrics', 'collection'],
    ['status', 'item'],
  ]);
  expect(legacy.emptyChildren(kindNamed('node'))).toEqual([]);
});
