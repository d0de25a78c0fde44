import { expect, test } from 'vitest';
import {
  envelope,
  renderCollection,
  renderEmptyCollection,
  renderSnapshots,
} from '../../../../src/core/api/collection.ts';
import { KINDS } from '../../../../src/core/model/kinds.ts';
import { gridOf, parsePath } from '../../../../src/core/model/resource-path.ts';
import { A, C, current, D, publication, SITE_X, snapshotOfC } from '../../../support/values/publication.ts';

const subject = (path: string) => parsePath(path, KINDS) ?? gridOf(KINDS);

test('an envelope has total, offset, items, version and links, in that order', () => {
  expect(envelope(['{"a":1}', '{}'], 'v', '[]')).toBe(
    '{"total":2,"offset":0,"items":[{"a":1},{}],"version":"v","links":[]}',
  );
});

test('a collection links to itself and to what holds it', () => {
  expect(renderCollection(current(), subject('sites'), ['{}'])).toBe(
    `{"total":1,"offset":0,"items":[{}],"version":"${D}","links":[{"rel":"self","href":"/sites"},{"rel":"parent","href":"/"}]}`,
  );
  expect(renderCollection(current(), subject('sites/x/clusters/c/nodes'), [])).toBe(
    `{"total":0,"offset":0,"items":[],"version":"${D}","links":[{"rel":"self","href":"/sites/x/clusters/c/nodes"},{"rel":"parent","href":"/sites/x/clusters/c"}]}`,
  );
});

test('in a snapshot both lie below its base', () => {
  expect(renderCollection(snapshotOfC(), subject('sites/x/flavors'), [])).toBe(
    `{"total":0,"offset":0,"items":[],"version":"${C}","links":[{"rel":"self","href":"/snapshots/${C}/sites/x/flavors"},{"rel":"parent","href":"/snapshots/${C}/sites/x"}]}`,
  );
});

test('legacy links have types, and the sites no parent', () => {
  expect(renderCollection(current('legacy'), subject('sites'), [])).toBe(
    `{"total":0,"offset":0,"items":[],"version":"${D}","links":[{"rel":"self","href":"/sites","type":"application/vnd.acme.collection+json"}]}`,
  );
  expect(renderCollection(current('legacy'), subject('sites/x/clusters'), [])).toBe(
    `{"total":0,"offset":0,"items":[],"version":"${D}","links":[{"rel":"self","href":"/sites/x/clusters","type":"application/vnd.acme.collection+json"},{"rel":"parent","href":"/sites/x","type":"application/vnd.acme.item+json"}]}`,
  );
});

test('a collection that is left empty', () => {
  expect(renderEmptyCollection(current('legacy'), subject(SITE_X), 'jobs')).toBe(
    `{"total":0,"offset":0,"items":[],"version":"${D}","links":[{"rel":"self","href":"/sites/x/jobs","type":"application/vnd.acme.collection+json"},{"rel":"parent","href":"/sites/x","type":"application/vnd.acme.item+json"}]}`,
  );
});

test('the snapshots that are built, newest first, have only what never changes', () => {
  const snapshot = (id: string, date: string) =>
    `{"type":"snapshot","uid":"${id}",${date},"version":"${id}","links":[{"rel":"self","href":"/snapshots/${id}"},{"rel":"parent","href":"/snapshots"},{"rel":"version","href":"/versions/${id}"}]}`;
  expect(renderSnapshots(publication('current'))).toBe(
    `{"total":2,"offset":0,"items":[${snapshot(C, '"date":"Sat, 28 Feb 2026 00:00:00 GMT","timestamp":"2026-02-28T00:00:00Z"')},${snapshot(A, '"date":"Sun, 01 Mar 2026 11:00:00 GMT","timestamp":"2026-03-01T11:00:00Z"')}],"version":"${D}","links":[{"rel":"self","href":"/snapshots"},{"rel":"parent","href":"/"}]}`,
  );
});
