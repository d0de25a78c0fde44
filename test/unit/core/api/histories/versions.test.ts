import { describe, expect, test } from 'vitest';
import { fullPagesOf, renderVersions } from '../../../../../src/core/api/histories/versions.ts';
import { KINDS } from '../../../../../src/core/model/kinds.ts';
import { gridOf, parsePath } from '../../../../../src/core/model/resource-path.ts';
import { A, B, C, CLUSTER_C, D, NODE_N, publication, SITE_X } from '../../../../support/values/publication.ts';

const given = publication('current');

function versions(path: string): string {
  return renderVersions(given, parsePath(path, KINDS) ?? gridOf(KINDS));
}

/** The start of a version document, which does not depend on the resource. */
function head(letter: string, id: string, date: string): string {
  return `{"uid":"${id}",${date},"message":"The \\"${letter}\\"\\nrevision","author":"Ada Brown","type":"version"`;
}

const MARCH_1 = '"date":"Sun, 01 Mar 2026 11:00:00 GMT","timestamp":"2026-03-01T11:00:00Z"';

describe('a history', () => {
  test('lists its versions newest first, with counts of their changes', () => {
    const links = (id: string) =>
      `{"rel":"self","href":"/${CLUSTER_C}/versions/${id}"},{"rel":"parent","href":"/${CLUSTER_C}"},{"rel":"version-history","href":"/${CLUSTER_C}/versions"},{"rel":"latest-version","href":"/${CLUSTER_C}/versions/latest"}`;
    const past = `{"rel":"timemap","href":"/${CLUSTER_C}/versions/timemap"},{"rel":"original","href":"/${CLUSTER_C}"}`;
    expect(versions(CLUSTER_C)).toBe(
      `{"total":2,"offset":0,"items":[` +
        `${head('b', B, MARCH_1)},"changes":{"added":0,"updated":0,"removed":0,"replaced":1,"classes":{"component":1}},"version":"${B}","links":[${links(B)},{"rel":"predecessor-version","href":"/${CLUSTER_C}/versions/${A}"},${past}]},` +
        `${head('a', A, MARCH_1)},"changes":{"added":2,"updated":0,"removed":0,"replaced":0,"classes":{"hardware":1,"administrative":1}},"version":"${A}","links":[${links(A)},{"rel":"snapshot","href":"/snapshots/${A}/${CLUSTER_C}"},${past}]}` +
        `],"version":"${D}","links":[{"rel":"self","href":"/${CLUSTER_C}/versions"},{"rel":"parent","href":"/${CLUSTER_C}"}]}`,
    );
  });

  test.each([
    ['', '/', `${D} ${C} ${B} ${A}`],
    ['sites', '/', `${D} ${C} ${B} ${A}`],
    [SITE_X, '/sites', `${C} ${B} ${A}`],
    ['sites/x/clusters', '/sites/x', `${B} ${A}`],
    [CLUSTER_C, `/${CLUSTER_C}`, `${B} ${A}`],
    [`${CLUSTER_C}/nodes`, `/${CLUSTER_C}`, `${B} ${A}`],
    [NODE_N, `/${NODE_N}`, `${B} ${A}`],
    ['sites/x/flavors', '/sites/x', C],
    ['sites/x/flavors/f', '/sites/x/flavors/f', C],
    ['sites/y', '/', `${D} ${C}`],
    ['sites/y/clusters', '/', `${D} ${C}`],
  ])('of %j has the parent %s', (path, parent, ids) => {
    const { total, items, links } = JSON.parse(versions(path));
    expect(items.map(({ uid }: { readonly uid: string }) => uid).join(' ')).toBe(ids);
    expect(total).toBe(ids.split(' ').length);
    expect(links).toEqual([
      { rel: 'self', href: path === '' ? '/versions' : `/${path}/versions` },
      { rel: 'parent', href: parent },
    ]);
  });
});

test.each([
  [0, 0],
  [999, 0],
  [1000, 1],
  [1499, 1],
  [1500, 2],
  [10_312, 19],
])('a history of %i versions has %i pages besides the newest versions', (versions, pages) => {
  expect(fullPagesOf(versions)).toBe(pages);
});
