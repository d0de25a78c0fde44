import { appendFileSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { resourcesIn } from '../../../src/core/model/state.ts';
import { storedObject } from '../../../src/core/registry/registry.ts';
import { record } from '../../../src/features/revisions/record.ts';
import { loadCheckedSources } from '../../../src/features/sources/load-sources.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { type GitRepository, gitRepository, json } from '../../support/registries/git-repository.ts';
import {
  BASE,
  CLUSTER,
  imported,
  NODE,
  NODE_BODY,
  NODE_FILE,
  SITE,
  SITE_BODY,
  SITE_FILE,
  warning,
} from '../../support/registries/imported.ts';
import {
  identities,
  importedOnce,
  importInto,
  OTHER,
  OTHER_FILE,
  withCores,
} from '../../support/registries/imported-once.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

describe('an import after new commits', () => {
  test('adds new revisions and leaves other files unchanged', async () => {
    const { repository, registry } = await importedOnce();
    writeFileSync(join(registry, 'NOTES'), 'No source: what else is here stays here.');
    const before = { contents: folderContents(registry), identities: identities(registry) };
    const third = repository.commit({ files: { [NODE_FILE]: withCores(32), [OTHER_FILE]: null } });
    const fourth = repository.commit({ files: { [OTHER_FILE]: json({ ...OTHER, cores: 4 }) } });

    const { added, revisions, resources, configuration, warnings } = await importInto(registry, repository);
    expect({ added, revisions, resources, configuration, warnings }).toEqual({
      added: 2,
      revisions: 4,
      resources: 5,
      configuration: undefined,
      warnings: [],
    });
    const news = [
      `history/000003-${third.slice(0, 8)}.yaml`,
      `history/000004-${fourth.slice(0, 8)}.yaml`,
      `${CLUSTER}/nodes/n1.yaml`,
      `${CLUSTER}/nodes/n2.yaml`,
    ];
    const after = identities(registry);
    expect(
      Object.keys(after)
        .filter((file) => after[file] !== before.identities[file])
        .sort(),
    ).toEqual(news);
    const contents = folderContents(registry);
    for (const file of Object.keys(before.contents).filter((file) => !news.includes(file))) {
      expect(contents[file]).toBe(before.contents[file]);
    }
    expect(readdirSync(join(registry, '..')).sort()).toEqual([
      '.gitignore',
      'gridpress.yaml',
      'registry-data',
      'schemas',
    ]);
  });

  test('gives the same registry as a new import, including the order of keys', async () => {
    const { repository, registry } = await importedOnce();
    repository.commit({ files: { [NODE_FILE]: '{"cores": 16, "node_type": "compute", "uid": "n1", "type": "node"}' } });
    repository.commit({ files: { [SITE_FILE]: json({ site_class: 'baremetal', ...SITE_BODY }) } });
    repository.commit({ files: { [OTHER_FILE]: json({ a: 1, ...OTHER }) } });
    await importInto(registry, repository);
    repository.commit({ files: { [OTHER_FILE]: json({ b: 1, ...OTHER }) } });
    repository.commit({ files: { [NODE_FILE]: '{' } });
    repository.commit({ files: { [OTHER_FILE]: null } });
    await importInto(registry, repository);

    const fresh = await imported(repository.folder);
    expect(folderContents(registry)).toEqual(folderContents(fresh.registry));
    expect(readFileSync(join(registry, `${NODE}.yaml`), 'utf8')).toBe(
      'cores: 16\nnode_type: compute\nuid: n1\ntype: node\n',
    );
  });

  test('follows a renamed folder', async () => {
    const { repository, registry } = await importedOnce();
    const moved = Object.entries({ ...BASE, [OTHER_FILE]: json(OTHER) }).flatMap(([file, text]) => [
      [file, null] as const,
      [file.replaceAll('testbed', 'moved'), text] as const,
    ]);
    repository.commit({ files: Object.fromEntries(moved) });
    expect(await importInto(registry, repository)).toMatchObject({ added: 1, resources: 5 });
  });

  test('includes commits of a merged branch', async () => {
    const { repository, registry, first, second } = await importedOnce();
    const side = repository.commit({ branch: 'side', parents: [first], files: { [OTHER_FILE]: null } });
    const merge = repository.commit({ parents: [second, side], files: { [OTHER_FILE]: null } });
    const { revisions, at } = await imported(repository.folder, {}, registry);
    expect(revisions.map(({ id }) => id)).toEqual([first, second, side, merge]);
    const fresh = await imported(repository.folder);
    for (const id of [first, second, side, merge]) expect(at(id)).toEqual(fresh.at(id));
  });

  test('warns only about new commits, and remembers the last good contents', async () => {
    const { repository, registry, second } = await importedOnce();
    const third = repository.commit({ files: { [NODE_FILE]: '{"a": tru}', [SITE_FILE]: '{"a": tru}' } });
    const { warnings } = await imported(repository.folder, {}, registry);
    const kept = (id: string, path: string) =>
      warning(
        id,
        `${path} cannot be read: it is not JSON (Unexpected token '}').`,
        'import-broken-file',
        'The import uses its last valid contents.',
      );
    expect(warnings).toBe([kept(third, NODE_FILE), kept(third, SITE_FILE)].join('\n'));
    const fourth = repository.commit({ files: { [NODE_FILE]: '' } });
    const again = await imported(repository.folder, {}, registry);
    expect(again.warnings).toBe(
      kept(fourth, NODE_FILE).replace("Unexpected token '}'", 'Unexpected end of JSON input'),
    );
    expect(again.at(fourth)).toEqual(again.at(second));
  });

  test('remembers the last good contents on a branch of a long history', async () => {
    const repository = gitRepository();
    const good = repository.commit({ files: BASE });
    for (let i = 1; i < 100; i++) repository.commit();
    const head = repository.commit({ files: { [SITE_FILE]: json({ ...SITE_BODY, name: 'Head' }) } });
    const { registry } = await imported(repository.folder);
    const files = { [NODE_FILE]: '{"a": tru}' };
    const broken = repository.commit({ branch: 'side', parents: [good], files });
    repository.commit({ parents: [head, broken], files });
    const again = await imported(repository.folder, {}, registry);
    expect(again.at(broken)).toEqual(again.at(good));
    expect(again.changes(broken)).toEqual([`touched ${NODE}`]);
  });

  test('changes nothing if there are no new commits', async () => {
    const { repository, registry } = await importedOnce();
    const before = identities(registry);
    const folder = lstatSync(registry).ino;
    expect(await importInto(registry, repository)).toMatchObject({ added: 0, revisions: 2, resources: 5 });
    expect(identities(registry)).toEqual(before);
    expect(lstatSync(registry).ino).toBe(folder);
  });

  test('keeps comments and formatting until the resource changes', async () => {
    const { repository, registry } = await importedOnce();
    const site = join(registry, SITE, 'site.yaml');
    const node = join(registry, `${NODE}.yaml`);
    writeFileSync(site, "# The first site\nname: 'Lyra'\nuid: lyra\ntype: site\n");
    appendFileSync(node, '# The first node\n');
    repository.commit({ files: { [NODE_FILE]: withCores(32) } });
    await imported(repository.folder, {}, registry);
    expect(readFileSync(site, 'utf8')).toBe("# The first site\nname: 'Lyra'\nuid: lyra\ntype: site\n");
    expect(readFileSync(node, 'utf8')).toBe('type: node\nuid: n1\nnode_type: compute\ncores: 32\n');
  });

  test('repairs a head that violates registry rules', async () => {
    const repository = gitRepository();
    const bad = { ...SITE_BODY, site_class: 'baremetal', latitude: 'north' };
    repository.commit({ files: { ...BASE, [SITE_FILE]: json(bad), [OTHER_FILE]: json({ ...OTHER, type: 'fpga' }) } });
    const registry = join(temporaryFolder(), 'registry-data');
    await importInto(registry, repository);
    expect((await gridpress(['check', '--registry', registry])).status).toBe(1);

    repository.commit({ files: { [SITE_FILE]: json({ ...bad, latitude: 52.1 }), [OTHER_FILE]: null } });
    const { revisions, at } = await imported(repository.folder, {}, registry);
    expect(at(revisions[1]?.id ?? '')[SITE]).toEqual({ ...bad, latitude: 52.1 });
    expect(readdirSync(join(registry, CLUSTER, 'nodes'))).toEqual(['n1.yaml']);
  });
});

describe('an import after a local revision', () => {
  const author = { author: 'Ada', date: '2026-03-01T12:00:00+01:00' };
  const siteFile = (registry: string) => join(registry, SITE, 'site.yaml');

  test('keeps both heads for a merge, repeatedly', async () => {
    const { repository, registry, second } = await importedOnce();
    appendFileSync(siteFile(registry), 'location: Somewhere\n');
    let { id: ours } = record({ registry, message: 'By hand', ...author });
    const parents = [second];
    for (const cores of [32, 64]) {
      const theirs = repository.commit({ files: { [NODE_FILE]: withCores(cores), [OTHER_FILE]: null } });
      const printed = await gridpress(['import', repository.folder, '-o', registry]);
      expect(printed).toEqual({
        status: 0,
        stdout: `Imported 1 new revision of ${parents.length + 2} and 4 resources into ${registry}.
Recorded and imported changes were merged. Review the result and record the merge: gridpress record --merge ${theirs.slice(0, 8)} -m MESSAGE
`,
        stderr: '',
      });
      expect(await importRefused(registry, repository)).toContain('The history has 2 heads that no revision merges');
      const { id: joined } = record({ registry, merge: theirs, message: 'Join', ...author });
      const { history, at } = replayedIn(registry);
      expect(at(joined)).toMatchObject({ [SITE]: { location: 'Somewhere' }, [NODE]: { cores } });
      expect(history.find(({ id }) => id === joined)?.parents).toEqual([ours, theirs]);
      expect(history.find(({ id }) => id === theirs)?.parents).toEqual(parents.slice(-1));
      expect((await gridpress(['check', '--registry', registry])).status).toBe(0);
      parents.push(theirs);
      ours = joined;
    }
  });

  test('merges changes of different fields and reports conflicts', async () => {
    const { repository, registry } = await importedOnce();
    appendFileSync(siteFile(registry), 'location: Here\n');
    const node = join(registry, `${NODE}.yaml`);
    writeFileSync(node, readFileSync(node, 'utf8').replace('cores: 16', 'cores: 17'));
    record({ registry, message: 'By hand', ...author });
    const theirs = repository.commit({
      files: { [SITE_FILE]: json({ ...SITE_BODY, web: 'https://example.org' }), [NODE_FILE]: withCores(18) },
    });
    const { warnings, isMergeDue } = await importInto(registry, repository);
    expect(isMergeDue).toBe(true);
    expect(renderFindings(warnings)).toBe(
      `warning: The registry and the commits up to ${theirs.slice(0, 8)} change /${NODE} differently. [import-conflict]
  The import keeps the change of the registry. Check it before you merge the two heads.
`,
    );
    expect(readFileSync(node, 'utf8')).toContain('cores: 17\n');
    const { id } = record({ registry, merge: theirs, message: 'Join', ...author });
    expect(replayedIn(registry).at(id)[SITE]).toEqual({ ...SITE_BODY, location: 'Here', web: 'https://example.org' });
  });

  test.each([
    ['changes', (disk: JsonObject) => ({ ...disk, size: 2000 })],
    ['adds', (disk: JsonObject) => ({ ...disk, serial: 'S2' })],
  ])('never applies a commit that %s a field of a disk to the next disk', async (_, change) => {
    const disks = ['sda', 'sdb', 'sdc'].map((device): JsonObject => ({ device, size: 1000 }));
    const withDisks = (...storage_devices: JsonObject[]) => json({ ...NODE_BODY, storage_devices });
    const { repository, registry } = await importedOnce();
    repository.commit({ files: { [NODE_FILE]: withDisks(...disks) } });
    await importInto(registry, repository);
    const file = join(registry, `${NODE}.yaml`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('  - device: sda\n    size: 1000\n', ''));
    record({ registry, message: 'Remove sda', ...author });
    const before = readFileSync(file, 'utf8');
    repository.commit({
      files: { [NODE_FILE]: withDisks(...disks.map((disk, i) => (i === 1 ? change(disk) : disk))) },
    });
    const { warnings } = await importInto(registry, repository);
    expect(warnings.map(({ code }) => code)).toEqual(['import-conflict']);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('never adds a disk twice if both sides add it with different values', async () => {
    const [sda, sdb] = [{ device: 'sda' }, { device: 'sdb', serial: 'S2' }];
    const withDisks = (...storage_devices: JsonObject[]) => json({ ...NODE_BODY, storage_devices });
    const { repository, registry } = await importedOnce();
    repository.commit({ files: { [NODE_FILE]: withDisks(sda) } });
    await importInto(registry, repository);
    const file = join(registry, `${NODE}.yaml`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('  - device: sda\n', '$&  - device: sdb\n    size: 1000\n'));
    record({ registry, message: 'Add sdb', ...author });
    const before = readFileSync(file, 'utf8');
    repository.commit({ files: { [NODE_FILE]: withDisks(sda, sdb) } });
    const { warnings } = await importInto(registry, repository);
    expect(warnings.map(({ code }) => code)).toEqual(['import-conflict']);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

/** Returns the revisions of a valid registry and the bodies after each. */
function replayedIn(registry: string) {
  const { history, store } = loadCheckedSources({ registry });
  const at = (id: string): Record<string, JsonObject> =>
    Object.fromEntries(
      [...resourcesIn(history.states[history.indexOf.get(id) ?? -1] ?? null)].map(([path, { body }]) => [
        path,
        storedObject(store, body.handle),
      ]),
    );
  return { history: history.revisions, at };
}

async function importRefused(registry: string, repository: GitRepository): Promise<string> {
  return (await gridpress(['import', repository.folder, '-o', registry])).stderr;
}
