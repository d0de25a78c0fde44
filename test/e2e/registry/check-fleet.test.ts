/**
 * `gridpress check --fleet` on a small invented fleet: complete messages, exit status, silences and the JSON record.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gridpress, type Run } from '../../support/processes/cli.ts';
import { CONFIGURATION, type Files, NODE, registryOf, SITE } from '../../support/registries/registry.ts';
import { nodeFile, nodeUid } from '../../support/registries/testbed.ts';

interface NodeFields {
  readonly serial?: string;
  readonly ram?: number;
  readonly disks?: readonly string[];
  readonly more?: string;
}

function node(n: number, { serial = `C${n}`, ram = 274_877_906_944, disks = [`D${n}`], more = '' }: NodeFields) {
  return `type: node
uid: ${nodeUid(n)}
node_name: lyra-${n}
node_type: compute
chassis:
  name: R650
  serial: ${serial}
main_memory:
  ram_size: ${ram}
storage_devices:
${disks.map((each) => `  - device: sda\n    model: P5600\n    serial: ${each}\n`).join('')}${more}`;
}

const file = (n: number) => nodeFile('lyra', n);
const shown = (n: number) => `registry-data/${file(n)}`;

/** Four nodes without differences. */
const ALIKE: Files = { [NODE]: null, ...Object.fromEntries([1, 2, 3, 4].map((n) => [file(n), node(n, {})])) };

/** Records a registry with these files and runs `check --fleet` on it. */
async function checked(files: Files, ...options: readonly string[]) {
  const { folder, record } = registryOf({ ...ALIKE, ...files });
  record('First');
  return gridpress(['check', '--fleet', ...options], { cwd: folder });
}

/** The output before the summary lines. */
function findingsOf({ stdout }: Run): string {
  return stdout.slice(0, stdout.indexOf('\nNo errors: '));
}

const OR_SILENCE = 'or accept the finding with a reason (--accept, or fleet.silence).';

