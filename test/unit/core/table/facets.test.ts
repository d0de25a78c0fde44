import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { type Facet, facetsOf } from '../../../../src/core/table/facets.ts';
import { surveyNodes } from '../../../../src/core/table/node-survey.ts';
import { fleetOf, fleetOfBodies } from '../../../support/values/fleet-of-bodies.ts';

function facetsOfBodies(bodies: readonly JsonObject[]): Facet[] {
  const { state, store } = fleetOfBodies(bodies);
  return facetsOf(surveyNodes(state, store));
}

function facet(facets: readonly Facet[], name: string): Facet | undefined {
  return facets.find((each) => each.name === name);
}

test('facetsOf returns each field and the place of nodes, sorted by name, most frequent values first', () => {
  const { state, store } = fleetOf({
    lyra: { a: { uid: 'a', disks: [{ size: 2 }, { size: 1 }] }, b: { uid: 'b', disks: [{ size: 2 }] } },
    vega: { d: { uid: 'd', disks: [] } },
  });
  const facets = facetsOf(surveyNodes(state, store));
  const none = { longer: 0, range: undefined, lengths: undefined };
  expect(facets).toEqual([
    {
      ...none,
      name: 'cluster',
      path: undefined,
      class: 'placement',
      types: ['string'],
      nodes: 3,
      distinct: 1,
      values: [{ value: 'c', nodes: 3 }],
      described: { text: "The uid of the node's cluster." },
    },
    {
      ...none,
      name: 'disks',
      path: ['disks'],
      class: 'unknown',
      types: ['array', 'object'],
      nodes: 3,
      distinct: 0,
      values: undefined,
      lengths: [
        { value: 0, nodes: 1 },
        { value: 1, nodes: 1 },
        { value: 2, nodes: 1 },
      ],
    },
    {
      ...none,
      name: 'disks.size',
      path: ['disks', 'size'],
      class: 'unknown',
      types: ['number'],
      nodes: 2,
      distinct: 2,
      values: [
        { value: 2, nodes: 2 },
        { value: 1, nodes: 1 },
      ],
    },
    {
      ...none,
      name: 'site',
      path: undefined,
      class: 'placement',
      types: ['string'],
      nodes: 3,
      distinct: 2,
      values: [
        { value: 'lyra', nodes: 2 },
        { value: 'vega', nodes: 1 },
      ],
      described: { text: "The uid of the node's site." },
    },
    {
      ...none,
      name: 'uid',
      path: ['uid'],
      class: 'identity',
      types: ['string'],
      nodes: 3,
      distinct: 3,
      values: ['a', 'b', 'd'].map((value) => ({ value, nodes: 1 })),
    },
  ]);
});

test('a field of a body differs from a place with the same name', () => {
  const facets = facetsOfBodies([{ site: 'elsewhere' }]);
  expect(facets.map(({ name, values }) => [name, values?.[0]?.value])).toEqual([
    ['"site"', 'elsewhere'],
    ['cluster', 'c'],
    ['site', 'x'],
  ]);
});

test('a facet with too many numbers has their range and quartiles', () => {
  const facets = facetsOfBodies(Array.from({ length: 400 }, (_, i) => ({ memory_size: i, few: i % 2 })));
  expect(facet(facets, 'memory_size')).toMatchObject({
    distinct: 400,
    values: undefined,
    range: { min: 0, max: 399, quartiles: [99, 199, 299] },
  });
  expect(facet(facets, 'few')).toMatchObject({ distinct: 2, range: undefined });
});

test('a facet with too many texts lists the most frequent, unless every node has its own', () => {
  const facets = facetsOfBodies(
    Array.from({ length: 900 }, (_, i) => ({ model: `m${i % 300 < 200 ? i % 300 : 0}`, chassis: { serial: `s${i}` } })),
  );
  expect(facet(facets, 'model')?.values?.length).toBe(200);
  expect(facet(facets, 'chassis.serial')).toMatchObject({ distinct: 900, values: undefined });
});

test('a facet counts texts that are too long, but does not list them', () => {
  const long = 'x'.repeat(1 << 20);
  const facets = facetsOfBodies([{ note: long }, { note: 'y'.repeat(256) }, { note: long }]);
  expect(facet(facets, 'note')).toMatchObject({
    nodes: 3,
    distinct: 2,
    values: [{ value: 'y'.repeat(256), nodes: 1 }],
    longer: 1,
  });
});
