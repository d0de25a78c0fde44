/** Imports many files with many changes, in one run and in several. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gridpress } from '../../support/processes/cli.ts';
import { type GitRepository, gitRepository, json } from '../../support/registries/git-repository.ts';
import {
  BASE,
  CLUSTER,
  GRID,
  NODE_BODY,
  NODE_FILE,
  SITE,
  SITE_BODY,
  SITE_FILE,
} from '../../support/registries/imported.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

const NODES = 300;
const ROUNDS = 12;
const CONFIGURATION = 'cluster_uid: main\nnode_uid: name\nkinds:\n  - {name: rack, collection: racks, parent: site}\n';

/** Nodes of one round: a new number, and every third round another order of fields. */
function nodesIn(round: number): Record<string, string> {
  const bodies = Array.from({ length: NODES }, (_, i) => ({ ...NODE_BODY, uid: `m${i}`, cores: round }));
  const ordered = bodies.map((body) => (round % 3 === 2 ? Object.fromEntries(Object.entries(body).reverse()) : body));
  return Object.fromEntries(ordered.map((body, i) => [`${GRID}/${CLUSTER}/nodes/m${i}.json`, json(body)]));
}

/** A repository, and a commit at which fewer than half of the files exist. */
function manyFiles(): { readonly repository: GitRepository; readonly middle: string } {
  const repository = gitRepository();
  let middle = '';
  repository.commit({ files: BASE });
  for (let round = 0; round < ROUNDS; round++) {
    const tip = repository.commit({ files: nodesIn(round) });
    if (round === 4) {
      middle = tip;
      const racks = (units: number) => json({ r1: { units, shelves: [{ at: 1 }, { at: units }] } });
      repository.commit({ files: { [`${GRID}/${SITE}/racks.json`]: racks(42) } });
      const side = repository.commit({
        branch: 'side',
        parents: [tip],
        files: { [SITE_FILE]: json({ ...SITE_BODY, name: 'Other' }) },
      });
      const main = repository.commit({
        files: { [`${GRID}/${SITE}/racks.json`]: racks(48), [NODE_FILE]: '<<<<<<< HEAD\n' },
      });
      repository.commit({
        parents: [main, side],
        files: { [SITE_FILE]: json({ ...SITE_BODY, name: 'Other' }), [NODE_FILE]: null },
      });
    }
  }
  return { repository, middle };
}

function importInto(folder: string, repository: GitRepository, ref: string) {
  const out = join(folder, 'registry-data');
  return gridpress(['import', repository.folder, '--ref', ref, '-o', out], { env: { TMPDIR: temporaryFolder() } });
}

test('an import in several runs gives the same bytes and warnings as one run', async () => {
  const { repository, middle } = manyFiles();
  const [whole, steps] = [temporaryFolder(), temporaryFolder()];
  for (const folder of [whole, steps]) writeFileSync(join(folder, 'gridpress.yaml'), CONFIGURATION);
  const once = await importInto(whole, repository, 'main');
  expect(once).toMatchObject({ status: 0 });
  expect(once.stderr).toContain('merge conflict');
  await importInto(steps, repository, middle);
  const last = await importInto(steps, repository, 'main');
  expect(last).toMatchObject({ status: 0, stderr: once.stderr });
  const registry = folderContents(join(whole, 'registry-data'));
  expect(Object.keys(registry)).toContain(join(SITE, 'racks', 'r1.yaml'));
  expect(folderContents(join(steps, 'registry-data'))).toEqual(registry);
  expect(await gridpress(['check', '--registry', join(whole, 'registry-data')])).toMatchObject({ status: 0 });
});
