import { describe, expect, test } from 'vitest';
import { changeTexts, renderVersion } from '../../../../../src/core/api/histories/versions.ts';
import { KINDS } from '../../../../../src/core/model/kinds.ts';
import { gridOf, parsePath } from '../../../../../src/core/model/resource-path.ts';
import { A, B, C, CLUSTER_C, D, NODE_N, publication, SITE_X } from '../../../../support/values/publication.ts';

const given = publication('current');

function version(path: string, index: number): string {
  return renderVersion(given, parsePath(path, KINDS) ?? gridOf(KINDS), index, changeTexts(given, index));
}

/** The start of a version document, which does not depend on the resource. */
function head(letter: string, id: string, date: string): string {
  return `{"uid":"${id}",${date},"message":"The \\"${letter}\\"\\nrevision","author":"Ada Brown","type":"version"`;
}

const MARCH_1 = '"date":"Sun, 01 Mar 2026 11:00:00 GMT","timestamp":"2026-03-01T11:00:00Z"';
const FEBRUARY_28 = '"date":"Sat, 28 Feb 2026 00:00:00 GMT","timestamp":"2026-02-28T00:00:00Z"';
const MARCH_2 = '"date":"Mon, 02 Mar 2026 00:00:00 GMT","timestamp":"2026-03-02T00:00:00Z"';

describe('a version document', () => {
  test('of a node contains its changes, its body, and the links of RFC 5829 and RFC 7089', () => {
    const node = `/${NODE_N}`;
    expect(version(NODE_N, 1)).toBe(
      `${head('b', B, MARCH_1)},"changes":[{"href":"${node}/versions/${B}","action":"replaced","classes":["component"],"fields":[{"at":"/serial","from":"A1","to":"B1"}]}],"resource":{"uid":"n","type":"node","serial":"B1"},"version":"${B}","links":[{"rel":"self","href":"${node}/versions/${B}"},{"rel":"parent","href":"${node}"},{"rel":"version-history","href":"${node}/versions"},{"rel":"latest-version","href":"${node}/versions/latest"},{"rel":"predecessor-version","href":"${node}/versions/${A}"},{"rel":"timemap","href":"${node}/versions/timemap"},{"rel":"original","href":"${node}"}]}`,
    );
  });

  test('of a site contains the changes at and below it, and only its own body', () => {
    expect(version(SITE_X, 1)).toBe(
      `${head('b', B, MARCH_1)},"changes":[{"href":"/${NODE_N}/versions/${B}","action":"replaced","classes":["component"],"fields":[{"at":"/serial","from":"A1","to":"B1"}]}],"resource":{"type":"site","uid":"x","name":"X","site_class":"baremetal"},"version":"${B}","links":[{"rel":"self","href":"/sites/x/versions/${B}"},{"rel":"parent","href":"/sites/x"},{"rel":"version-history","href":"/sites/x/versions"},{"rel":"latest-version","href":"/sites/x/versions/latest"},{"rel":"predecessor-version","href":"/sites/x/versions/${A}"},{"rel":"timemap","href":"/sites/x/versions/timemap"},{"rel":"original","href":"/sites/x"}]}`,
    );
  });

  test('of the first revision has no predecessor, and links to its snapshot if there is one', () => {
    expect(version('', 0)).toBe(
      `${head('a', A, MARCH_1)},"changes":[{"href":"/versions/${A}","action":"added","classes":["administrative"]},{"href":"/sites/x/versions/${A}","action":"added","classes":["administrative"]},{"href":"/${CLUSTER_C}/versions/${A}","action":"added","classes":["administrative"]},{"href":"/${NODE_N}/versions/${A}","action":"added","classes":["hardware"]}],"resource":{"type":"grid","uid":"g"},"version":"${A}","links":[{"rel":"self","href":"/versions/${A}"},{"rel":"parent","href":"/"},{"rel":"version-history","href":"/versions"},{"rel":"latest-version","href":"/versions/latest"},{"rel":"snapshot","href":"/snapshots/${A}"},{"rel":"timemap","href":"/versions/timemap"},{"rel":"original","href":"/"}]}`,
    );
  });

  test('of a collection has no body and no TimeMap', () => {
    expect(version('sites', 2)).toBe(
      `${head('c', C, FEBRUARY_28)},"changes":[{"href":"/sites/x/flavors/f/versions/${C}","action":"added","classes":["hardware"]},{"href":"/sites/y/versions/${C}","action":"added","classes":["administrative"]}],"version":"${C}","links":[{"rel":"self","href":"/sites/versions/${C}"},{"rel":"parent","href":"/sites"},{"rel":"version-history","href":"/sites/versions"},{"rel":"latest-version","href":"/sites/versions/latest"},{"rel":"predecessor-version","href":"/sites/versions/${B}"},{"rel":"snapshot","href":"/snapshots/${C}/sites"}]}`,
    );
  });

  test('of a removal has no body, and the history as parent', () => {
    expect(version('sites/y', 3)).toBe(
      `${head('d', D, MARCH_2)},"changes":[{"href":"/sites/y/versions/${D}","action":"removed","classes":["administrative"]}],"resource":null,"version":"${D}","links":[{"rel":"self","href":"/sites/y/versions/${D}"},{"rel":"parent","href":"/sites/y/versions"},{"rel":"version-history","href":"/sites/y/versions"},{"rel":"latest-version","href":"/sites/y/versions/latest"},{"rel":"predecessor-version","href":"/sites/y/versions/${C}"},{"rel":"timemap","href":"/sites/y/versions/timemap"}]}`,
    );
  });

  test('of a resource that was removed later has its body, the history as parent, its snapshot and no original', () => {
    expect(version('sites/y', 2)).toBe(
      `${head('c', C, FEBRUARY_28)},"changes":[{"href":"/sites/y/versions/${C}","action":"added","classes":["administrative"]}],"resource":{"type":"site","uid":"y","name":"Ÿ \\"quoted\\""},"version":"${C}","links":[{"rel":"self","href":"/sites/y/versions/${C}"},{"rel":"parent","href":"/sites/y/versions"},{"rel":"version-history","href":"/sites/y/versions"},{"rel":"latest-version","href":"/sites/y/versions/latest"},{"rel":"snapshot","href":"/snapshots/${C}/sites/y"},{"rel":"timemap","href":"/sites/y/versions/timemap"}]}`,
    );
  });

  test('has types on every link in the legacy dialect', () => {
    const legacy = publication('legacy');
    const type = (form: string) => `"type":"application/vnd.acme.${form}+json"`;
    expect(renderVersion(legacy, gridOf(KINDS), 1, changeTexts(legacy, 1)).split('"links":')[1]).toBe(
      `[{"rel":"self","href":"/versions/${B}",${type('item')}},{"rel":"parent","href":"/",${type('item')}},{"rel":"version-history","href":"/versions",${type('collection')}},{"rel":"latest-version","href":"/versions/latest",${type('item')}},{"rel":"predecessor-version","href":"/versions/${A}",${type('item')}},{"rel":"timemap","href":"/versions/timemap",${type('item')}},{"rel":"original","href":"/",${type('item')}}]}`,
    );
    const sites = parsePath('sites', KINDS) ?? gridOf(KINDS);
    expect(renderVersion(legacy, sites, 2, changeTexts(legacy, 2))).toContain(
      `{"rel":"parent","href":"/sites",${type('collection')}}`,
    );
  });
});
