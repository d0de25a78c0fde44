import { describe, expect, test } from 'vitest';
import {
  changesPageAt,
  changesPageUrl,
  changesUrl,
  resourceUrl,
  snapshotAt,
  snapshotUrl,
  versionAt,
  versionsPageUrl,
  versionsUrl,
  versionUrl,
} from '../../../../src/core/api/urls.ts';

const ID = '0123456789abcdef0123456789abcdef01234567';
const PATHS = ['', 'sites', 'sites/lyra', 'sites/lyra/clusters/main/nodes/n-1'];

describe.each(PATHS)('URLs of "%s"', (path) => {
  test('of versions are parsed to the revision', () => {
    expect(versionAt(versionUrl(path, ID))).toBe(ID);
  });

  test('of other documents are not parsed as versions', () => {
    for (const url of [resourceUrl(path), versionsPageUrl(path, 3), `${versionsUrl(path)}/latest`])
      expect([url, versionAt(url)]).toEqual([url, undefined]);
    expect(versionAt(versionsUrl(path))).toBeUndefined();
  });

  test('in a snapshot are parsed to the revision', () => {
    expect(snapshotAt(resourceUrl(path, snapshotUrl(ID)))).toBe(ID);
    expect(snapshotAt(resourceUrl(path))).toBeUndefined();
    expect(snapshotAt(versionUrl(path, ID))).toBeUndefined();
  });
});

test('URLs of change pages contain the page number, except for the newest page', () => {
  expect(changesPageAt(changesUrl(''))).toBe('newest');
  expect(changesPageAt(changesPageUrl('', 12))).toBe(12);
  for (const url of [changesUrl('sites/lyra'), changesPageUrl('sites/lyra', 1), '/changes/feed', '/'])
    expect([url, changesPageAt(url)]).toEqual([url, undefined]);
});