describe('check --fleet', () => {
  test('reports a fleet without findings', async () => {
    expect(await checked({})).toEqual({
      status: 0,
      stderr: '',
      stdout: 'No errors: 7 resources, 1 revision.\nCompared 4 nodes of 1 type.\n',
    });
  });

  test('is required for a comparison', async () => {
    const { folder, record } = registryOf({ ...ALIKE, [file(3)]: node(3, { serial: 'C2' }) });
    record('First');
    expect(await gridpress(['check'], { cwd: folder })).toEqual({
      status: 0,
      stderr: '',
      stdout: 'No errors: 7 resources, 1 revision.\n',
    });
  });

  test('reports differing nodes, each once with all its differences', async () => {
    const odd = { ram: 137_438_953_472, disks: [], more: 'fpga:\n  board_model: U280\n' };
    expect(await checked({ [file(3)]: node(3, { ...odd, disks: ['D3', 'E3'] }) })).toEqual({
      status: 0,
      stderr: '',
      stdout: `${shown(3)}:9:13: warning: 1 of 4 compute nodes (lyra-3) differs from the others:
  - main_memory.ram_size is 137438953472, usually 274877906944
  - the number of storage_devices is 2, usually 1
  - with fpga, which the others lack [fleet-difference]
  Correct the values, set another node_type, ${OR_SILENCE}

No errors: 7 resources, 1 revision.
Compared 4 nodes of 1 type.\n`,
    });
  });

  test('reports missing fields, and groups without a majority', async () => {
    const without = (n: number, ram: number) => node(n, { ram }).replace('  name: R650\n', '');
    const small = 137_438_953_472;
    expect(
      findingsOf(await checked({ [file(3)]: without(3, small), [file(4)]: node(4, { ram: small }) })),
    ).toBe(`${shown(3)}:8:13: warning: 4 compute nodes form 2 groups, and none is the majority: 2 (lyra-1, lyra-2) | 2 (lyra-3, lyra-4):
  - main_memory.ram_size is 274877906944 | 137438953472 [fleet-split]
  Correct the values, give each group another node_type, ${OR_SILENCE}

${shown(3)}:6:3: warning: 1 of 4 compute nodes (lyra-3) differs from the others:
  - without chassis.name, which the others have [fleet-difference]
  Correct the values, set another node_type, ${OR_SILENCE}
`);
  });

  test('reports values that must be unique, with every place', async () => {
    const files = { [file(3)]: node(3, { serial: 'C2', disks: ['d2'] }) };
    expect(
      findingsOf(await checked(files)),
    ).toBe(`${shown(2)}:7:11: warning: 2 nodes (lyra-2, lyra-3) share values that must be unique:
  - chassis.serial is "C2"
    at ${shown(2)}:7:11
    at ${shown(3)}:7:11
  - storage_devices.serial is "D2"
    at ${shown(2)}:13:13
    at ${shown(3)}:13:13 [fleet-shared]
  Find out which node has the value, and correct the others.
`);
  });

  test('reports a product code used as serial once', async () => {
    const all = [1, 2, 3, 4].map((n) => [file(n), node(n, { disks: ['P5600'] })]);
    expect(
      findingsOf(await checked(Object.fromEntries(all))),
    ).toBe(`${shown(1)}:13:13: warning: 4 nodes (lyra-1, lyra-2, lyra-3, lyra-4) share values that must be unique:
  - storage_devices.serial is "P5600"
    at ${shown(1)}:13:13
    at ${shown(2)}:13:13
    at ${shown(3)}:13:13
    at ${shown(4)}:13:13 [fleet-shared]
  So many nodes share the value that it is probably a product code. Remove it, or correct it.
`);
  });

  test('reports placeholders and invalid values', async () => {
    const files = {
      [file(2)]: node(2, { serial: '"-"', more: 'network_adapters:\n  - mac: 0a:1b:2c\n' }),
      [file(3)]: node(3, { serial: '"-"' }),
      [CONFIGURATION]:
        'cluster_uid: main\nfleet:\n  silence:\n    - check: presence\n      reason: Only one has adapters.\n',
    };
    expect(await checked(files)).toEqual({
      status: 0,
      stderr: '',
      stdout: `${shown(2)}:15:10: warning: 1 of 4 compute nodes (lyra-2) has impossible values:
  - network_adapters.mac is "0a:1b:2c": a MAC address has 6 bytes, an InfiniBand address 8 or 20 [fleet-implausible]
  Correct the value, or remove the field.

${shown(2)}:7:11: warning: 2 of 4 compute nodes (lyra-2, lyra-3) have placeholder values:
  - chassis.serial is "-" [fleet-placeholder]
  Write the real value. If it is unknown, remove the field.

No errors: 7 resources, 1 revision.
Compared 4 nodes of 1 type; 1 finding silenced.\n`,
    });
  });

  test('reports sites with invalid coordinates', async () => {
    const site = (uid: string, coordinates: string) =>
      `type: site\nuid: ${uid}\nname: ${uid}\nlocation: Brackmoor, North Wold\n${coordinates}`;
    const files = {
      [SITE]: `${site('lyra', 'latitude: 54.8\nlongitude: -1.9\n')}site_class: baremetal\n`,
      'sites/a/site.yaml': site('a', 'latitude: 55.1\nlongitude: -2.2\n'),
      'sites/b/site.yaml': site('b', 'latitude: -54.8\nlongitude: -1.9\n'),
      'sites/c/site.yaml': site('c', 'latitude: -154.8\nlongitude: 1.9\n'),
      'sites/d/site.yaml': site('d', 'latitude: 0\nlongitude: 0\n'),
      'sites/e/site.yaml': site('e', 'longitude: 1.9\n'),
    };
    expect(
      findingsOf(await checked(files)),
    ).toBe(`registry-data/sites/c/site.yaml:5:11: warning: The latitude of the site "c" is -154.8, outside ±90. [fleet-location-range]
  Correct it. Latitude and longitude seem to be swapped.

registry-data/sites/d/site.yaml:5:11: warning: The coordinates of the site "d" are 0, 0, a point in the Gulf of Guinea. [fleet-location-zero]
  Write the real coordinates, or remove them.

registry-data/sites/e/site.yaml:5:12: warning: The site "e" has a longitude, but no latitude. [fleet-location-half]
  Add the latitude, or remove both.

registry-data/sites/b/site.yaml:6:12: warning: The coordinates of the site "b" are at least 12,100 km away from 2 of the 2 other sites in "North Wold". [fleet-location-far]
  Correct the coordinates. With the other sign of the latitude, they would be near the site "lyra".
`);
  });

  test('reports hardware without a label until the configuration defines one', async () => {
    const gpu = 'gpu:\n  gpu: true\n  gpu_model: Foo 9000\n';
    const all = [1, 2, 3, 4].map((n) => [file(n), node(n, { ram: 178_000_000_000, more: gpu })]);
    const odd: Files = Object.fromEntries(all);
    expect(await checked(odd)).toEqual({
      status: 0,
      stderr: '',
      stdout: `${shown(1)}:16:14: warning: 4 compute nodes (lyra-1, lyra-2, lyra-3, lyra-4) have values that no label rule matches:
  - gpu.gpu_model is "Foo 9000"
  - main_memory.ram_size is 178000000000 [fleet-label]
  Add a label rule (labels.gpu, labels.ram), correct the value, ${OR_SILENCE}

No errors: 7 resources, 1 revision.
Compared 4 nodes of 1 type.\n`,
    });
    const labels = `cluster_uid: main
labels:
  gpu:
    - { label: Foo, match: [FOO *] }
    - { label: Bar, match: [bar] }
  ram:
    - { label: 192GiB, match: [178000000000] }
`;
    expect(await checked({ ...odd, [CONFIGURATION]: labels })).toEqual({
      status: 0,
      stderr: '',
      stdout: `gridpress.yaml:5:7: warning: This rule of labels.gpu matches no value of any node. [fleet-label-unused]
  3 |   gpu:
  4 |     - { label: Foo, match: [FOO *] }
> 5 |     - { label: Bar, match: [bar] }
    |       ^
  6 |   ram:
  7 |     - { label: 192GiB, match: [178000000000] }
  Remove the rule, or correct it. The values that it matched may have been corrected.

No errors: 7 resources, 1 revision.
Compared 4 nodes of 1 type.\n`,
    });
  });

  test('compares unrecorded nodes', async () => {
    const { folder, record, write } = registryOf(ALIKE);
    record('First');
    write({ [file(4)]: node(4, { ram: 137_438_953_472 }) });
    const { status, stdout } = await gridpress(['check', '--fleet', '--json'], { cwd: folder });
    const { findings }: { findings: readonly { code: string }[] } = JSON.parse(stdout);
    expect([status, findings.map(({ code }) => code)]).toEqual([1, ['unrecorded-changes', 'fleet-difference']]);
  });

  test('lists the nodes of each value in the JSON record if no value is usual', async () => {
    const small = 137_438_953_472;
    const { stdout } = await checked(
      { [file(3)]: node(3, { ram: small }), [file(4)]: node(4, { ram: small }) },
      '--json',
    );
    const path = (n: number) => `/sites/lyra/clusters/main/nodes/${nodeUid(n)}`;
    expect(JSON.parse(stdout).fleet.facts).toMatchObject([
      {
        check: 'difference',
        kind: 'split',
        field: 'main_memory.ram_size',
        values: [
          { value: '274877906944', resources: [path(1), path(2)] },
          { value: '137438953472', resources: [path(3), path(4)] },
        ],
      },
    ]);
  });

  test('compares nothing if a file is unreadable', async () => {
    const { folder } = registryOf({ ...ALIKE, [file(4)]: 'type: node\n' });
    const { status, stdout } = await gridpress(['check', '--fleet'], { cwd: folder });
    expect([status, stdout.includes('[schema]'), stdout.includes('Compared')]).toEqual([1, true, false]);
  });
});

