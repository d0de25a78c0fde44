/** Tests that links to versions keep working: later trees answer every `version` link of an earlier tree. */
import { describe, expect, test } from 'vitest';
import { endpointOf } from '../../../src/core/api/endpoints.ts';
import type { Configuration } from '../../../src/core/model/configuration.ts';
import { isJsonObject } from '../../../src/core/model/json.ts';
import { newFolder } from '../../support/folders.ts';
import { type Generated, writeGenerated } from '../../support/registries/generated.ts';
import { commit } from '../../support/registries/revisions.ts';
import { siteFile, siteText } from '../../support/registries/testbed.ts';
import { buildAndServe, type Served } from '../../support/trees/served.ts';

/** One revision a day; each after the first changes one node. */
const REVISIONS = 5;
const generated = writeGenerated(newFolder(), 3, REVISIONS);

/** Returns the targets of the `version` links of all resources of a tree. */
async function versionLinksOf({ manifest, client }: Served): Promise<string[]> {
  const links: string[] = [];
  for (const { path } of manifest.documents) {
    if (endpointOf(path)?.content !== 'resource') continue;
    const body: unknown = JSON.parse((await client.get(path)).body);
    const own = isJsonObject(body) && Array.isArray(body['links']) ? body['links'] : [];
    for (const link of own) if (isJsonObject(link) && link['rel'] === 'version') links.push(String(link['href']));
  }
  return links;
}

/** Counts, for each revision's tree, the version links that still answer with the version of that time. */
async function countAnswering(
  versionLinks: Configuration['version_links'],
  { registry, revisions }: Generated = generated,
): Promise<number[]> {
  const head = await buildAndServe(registry, { snapshots: 'none', versionLinks });
  const counts: number[] = [];
  for (const { id } of revisions) {
    const then = await buildAndServe(registry, { snapshots: 'none', at: id });
    const links = await versionLinksOf(then);
    // A site, its cluster and three nodes; the grid has no such link.
    expect(links).toHaveLength(5);
    let answered = 0;
    for (const link of links) {
      const [now, before] = [await head.client.get(link), await then.client.get(link)];
      if (now.status !== 200) continue;
      expect(JSON.parse(now.body)).toEqual(JSON.parse(before.body));
      answered++;
    }
    counts.push(answered);
  }
  return counts;
}

/** Writes a history of three revisions, and a head with this date. */
function withHeadOf(date: string) {
  const folder = newFolder();
  const before = writeGenerated(folder, 3, 2);
  const head = commit(folder, {
    parents: before.revisions.slice(-1),
    edits: { [siteFile('lyra')]: `${siteText('lyra', 'baremetal')}renamed: false\n` },
    message: 'Describe lyra',
    date,
  });
  return { ...before, revisions: [...before.revisions, head] };
}

describe('version links of earlier trees, without snapshots', () => {
  test('all answer for a year by default', async () => {
    expect(await countAnswering(365)).toEqual([5, 5, 5, 5, 5]);
    expect(await countAnswering('all')).toEqual([5, 5, 5, 5, 5]);
  });

  test('answer only for the configured number of days after the next revision', async () => {
    // Versions of changed resources always answer: the first revision created all five, each later one a site, a
    // cluster and a node.
    expect(await countAnswering('none')).toEqual([5, 3, 3, 3, 5]);
    expect(await countAnswering(2)).toEqual([5, 3, 5, 5, 5]);
    expect(await countAnswering(1)).toEqual([5, 3, 3, 5, 5]);
  });

  test('answer after a revision that follows a long time later', async () => {
    expect(await countAnswering(7, withHeadOf('2040-01-01T00:00:00Z'))).toEqual([5, 5, 5]);
  });

  test('never answer with `version_links: none`, even if the head has an earlier date than its parent', async () => {
    expect(await countAnswering('none', withHeadOf('2020-01-01T00:00:00Z'))).toEqual([5, 3, 5]);
  });
});
