/** `gridpress check` as a linter: warnings, strictness, formats, and what it says of the configuration. */
import { describe, expect, test } from 'vitest';
import { gridpress } from '../../support/processes/cli.ts';
import { CONFIGURATION, type Files, NODE, NODE_UID, registryOf } from '../../support/registries/registry.ts';

const MISSPELT = `type: node\nuid: ${NODE_UID}\nmain_memory:\n  ram_sise: 274877906944\n`;
const WARNING = `registry-data/${NODE}:4:3: warning: "main_memory.ram_sise" is no known field, and "ram_size" is. [field-name]
  2 | uid: ${NODE_UID}
  3 | main_memory:
> 4 |   ram_sise: 274877906944
    |   ^
  Correct it if that is what is meant. Other fields are kept as they are.
`;

/** A registry whose present state is recorded, checked with options. */
async function checked(files: Files, ...options: string[]) {
  const { folder, record } = registryOf(files);
  record('First revision');
  return gridpress(['check', ...options], { cwd: folder });
}

describe('a field that is nearly called like a known one', () => {
  test('is a warning with a suggestion, and in order otherwise', async () => {
    expect(await checked({ [NODE]: MISSPELT })).toEqual({
      status: 0,
      stderr: '',
      stdout: `${WARNING}\nIn order: 4 resources, 1 revision.\n`,
    });
  });

  test('is no more than that in order when it is strict', async () => {
    const { status, stdout } = await checked({ [NODE]: MISSPELT }, '--strict');
    expect([status, stdout]).toEqual([1, `${WARNING}\nIn order: 4 resources, 1 revision.\n`]);
    expect((await checked({}, '--strict')).status).toBe(0);
  });

  test('annotates a pull request', async () => {
    expect(await checked({ [NODE]: MISSPELT }, '--format', 'github')).toEqual({
      status: 0,
      stderr: '',
      stdout: `::warning file=registry-data/${NODE},line=4,col=3,title=gridpress field-name::"main_memory.ram_sise" is no known field, and "ram_size" is.%0ACorrect it if that is what is meant. Other fields are kept as they are.
In order: 4 resources, 1 revision.
`,
    });
  });

  test.each([['--json'], ['--format', 'json'], ['--format=json']])('is a record with %s', async (...options) => {
    const { status, stdout, stderr } = await checked({ [NODE]: MISSPELT }, '--strict', ...options);
    expect([status, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      resources: 4,
      revisions: 1,
      findings: [
        {
          code: 'field-name',
          severity: 'warning',
          message: '"main_memory.ram_sise" is no known field, and "ram_size" is.',
          fix: 'Correct it if that is what is meant. Other fields are kept as they are.',
          file: `registry-data/${NODE}`,
          line: 4,
          column: 3,
        },
      ],
    });
  });
});

describe('a configuration', () => {
  test('that names a host that is not there is told of, with the one that is meant', async () => {
    expect(await checked({ [CONFIGURATION]: 'cluster_uid: main\nhosts: [ngnix, caddy]\n' })).toEqual({
      status: 1,
      stderr: '',
      stdout: `gridpress.yaml:2:9: error: There is no host "ngnix". [configuration-host]
  1 | cluster_uid: main
> 2 | hosts: [ngnix, caddy]
    |         ^
  Did you mean nginx?
`,
    });
    const { stdout } = await checked({ [CONFIGURATION]: 'cluster_uid: main\nhosts: [iis]\n' });
    expect(stdout).toContain('\n  The hosts are nginx, caddy, apache, htaccess, lighttpd, ');
  });

  test('is warned of where it groups nodes by what gives no groups', async () => {
    const node = `type: node\nuid: ${NODE_UID}\nnode_type: big\nchassis: {serial: S1}\n`;
    const configuration = 'cluster_uid: main\nsearch: {collections: [node_type, Node_Type, chassis.serial]}\n';
    expect(await checked({ [CONFIGURATION]: configuration, [NODE]: node })).toEqual({
      status: 0,
      stderr: '',
      stdout: `gridpress.yaml:2:35: warning: No node has a value in Node_Type: there are no collections by it. [collection-empty]
  1 | cluster_uid: main
> 2 | search: {collections: [node_type, Node_Type, chassis.serial]}
    |                                   ^
  Did you mean node_type?

gridpress.yaml:2:46: warning: The table of nodes leaves out chassis.serial: there are no collections by it. [collection-left-out]
  1 | cluster_uid: main
> 2 | search: {collections: [node_type, Node_Type, chassis.serial]}
    |                                              ^
  Group by a field that nodes share; what is left out stands in /nodes/table.

In order: 4 resources, 1 revision.
`,
    });
  });

  test('that cannot be read is a finding like others', async () => {
    const { folder } = registryOf({ [CONFIGURATION]: 'cluster: main\n' });
    const { status, stdout, stderr } = await gridpress(['check', '--format', 'github'], { cwd: folder });
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout.split('\n')[0]).toBe(
      '::error file=gridpress.yaml,line=1,col=1,title=gridpress schema::"cluster_uid": missing; expected a string.%0AAdd the field.',
    );
  });
});