describe('a silence', () => {
  const configuration = (rules: string) => `cluster_uid: main\nfleet:\n  silence:\n${rules}`;
  const odd = { [file(3)]: node(3, { ram: 137_438_953_472 }) };
  const RULE = `    - check: difference
      field: main_memory
      nodes: [lyra-3]
      reason: Half of its memory is in lyra-9.
`;

  test('with a reason removes a finding', async () => {
    expect(await checked({ ...odd, [CONFIGURATION]: configuration(RULE) })).toEqual({
      status: 0,
      stderr: '',
      stdout: 'No errors: 7 resources, 1 revision.\nCompared 4 nodes of 1 type; 1 finding silenced.\n',
    });
  });

  test('that matches no finding is a finding', async () => {
    expect(await checked({ [CONFIGURATION]: configuration(RULE) })).toEqual({
      status: 0,
      stderr: '',
      stdout: `gridpress.yaml:4:7: warning: This rule silences no finding of the check "difference". [fleet-silence-unused]
  2 | fleet:
  3 |   silence:
> 4 |     - check: difference
    |       ^
  5 |       field: main_memory
  6 |       nodes: [lyra-3]
  Remove the rule, or correct it. The cause of the finding may have been corrected.

No errors: 7 resources, 1 revision.
Compared 4 nodes of 1 type.\n`,
    });
  });

  test.each([
    ['    - check: difference\n', '4:7', '"fleet.silence.0.reason": missing; expected a string.', 'Add the field.'],
    [
      '    - check: difference\n      reason: " "\n',
      '5:15',
      '"fleet.silence.0.reason": expected a reason.',
      'Correct the value. The schema of the file describes it.',
    ],
    [
      '    - check: difference\n      node: [n3]\n      reason: So.\n',
      '5:7',
      '"fleet.silence.0.node": no such field.',
      'Remove the field, or correct its name.',
    ],
  ])('is rejected if it is incomplete: %j', async (rules, where, what, fix) => {
    const { folder } = registryOf({ ...ALIKE, [CONFIGURATION]: configuration(rules) });
    const { status, stdout } = await gridpress(['check', '--fleet'], { cwd: folder });
    const [head, ...rest] = stdout.split('\n');
    expect([status, head, rest.at(-2)]).toEqual([
      ...[1, `gridpress.yaml:${where}: error: ${what} [schema]`, `  ${fix}`],
    ]);
  });

  test('appears in the JSON record with the findings that it silences', async () => {
    const files = { ...odd, [file(4)]: node(4, { serial: 'C1' }), [CONFIGURATION]: configuration(RULE) };
    const { status, stdout } = await checked(files, '--json');
    const path = (n: number) => `/sites/lyra/clusters/main/nodes/${nodeUid(n)}`;
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      {
        ok: true,
        resources: 7,
        revisions: 1,
        fleet: {
          nodes: 4,
          node_types: 1,
          accepted: 0,
          facts: [
            {
              check: 'shared',
              kind: 'shared',
              field: 'chassis.serial',
              node_type: 'compute',
              resources: [path(1), path(4)],
              value: '"C1"',
            },
          ],
          silenced: [
            {
              check: 'difference',
              field: 'main_memory',
              nodes: ['lyra-3'],
              reason: 'Half of its memory is in lyra-9.',
              facts: [
                {
                  check: 'difference',
                  kind: 'difference',
                  field: 'main_memory.ram_size',
                  node_type: 'compute',
                  resources: [path(3)],
                  value: '137438953472',
                  usual: '274877906944',
                },
              ],
            },
          ],
        },
        findings: [
          {
            code: 'fleet-shared',
            severity: 'warning',
            message: `2 nodes (lyra-1, lyra-4) share values that must be unique:\n  - chassis.serial is "C1"\n    at ${shown(1)}:7:11\n    at ${shown(4)}:7:11`,
            fix: 'Find out which node has the value, and correct the others.',
            file: shown(1),
            line: 7,
            column: 11,
          },
        ],
      },
    ]);
  });
});

