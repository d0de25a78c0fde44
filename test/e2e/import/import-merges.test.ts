import { describe, expect, test } from 'vitest';
import { type GitRepository, gitRepository, json } from '../../support/registries/git-repository.ts';
import {
  BASE,
  BASE_RESOURCES,
  CLUSTER,
  GRID,
  GRID_FILE,
  type Imported,
  imported,
  NODE,
  NODE_BODY,
  NODE_FILE,
  SITE,
  SITE_BODY,
  SITE_FILE,
} from '../../support/registries/imported.ts';

const withCores = (cores: number) => ({ ...NODE_BODY, cores });
const named = (name: string) => ({ ...SITE_BODY, name });
const ids = ({ revisions }: Imported) => revisions.map(({ id }) => id);

/** A first commit and one commit on each of two branches, not merged. */
function forked(): { repository: GitRepository; first: string; main: string; side: string } {
  const repository = gitRepository();
  const first = repository.commit({ files: BASE });
  const side = repository.commit({ branch: 'side', parents: [first], files: { [NODE_FILE]: json(withCores(1)) } });
  const main = repository.commit({ files: { [SITE_FILE]: json(named('Main')) } });
  return { repository, first, main, side };
}

describe('imported merges', () => {
  const BOTH = { ...BASE_RESOURCES, [SITE]: named('Main'), [NODE]: withCores(1) };

  test('have both parents and the state of the merge', async () => {
    const { repository, first, main, side } = forked();
    const merge = repository.commit({ parents: [main, side], files: { [NODE_FILE]: json(withCores(1)) } });
    const after = repository.commit();

    const result = await imported(repository.folder);
    expect(result.revisions.map(({ id, parents }) => [id, parents])).toEqual([
      [first, []],
      [side, [first]],
      [main, [first]],
      [merge, [main, side]],
      [after, [merge]],
    ]);
    expect(result.at(side)).toEqual({ ...BASE_RESOURCES, [NODE]: withCores(1) });
    expect(result.at(main)).toEqual({ ...BASE_RESOURCES, [SITE]: named('Main') });
    expect(result.at(merge)).toEqual(BOTH);
    expect(result.changes(merge)).toEqual([`updated ${NODE}`]);
  });

  test('may list a parent twice', async () => {
    const { repository, main } = forked();
    const tree = repository.git('rev-parse', `${main}^{tree}`).trim();
    const person = 'Ada Brown <ada@example.org> 1800000000 +0000';
    const text = `tree ${tree}\nparent ${main}\nparent ${main}\nauthor ${person}\ncommitter ${person}\n\nTwice\n`;
    const ref = repository.store('commit', Buffer.from(text));
    const { revisions } = await imported(repository.folder, { ref });
    expect(revisions.at(-1)).toMatchObject({ id: ref, parents: [main] });
  });

  test('may differ from every parent', async () => {
    const { repository, main, side } = forked();
    const merge = repository.commit({
      parents: [main, side],
      files: { [NODE_FILE]: json(withCores(2)), [SITE_FILE]: json(named('Merged')) },
    });
    const { at, changes } = await imported(repository.folder);
    expect(at(merge)).toEqual({ ...BASE_RESOURCES, [SITE]: named('Merged'), [NODE]: withCores(2) });
    expect(changes(merge)).toEqual([`updated ${SITE}`, `updated ${NODE}`]);
  });

  test('may ignore the side branch', async () => {
    const { repository, main, side } = forked();
    const merge = repository.commit({ parents: [main, side] });
    const { at, changes } = await imported(repository.folder);
    expect(at(merge)).toEqual({ ...BASE_RESOURCES, [SITE]: named('Main') });
    expect(changes(merge)).toEqual([]);
  });

  test('of three branches have three parents', async () => {
    const { repository, first, main, side } = forked();
    const added = `${GRID}/${CLUSTER}/nodes/n2.json`;
    const third = repository.commit({
      branch: 'third',
      parents: [first],
      files: { [added]: json({ type: 'node', uid: 'n2' }) },
    });
    const merge = repository.commit({
      parents: [main, side, third],
      files: { [NODE_FILE]: json(withCores(1)), [added]: json({ type: 'node', uid: 'n2' }) },
    });
    const { revisions, at, changes } = await imported(repository.folder);
    expect(revisions.at(-1)).toMatchObject({ id: merge, parents: [main, side, third] });
    expect(at(merge)).toEqual({ ...BOTH, [`${CLUSTER}/nodes/n2`]: { type: 'node', uid: 'n2' } });
    expect(changes(merge)).toEqual([`updated ${NODE}`, `added ${CLUSTER}/nodes/n2`]);
  });

  test('with the side branch as first parent are changes to the side branch', async () => {
    const { repository, main, side } = forked();
    const merge = repository.commit({ parents: [side, main], files: { [SITE_FILE]: json(named('Main')) } });
    const { at, changes } = await imported(repository.folder);
    expect(at(merge)).toEqual(BOTH);
    expect(changes(merge)).toEqual([`updated ${SITE}`]);
  });
});

describe('selected commits', () => {
  test('--first-parent imports only first parents, each with one parent', async () => {
    const { repository, first, main, side } = forked();
    const merge = repository.commit({ parents: [main, side], files: { [NODE_FILE]: json(withCores(1)) } });
    const { revisions, at } = await imported(repository.folder, { firstParent: true });
    expect(revisions.map(({ id, parents }) => [id, parents])).toEqual([
      [first, []],
      [main, [first]],
      [merge, [main]],
    ]);
    expect(at(merge)).toEqual({ ...BASE_RESOURCES, [SITE]: named('Main'), [NODE]: withCores(1) });
  });

  test('an unmerged branch is omitted', async () => {
    const { repository, first, main } = forked();
    const result = await imported(repository.folder);
    expect(ids(result)).toEqual([first, main]);
  });

  test.each(['side', 'refs/heads/side', 'v1', 'v2', 'id', 'start of id', 'main~1'])(
    '--ref selects a commit: %s',
    async (name) => {
      const { repository, first, side } = forked();
      repository.git('tag', 'v1', side);
      repository.git('-c', 'user.name=a', '-c', 'user.email=a', 'tag', '-a', '-m', 'annotated', 'v2', side);
      const ref = { id: side, 'start of id': side.slice(0, 12) }[name] ?? name;
      const result = await imported(repository.folder, { ref });
      expect(ids(result)).toEqual(name.startsWith('main') ? [first] : [first, side]);
    },
  );

  test.each(['data/second', '/data/second/', './data/second'])('--path selects a folder: %s', async (path) => {
    const repository = gitRepository();
    const id = repository.commit({
      files: { ...BASE, 'data/second/second.json': json({ type: 'grid', uid: 'second' }) },
    });
    const { at } = await imported(repository.folder, { path });
    expect(at(id)).toEqual({ '': { type: 'grid', uid: 'second' } });
  });

  test('a folder without a file of its name is not detected as a grid; --path imports it with a generated grid', async () => {
    const repository = gitRepository();
    const id = repository.commit({ files: { ...BASE, [GRID_FILE]: null, [`${GRID}/grid.json`]: '{}' } });
    const { at } = await imported(repository.folder, { path: GRID });
    expect(at(id)).toEqual(BASE_RESOURCES);
  });
});
