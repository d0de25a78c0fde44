/** Histories that are disconnected or differ from their files. */
import { describe, expect, test } from 'vitest';
import { shortId } from '../../../src/core/diagnostics/words.ts';
import { contentsDigest } from '../../../src/core/history/contents-digest.ts';
import { readRevisionFile, writeRevisionFile } from '../../../src/core/history/revision-file.ts';
import { NODE, registryOf } from '../../support/registries/registry.ts';
import { altered, NODE_PATH, recorded, START } from '../../support/registries/three-revisions.ts';

test('a recorded history of three revisions is valid', () => {
  const { given, second, third } = recorded();
  expect(given.findings()).toBe('');
  expect(given.read(third.file)).toMatch(`id: ${third.id}
parents:
  - ${second.id}
date: "2026-01-03T12:00:00Z"
author: Ada Brown
message: Fewer
state: sha256:`);
  expect(given.read(third.file).split('changes:\n')[1]).toBe(`  - updated: ${NODE_PATH}
    fields:
      - {at: /node_name, from: lyra-1, to: lyra-2}
      - {at: /storage_devices/0/serial, from: A1, to: A2}
      - {at: /storage_devices/1, from: {device: sdb, serial: B1}}
`);
});

describe('check reports a history with', () => {
  test('a missing parent', () => {
    const { given, first, second } = recorded();
    given.write({ [first.file]: null });
    expect(
      given.findings(),
    ).toBe(`registry-data/${second.file}:3:5: error: The parent ${shortId(first.id)} of revision ${shortId(second.id)} is not in the history. [unknown-parent]
  1 | id: ${second.id}
  2 | parents:
> 3 |   - ${first.id}
    |     ^
  4 | date: "2026-01-02T12:00:00Z"
  5 | author: Ada Brown
  Restore its file. If you copied only this revision from another branch, remove it and record its changes again.
`);
  });

  test('a cycle', () => {
    const { given, first, third } = recorded();
    given.write({ [first.file]: given.read(first.file).replace('date:', `parents:\n  - ${third.id}\ndate:`) });
    const [a, c] = [shortId(first.id), shortId(third.id)];
    const b = shortId(recorded().second.id);
    expect(
      given.findings(),
    ).toBe(`registry-data/${first.file}:3:3: error: The history contains a cycle: ${a} -> ${c} -> ${b} -> ${a}. [history-cycle]
  1 | id: ${first.id}
  2 | parents:
> 3 |   - ${third.id}
    |   ^
  4 | date: "2026-01-01T12:00:00Z"
  5 | author: Ada Brown
  Correct the parents. No revision can be its own ancestor.
`);
  });

  test('a revision that is its own parent', () => {
    const { given, second } = recorded();
    given.write({ [second.file]: given.read(second.file).replace(/parents:\n {2}- .*/, `parents:\n  - ${second.id}`) });
    expect(
      given.findings(),
    ).toBe(`registry-data/${second.file}:3:3: error: Revision ${shortId(second.id)} lists itself as a parent, or one parent twice. [revision-self-parent]
  1 | id: ${second.id}
  2 | parents:
> 3 |   - ${second.id}
    |   ^
  4 | date: "2026-01-02T12:00:00Z"
  5 | author: Ada Brown
  Correct its parents.
`);
  });

  test('two heads', () => {
    const { given, first, second, third } = recorded();
    given.write({ [third.file]: given.read(third.file).replace(second.id, first.id) });
    expect(
      given.findings(),
    ).toBe(`registry-data/${third.file}:1:5: error: The history has 2 heads that no revision merges: ${shortId(second.id)}, ${shortId(third.id)}. [several-heads]
> 1 | id: ${third.id}
    |     ^
  2 | parents:
  3 |   - ${first.id}
  Merge them: gridpress record --merge. Or remove the revision files of the branch that you do not need.
`);
  });

  test('two roots that a merge joins', () => {
    const { given, first, second, third } = recorded();
    given.write({
      [second.file]: given.read(second.file).replace(/parents:\n {2}- .*\n/, ''),
      [third.file]: given.read(third.file).replace('parents:\n', `parents:\n  - ${first.id}\n`),
    });
    expect(
      given.findings(),
    ).toBe(`registry-data/${second.file}:1:5: error: The history has 2 first revisions: ${shortId(first.id)}, ${shortId(second.id)}. [several-roots]
> 1 | id: ${second.id}
    |     ^
  2 | date: "2026-01-02T12:00:00Z"
  3 | author: Ada Brown
  Only one revision can have no parents. Restore the missing parents.
`);
  });

  test('a duplicate revision', () => {
    const { given, third, second } = recorded();
    given.write({ 'history/000009-copy.yaml': given.read(third.file) });
    expect(
      given.findings(),
    ).toBe(`registry-data/history/000009-copy.yaml:1:5: error: Revision ${shortId(third.id)} occurs twice. The other file is registry-data/${third.file}. [revision-twice]
> 1 | id: ${third.id}
    |     ^
  2 | parents:
  3 |   - ${second.id}
  Remove one of the two files.
`);
  });
});

