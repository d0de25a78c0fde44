import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../src/core/diagnostics/failure.ts';
import { headsOf } from '../../src/core/history/graph.ts';
import { KINDS } from '../../src/core/model/kinds.ts';
import { SOURCE_LIMITS } from '../../src/core/platform/limits.ts';
import { MANIFEST_FILE } from '../../src/core/tree/layout.ts';
import type { ArchiveResult } from '../../src/features/archive/archive.ts';
import { build } from '../../src/features/build/build.ts';
import { check } from '../../src/features/check/check.ts';
import { type Found, find } from '../../src/features/find/find.ts';
import type { FleetSource } from '../../src/features/find/fleet-source.ts';
import { indexFileParts, openIndexFile } from '../../src/features/history-index/index-file.ts';
import { importRegistry } from '../../src/features/import/import.ts';
import { lock } from '../../src/features/lock/take-lock.ts';
import { diff } from '../../src/features/revisions/diff.ts';
import { log } from '../../src/features/revisions/log.ts';
import { record } from '../../src/features/revisions/record.ts';
import { show } from '../../src/features/revisions/show.ts';
import { previewTree } from '../../src/features/serve/preview-tree.ts';
import type { ServedTree } from '../../src/features/serve/served-tree.ts';
import { keptSources } from '../../src/features/sources/kept-sources.ts';
import { loadSources } from '../../src/features/sources/load-sources.ts';
import { readIndexedHistory } from '../../src/features/sources/read-indexed-history.ts';
import { listFolder, readFolder } from '../../src/system/files/read-folder.ts';
import { newFolder } from '../support/folders.ts';
import { gridpress } from '../support/processes/cli.ts';
import { git, writeRandomRepository } from '../support/registries/random-repository.ts';
import { archived } from '../support/trees/archived.ts';
import { random } from '../support/values/random.ts';

/** With index: more than `FEWEST_INDEXED`. */
const COMMITS = 130;

// Without index, each question replays all of them.
vi.setConfig({ testTimeout: 300_000 });

interface Project {
  readonly folder: string;
  readonly registry: string;
  /** The same registry at a place that can have no index, with the configuration of the other. */
  readonly plain: { readonly registry: string; readonly config: string };
  readonly index: string;
}

let repository: string;
/** A commit on which the newest do not stand. */
let earlier: string;
let project: Project;

beforeAll(async () => {
  repository = newFolder();
  writeRandomRepository(repository, 7, COMMITS);
  const line = git(repository, ['rev-list', '--first-parent', 'HEAD']).trim().split('\n');
  earlier = line[Math.floor(line.length / 5)] ?? '';
  project = await importedProject('HEAD');
}, 120_000);

async function importInto(registry: string, ref: string): Promise<void> {
  await importRegistry({ repository, out: registry, ref, firstParent: false, showsProgress: false });
}

async function importedProject(ref: string, folder = newFolder()): Promise<Project> {
  await importInto(join(folder, 'registry-data'), ref);
  return projectIn(folder);
}

function projectIn(folder: string): Project {
  const registry = join(folder, 'registry-data');
  const elsewhere = newFolder();
  symlinkSync(registry, join(elsewhere, 'registry-data'));
  return {
    folder,
    registry,
    plain: { registry: join(elsewhere, 'registry-data'), config: join(folder, 'gridpress.yaml') },
    index: join(folder, '.gridpress', 'registry-data.index'),
  };
}

/** What is answered, or why not, wherever the registry lies. */
async function told(registry: string, ask: () => unknown): Promise<string> {
  const text = JSON.stringify(await (async () => ask())().catch(findingsOf));
  return text.replaceAll(registry, 'REGISTRY');
}

function findingsOf(error: unknown): unknown {
  if (error instanceof Failure) return error.findings;
  throw error;
}

const SUBJECTS = ['', 'sites/s2/clusters/c1/nodes', 's2', 'n1', 'nope'];

