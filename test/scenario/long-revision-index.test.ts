/** A history of few revisions, of which one is so long that it has an index. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Failure } from '../../src/core/diagnostics/failure.ts';
import { MANIFEST_FILE } from '../../src/core/tree/layout.ts';
import { build } from '../../src/features/build/build.ts';
import { check } from '../../src/features/check/check.ts';
import { openIndexFile } from '../../src/features/history-index/index-file.ts';
import { diff } from '../../src/features/revisions/diff.ts';
import { log } from '../../src/features/revisions/log.ts';
import { record } from '../../src/features/revisions/record.ts';
import { show } from '../../src/features/revisions/show.ts';
import { newFolder } from '../support/folders.ts';
import { registryOf, SITE } from '../support/registries/registry.ts';
import { siteText } from '../support/registries/testbed.ts';

// What is wrong with a long file is told once all of it was read in two ways.
vi.setConfig({ testTimeout: 300_000 });

/** So many sites with so long a note make a file that is not read as a whole. */
const SITES = 60;
const NOTE = 'é, as long as it is '.repeat(3_500);

function projectWithLongRevision() {
  const files = Array.from({ length: SITES }, (_, i) => [
    [`sites/s${i}/site.yaml`, `${siteText(`s${i}`, 'baremetal')}note: ${NOTE}\n`],
    [`sites/s${i}/clusters/main/cluster.yaml`, 'type: cluster\nuid: main\n'],
  ]).flat();
  const made = registryOf(Object.fromEntries(files));
  const first = made.record('First');
  made.write({ [SITE]: made.read(SITE).replace('Lyra', 'Other') });
  made.record('Second');
  const config = join(made.folder, 'gridpress.yaml');
  const index = join(made.folder, '.gridpress', 'registry-data.index');
  const elsewhere = join(newFolder(), 'registry-data');
  symlinkSync(made.registry, elsewhere);
  /** The same registry at a place that can have no index. */
  const plain = { registry: elsewhere, config };
  return { ...made, first, config, index, plain };
}

type Project = ReturnType<typeof projectWithLongRevision>;

const revisionsIn = ({ index }: Project): readonly unknown[] =>
  JSON.parse(openIndexFile(index).section('ids').toString('utf8'));

interface Place {
  readonly registry: string;
  readonly config: string;
}

function answers(project: Project, { registry, config }: Place = project): Promise<string[]> {
  const { first } = project;
  const place = { registry, config };
  return told(project, [
    () => log({ ...place, resource: 'sites' }),
    () => log({ ...place, resource: 'sites/s7' }),
    () => show({ ...place, resource: 'sites/lyra', at: first.id }),
    () => diff({ ...place, from: first.id, to: 'worktree' }),
    () => check(place),
    () => record({ ...place, message: 'm', author: 'a', date: '2026-02-01T00:00:00Z', isDry: true }),
  ]);
}

/** What is answered, or why not, wherever the registry lies. */
async function told({ registry, plain }: Project, asked: readonly (() => unknown)[]): Promise<string[]> {
  const texts = asked.map(async (ask) => JSON.stringify(await (async () => ask())().catch(findingsOf)));
  return (await Promise.all(texts)).map((text) => text.replaceAll(plain.registry, registry));
}

function findingsOf(error: unknown): unknown {
  if (error instanceof Failure) return error.findings;
  throw error;
}

test('is asked through its index, and answers the same', async () => {
  const project = projectWithLongRevision();
  const { registry, config, index, plain, write, read } = project;
  expect(revisionsIn(project)).toHaveLength(1);
  const without = await answers(project, plain);
  expect(await answers(project)).toEqual(without);
  expect(revisionsIn(project)).toHaveLength(2);
  expect(await answers(project)).toEqual(without);
  writeFileSync(index, '');
  expect(await answers(project)).toEqual(without);
  expect(revisionsIn(project)).toHaveLength(2);

  write({ [SITE]: read(SITE).replace('Other', 'Third') });
  record({ registry, config, message: 'Third', author: 'Ada Brown', date: '2026-02-01T00:00:00Z' });
  expect(log({ registry, config, resource: 'sites/lyra' })).toMatchObject({ revisions: { length: 3 } });
  expect(revisionsIn(project)).toHaveLength(3);
});

test.each([
  ['is laid out by hand', '\nchanges:\n', '\nchanges: # all\n'],
  ['is not in order', '\n  - added: sites/s7\n', '\n  - added: sites/s8\n'],
])('is replayed where the long revision %s', async (_, from, to) => {
  const project = projectWithLongRevision();
  const path = join(project.registry, project.first.file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
  const few = ({ registry, config }: Place) =>
    told(project, [() => log({ registry, config, resource: 'sites/s7' }), () => check({ registry, config })]);
  expect(await few(project)).toEqual(await few(project.plain));
});

test('is built without an index, as all of it is in memory then', async () => {
  const project = projectWithLongRevision();
  const { registry, config, index } = project;
  writeFileSync(index, '');
  const out = join(newFolder(), 'dist');
  const options = { registry, config, out, fsync: false, showsProgress: false };
  await build(options);
  expect(readFileSync(index, 'utf8')).toBe('');
  const manifest = readFileSync(join(out, MANIFEST_FILE), 'utf8');
  await answers(project);
  await build({ ...options, force: true });
  expect(readFileSync(join(out, MANIFEST_FILE), 'utf8')).toBe(manifest);
  expect(revisionsIn(project)).toHaveLength(2);
});
