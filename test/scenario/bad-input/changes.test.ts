/** Impossible changes in a history. */
import { describe, expect, test } from 'vitest';
import { altered, NODE_PATH, recorded } from '../../support/registries/three-revisions.ts';

describe('check reports a change', () => {
  /** Returns the message about line 13 of the third revision. */
  const fieldMessage = (
    file: string,
    column: number,
    line: string,
    what: string,
    fix: string,
  ) => `registry-data/${file}:13:${column}: error: ${what}
  11 |     fields:
  12 |       - {at: /node_name, from: lyra-1, to: lyra-2}
> 13 |       - ${line}
     | ${' '.repeat(column - 1)}^
  14 |       - {at: /storage_devices/1, from: {device: sdb, serial: B1}}
  ${fix}
`;

  test('with a wrong old value', () => {
    const { told, third } = altered('third', 'from: A1', 'from: A9');
    expect(told).toBe(
      fieldMessage(
        third.file,
        47,
        '{at: /storage_devices/0/serial, from: A9, to: A2}',
        `${NODE_PATH} has "A1" at /storage_devices/0/serial, but "from" is "A9". [change-wrong-from]`,
        'Check the value and the earlier revisions.',
      ),
    );
  });

  test('without an old value', () => {
    const { told, third } = altered('third', ', from: A1', '');
    expect(told).toBe(
      fieldMessage(
        third.file,
        14,
        '{at: /storage_devices/0/serial, to: A2}',
        `${NODE_PATH} has "A1" at /storage_devices/0/serial, but the change has no "from". [change-wrong-from]`,
        'Check the value and the earlier revisions.',
      ),
    );
  });

  test.each([
    ['below a missing value', '/bios/version'],
    ['beyond the end of a list', '/storage_devices/5'],
  ])('%s', (_, at) => {
    const { told, third } = altered('third', 'at: /storage_devices/0/serial, from: A1', `at: ${at}`);
    expect(told).toBe(
      fieldMessage(
        third.file,
        14,
        `{at: ${at}, to: A2}`,
        `${NODE_PATH} cannot be changed at ${at}: this position does not exist. [change-no-place]`,
        'The parent of a field must exist. Items can be added and removed only at the end of a list. A revision can change a field only once.',
      ),
    );
  });

  test('without old and new value', () => {
    const { told, third } = altered('third', ', from: A1, to: A2', '');
    expect(told).toBe(
      fieldMessage(
        third.file,
        9,
        '{at: /storage_devices/0/serial}',
        '"changes.0.fields.1": expected "from", "to" or both, or "order" alone. [schema]',
        'Correct the value. The schema of the file describes it.',
      ),
    );
  });

  /** Returns the message about line 10, the last line of the third revision. */
  const lineMessage = (
    all: ReturnType<typeof altered>,
    column: number,
    line: string,
    what: string,
    fix: string,
  ) => `registry-data/${all.third.file}:10:${column}: error: ${what}
   8 | contents: ${all.contents}
   9 | changes:
> 10 |   - ${line}
     | ${' '.repeat(column - 1)}^
  ${fix}
`;
  const REST = /updated: [\s\S]*/;

  test.each([
    ['updated', 'sites/vega, fields: [{at: /name, from: a, to: b}]', 15],
    ['removed', 'sites/vega', 15],
  ])('of a missing resource: %s', (verb, rest, column) => {
    const line = `{${verb}: ${rest}}`;
    const all = altered('third', REST, `${line}\n`);
    expect(all.told).toBe(
      lineMessage(
        all,
        column,
        line,
        `sites/vega cannot be ${verb}: it does not exist before this revision. [change-not-there]`,
        'Check the path and the earlier revisions.',
      ),
    );
  });

  test.each([
    [
      'added: sites/lyra, value: {type: site}',
      'sites/lyra cannot be added: it already exists. [change-already-there]',
      'Write the change as an update, or check the earlier revisions.',
    ],
    [
      'removed: sites/../../etc/passwd',
      '"sites/../../etc/passwd" is not the path of a resource. [revision-path]',
      'Use the form sites/SITE/clusters/CLUSTER/nodes/NODE. The grid is "/".',
    ],
    [
      'removed: /sites/lyra',
      '"/sites/lyra" is not the path of a resource. [revision-path]',
      'Use the form sites/SITE/clusters/CLUSTER/nodes/NODE. The grid is "/".',
    ],
    [
      'removed: sites/lyra/clusters',
      '"sites/lyra/clusters" is not the path of a resource. [revision-path]',
      'Use the form sites/SITE/clusters/CLUSTER/nodes/NODE. The grid is "/".',
    ],
    [
      'removed: sites/..',
      'The uid ".." is reserved, because it conflicts with a path or a file of the API. [uid-reserved]',
      'Choose another uid. Not allowed: versions, snapshots, latest, index, device names, a leading "_" or ".", and the endings ".json", ".gz" and ".br".',
    ],
    [
      'removed: sites/a\\b',
      'The uid "a\\b" contains characters that need escaping in a URL or a file name. [uid-characters]',
      'Use letters, digits, "-", "_" and "~". "." is allowed except at the start and the end.',
    ],
    [
      'removed: sites/lyra',
      'sites/lyra/clusters/main would have no parent: sites/lyra does not exist after this revision. [change-no-parent]',
      'In the same revision, add the parent or remove everything below it.',
    ],
    [
      'added: sites/vega/flavors/m1, value: {}',
      'sites/vega/flavors/m1 would have no parent: sites/vega does not exist after this revision. [change-no-parent]',
      'In the same revision, add the parent or remove everything below it.',
    ],
  ])('that is impossible: %s', (change, what, fix) => {
    const all = altered('third', REST, `{${change}}\n`);
    expect(all.told).toBe(lineMessage(all, change.indexOf(': ') + 8, `{${change}}`, what, fix));
  });

  test('without an effect', () => {
    const line = `{updated: ${NODE_PATH}, fields: [{at: /node_name, from: lyra-1, to: lyra-1}]}`;
    const all = altered('third', REST, `${line}\n`);
    expect(all.told).toBe(
      lineMessage(
        all,
        5,
        line,
        `The change of ${NODE_PATH} has no effect. [change-nothing]`,
        'Remove it from the revision.',
      ),
    );
  });

  test('of a resource that has another change in the same revision', () => {
    const { given, third } = recorded();
    const text = given.read(third.file);
    given.write({ [third.file]: `${text}  - removed: ${NODE_PATH}\n` });
    expect(
      given.findings(),
    ).toBe(`registry-data/${third.file}:15:5: error: The revision changes ${NODE_PATH} twice. [change-twice]
  13 |       - {at: /storage_devices/0/serial, from: A1, to: A2}
  14 |       - {at: /storage_devices/1, from: {device: sdb, serial: B1}}
> 15 |   - removed: ${NODE_PATH}
     |     ^
  Merge the two changes into one.
`);
  });
});
