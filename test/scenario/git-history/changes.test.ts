/**
 * The change feed over random histories from seeds, with merges in which either parent comes first. A client that
 * follows the feed from the start, or from any revision on its line, gets the state of the head.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGE_SIZE } from '../../../src/core/api/page-size.ts';
import type { Publication } from '../../../src/core/api/publication.ts';
import { changesPageUrl, resourceUrl } from '../../../src/core/api/urls.ts';
import { isAtOrBelow } from '../../../src/core/model/resource-path.ts';
import { resourcesIn } from '../../../src/core/model/state.ts';
import { storedObject } from '../../../src/core/registry/registry.ts';
import { withSettings } from '../../../src/features/build/build-options.ts';
import { publicationOf } from '../../../src/features/build/publication-of.ts';
import { importRegistry } from '../../../src/features/import/import.ts';
import { loadSources } from '../../../src/features/sources/load-sources.ts';
import { type PublicSources, publicSources } from '../../../src/features/sources/public-sources.ts';
import { writeRandomRepository } from '../../support/registries/random-repository.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { catchUp, follow } from '../../support/trees/feed-client.ts';
import { plannedTree } from '../../support/values/planned-tree.ts';

const SEEDS = Array.from({ length: 24 }, (_, i) => i + 1);
const COMMITS = 60;

async function importedSources(seed: number): Promise<PublicSources> {
  const folder = temporaryFolder();
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  writeRandomRepository(repository, seed, COMMITS);
  const out = join(folder, 'registry-data');
  await importRegistry({ repository, path: 'data/grid', ref: 'HEAD', firstParent: false, out, showsProgress: false });
  return withSettings(publicSources(loadSources({ registry: out }), { registry: out }), { snapshots: 'none' });
}

/** Returns the head's resources at and below a path, by URL. */
function resourcesOf({ current, store }: Publication, path = ''): Record<string, unknown> {
  return Object.fromEntries(
    [...resourcesIn(current)].flatMap(([each, { body }]) =>
      isAtOrBelow(each, path) ? [[resourceUrl(each), storedObject(store, body.handle)]] : [],
    ),
  );
}

/** Returns the revisions from the first to the head along first parents. */
function lineOf({ history }: PublicSources): string[] {
  const line: string[] = [];
  for (let at: number | undefined = history.revisions.length - 1; at !== undefined; at = history.parents[at]?.[0])
    line.unshift(history.revisions[at]?.id ?? '');
  return line;
}

test.each(SEEDS)(
  'a client that follows the feeds from the start gets the head, in total and for each site (seed %i)',
  async (seed) => {
    const publication = publicationOf(await importedSources(seed));
    const { get, textOf } = plannedTree(publication);
    for (const path of ['', 'sites/s1', 'sites/s2', 'sites/s3']) {
      const start = `${path === '' ? '' : `/${path}`}/changes`;
      // A site that existed only on a side branch has no feed.
      if (path !== '' && textOf(start) === undefined) continue;
      const resources = new Map<string, unknown>();
      await follow(get, await catchUp(get, start), resources);
      expect(Object.fromEntries(resources)).toEqual(resourcesOf(publication, path));
    }
  },
);

test.each(SEEDS)('a client that continues from any revision gets the head (seed %i)', async (seed) => {
  const sources = await importedSources(seed);
  const publication = publicationOf(sources);
  const { get, textOf } = plannedTree(publication);
  const all = await catchUp(get);
  for (const id of lineOf(sources).filter((_, i) => i % 5 === 0)) {
    const older = publicationOf(sources, id);
    const then = plannedTree(older);
    const seen = await catchUp(then.get);
    const resources = new Map<string, unknown>();
    await follow(then.get, seen, resources);
    expect(Object.fromEntries(resources)).toEqual(resourcesOf(older));
    // A revision without changes has no entry, so the newest entry has the last known revision.
    const missed = await catchUp(get, '/changes', String(seen.at(-1)?.['revision']));
    expect([...seen, ...missed]).toEqual(all);
    await follow(get, missed, resources);
    expect(Object.fromEntries(resources)).toEqual(resourcesOf(publication));
    for (let page = 1; page <= seen.length / PAGE_SIZE; page++)
      expect(textOf(changesPageUrl('', page))).toBe(then.textOf(changesPageUrl('', page)));
  }
});
