import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/core/model/json.ts';
import { locations } from '../../../../../src/core/registry/fleet/locations.ts';
import { member } from '../../../../support/values/fleet.ts';

function problems(sites: Readonly<Record<string, JsonObject>>) {
  const described = Object.entries(sites).map(([uid, body]) => ({ member: member(uid, null, uid), body }));
  return locations(described).map(({ members, field, problem }) => [
    `${members.map(({ uid }) => uid).join()} ${field.join('.')}`,
    problem,
  ]);
}

const at = (latitude: number, longitude: number, location = 'Somewhere, North Wold') => ({
  latitude,
  longitude,
  location,
});

describe('the coordinates of one site', () => {
  test.each<[JsonObject, unknown[]]>([
    [at(-97.7, 30.4), [['a latitude', { problem: 'range', value: -97.7, limit: 90, swaps: true }]]],
    [at(97.7, 130.4), [['a latitude', { problem: 'range', value: 97.7, limit: 90, swaps: false }]]],
    [at(45, 180.5), [['a longitude', { problem: 'range', value: 180.5, limit: 180, swaps: false }]]],
    [
      at(-91, 181),
      [
        ['a latitude', { problem: 'range', value: -91, limit: 90, swaps: false }],
        ['a longitude', { problem: 'range', value: 181, limit: 180, swaps: false }],
      ],
    ],
    [at(0, 0), [['a latitude', { problem: 'zero' }]]],
    [{ latitude: 45 }, [['a latitude', { problem: 'half', missing: 'longitude' }]]],
    [{ longitude: 8 }, [['a longitude', { problem: 'half', missing: 'latitude' }]]],
    [{}, []],
    [at(90, -180), []],
    [at(0, 32.6), []],
  ])('are checked: %j', (body, expected) => {
    expect(problems({ a: body })).toEqual(expected);
  });
});

describe('a site far from the other sites of its area', () => {
  const [a, b] = [at(41.8, -87.6), at(30.4, -97.7, 'Elsewhere,  north wold ')];

  test('with the wrong sign of the longitude is reported', () => {
    expect(problems({ a, b, c: at(42, 87.7) })).toEqual([
      [
        'c longitude',
        {
          problem: 'far',
          area: 'North Wold',
          count: 2,
          others: 2,
          km: 10_600,
          correction: { what: 'longitude-sign', near: 'a' },
        },
      ],
    ]);
  });

  test.each([
    ['latitude-sign', at(-41.9, -87.6)],
    ['swap', at(-87.6, 41.8)],
  ])('is reported with the remedy %s', (what, c) => {
    expect(problems({ a, b, c })).toMatchObject([['c longitude', { correction: { what, near: 'a' } }]]);
  });

  test('is reported without a remedy if none helps', () => {
    const [[about, problem] = []] = problems({ a, b, c: at(48.9, 2.3) });
    expect([about, problem]).toEqual([
      'c longitude',
      { problem: 'far', area: 'North Wold', count: 2, others: 2, km: 6600 },
    ]);
  });

  test('is not compared with one other site, with sites of other areas, or within a country', () => {
    expect(problems({ a, c: at(42, 87.7) })).toEqual([]);
    expect(problems({ a, b, c: at(42, 87.7, 'Tarnhagen, Upper Ilmen') })).toEqual([]);
    expect(problems({ a, b, c: at(47.6, -122.3) })).toEqual([]);
    expect(problems({ a, b, c: { latitude: 42, longitude: 87.7 } })).toEqual([]);
  });

  test('is not reported if most of the other sites are also far away', () => {
    expect(problems({ a, b, c: at(48.9, 2.3), d: at(52.5, 13.4) })).toEqual([]);
  });
});
