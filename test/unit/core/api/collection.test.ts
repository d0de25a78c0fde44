import { expect, test } from 'vitest';
import {
  collectionText,
  renderCollection,
  renderEmptyCollection,
  renderSnapshots,
} from '../../../../src/core/api/collection.ts';
import { KINDS } from '../../../../src/core/model/kinds.ts';
import { gridOf, parsePath } from '../../../../src/core/model/resource-path.ts';
import { A, C, current, D, publication, SITE_X, snapshotOfC } from '../../../support/values/publication.ts';

const subject = (path: string) => parsePath(path, KINDS) ?? gridOf(KINDS);

test('a collection has total, offset, items, version and links, in that order', () => {
  const { publication, index } = current();
  expect(collectionText(publication, { items: ['{"a":1}', '{}'], index, links: [] })).toBe(
    `{"total":2,"offset":0,"items":[{"a":1},{}],"version":"${D}","links":[]}`,
  );
});

test('a collection links to itself and to its parent', () => {
  expect(renderCollection(current(), subject('sites'), ['{}'])).toBe(
    `{"total":1,"offset":0,"items":[{}],"version":"${D}","links":[{"rel":"self","href":"/sites"},{"rel":"parent","href":"/"}]}`,
  );
  expect(renderCollection(current(), subject('sites/x/clusters/c/nodes'), [])).toBe(
    `{"total":0,"offset":0,"items":[],"version":"${D}","links":[{"rel":"self","href":"/sites/x/clusters/c/nodes"},{"rel":"parent","href":"/sites/x/clusters/c"}]}`,
  );
});

test('in a snapshot both links are below its base', () => {
  expect(renderCollection(snapshotOfC(), subject('sites/x/flavors'), [])).toBe(
    `{"total":0,"offset":0,"items":[],"version":"${C}","links":[{"rel":"self","href":"/snapshots/${C}/sites/x/flavors"},{"rel":"parent","href":"/snapshots/${C}/sites/x"}]}`,
  );
});

test('legacy links have types, and the collection of sites has no parent', () => {
  expect(renderCollection(current('legacy'), subject('sites'), [])).toBe(
    `{"total":0,"offset":0,"items":[],"version":"${D}","links":[{"rel":"self","href":"/sites","type":"application/vnd.acme.collection+json"}]}`,
  );
  expect(renderCollection(current('legacy'), subject('sites/x/clusters'), [])).toBe(
    `{"total":0,"offset":0,"items":[],"version":"${D}","links":[{"rel":"self","href":"/sites/x/clusters","type":"application/vnd.acme.collection+json"},{"rel":"parent","href":"/sites/x","type":"application/vnd.acme.item+json"}]}`,
  );
});

test('an empty collection has links too', () => {
  expect(renderEmptyCollection(current('legacy'), subject(SITE_X), 'jobs')).toBe(
    `{"total":0,"offset":0,"items":[],"version":"${D}","links":[{"rel":"self","href":"/sites/x/jobs","type":"application/vnd.acme.collection+json"},{"rel":"parent","href":"/sites/x","type":"application/vnd.acme.item+json"}]}`,
  );
});

test('the list of snapshots has the newest first and only immutable fields', () => {
  const snapshot = (id: string, date: string) =>
    `{"type":"snapshot","uid":"${id}",${date},"version":"${id}","links":[{"rel":"self","href":"/snapshots/${id}"},{"rel":"parent","href":"/snapshots"},{"rel":"version","href":"/versions/${id}"}]}`;
  expect(renderSnapshots(publication('current'))).toBe(
    `{"total":2,"offset":0,"items":[${snapshot(C, '"date":"Sat, 28 Feb 2026 00:00:00 GMT","timestamp":"2026-02-28T00:00:00Z"')},${snapshot(A, '"date":"Sun, 01 Mar 2026 11:00:00 GMT","timestamp":"2026-03-01T11:00:00Z"')}],"version":"${D}","links":[{"rel":"self","href":"/snapshots"},{"rel":"parent","href":"/"}]}`,
  );
});
