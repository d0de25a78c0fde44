/** `gridpress check` as a linter: warnings, --strict, formats, and findings in the configuration. */
import { describe, expect, test } from 'vitest';
import { gridpress } from '../../support/processes/cli.ts';
import { CONFIGURATION, type Files, NODE, NODE_UID, registryOf } from '../../support/registries/registry.ts';

const MISSPELT = `type: node\nuid: ${NODE_UID}\nmain_memory:\n  ram_sise: 274877906944\n`;
const WARNING = `registry-data/${NODE}:4:3: warning: Unknown field "main_memory.ram_sise". Did you mean "ram_size"? [field-name]
  2 | uid: ${NODE_UID}
  3 | main_memory:
> 4 |   ram_sise: 274877906944
    |   ^
  If so, correct the name. Unknown fields are kept unchanged.
`;

/** Checks a registry whose current state is recorded. */
async function checked(files: Files, ...options: string[]) {
  const { folder, record } = registryOf(files);
  record('First revision');
  return gridpress(['check', ...options], { cwd: folder });
}

describe('a misspelled field', () => {
  test('is a warning with a suggestion, and the status stays 0', async () => {
    expect(await checked({ [NODE]: MISSPELT })).toEqual({
      status: 0,
      stderr: '',
      stdout: `${WARNING}\nNo errors: 4 resources, 1 revision.\n`,
    });
  });

  test('fails with --strict', async () => {
    const { status, stdout } = await checked({ [NODE]: MISSPELT }, '--strict');
    expect([status, stdout]).toEqual([1, `${WARNING}\nNo errors: 4 resources, 1 revision.\n`]);
    expect((await checked({}, '--strict')).status).toBe(0);
  });

  test('annotates a pull request', async () => {
    expect(await checked({ [NODE]: MISSPELT }, '--format', 'github')).toEqual({
      status: 0,
      stderr: '',
      stdout: `::warning file=registry-data/${NODE},line=4,col=3,title=gridpress field-name::Unknown field "main_memory.ram_sise". Did you mean "ram_size"?%0AIf so, correct the name. Unknown fields are kept unchanged.
No errors: 4 resources, 1 revision.
`,
    });
  });

  test.each([['--json'], ['--format', 'json'], ['--format=json']])(
    'is part of a JSON record with %s',
    async (...options) => {
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
            message: 'Unknown field "main_memory.ram_sise". Did you mean "ram_size"?',
            fix: 'If so, correct the name. Unknown fields are kept unchanged.',
            file: `registry-data/${NODE}`,
            line: 4,
            column: 3,
          },
        ],
      });
    },
  );
});

describe('a configuration', () => {
  test('with an unknown host is reported with a suggestion', async () => {
    expect(await checked({ [CONFIGURATION]: 'cluster_uid: main\nhosts: [ngnix, caddy]\n' })).toEqual({
      status: 1,
      stderr: '',
      stdout: `gridpress.yaml:2:9: error: Unknown host "ngnix". [configuration-host]
  1 | cluster_uid: main
> 2 | hosts: [ngnix, caddy]
    |         ^
  Did you mean "nginx"?
`,
    });
    const { stdout } = await checked({ [CONFIGURATION]: 'cluster_uid: main\nhosts: [iis]\n' });
    expect(stdout).toContain('\n  Known hosts: nginx, caddy, apache, htaccess, lighttpd, ');
  });

  test('that leaves a field out of the node table that no node has is reported', async () => {
    const node = `type: node\nuid: ${NODE_UID}\nnode_type: big\nbios: {version: "1", vendor: Dell}\n`;
    const configuration = 'cluster_uid: main\nsearch: {left_out: [bios, bios.version, bios.vendr]}\n';
    expect(await checked({ [CONFIGURATION]: configuration, [NODE]: node })).toEqual({
      status: 0,
      stderr: '',
      stdout: `gridpress.yaml:2:41: warning: No file of a node contains the field "bios.vendr", so the table of nodes does not change without it. [left-out-absent]
  1 | cluster_uid: main
> 2 | search: {left_out: [bios, bios.version, bios.vendr]}
    |                                         ^
  Did you mean "bios.vendor"?

No errors: 4 resources, 1 revision.
`,
    });
  });

  test('that groups nodes by an unsuitable field is reported', async () => {
    const node = `type: node\nuid: ${NODE_UID}\nnode_type: big\nchassis: {serial: S1}\n`;
    const configuration = 'cluster_uid: main\nsearch: {collections: [node_type, Node_Type, chassis.serial]}\n';
    expect(await checked({ [CONFIGURATION]: configuration, [NODE]: node })).toEqual({
      status: 0,
      stderr: '',
      stdout: `gridpress.yaml:2:35: warning: The tree contains no value of "Node_Type", so it has no collections for this field. [collection-empty]
  1 | cluster_uid: main
> 2 | search: {collections: [node_type, Node_Type, chassis.serial]}
    |                                   ^
  Did you mean "node_type"?

gridpress.yaml:2:46: warning: The table of nodes does not contain "chassis.serial", so the tree has no collections for this field. [collection-left-out]
  1 | cluster_uid: main
> 2 | search: {collections: [node_type, Node_Type, chassis.serial]}
    |                                              ^
  Choose a field whose values several nodes share. /nodes/table lists the omitted fields.

No errors: 4 resources, 1 revision.
`,
    });
  });

  test('that groups nodes by a private field is reported, without the key of the hashes', async () => {
    const node = `type: node\nuid: ${NODE_UID}\nnode_type: big\nbios: {vendor: Dell, version: "1"}\n`;
    const configuration = `cluster_uid: main
search: {collections: [bios.vendor, bios.version], left_out: [bios.vendor]}
private: {omit: {fields: [bios.vendor]}, hash: {fields: [bios.version], key: {variable: NO_KEY}}}
`;
    const { stdout } = await checked({ [CONFIGURATION]: configuration, [NODE]: node });
    expect(stdout.match(/.*warning: .*/g)).toEqual([
      expect.stringContaining('gridpress.yaml:2:24: warning: The tree contains no value of "bios.vendor"'),
    ]);
  });

  test('that is unreadable is reported as a finding', async () => {
    const { folder } = registryOf({ [CONFIGURATION]: 'cluster: main\n' });
    const { status, stdout, stderr } = await gridpress(['check', '--format', 'github'], { cwd: folder });
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout.split('\n')[0]).toBe(
      '::error file=gridpress.yaml,line=1,col=1,title=gridpress schema::"cluster_uid": missing; expected a string.%0AAdd the field.',
    );
  });
});
