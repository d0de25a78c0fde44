/** Changes in a history that cannot be. */
import { describe, expect, test } from 'vitest';
import { altered, NODE_PATH, recorded } from '../../support/registries/three-revisions.ts';

describe('a change', () => {
  /** The message about a field of the third revision, whose line 13 is altered. */
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

  test('from what was not there', () => {
    const { told, third } = altered('third', 'from: A1', 'from: A9');
    expect(told).toBe(
      fieldMessage(
        third.file,
        47,
        '{at: /storage_devices/0/serial, from: A9, to: A2}',
        `${NODE_PATH} has "A1" at /storage_devices/0/serial, not "A9" as "from" says. [change-wrong-from]`,
        'Check the value, and the revisions before this one.',
      ),
    );
  });

  test('that does not say what was there', () => {
    const { told, third } = altered('third', ', from: A1', '');
    expect(told).toBe(
      fieldMessage(
        third.file,
        14,
        '{at: /storage_devices/0/serial, to: A2}',
        `${NODE_PATH} has "A1" at /storage_devices/0/serial, and no "from" says so. [change-wrong-from]`,
        'Check the value, and the revisions before this one.',
      ),
    );
  });

  test.each([
    ['below what is not there', '/bios/version'],
    ['beyond the end of a list', '/storage_devices/5'],
  ])('%s', (_, at) => {
    const { told, third } = altered('third', 'at: /storage_devices/0/serial, from: A1', `at: ${at}`);
    expect(told).toBe(
      fieldMessage(
        third.file,
        14,
        `{at: ${at}, to: A2}`,
        `${NODE_PATH} cannot be changed at ${at}: there is no place for it. [change-no-place]`,
        'What holds it must be there, items join and leave a list at its end, and no field changes twice.',
      ),
    );
  });

  test('that says neither what was nor what is', () => {
    const { told, third } = altered('third', ', from: A1, to: A2', '');
    expect(told).toBe(
      fieldMessage(
        third.file,
        9,
        '{at: /storage_devices/0/serial}',
        '"changes.0.fields.1": expected "from", "to" or both, or "order" alone. [schema]',
        'Correct the value, or see the schema of the file.',
      ),
    );
  });

  /** The message about the tenth line of the third revision, which is its last. */
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
  ])('of a resource that is not there: %s', (verb, rest, column) => {
    const line = `{${verb}: ${rest}}`;
    const all = altered('third', REST, `${line}\n`);
    expect(all.told).toBe(
      lineMessage(
        all,
        column,
        line,
        `sites/vega cannot be ${verb}: it is not there before this revision. [change-not-there]`,
        'Check the path, and the revisions before this one.',
      ),
    );
  });

  test.each([
    [
      'added: sites/lyra, value: {type: site}',
      'sites/lyra cannot be added: it is there already. [change-already-there]',
      'Write it as an update, or check the revisions before this one.',
    ],
    [
      'removed: sites/../../etc/passwd',
      '"sites/../../etc/passwd" is not the path of a resource. [revision-path]',
      'Write it like sites/SITE/clusters/CLUSTER/nodes/NODE; the grid is "/".',
    ],
    [
      'removed: /sites/lyra',
      '"/sites/lyra" is not the path of a resource. [revision-path]',
      'Write it like sites/SITE/clusters/CLUSTER/nodes/NODE; the grid is "/".',
    ],
    [
      'removed: sites/lyra/clusters',
      '"sites/lyra/clusters" is not the path of a resource. [revision-path]',
      'Write it like sites/SITE/clusters/CLUSTER/nodes/NODE; the grid is "/".',
    ],
    [
      'removed: sites/..',
      'The uid ".." is reserved: it would collide with a path or a file of the API. [uid-reserved]',
      'Choose another: not versions, snapshots, latest, index or a device name, nothing that starts with "_" or "." or ends in ".json".',
    ],
    [
      'removed: sites/a\\b',
      'The uid "a\\b" would need escaping in a URL or a file name. [uid-characters]',
      'Use letters, digits, "-", "_", "~" and, inside, ".".',
    ],
    [
      'removed: sites/lyra',
      'sites/lyra/clusters/main would be left without sites/lyra, which is not there after this revision. [change-no-parent]',
      'Add the parent, or remove what is below it, in the same revision.',
    ],
    [
      'added: sites/vega/flavors/m1, value: {}',
      'sites/vega/flavors/m1 would be left without sites/vega, which is not there after this revision. [change-no-parent]',
      'Add the parent, or remove what is below it, in the same revision.',
    ],
  ])('that cannot be: %s', (change, what, fix) => {
    const all = altered('third', REST, `{${change}}\n`);
    expect(all.told).toBe(lineMessage(all, change.indexOf(': ') + 8, `{${change}}`, what, fix));
  });

  test('that changes nothing', () => {
    const line = `{updated: ${NODE_PATH}, fields: [{at: /node_name, from: lyra-1, to: lyra-1}]}`;
    const all = altered('third', REST, `${line}\n`);
    expect(all.told).toBe(
      lineMessage(
        all,
        5,
        line,
        `The change of ${NODE_PATH} changes nothing. [change-nothing]`,
        'Remove it from the revision.',
      ),
    );
  });

  test('of one resource twice', () => {
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
