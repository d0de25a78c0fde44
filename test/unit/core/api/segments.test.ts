import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { segmentsOf } from '../../../../src/core/api/nodes/node-groups.ts';
import { nameProblem } from '../../../../src/system/tar/tar-header.ts';

const of = (...texts: string[]) => [...segmentsOf(texts).entries()].toSorted();

describe('path segments of values', () => {
  test('equal the values if these are valid in a path', () => {
    expect(of('A100', 'node-1.example.org', '007')).toEqual([
      ['007', '007'],
      ['A100', 'A100'],
      ['node-1.example.org', 'node-1.example.org'],
    ]);
  });

  test('contain a hyphen for invalid characters', () => {
    expect(of('Quadro RTX 6000/8000', '../../etc')).toEqual([
      ['../../etc', 'etc'],
      ['Quadro RTX 6000/8000', 'Quadro-RTX-6000-8000'],
    ]);
  });

  test('contain digits of a digest if they would collide with another value or differ only by case', () => {
    expect(of('P100', 'p100', 'P 100', 'P-100')).toEqual([
      ['P 100', 'P-100-e4460b16'],
      ['P-100', 'P-100'],
      ['P100', 'P100'],
      ['p100', 'p100-a613efde'],
    ]);
    expect(
      of('versions', 'x.json', 'x.atom', '', '日本').map(([text, segment]) => [text, segment.slice(0, -8)]),
    ).toEqual([
      ['', ''],
      ['versions', 'versions-'],
      ['x.atom', 'x.atom-'],
      ['x.json', 'x.json-'],
      ['日本', ''],
    ]);
  });

  test.each([70, 80, 90, 100, 110, 200])('fit into tar files if the values have %i characters', (length) => {
    const tree = `gridpress-${'g'.repeat(30)}-${'0'.repeat(40)}/data/tree/nodes/by/label.gpu`;
    for (const segment of segmentsOf(['a'.repeat(length), 'A'.repeat(length)]).values())
      for (const ending of ['.json', '.json.gz', '/index.json', '/index.json.gz'])
        expect(nameProblem(`${tree}/${segment}${ending}`)).toBeUndefined();
  });

  test('are distinct and valid for any values', () => {
    const texts = fc.uniqueArray(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('a', 'A', 'a!', 'a-', 'CON', '__proto__', 'a'.repeat(500)),
      ),
    );
    fc.assert(
      fc.property(texts, (all) => {
        const segments = [...segmentsOf(all).values()];
        expect(segments.length).toBe(all.length);
        expect(new Set(segments.map((segment) => segment.toLowerCase())).size).toBe(all.length);
        for (const segment of segments) expect(segment).toMatch(/^[A-Za-z0-9~-][A-Za-z0-9._~-]{0,127}$/);
      }),
    );
  });
});