/** Everything that is asked of a history alone, of single resources, and of all sources. */
async function answers(place: Project['plain'] | { readonly registry: string }, ids: readonly string[]) {
  const { registry } = place;
  const asked = [
    ...SUBJECTS.map((resource) => () => log({ ...place, resource })),
    ...SUBJECTS.flatMap((resource) => ids.map((at) => () => show({ ...place, resource, at }))),
    () => log({ ...place, resource: 'sites', classes: ['hardware'], since: '2023-11-14' }),
    () => diff({ ...place, from: 'head', to: 'worktree', resource: 'n1' }),
    () => diff({ ...place, from: ids[0] ?? '', to: 'worktree' }),
    () => diff({ ...place, from: ids[0] ?? '', to: ids[1] ?? '', resource: 's2' }),
    () => check(place),
    () => built(place, 'none'),
    () => archivesOf(place, ids),
    () => record({ ...place, message: 'm', author: 'a', date: '2026-01-01T00:00:00Z', isDry: true }),
    () => find({ ...ASKED, from: registry, ...configOf(place), at: ids[0] }, 'all', foundIn),
    async () => (await lock({ nodes: [nodeIn(registry)], from: registry, ...ASKED, ...configOf(place) })).lock.nodes,
  ];
  const all: string[] = [];
  for (const ask of asked) all.push(await told(registry, ask));
  return all;
}

/** The manifest of the tree that is built, which has the digests of all else. */
async function built(
  place: Project['plain'] | { readonly registry: string },
  snapshots: 'all' | 'none',
): Promise<string> {
  const out = join(newFolder(), 'dist');
  await build({ ...place, out, snapshots, showsProgress: false, fsync: false });
  return readFileSync(join(out, MANIFEST_FILE), 'utf8');
}

/** The archives of the head and of others, with the digests of their files. */
async function archivesOf(
  place: Project['plain'] | { readonly registry: string },
  ids: readonly string[],
): Promise<ArchiveResult['archives']> {
  const { registry, ...config } = place;
  return (await archived(registry, { ...config, revisions: ['head', ...ids] })).archives;
}

const ASKED = { timeout: 1, limit: 1 };

const foundIn = async ({ rows, revision }: Found, { nodesAt }: FleetSource) => {
  const nodes = await nodesAt(rows);
  return { revision, nodes: nodes.map((node) => ({ ...node })) };
};

/** The path of a node that there is. */
function nodeIn(registry: string): string {
  const files = readdirSync(join(registry, 'sites'), { recursive: true, encoding: 'utf8' }).sort();
  return `sites/${files.find((file) => /nodes\/[^/]+\.yaml$/.test(file))?.slice(0, -'.yaml'.length)}`;
}

function configOf(place: object) {
  return 'config' in place && typeof place.config === 'string' ? { config: place.config } : {};
}

function idsOf({ registry }: Project): string[] {
  const files = readdirSync(join(registry, 'history')).sort();
  return [40, -30].map((at) => /-([0-9a-f]+)\.yaml$/.exec(files.at(at) ?? '')?.[1] ?? '');
}

/** By the first question the index is made or mended, and by the others it is there. */
async function expectSameAnswers(of: Project): Promise<void> {
  const ids = idsOf(of);
  const plain = await answers(of.plain, ids);
  expect(await answers({ registry: of.registry }, ids)).toEqual(plain);
}

/** The same for what reads least, and what reads most. */
async function expectSameFew(of: Project): Promise<void> {
  const few = async (place: Project['plain'] | { readonly registry: string }) => [
    await told(place.registry, () => log({ ...place, resource: 'sites/s2' })),
    await told(place.registry, () => check(place)),
  ];
  const plain = await few(of.plain);
  expect(await few({ registry: of.registry })).toEqual(plain);
}

/** Until the test is over it is later, so that no file is new any more: new ones are known by their digests alone. */
function letFilesSettle(): void {
  const now = Date.now;
  const later = vi.spyOn(Date, 'now').mockImplementation(() => now() + 10_000);
  onTestFinished(() => later.mockRestore());
}

/** The revisions that the index has. */
function openedRevisions({ index }: Pick<Project, 'index'>): readonly unknown[] {
  return JSON.parse(openIndexFile(index).section('ids').toString('utf8'));
}