test('the sample registry has no findings', async () => {
  const root = new URL('../../..', import.meta.url).pathname;
  expect(await gridpress(['check', '--fleet'], { cwd: root })).toEqual({
    status: 0,
    stderr: '',
    stdout: 'No errors: 79 resources, 36 revisions.\nCompared 60 nodes of 12 types; 2 findings silenced.\n',
  });
});

describe('rules of the configuration', () => {
  /** Runs `check --fleet` with these lines below `fleet` in the configuration. */
  const ruled = (lines: string, files: Files = {}) =>
    checked({ [CONFIGURATION]: `cluster_uid: main\nfleet:\n${lines}`, ...files });
  const RULE = "  rules:\n    - nodes: node_type = 'compute'\n      require: main_memory.ram_size >= 256GiB\n";

  test('report the nodes that do not match a query, at the value', async () => {
    const { status, stdout } = await ruled(RULE, { [file(3)]: node(3, { ram: 137_438_953_472 }) });
    expect(status).toBe(0);
    expect(
      stdout,
    ).toContain(`${shown(3)}:9:13: warning: 1 of 4 compute nodes (lyra-3) breaks rules of the configuration:
  - main_memory.ram_size >= 256GiB [fleet-rule]
`);
  });

  test('ignore nodes that are not selected, and nodes that fulfil them', async () => {
    expect((await ruled(RULE)).stdout).not.toContain('fleet-rule');
    const other = RULE.replace('compute', 'storage').replace('256GiB', '2TiB');
    expect((await ruled(other)).stdout).not.toContain('fleet-rule');
  });

  test('require a field', async () => {
    const more = 'placement:\n  rack: 1\n';
    const files = Object.fromEntries([1, 2, 4].map((n) => [file(n), node(n, { more })]));
    const { stdout } = await ruled('  rules:\n    - require: placement.rack IS NOT NULL\n', files);
    expect(stdout).toContain('1 of 4 compute nodes (lyra-3) breaks rules of the configuration:');
  });

  test('compare the nodes of a cluster', async () => {
    const bios = (n: number, version: string) => node(n, { more: `bios:\n  version: "${version}"\n` });
    const files = { [file(1)]: bios(1, '1.2'), [file(2)]: bios(2, '1.2'), [file(4)]: bios(4, '1.3') };
    const { stdout } = await ruled('  same_in_cluster: [bios.version]\n', files);
    expect(stdout).toContain(
      '(lyra-3) breaks rules of the configuration:\n  - bios.version is missing, usually "1.2" in',
    );
    expect(stdout).toContain(
      '(lyra-4) breaks rules of the configuration:\n  - bios.version is "1.3", usually "1.2" in',
    );
  });

  test('make fields unique', async () => {
    const slot = (n: number) => node(n, { more: 'placement:\n  slot: A7\n' });
    const files = { [file(1)]: slot(1), [file(2)]: slot(2) };
    expect((await ruled('  rules: []\n', files)).stdout).not.toContain('fleet-shared');
    const { stdout } = await ruled('  unique: [placement.slot]\n', files);
    expect(stdout).toContain('(lyra-1, lyra-2) share values that must be unique:\n  - placement.slot is "A7"');
  });

  test('find a field whose name contains a dot', async () => {
    const port = (n: number, text: string) => node(n, { more: `eth.0: ${text}\n` });
    const files = {
      [file(1)]: port(1, 'A7'),
      [file(2)]: port(2, 'A7'),
      [file(3)]: port(3, 'A8'),
      [file(4)]: port(4, 'A9'),
    };
    const { stdout } = await ruled(`  unique: ['"eth.0"']\n  same_in_cluster: ['"eth.0"']\n`, files);
    expect(stdout).toContain('(lyra-1, lyra-2) share values that must be unique:');
    expect(stdout).toContain('usually "A7" in the cluster');
    expect(stdout).not.toContain('fleet-field-absent');
  });

  test('warn about fields that no file of a node contains, such as labels', async () => {
    const { status, stdout } = await ruled('  unique: [chassis.seral]\n  same_in_cluster: [label.ram]\n');
    expect(status).toBe(0);
    expect(
      stdout,
    ).toContain(`gridpress.yaml:3:12: warning: No file of a node contains the field "chassis.seral", so this rule checks nothing. [fleet-field-absent]
`);
    expect(stdout).toContain('Did you mean "chassis.serial"?');
    expect(stdout).toContain('gridpress.yaml:4:21: warning: No file of a node contains the field "label.ram"');
  });

  test('warn about unique fields that contain other fields', async () => {
    const { status, stdout } = await ruled('  unique: [chassis.serial, chassis, storage_devices]\n');
    expect(status).toBe(0);
    expect(
      stdout,
    ).toContain(`gridpress.yaml:3:28: warning: The field "chassis" contains other fields, so this rule checks nothing. [fleet-unique-mapping]
`);
    expect(stdout).toContain('such as chassis.name.');
    expect(stdout).toContain('warning: The field "storage_devices" contains other fields');
    expect(stdout).not.toContain('fleet-shared');
  });

  test('accept exceptions with a reason', async () => {
    const odd = { [file(3)]: node(3, { ram: 137_438_953_472 }) };
    const silence = (check: string) =>
      `  silence:\n    - { check: ${check}, nodes: [lyra-3], reason: waits for memory }\n${RULE}`;
    expect((await ruled(silence('rule'), odd)).stdout).not.toContain('fleet-rule');
    expect((await ruled(silence('difference'), odd)).stdout).toContain('fleet-rule');
  });

  test('name the rule with the wrong query, and the mistake in the query', async () => {
    const { status, stdout, stderr } = await ruled('  rules:\n    - require: main_memory.ram >= 256GiB\n');
    expect(status).toBe(2);
    expect(stdout + stderr).toContain('gridpress.yaml:4:7: error: The query of this rule cannot be used.');
    expect(stdout + stderr).toContain('main_memory.ram_size');
  });
});