describe('check reports a revision with', () => {
  test('a wrong digest of its state', () => {
    const { given, told, third, state } = altered('third', /sha256:.{8}/, 'sha256:00000000');
    const contents = /^contents: .*$/m.exec(given.read(third.file))?.[0];
    expect(
      told,
    ).toBe(`registry-data/${third.file}:7:8: error: After revision ${shortId(third.id)}, the registry has the digest ${state.slice(7, 15)}…, but the revision states 00000000…. [revision-state]
  5 | author: Ada Brown
  6 | message: Fewer
> 7 | ${state.replace(/^sha256:.{8}/, 'state: sha256:00000000')}
    |        ^
  8 | ${contents}
  9 | changes:
  The changes were altered. Restore the file from a backup or from version control.
`);
  });

  test('altered changes that still apply', () => {
    const { told, third, state } = altered('third', 'to: lyra-2', 'to: lyra-3');
    expect(told).toMatch(
      new RegExp(
        `^registry-data/${third.file}:7:8: error: After revision ${shortId(third.id)}, the registry has the digest [0-9a-f]{8}…, but the revision states ${state.slice(7, 15)}…. \\[revision-state\\]\n`,
      ),
    );
  });

  test.each([
    ['message', 'message: Fewer', 'message: More'],
    ['author', 'author: Ada Brown', 'author: Ben Gray'],
    ['date', '2026-01-03', '2026-01-04'],
  ])('an identifier that does not match its %s', (_, from, to) => {
    const { told, second, third } = altered('third', from, to);
    expect(
      told.replace(/contents give [0-9a-f]{8}\./, 'contents give COMPUTED.'),
    ).toBe(`registry-data/${third.file}:1:5: error: The identifier of the revision is ${shortId(third.id)}, but its contents give COMPUTED. [revision-id]
> 1 | id: ${third.id}
    |     ^
  2 | parents:
  3 |   - ${second.id}
  The revision was altered after it was recorded. Restore the file from a backup or from version control.
`);
  });

  test('an invalid identifier', () => {
    const { told, second, third } = altered('third', /id: .*/, 'id: 12345');
    expect(told).toBe(`registry-data/${third.file}:1:5: error: "id": expected 40 hexadecimal digits. [schema]
> 1 | id: 12345
    |     ^
  2 | parents:
  3 |   - ${second.id}
  Correct the value. The schema of the file describes it.
`);
  });

  test.each(['2026-02-30T12:00:00Z', '1969-12-31T12:00:00Z'])('the invalid date %s', (date) => {
    const { told, second, third } = altered('third', /^date: .*$/m, `date: "${date}"`);
    expect(
      told,
    ).toBe(`registry-data/${third.file}:4:7: error: "${date}" is not a date that a revision can have. [revision-date]
  2 | parents:
  3 |   - ${second.id}
> 4 | date: "${date}"
    |       ^
  5 | author: Ada Brown
  6 | message: Fewer
  Use a date from 1970 to 9999 in ISO 8601 with an offset: 2026-03-01T12:00:00+01:00.
`);
  });
});

describe('check reports a registry with', () => {
  test('no history', () => {
    expect(registryOf().findings()).toBe(`error: The registry has no history. [history-empty]
  Record its current state: gridpress record -m "First revision".
`);
  });

  test('unrecorded changes, by name', () => {
    const { given } = recorded();
    given.write({ [NODE]: `${START}node_name: lyra-9\n`, 'sites/lyra/flavors/m1.yaml': 'type: flavor\nuid: m1\n' });
    expect(given.findings()).toBe(`error: The registry has 2 unrecorded changes:
  added sites/lyra/flavors/m1
  updated ${NODE_PATH} [unrecorded-changes]
  Record them: gridpress record -m "what happened".
`);
    given.write({ [NODE]: null });
    expect(given.findings()).toBe(`error: The registry has 2 unrecorded changes:
  added sites/lyra/flavors/m1
  removed ${NODE_PATH} [unrecorded-changes]
  Record them: gridpress record -m "what happened".
`);
  });
});

describe('a forged revision with a valid identifier', () => {
  const told = (place: string, id: string) =>
    `registry-data/${place}: error: Revision ${shortId(id)} or one of its ancestors was altered: the digest of its contents has changed, but its identifier has not. [revision-contents]`;

  /** Like a revision from git, whose identifier is not computed, with another author. */
  function exchanged(isMadeToFit: boolean) {
    const { given, first, second, third } = recorded();
    const read = (file: string) => {
      const revision = readRevisionFile(file, Buffer.from(given.read(file)));
      if (revision.findings) throw new Error('it was recorded');
      return revision.value;
    };
    const { header, changes } = read(second.file);
    const other = { ...header, author: 'Ben Gray', origin: 'git' } as const;
    const fitting = contentsDigest(other, changes, [read(first.file).header.contents]);
    const contents = isMadeToFit ? fitting : header.contents;
    given.write({ [second.file]: writeRevisionFile({ header: { ...other, contents }, changes }) });
    return { findings: given.findings(), second, third };
  }

  test('is detected by the digest of its contents', () => {
    const { findings, second } = exchanged(false);
    expect(findings).toContain(told(`${second.file}:9:11`, second.id));
  });

  test('is detected by its child if its own digest was updated', () => {
    const { findings, third } = exchanged(true);
    expect(findings).toContain(told(`${third.file}:8:11`, third.id));
  });

  test('is detected if its own digest is missing', () => {
    const { told: findings, second } = altered('second', /contents: .*\n/, '');
    expect(findings).toContain(told(`${second.file}:1:1`, second.id));
  });

  test('is not detected in older histories, which have no such digests', () => {
    const { given, first, second, third } = recorded();
    for (const { file } of [first, second, third])
      given.write({ [file]: given.read(file).replace(/contents: .*\n/, '') });
    expect(given.findings()).toBe('');
    given.write({ [NODE]: `${START}node_name: lyra-3\n` });
    const { file } = given.record('Fourth');
    expect(given.read(file)).toMatch(/^contents: sha256:/m);
    expect(given.findings()).toBe('');
  });
});
