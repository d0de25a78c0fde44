import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planTree } from '../../../../src/core/tree/plan/plan-tree.ts';
import type { PlannedDocument } from '../../../../src/core/tree/plan/planned.ts';
import { withSettings } from '../../../../src/features/build/build-options.ts';
import { publicationOf } from '../../../../src/features/build/publication-of.ts';
import { loadCheckedSources } from '../../../../src/features/sources/load-sources.ts';
import { publicSources } from '../../../../src/features/sources/public-sources.ts';
import { type Commit, checkout } from '../../../support/registries/revisions.ts';
import { nodeUid, siteFile, writeTestbed } from '../../../support/registries/testbed.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** The documents of the tree of each revision, by path. */
function documentsOf(folder: string, commits: Iterable<Commit>): Map<Commit, Map<string, PlannedDocument>> {
  const trees = new Map<Commit, Map<string, PlannedDocument>>();
  for (const revision of commits) {
    checkout(folder, revision);
    trees.set(revision, documentsIn(`${folder}/registry-data`));
  }
  return trees;
}

function documentsIn(registry: string): Map<string, PlannedDocument> {
  const sources = publicSources(loadCheckedSources({ registry }), { registry });
  const plan = planTree(publicationOf(withSettings(sources, { snapshots: 'none' })));
  const all = plan.documents.flatMap(({ list }) => [...list()]);
  return new Map(all.map((document) => [document.url, document]));
}

function ancestorsOf({ parents }: Commit): Set<Commit> {
  return new Set(parents.flatMap((parent) => [parent, ...ancestorsOf(parent)]));
}

function testbedTrees() {
  const { folder, revisions } = writeTestbed(temporaryFolder());
  return { revisions, trees: documentsOf(folder, Object.values(revisions)) };
}

test('no mutable document is older than at an ancestor, and equal times mean equal texts', () => {
  const { trees } = testbedTrees();
  const wrong: string[] = [];
  for (const [later, documents] of trees) {
    for (const earlier of ancestorsOf(later)) {
      for (const [url, before] of trees.get(earlier) ?? []) {
        const after = documents.get(url);
        if (!after || before.cache === 'immutable' || before.modified < after.modified) continue;
        if (before.modified > after.modified || before.body() !== after.body())
          wrong.push(`${url} of ${earlier.id} and ${later.id}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('a document about one resource keeps its time while other resources change', () => {
  const { revisions, trees } = testbedTrees();
  const node = `/sites/lyra/clusters/main/nodes/${nodeUid(1)}`;
  const timesOf = (url: string) =>
    [revisions.merged, revisions.readded, revisions.closed, revisions.joined].map(
      (revision) => trees.get(revision)?.get(url)?.modified,
    );
  const [merged, joined] = [revisions.merged, revisions.joined].map(
    (revision) => trees.get(revision)?.get('/')?.modified,
  );
  for (const url of [`${node}/versions/timemap.link`, `${node}/badge.svg`])
    expect(timesOf(url)).toEqual([merged, merged, merged, joined]);
});

test('another order of fields in a registry file gives the changed documents another time', () => {
  const { folder, registry, revisions } = writeTestbed(temporaryFolder());
  checkout(folder, revisions.grown);
  const before = documentsIn(registry);
  const file = join(registry, siteFile('lyra'));
  writeFileSync(file, readFileSync(file, 'utf8').trimEnd().split('\n').reverse().join('\n'));
  const changed = [...documentsIn(registry)].filter(([url, document]) => document.body() !== before.get(url)?.body());
  expect(changed.map(([url]) => url)).toContain('/sites/lyra');
  expect(changed.filter(([url, { modified }]) => modified === before.get(url)?.modified)).toEqual([]);
});
