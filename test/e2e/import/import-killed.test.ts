import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkFindings, loadSources } from '../../../src/features/sources/load-sources.ts';
import { isTemporaryName } from '../../../src/system/files/folder-lock.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import {
  BASE,
  GRID,
  imported,
  NODE_BODY,
  NODE_FILE,
  SITE,
  SITE_BODY,
  SITE_FILE,
} from '../../support/registries/imported.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

const PRELOAD = join(import.meta.dirname, '..', '..', 'support', 'processes', 'kill-at-change.mjs');

/** A repository with commits since its import, and folders with its registry before and after. */
async function scene() {
  const repository = gitRepository();
  const [before, after] = [temporaryFolder(), temporaryFolder()];
  repository.commit({ files: BASE });
  await imported(repository.folder, {}, join(before, 'registry-data'));
  const added = `${GRID}/${SITE}/clusters/main/nodes/n2.json`;
  repository.commit({ files: { [SITE_FILE]: json({ ...SITE_BODY, name: 'Other' }) } });
  repository.commit({ files: { [NODE_FILE]: null, [added]: json({ ...NODE_BODY, uid: 'n2' }) } });

  const run = (folder: string, env: Readonly<Record<string, string>>) =>
    gridpress(['import', repository.folder, '-o', join(folder, 'registry-data')], {
      env: { TMPDIR: temporaryFolder(), ...env, NODE_OPTIONS: `--import ${PRELOAD}` },
    });
  const counted = join(temporaryFolder(), 'changes');
  cpSync(before, after, { recursive: true });
  expect(await run(after, { CHANGES_COUNTED_IN: counted })).toMatchObject({ status: 0, stderr: '' });
  return { repository, before, after, run, changes: Number(readFileSync(counted, 'utf8')) };
}

describe('a killed import', () => {
  test('leaves the old registry complete, and the next import succeeds', async () => {
    const { repository, before, after, run, changes } = await scene();
    const old = folderContents(join(before, 'registry-data'));
    const now = folderContents(join(after, 'registry-data'));

    const leaves = async (moment: number) => {
      const folder = temporaryFolder();
      const registry = join(folder, 'registry-data');
      cpSync(before, folder, { recursive: true });
      const killed = await run(folder, { KILL_AT: String(moment) });
      expect(killed).toEqual({ status: null, stdout: '', stderr: '' });

      const place = existsSync(registry) ? 'in its place' : 'beside it';
      // Any command restores the old registry.
      expect(await gridpress(['log', '--registry', registry])).toMatchObject({ status: 0 });
      expect(checkFindings(loadSources({ registry }))).toEqual([]);
      const files = Object.entries(folderContents(registry));
      const found = Object.fromEntries(files.filter(([file]) => !file.split('/').some(isTemporaryName)));
      expect([old, now]).toContainEqual(found);

      await imported(repository.folder, {}, registry);
      expect(folderContents(registry)).toEqual(now);
      // The next import deletes leftover staging folders.
      return `${JSON.stringify(found) === JSON.stringify(old) ? 'old' : 'new'} ${place}`;
    };

    // Kills before and after the staging folder is created, while it is filled, and at each change from the last
    // written file on: the old registry is set aside, the new one moves in, the old one and the temporary files are
    // deleted.
    const stages = ['old in its place', 'old beside it', 'new in its place'];
    const last = Array.from({ length: 12 }, (_, i) => changes - 11 + i);
    const moments = [1, 5, 6, 7, Math.round(changes / 3), Math.round((2 * changes) / 3), ...last];
    const reached: number[] = [];
    for (const moment of moments) reached.push(stages.indexOf(await leaves(moment)));
    expect(reached).toEqual(reached.toSorted((one, other) => one - other));
    expect(new Set(reached)).toEqual(new Set([0, 1, 2]));
  });

  test('leaves nothing if there was no registry, and the next import succeeds', async () => {
    const { repository, after, run } = await scene();
    const folder = temporaryFolder();
    expect(await run(folder, { KILL_AT: '14' })).toEqual({ status: null, stdout: '', stderr: '' });
    expect(readdirSync(folder)).toEqual(['.registry-data.gridpress']);
    await imported(repository.folder, {}, join(folder, 'registry-data'));
    expect(folderContents(folder)).toEqual(folderContents(after));

    const counted = join(temporaryFolder(), 'changes');
    await run(temporaryFolder(), { CHANGES_COUNTED_IN: counted });
    const changes = Number(readFileSync(counted, 'utf8'));
    // The last changes write the schemas for editors and the configuration.
    for (const moment of [changes - 14, changes - 8, changes - 3, changes]) {
      const begun = temporaryFolder();
      await run(begun, { KILL_AT: String(moment) });
      await imported(repository.folder, {}, join(begun, 'registry-data'));
      expect(folderContents(begun)).toEqual(folderContents(after));
    }
  });
});

test('a failed import ends even if git has more output', async () => {
  const repository = gitRepository();
  repository.commit({ files: BASE });
  for (const letter of 'abcdefgh') {
    const named = json({ ...SITE_BODY, name: letter.repeat(1_000_000) });
    repository.commit({ files: { [SITE_FILE]: named } });
  }
  const folder = temporaryFolder();
  const run = await gridpress(['import', repository.folder, '-o', join(folder, 'registry-data')], {
    env: { TMPDIR: temporaryFolder() },
    largestFile: 64,
  });
  expect(run).toMatchObject({ status: 2, stdout: '' });
  expect(run.stderr).toContain('the file would be too large. [write-failed]');
  expect(readdirSync(folder)).toEqual([]);
});