/** All that is read of a registry's history. */
function filesRead({ registry }: Project): string[] {
  const sources = readFolder(registry, registry, SOURCE_LIMITS, listFolder(registry, registry, 'history'));
  const read: string[] = [];
  const folder = {
    ...sources.folder,
    read: (file: string) => {
      read.push(file);
      return sources.folder.read(file);
    },
  };
  const digestOf = (file: string) => {
    read.push(file);
    return sources.digestOf(file);
  };
  const options = { registry, heads: 1, kinds: KINDS, limits: SOURCE_LIMITS, isThorough: false } as const;
  const { findings } = readIndexedHistory({ ...sources, folder, digestOf }, options);
  expect(findings).toEqual([]);
  return [...new Set(read)];
}

describe('with an index and without, answers are the same', () => {
  test('and with it, nothing is read that is known', async () => {
    await expectSameAnswers(project);
    letFilesSettle();
    rmSync(project.index);
    filesRead(project);
    expect(filesRead(project)).toEqual([]);
    expect(readFileSync(join(project.folder, '.gridpress', '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('and an archive, too, leaves the index to the next question', async () => {
    const { registry, plain, index } = copyOf(project);
    rmSync(index, { force: true });
    expect(await archivesOf({ registry }, [])).toEqual(await archivesOf(plain, []));
    expect(openedRevisions({ index })).toHaveLength(idCount(project));
  });

  test('after imports in steps and records, which are all that is read then', async () => {
    const stepwise = await importedProject(earlier);
    await expectSameAnswers(stepwise);
    await importInto(stepwise.registry, 'HEAD');
    await expectSameAnswers(stepwise);
    letFilesSettle();
    rmSync(stepwise.index);
    filesRead(stepwise);
    const [site = ''] = readdirSync(join(stepwise.registry, 'sites'));
    appendFileSync(join(stepwise.registry, 'sites', site, 'site.yaml'), 'email_contact: a@example.org\n');
    const { file } = record({ registry: stepwise.registry, message: 'm', author: 'a', date: '2026-01-01T00:00:00Z' });
    expect(filesRead(stepwise)).toEqual([file.slice(stepwise.registry.length + 1)]);
    await expectSameAnswers(stepwise);
  });

  test('when revision files change, go and come back', async () => {
    const changing = copyOf(project);
    const history = join(changing.registry, 'history');
    const [first = '', ...others] = readdirSync(history).sort();
    const last = others.at(-1) ?? '';
    await expectSameAnswers(changing);
    const text = readFileSync(join(history, last), 'utf8');
    for (const changed of [
      `# a remark\n${text}`,
      text.replace(/^state: "?sha256:.{8}/m, (found) => `${found.slice(0, -8)}00000000`),
      text.replace(/^message: .*$/m, 'message: another'),
      'id: [\n',
    ]) {
      writeFileSync(join(history, last), changed);
      await expectSameFew(changing);
    }
    writeFileSync(join(history, last), text);
    const middle = others.find((name) => /\{at: .*from: /.test(readFileSync(join(history, name), 'utf8'))) ?? '';
    const held = readFileSync(join(history, middle), 'utf8');
    for (const changed of [
      held.replace(/^changes:$/m, 'changes: # all of them'),
      held.replace(/from: /, 'from: not '),
      held.replace(/^changes:$/m, 'id: twice\nchanges:'),
      `${held}message: at the end\n`,
      held.replace(/\{at: /, '{at '),
    ]) {
      writeFileSync(join(history, middle), changed);
      // Without any index, all files are read when it is their turn.
      rmSync(changing.index, { force: true });
      await expectSameFew(changing);
    }
    writeFileSync(join(history, middle), held);
    for (const gone of [last, first, others[100] ?? '']) {
      renameSync(join(history, gone), join(changing.folder, 'aside'));
      await expectSameFew(changing);
      renameSync(join(changing.folder, 'aside'), join(history, gone));
    }
    cpSync(join(history, first), join(history, '999999-twice.yaml'));
    await expectSameFew(changing);
    rmSync(join(history, '999999-twice.yaml'));
    await expectSameAnswers(changing);
  });

  test('when there are two heads, which a merge is about to join', async () => {
    const forked = copyOf(project);
    const { registry } = forked;
    const [site = ''] = readdirSync(join(registry, 'sites'));
    const source = join(registry, 'sites', site, 'site.yaml');
    const said = { registry, author: 'a', date: '2026-01-01T00:00:00Z' };
    const text = readFileSync(source, 'utf8');
    writeFileSync(source, `${text}site_note: one\n`);
    const { file } = record({ ...said, message: 'One' });
    renameSync(file, join(forked.folder, 'aside'));
    writeFileSync(source, `${text}site_note: other\n`);
    record({ ...said, message: 'Other' });
    renameSync(join(forked.folder, 'aside'), `${file.slice(0, -'.yaml'.length)}a.yaml`);
    letFilesSettle();
    const { history } = loadSources({ registry, isIndexed: true, isMerging: true });
    expect(headsOf(history.revisions)).toHaveLength(2);
    expect(openedRevisions(forked)).toHaveLength(history.revisions.length);
    await expectSameFew(forked);
  });

  test('in a clone that checks out what was before, and comes back', async () => {
    const clone = newFolder();
    git(clone, ['init', '--quiet', '--initial-branch=main']);
    const commit = (message: string) => {
      git(clone, ['add', '.']);
      const said = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', message];
      git(clone, said);
    };
    const cloned = await importedProject(earlier, clone);
    commit('Before');
    await expectSameFew(cloned);
    await importInto(cloned.registry, 'HEAD');
    commit('After');
    // What a folder beside the registry holds is nothing that git is told of.
    expect(git(clone, ['ls-files', '.gridpress'])).toBe('');
    for (const moment of ['HEAD~1', 'main']) {
      git(clone, ['checkout', '--quiet', moment]);
      await expectSameFew(cloned);
    }
  });
});

/** All that an index says, but for the times of files. */
function saidBy({ index }: Project): unknown {
  const { head, section } = openIndexFile(index);
  const { sections, ...others } = head;
  const names = (Array.isArray(sections) ? sections : []).map((each) => String(Object(each).name));
  const said = names.filter((name) => name !== 'marks').map((name) => [name, section(name).toString('base64')]);
  return { others, said };
}

describe('an import leaves the index that a replay makes', () => {
  test.each([3, 4, 5])('of all that it brings: %i', async (seed) => {
    const other = newFolder();
    writeRandomRepository(other, seed, COMMITS);
    const folder = newFolder();
    const options = { repository: other, ref: 'HEAD', firstParent: false, showsProgress: false };
    await importRegistry({ ...options, out: join(folder, 'registry-data') });
    const fed = projectIn(folder);
    const said = saidBy(fed);
    rmSync(fed.index);
    filesRead(fed);
    expect(said).toEqual(saidBy(fed));
  });

  test('of what it adds, which stands behind what was there', async () => {
    const parents = git(repository, ['rev-parse', 'HEAD^@']).trim().split('\n');
    const countOf = (id: string) => Number(git(repository, ['rev-list', '--count', id]));
    const [fewest = ''] = parents.filter((id) => countOf(id) >= 100).sort((a, b) => countOf(a) - countOf(b));
    const grown = await importedProject(fewest);
    expect(openedRevisions(grown).length).toBeLessThan(idCount(project));
    const before = readFileSync(grown.index);
    const folder = join(grown.folder, '.gridpress');
    const records = readdirSync(folder).filter((name) => name.includes('.records-'));
    const kept = records.map((name) => [name, readFileSync(join(folder, name))] as const);
    await importInto(grown.registry, 'HEAD');
    const said = saidBy(grown);
    writeFileSync(grown.index, before);
    for (const [name, bytes] of kept) writeFileSync(join(folder, name), bytes);
    filesRead(grown);
    expect(said).toEqual(saidBy(grown));
    expect(openedRevisions(grown)).toHaveLength(idCount(project));
    await expectSameAnswers(grown);
  });
});

const idCount = ({ registry }: Project) => readdirSync(join(registry, 'history')).length;

describe('an index is not believed', () => {
  test('by dev, which goes on where it is damaged or gone meanwhile', async () => {
    letFilesSettle();
    const { plain, ...shown } = copyOf(project);
    const [id = ''] = idsOf(project);
    const urls = ['/', '/sites/s2/versions', `/versions/${loadSources(plain).history.revisions.at(-9)?.id}`];
    const previewOf = (place: Project['plain'] | { readonly registry: string }) =>
      previewTree({ ...place, kept: keptSources(), snapshots: [id], showsProgress: false }).tree;
    const bodiesOf = async (tree: ServedTree) =>
      await Promise.all(
        [
          ...urls,
          `/snapshots/${loadSources(plain).history.revisions.find((each) => each.id.startsWith(id))?.id}/sites`,
        ].map(async (url) => (await tree.get(url))?.sha256),
      );
    const expected = await bodiesOf(previewOf(plain));
    expect(expected).not.toContain(undefined);
    const tree = previewOf({ registry: shown.registry });
    for (const name of readdirSync(join(shown.folder, '.gridpress')))
      truncateSync(join(shown.folder, '.gridpress', name), 0);
    expect(urls.map(tree.has)).toEqual(urls.map(() => true));
    expect(await bodiesOf(tree)).toEqual(expected);
  });

  test.each([1, 2, 3])('where bytes of it have changed, or are missing: %i', async (seed) => {
    letFilesSettle();
    const damaged = copyOf(project);
    const [id = ''] = idsOf(damaged);
    const { plain } = damaged;
    const listed = await told(plain.registry, () => log({ ...plain, resource: 'sites' }));
    const shown = await told(plain.registry, () => show({ ...plain, resource: 'sites/s2', at: id }));
    const tree = await told(plain.registry, () => built(plain, 'all'));
    const chosen = random(seed);
    for (let round = 0; round < 8; round++) {
      log({ registry: damaged.registry });
      filesRead(damaged);
      const folder = join(damaged.folder, '.gridpress');
      const file = join(folder, chosen.pick(readdirSync(folder).filter((name) => !name.startsWith('.git'))));
      const bytes = readFileSync(file);
      for (let i = 0; i < 4; i++) {
        const at = chosen.below(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 + chosen.below(255));
      }
      if (chosen.chance(0.3)) truncateSync(file, chosen.below(bytes.length));
      else writeFileSync(file, bytes);
      const place = { registry: damaged.registry };
      expect(await told(place.registry, () => log({ ...place, resource: 'sites' }))).toBe(listed);
      expect(await told(place.registry, () => show({ ...place, resource: 'sites/s2', at: id }))).toBe(shown);
      if (round % 4 > 0) continue;
      writeFileSync(file, bytes);
      expect(await told(place.registry, () => built(place, 'all'))).toBe(tree);
    }
  });

  test('where it came from elsewhere, though it is whole', async () => {
    await expectSameAnswers(project);
    const copy = copyOf(project);
    const { head, section } = openIndexFile(copy.index);
    const listed = Array.isArray(head['sections']) ? head['sections'] : [];
    const sections = listed.map((each) => {
      const name = String(Object(each).name);
      const bytes = section(name);
      return name === 'revisions'
        ? { name, bytes: Buffer.from(bytes.toString('utf8').replaceAll('Ada Brown', 'Eve Brown')) }
        : { name, bytes };
    });
    writeFileSync(copy.index, Buffer.concat(indexFileParts(head, sections)));
    expect(log({ registry: copy.registry }).revisions.map(({ author }) => author)).not.toContain('Eve Brown');
  });

  test('where the registry is in no project, and there is none', () => {
    log(project.plain);
    expect(existsSync(join(project.plain.registry, '..', '.gridpress'))).toBe(false);
  });
});

test('several processes that make it at once answer the same', async () => {
  const fresh = copyOf(project);
  rmSync(join(fresh.folder, '.gridpress'), { recursive: true, force: true });
  const runs = await Promise.all(
    [1, 2, 3, 4].map(() => gridpress(['log', 'sites/s2', '--json', '--registry', fresh.registry])),
  );
  const [first] = runs;
  expect(first?.status).toBe(0);
  for (const run of runs) expect(run).toEqual(first);
  await expectSameAnswers(fresh);
}, 120_000);

/** The project with its index, as `cp -a` copies it. */
function copyOf({ folder }: Project): Project {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
  return projectIn(copy);
}
