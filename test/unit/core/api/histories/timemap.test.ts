import { describe, expect, test } from 'vitest';
import { renderTimemap, renderTimemapLinks } from '../../../../../src/core/api/histories/versions.ts';
import { KINDS } from '../../../../../src/core/model/kinds.ts';
import { gridOf, parsePath } from '../../../../../src/core/model/resource-path.ts';
import { A, B, C, D, NODE_N, publication, SITE_X } from '../../../../support/values/publication.ts';

const given = publication('current');

const timemap = (path: string, shown = given) => renderTimemap(shown, parsePath(path, KINDS) ?? gridOf(KINDS));
const links = (path: string, shown = given) => renderTimemapLinks(shown, parsePath(path, KINDS) ?? gridOf(KINDS));

const MARCH_1 = 'Sun, 01 Mar 2026 11:00:00 GMT';
const FEBRUARY_28 = 'Sat, 28 Feb 2026 00:00:00 GMT';
const MARCH_2 = 'Mon, 02 Mar 2026 00:00:00 GMT';

/** An entry of the JSON form. */
function memento(path: string, id: string, date: string): string {
  const timestamp = new Date(date).toISOString().replace('.000Z', 'Z');
  return `{"href":"${path}/versions/${id}","date":"${date}","timestamp":"${timestamp}"}`;
}

describe('a TimeMap', () => {
  test('lists the versions of an item, oldest first, and its current URL', () => {
    const node = `/${NODE_N}`;
    expect(timemap(NODE_N)).toBe(
      `{"type":"timemap","uid":"timemap","mementos":[${memento(node, A, MARCH_1)},${memento(node, B, MARCH_1)}],"version":"${D}","links":[{"rel":"self","href":"${node}/versions/timemap"},{"rel":"parent","href":"${node}/versions"},{"rel":"first","href":"${node}/versions/${A}"},{"rel":"last","href":"${node}/versions/${B}"},{"rel":"alternate","href":"${node}/versions/timemap.link"},{"rel":"original","href":"${node}"}]}`,
    );
  });

  test('of a removed item has no original', () => {
    expect(timemap('sites/y')).toBe(
      `{"type":"timemap","uid":"timemap","mementos":[${memento('/sites/y', C, FEBRUARY_28)},${memento('/sites/y', D, MARCH_2)}],"version":"${D}","links":[{"rel":"self","href":"/sites/y/versions/timemap"},{"rel":"parent","href":"/sites/y/versions"},{"rel":"first","href":"/sites/y/versions/${C}"},{"rel":"last","href":"/sites/y/versions/${D}"},{"rel":"alternate","href":"/sites/y/versions/timemap.link"}]}`,
    );
  });

  test('has types on every link in the legacy dialect', () => {
    const item = '"type":"application/vnd.acme.item+json"';
    expect(timemap('', publication('legacy')).split('"links":')[1]).toBe(
      `[{"rel":"self","href":"/versions/timemap",${item}},{"rel":"parent","href":"/versions","type":"application/vnd.acme.collection+json"},{"rel":"first","href":"/versions/${A}",${item}},{"rel":"last","href":"/versions/${D}",${item}},{"rel":"alternate","href":"/versions/timemap.link","type":"application/link-format"},{"rel":"original","href":"/",${item}}]}`,
    );
  });
});

// RFC 7089, section 5. The base path of this publication is /api/v1.
describe('a TimeMap in the link format', () => {
  test('has links that begin with the base path, in the order of the graph', () => {
    expect(links('')).toBe(
      `</api/v1/>;rel="original",
</api/v1/versions/timemap.link>;rel="self";type="application/link-format";from="${FEBRUARY_28}";until="${MARCH_2}",
</api/v1/versions/timemap>;rel="timemap";type="application/json",
</api/v1/versions/${A}>;rel="first memento";datetime="${MARCH_1}",
</api/v1/versions/${B}>;rel="memento";datetime="${MARCH_1}",
</api/v1/versions/${C}>;rel="memento";datetime="${FEBRUARY_28}",
</api/v1/versions/${D}>;rel="last memento";datetime="${MARCH_2}"
`,
    );
  });

  test('of an item with one version marks it as first and last', () => {
    expect(links('sites/x/flavors/f')).toBe(
      `</api/v1/sites/x/flavors/f>;rel="original",
</api/v1/sites/x/flavors/f/versions/timemap.link>;rel="self";type="application/link-format";from="${FEBRUARY_28}";until="${FEBRUARY_28}",
</api/v1/sites/x/flavors/f/versions/timemap>;rel="timemap";type="application/json",
</api/v1/sites/x/flavors/f/versions/${C}>;rel="first last memento";datetime="${FEBRUARY_28}"
`,
    );
  });

  test("of a removed item has the tombstone as original, and the dialect's media type for JSON", () => {
    const [original, , json] = links('sites/y', publication('legacy')).split('\n');
    expect([original, json]).toEqual([
      '</api/v1/sites/y>;rel="original",',
      '</api/v1/sites/y/versions/timemap>;rel="timemap";type="application/vnd.acme.item+json",',
    ]);
    expect(links(SITE_X)).toContain('</api/v1/sites/x>;rel="original"');
  });
});