describe('check --fleet --accept', () => {
  /** A fleet in which node 3 has half the memory, and its accepted facts. */
  async function accepted() {
    const { folder, record, write } = registryOf({ ...ALIKE, [file(3)]: node(3, { ram: 137_438_953_472 }) });
    record('First');
    const run = await gridpress(['check', '--accept', 'Waits for memory'], { cwd: folder });
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout).toContain('Compared 4 nodes of 1 type; 1 finding accepted.');
    const check = (changed: Files = {}) => {
      write(changed);
      if (Object.keys(changed).length > 0) record('Next');
      return gridpress(['check', '--fleet'], { cwd: folder });
    };
    return { folder, check };
  }

  test.each(['', ' '])('rejects the reason "%s", which the file could not contain', async (reason) => {
    const { folder, check } = await accepted();
    const before = readFileSync(join(folder, 'fleet-accepted.yaml'), 'utf8');
    const run = await gridpress(['check', '--accept', reason], { cwd: folder });
    expect([run.status, run.stderr]).toEqual([2, expect.stringContaining('It must contain a reason.')]);
    expect(readFileSync(join(folder, 'fleet-accepted.yaml'), 'utf8')).toBe(before);
    expect((await check()).status).toBe(0);
  });

  test('writes the present findings with their reason', async () => {
    const { folder, check } = await accepted();
    expect(readFileSync(join(folder, 'fleet-accepted.yaml'), 'utf8')).toBe(`accepted:
  - check: difference
    field: main_memory.ram_size
    path: /sites/lyra/clusters/main/nodes/${nodeUid(3)}
    value: "137438953472"
    reason: Waits for memory
`);
    expect((await check()).status).toBe(0);
  });

  test('makes a new finding an error, and keeps old reasons', async () => {
    const { folder, check } = await accepted();
    const run = await check({ [file(2)]: node(2, { serial: 'None' }) });
    expect(run.stdout).toContain('placeholder values');
    expect(run.stdout).not.toContain('main_memory');
    expect(run.stdout).toContain(
      'error: The fleet has 1 finding that fleet-accepted.yaml does not accept. [fleet-new]',
    );
    expect(run.status).toBe(1);
    await gridpress(['check', '--accept', 'No label on the case'], { cwd: folder });
    const reasons = readFileSync(join(folder, 'fleet-accepted.yaml'), 'utf8').match(/reason: .*/g);
    expect(reasons).toEqual(['reason: No label on the case', 'reason: Waits for memory']);
    expect((await check()).status).toBe(0);
  });

  test('makes a rule that a new node breaks an error', async () => {
    const { check } = await accepted();
    const rule = 'fleet:\n  rules:\n    - require: main_memory.ram_size >= 64GiB\n';
    const ruled = { [CONFIGURATION]: `cluster_uid: main\n${rule}` };
    expect((await check({ ...ruled, [file(2)]: node(2, { serial: 'C22' }) })).status).toBe(0);
    const run = await check({ [file(5)]: node(5, { ram: 34_359_738_368 }) });
    expect(run.stdout).toContain('(lyra-5) breaks rules of the configuration:');
    expect(run.status).toBe(1);
  });

  test('reports entries that no longer match', async () => {
    const { check } = await accepted();
    const run = await check({ [file(3)]: node(3, {}) });
    expect(run.stdout).toContain(
      'fleet-accepted.yaml:2:5: warning: This entry accepts a finding that the fleet no longer has. [fleet-accepted-unused]',
    );
    expect(run.status).toBe(0);
  });

  test('rejects an invalid file with its line', async () => {
    const { folder, check } = await accepted();
    writeFileSync(join(folder, 'fleet-accepted.yaml'), 'accepted:\n  - check: shared\n    field: 1\n');
    const run = await check();
    expect(run.stdout + run.stderr).toContain('fleet-accepted.yaml:2:5: error: ');
    expect(run.status).toBe(1);
  });
});
