import { describe, expect, test } from 'vitest';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import {
  BASE,
  BASE_RESOURCES,
  GRID,
  type Imported,
  imported,
  NODE,
  NODE_BODY,
  NODE_FILE,
  warning,
} from '../../support/registries/imported.ts';

const withCores = (cores: number) => ({ ...NODE_BODY, cores });
const ids = ({ revisions }: Imported) => revisions.map(({ id }) => id);

describe('imported revisions', () => {
  test('have the identifiers, parents, dates, authors and messages of their commits', async () => {
    const repository = gitRepository();
    const first = repository.commit({
      files: BASE,
      date: '1700000000 -0600',
      author: 'Zoë Łukasiewicz <>',
      message: 'Rack 3: größer & 東京 😀\n',
    });
    const second = repository.commit({
      files: { [NODE_FILE]: json(withCores(16)) },
      date: '1700000000 +0530',
      author: 'null <a@example.org>',
      message: '[main] # 1: no\r\n\r\n* one\r\n* two: "x"\r\n\n\n',
    });
    const third = repository.commit({ date: '1700086400 -0330', message: '  indented\n\tand tabbed  \n' });
    const fourth = repository.commit({ date: '1700086401 -0330', message: '' });

    const { revisions } = await imported(repository.folder);
    expect(revisions).toEqual([
      {
        id: first,
        parents: [],
        date: '2023-11-14T16:13:20-06:00',
        author: 'Zoë Łukasiewicz',
        message: 'Rack 3: größer & 東京 😀',
      },
      {
        id: second,
        parents: [first],
        date: '2023-11-15T03:43:20+05:30',
        author: 'null',
        message: '[main] # 1: no\r\n\r\n* one\r\n* two: "x"\r',
      },
      {
        id: third,
        parents: [second],
        date: '2023-11-15T18:43:20-03:30',
        author: 'Ada Brown',
        message: '  indented\n\tand tabbed  ',
      },
      { id: fourth, parents: [third], date: '2023-11-15T18:43:21-03:30', author: 'Ada Brown', message: '' },
    ]);
  });

  test('have messages of any length', async () => {
    const repository = gitRepository();
    const message = Array.from({ length: 20_000 }, (_, i) => `Line ${i}: "${'x'.repeat(i % 50)}" #${i}`).join('\n');
    repository.commit({ files: BASE, message: `${message}\n` });
    const { revisions } = await imported(repository.folder);
    expect(revisions[0]?.message).toBe(message);
  });

  test('decode messages in other encodings', async () => {
    const repository = gitRepository();
    repository.commit({ files: BASE });
    repository.git('config', 'i18n.commitEncoding', 'ISO-8859-1');
    const tree = repository.git('rev-parse', 'main^{tree}').trim();
    const identity = 'Ada <a@example.org> 1700000000 +0000';
    const text = `tree ${tree}\nauthor ${identity}\ncommitter ${identity}\nencoding ISO-8859-1\n\ncaf\xe9\n`;
    const id = repository.store('commit', Buffer.from(text, 'latin1'));
    const { revisions } = await imported(repository.folder, { ref: id });
    expect(revisions.map(({ message }) => message)).toEqual(['café']);
  });

  test('follow the commit graph, regardless of their dates', async () => {
    const repository = gitRepository();
    const same = '1700000000 +0000';
    const order = [
      repository.commit({ files: BASE, date: same }),
      repository.commit({ files: { [NODE_FILE]: json(withCores(1)) }, date: same }),
      repository.commit({ files: { [NODE_FILE]: json(withCores(2)) }, date: '1600000000 +0000' }),
      repository.commit({ files: { [NODE_FILE]: json(withCores(3)) }, date: '0 +0000' }),
      repository.commit({ files: { [NODE_FILE]: json(withCores(4)) }, date: same }),
    ];
    const result = await imported(repository.folder);
    expect(ids(result)).toEqual(order);
    expect(order.map((id) => result.at(id)[NODE])).toEqual([8, 1, 2, 3, 4].map(withCores));
  });

  test('have the date of their parents if their own is invalid', async () => {
    const repository = gitRepository();
    const tooLate = '253402300800 +0100';
    const first = repository.commit({ files: BASE, date: tooLate });
    const second = repository.commit({ date: '1700000000 +0100' });
    const third = repository.commit({ date: tooLate });
    const { warnings, revisions } = await imported(repository.folder);
    expect(revisions.map(({ date }) => date)).toEqual([
      '1970-01-01T00:00:00+00:00',
      '2023-11-14T23:13:20+01:00',
      '2023-11-14T23:13:20+01:00',
    ]);
    const noDate = (id: string, taken: string) =>
      warning(id, 'a revision cannot have the date of the commit: 10000-01-01T01:00:00+01:00.', 'import-date', taken);
    expect(warnings).toBe(
      [
        noDate(first, 'The commit has no parent, so the import uses 1970-01-01T00:00:00+00:00.'),
        noDate(third, 'The import uses the date of its parent: 2023-11-14T23:13:20+01:00.'),
      ].join('\n'),
    );
    expect(second).toBe(revisions[1]?.id);
  });

  test('include commits that do not change the registry', async () => {
    const repository = gitRepository();
    const first = repository.commit({ files: { 'README.md': 'Not a registry yet' } });
    const second = repository.commit({ files: BASE });
    const empty = repository.commit();
    const other = repository.commit({ files: { 'README.md': 'A registry' } });

    const result = await imported(repository.folder);
    expect(result.warnings).toBe('');
    expect(ids(result)).toEqual([first, second, empty, other]);
    expect(result.at(first)).toEqual({});
    for (const id of [second, empty, other]) expect(result.at(id)).toEqual(BASE_RESOURCES);
    for (const id of [first, empty, other]) expect(result.changes(id)).toEqual([]);
  });

  test('restore a deleted resource under its uid', async () => {
    const repository = gitRepository();
    repository.commit({ files: BASE });
    const deleted = repository.commit({ files: { [NODE_FILE]: null } });
    const back = repository.commit({ files: { [NODE_FILE]: json(withCores(64)) } });
    const { at, changes } = await imported(repository.folder);
    expect(at(deleted)).not.toHaveProperty([NODE]);
    expect(changes(deleted)).toEqual([`removed ${NODE}`]);
    expect(changes(back)).toEqual([`added ${NODE}`]);
    expect(at(back)).toEqual({ ...BASE_RESOURCES, [NODE]: withCores(64) });
  });

  test('follow a renamed grid folder only back to the rename', async () => {
    const repository = gitRepository();
    const moved = Object.fromEntries(Object.entries(BASE).map(([path]) => [path.replace(GRID, 'old/name'), null]));
    const first = repository.commit({
      files: Object.fromEntries(Object.entries(BASE).map(([path, entry]) => [path.replace(GRID, 'old/name'), entry])),
    });
    const second = repository.commit({ files: { ...moved, ...BASE } });
    const { at } = await imported(repository.folder);
    expect(at(first)).toEqual({});
    expect(at(second)).toEqual(BASE_RESOURCES);
  });
});
