/** The hosts in files of OAR, GENI and Blazar, and in lists. All fixtures are invented. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/core/diagnostics/finding.ts';
import { renderFindings } from '../../../../src/core/diagnostics/render.ts';
import { type HostFiles, readHosts } from '../../../../src/features/lock/host-files.ts';
import { newFolder } from '../../../support/folders.ts';
import { failureOf } from '../../../support/processes/failure.ts';

const folder = newFolder();

/** Writes files with the names `0`, `1` and so on. */
function written(texts: readonly unknown[]): string[] {
  return texts.map((text, i) => {
    const path = join(folder, String(i));
    writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text, null, 2));
    return path;
  });
}

const read = (option: keyof HostFiles, ...texts: readonly unknown[]) => readHosts({ [option]: written(texts) });
const namesIn = (option: keyof HostFiles, ...texts: readonly unknown[]) =>
  read(option, ...texts).map(({ name }) => name);
const warningsIn = (option: keyof HostFiles, ...texts: readonly unknown[]) => {
  const found: Finding[] = [];
  readHosts({ [option]: written(texts) }, (each) => found.push(each));
  return renderFindings(found).replaceAll(`${folder}/`, '');
};
const linesIn = (option: keyof HostFiles, ...texts: readonly unknown[]) =>
  read(option, ...texts).map(({ name, place }) => [name, place().file.slice(folder.length + 1), place().line]);
const failure = async (option: keyof HostFiles, ...texts: readonly unknown[]) =>
  (await failureOf(() => read(option, ...texts))).replaceAll(`${folder}/`, '');

describe('a list of hosts', () => {
  test('has one host per line, with comments, empty lines and repetitions', () => {
    expect(linesIn('hosts', '\ufeff# all\nlyra-c01\r\n\n  lyra-c02  # spare\nlyra-c01\n')).toEqual([
      ['lyra-c01', '0', 2],
      ['lyra-c02', '0', 4],
      ['lyra-c01', '0', 5],
    ]);
  });

  test('must have a host', async () => {
    expect(await failure('hosts', '# none\n\n')).toBe(
      '0: error: The file names no hosts. [nodes-none]\n  Write one host name or uid per line.\n',
    );
  });

  test('has a limit of lines', async () => {
    expect(await failure('hosts', 'a\n'.repeat(500_001))).toBe(
      '0: error: The file has more than 500,000 lines. [hosts-many]\n  Write each host once.\n',
    );
  });

  test('must be UTF-8', async () => {
    expect(await failureOf(() => readHosts({ hosts: [join(folder, 'latin')] }))).toContain('[read-failed]');
    writeFileSync(join(folder, 'latin'), Buffer.from('caf\xe9', 'latin1'));
    expect(await failureOf(() => readHosts({ hosts: [join(folder, 'latin')] }))).toContain('[not-utf8]');
  });

  test('has at most 16 MB', async () => {
    expect(await failure('hosts', 'x'.repeat(16_000_001))).toContain('[too-large]');
  });
});

describe('an OAR job', () => {
  const NODES = ['lyra-1.lyra.example.org', 'lyra-2.lyra.example.org'];
  const OARSTAT = { 421: { Job_Id: 421, state: 'Running', types: ['deploy'], assigned_network_address: NODES } };

  test.each([
    ['from oarstat', OARSTAT],
    ['from oarstat, with several jobs', { ...OARSTAT, 422: { assigned_network_address: [] } }],
    ['from the API', { uid: 421, assigned_nodes: NODES, resources_by_type: { cores: [...NODES, ...NODES] } }],
    ['from a list of the API', { total: 1, items: [{ uid: 421, assigned_nodes: NODES }], links: [] }],
    ['in a list', [{ assigned_nodes: NODES }]],
    ['with resources that are no nodes', { 421: { assigned_network_address: ['', ...NODES] } }],
  ])('%s', (_, job) => {
    expect(namesIn('fromOar', job)).toEqual(NODES);
  });

  test('gives the line of each host', () => {
    expect(linesIn('fromOar', OARSTAT)).toEqual([
      [NODES[0], '0', 9],
      [NODES[1], '0', 10],
    ]);
  });

  test.each([
    ['text that is not JSON', 'Job_Id: 421\n    assigned_hostnames = lyra-1+lyra-2\n'],
    ['a job of another kind', { jobs: [{ job_id: 421, nodes: 'lyra-[1-2]' }] }],
    ['a job without its nodes', { ...OARSTAT, 422: { state: 'Running' } }],
    ['nodes that are not names', { 421: { assigned_network_address: [1, 2] } }],
    ['no job', {}],
  ])('is not %s', async (_, text) => {
    expect(await failure('fromOar', text)).toBe(
      '0: error: The file is not JSON of an OAR job with its nodes. [nodes-format]\n' +
        '  Save the job with "oarstat -fj JOB -J", or its document of the Grid\'5000 API.\n',
    );
  });

  test('is left out with a warning if it has no nodes, and another job has some', () => {
    const leftOut = (id: string) =>
      `0: warning: The files contain no hosts of the job "${id}". Its hosts are not locked. [hosts-left-out]\n  A job gets its nodes when it starts. Save the job again after its start.\n`;
    expect(warningsIn('fromOar', OARSTAT)).toBe('');
    expect(warningsIn('fromOar', { ...OARSTAT, 422: { assigned_network_address: [] } })).toBe(leftOut('422'));
    const items = [
      { uid: 421, assigned_nodes: NODES },
      { uid: 423, assigned_nodes: [''] },
    ];
    expect(warningsIn('fromOar', { items })).toBe(leftOut('423'));
  });

  test('must have nodes', async () => {
    expect(await failure('fromOar', { 421: { state: 'Waiting', assigned_network_address: [] } })).toBe(
      '0: error: The job has no nodes. [nodes-none]\n  A job gets its nodes when it starts. Save the job again after its start.\n',
    );
  });
});

const urn = (name: string, domain = 'lyra.example.org', kind = 'node') => `urn:publicid:IDN+${domain}+${kind}+${name}`;
const rspec = (nodes: string, attributes = 'type="manifest"') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<rspec xmlns="http://www.geni.net/resources/rspec/3" ${attributes}>\n${nodes}\n</rspec>\n`;

describe('a manifest', () => {
  test('of CloudLab', () => {
    const node = (client: string, name: string) => `
  <node xmlns:emulab="http://www.protogeni.net/resources/rspec/ext/emulab/1" client_id="${client}"
      component_manager_id="${urn('cm', 'lyra.example.org', 'authority')}" component_id="${urn(name)}"
      sliver_id="${urn('118', 'lyra.example.org', 'sliver')}" exclusive="true">
    <sliver_type name="raw-pc"/>
    <interface client_id="${client}:eth1" component_id="${urn(`${name}:eth1`, 'lyra.example.org', 'interface')}">
      <ip address="10.10.1.1" type="ipv4" netmask="255.255.255.0"/>
    </interface>
    <services>
      <login authentication="ssh-keys" hostname="${name}.lyra.example.org" port="22" username="ada"/>
      <execute shell="sh" command="test 2 > 1"/>
    </services>
    <emulab:vnode name="${name}" hardware_type="d430"/>
    <host name="${client}.trial.lyra.example.org" ipv4="192.0.2.7"/>
  </node>`;
    expect(
      linesIn('fromManifest', rspec(`${node('server', 'pc17')}${node('client', 'pc18')}`, 'type="request"')),
    ).toEqual([
      ['pc17.lyra.example.org', '0', 4],
      ['pc18.lyra.example.org', '0', 18],
    ]);
  });

  test.each([
    ['a URN with a domain name', `<node component_id="${urn('lyra-1.lyra.example.org', 'am.example.org')}"/>`],
    ['a URN with a subauthority', `<node component_id="${urn('lyra-1', 'lyra.example.org:trial')}"/>`],
    ['a component_name', '<node component_name="lyra-1.lyra.example.org"/>'],
    ['a vnode', '<node><e:vnode xmlns:e="x" name="lyra-1.lyra.example.org"/></node>'],
    [
      'a shared machine: the machine, not its guest',
      `<node component_id='${urn('lyra-1')}' exclusive='false'><vnode name="pcvm1-2"/></node>`,
    ],
    ['a prefix', `<r:node xmlns:r="x" component_id="${urn('lyra-1')}"></r:node >`],
    [
      'comments, instructions and character data',
      `<!-- <node> --><?x <node> ?><node component_id="${urn('lyra-1')}"><![CDATA[</node><node>]]></node>`,
    ],
    [
      'a remote disk, which is left out',
      `<node component_id="${urn('lyra-1')}"/><node component_id="${urn('box2')}"><sliver_type name="emulab-blockstore"/></node>`,
    ],
    ['nodes of other elements', `<node component_id="${urn('lyra-1')}"/><x><node component_id="y"/></x>`],
  ])('with %s', (_, nodes) => {
    expect(namesIn('fromManifest', rspec(nodes))).toEqual(['lyra-1.lyra.example.org']);
  });

  test.each([
    [
      'a document type declaration',
      '<!DOCTYPE rspec [<!ENTITY a "b">]>\n<rspec/>',
      1,
      'it has a document type declaration',
    ],
    ['an end tag of another element', '<rspec>\n<node></rspec>', 2, '"</rspec>" closes "<node>"'],
    ['an end tag without a start tag', '<rspec/>\n</rspec>', 2, '"</rspec>" closes no element'],
    ['a missing end', '<rspec>\n<node component_id="a"/>\n', 3, '"<rspec>" is not closed'],
    ['half a tag', '<rspec>\n<node component_id="a', 2, 'the tag is incomplete'],
    ['half a comment', '<rspec>\n<!-- </rspec>', 2, 'the tag is incomplete'],
    ['an attribute without quotes', '<rspec><node component_id=a/></rspec>', 1, 'the tag is incomplete'],
    ['a stray bracket', '<rspec>1 < 2</rspec>', 1, 'the tag is incomplete'],
  ])('with %s is rejected', async (_, text, line, problem) => {
    const printed = await failure('fromManifest', text);
    expect(printed).toMatch(new RegExp(`^0:${line}:\\d+: `));
    expect(printed).toContain(`error: The RSpec cannot be read: ${problem}. [rspec-xml]\n`);
    expect(printed).toContain('  Download the manifest again. It must be XML without a document type declaration.\n');
  });

  test('does not expand entities', () => {
    expect(namesIn('fromManifest', '<rspec><node component_id="&lt;"/></rspec>')).toEqual(['&lt;']);
  });

  test.each([
    ['an advertisement', rspec(`<node component_id="${urn('lyra-1')}"/>`, 'type="advertisement"')],
    ['another document', '<html></html>'],
    ['no document', ''],
  ])('is not %s', async (_, text) => {
    expect(await failure('fromManifest', text)).toBe(
      '0: error: The file is not a manifest RSpec. [nodes-format]\n' +
        '  Download the manifest of the running experiment. A request or an advertisement is not enough.\n',
    );
  });

  test('can have nodes without a machine, unless all nodes have none', async () => {
    const [bound, unbound] = [`<node client_id="a" component_id="${urn('lyra-1')}"/>`, '<node client_id="b"/>'];
    expect(read('fromManifest', rspec(`${bound}\n${unbound}`))).toMatchObject([
      { name: 'lyra-1.lyra.example.org', isUnbound: false },
      { name: 'b', isUnbound: true },
    ]);
    expect(await failure('fromManifest', rspec(unbound))).toBe(
      '0: error: No node of the RSpec has a component_id. [rspec-request]\n' +
        '  A request does not name its machines. Download the manifest of the running experiment.\n',
    );
    expect(await failure('fromManifest', rspec(''))).toBe(
      '0: error: The RSpec has no nodes. [nodes-none]\n  Download the manifest again when the experiment runs.\n',
    );
  });
});

describe('a lease', () => {
  const [UID, OTHER_UID, THIRD_UID] = [1, 2, 3].map((i) => `00000000-0000-4000-8000-00000000000${i}`);
  const LEASE = { id: 'lease-1', name: 'trial', status: 'ACTIVE', start_date: '2026-05-01T10:00:00.000000' };
  // Older versions of the command line print the reservations as text.
  const PRINTED = { ...LEASE, reservations: '{\n    "id": "r-1"\n}\n{\n    "id": "r-2"\n}' };
  const ALLOCATIONS = [
    { resource_id: '18', reservations: [{ id: 'r-1', lease_id: 'lease-1' }] },
    { resource_id: '19', reservations: [{ id: 'r-9', lease_id: 'lease-9' }] },
    { resource_id: '20', reservations: [] },
    {
      resource_id: '21',
      reservations: [
        { id: 'r-8', lease_id: 'lease-9' },
        { id: 'r-2', lease_id: 'lease-1' },
      ],
    },
  ];
  const HOSTS = [
    { id: '18', hypervisor_hostname: UID, vcpus: 48 },
    { id: '19', hypervisor_hostname: THIRD_UID, vcpus: 48 },
    { id: '21', hypervisor_hostname: OTHER_UID, vcpus: 48 },
  ];
  const OF_LEASE = ALLOCATIONS.map((one) => ({
    ...one,
    reservations: one.reservations.filter(({ lease_id }) => lease_id === 'lease-1'),
  }));

  test.each([
    ['from the command line', [PRINTED, ALLOCATIONS, HOSTS]],
    ['from the command line, in another order', [HOSTS, PRINTED, ALLOCATIONS]],
    ['from the API', [{ lease: { ...LEASE, reservations: [] } }, { allocations: ALLOCATIONS }, { hosts: HOSTS }]],
    ['in one file', [{ lease: PRINTED, allocations: ALLOCATIONS, hosts: HOSTS }]],
    ['as its allocations alone', [OF_LEASE, HOSTS]],
    ['with numbers as numbers', [OF_LEASE, HOSTS.map((host) => ({ ...host, id: Number(host.id) }))]],
    ['with names in the allocations', [PRINTED, ALLOCATIONS.map((one, i) => ({ ...one, ...HOSTS[i === 3 ? 2 : i] }))]],
    [
      'with allocations in its reservations',
      [
        {
          lease: {
            ...LEASE,
            reservations: [
              { id: 'r-1', allocations: [{ id: '18', hypervisor_hostname: UID }] },
              { id: 'r-2', allocations: [{ id: '21', node_name: OTHER_UID }] },
            ],
          },
        },
      ],
    ],
  ])('%s', (_, texts) => {
    expect(namesIn('fromLease', ...texts)).toEqual([UID, OTHER_UID]);
  });

  test('gives the line of each host', () => {
    expect(linesIn('fromLease', PRINTED, ALLOCATIONS, HOSTS)).toEqual([
      [UID, '2', 4],
      [OTHER_UID, '2', 14],
    ]);
  });

  test.each([
    ['without allocations', [PRINTED]],
    ['with allocations of another lease', [{ ...LEASE, id: 'lease-2', reservations: [] }, ALLOCATIONS, HOSTS]],
    ['with the hosts of the whole site', [PRINTED, HOSTS]],
  ])('%s has no hosts', async (_, texts) => {
    expect(await failure('fromLease', ...texts)).toBe(
      '0: error: The files contain no allocation of the lease. [nodes-none]\n' +
        '  A lease does not name its hosts. Save "openstack reservation allocation list host -f json" during the lease, ' +
        'and name this file with --from-lease as well.\n',
    );
  });

  test('is left out with a warning if it has no hosts, and another lease has some', () => {
    const other = { ...LEASE, id: 'lease-2', reservations: [] };
    expect(namesIn('fromLease', other, PRINTED, ALLOCATIONS, HOSTS)).toEqual([UID, OTHER_UID]);
    expect(warningsIn('fromLease', PRINTED, ALLOCATIONS, HOSTS)).toBe('');
    expect(warningsIn('fromLease', PRINTED, other, ALLOCATIONS, HOSTS)).toMatch(
      /^0: warning: The files contain no hosts of the lease "lease-2"\. Its hosts are not locked\. \[hosts-left-out\]\n {2}A lease does not name its hosts\..*\n$/,
    );
  });

  test('needs the names of all its hosts', async () => {
    const fix = 'Save "openstack reservation host list -f json", and name this file with --from-lease as well.';
    expect(await failure('fromLease', PRINTED, ALLOCATIONS)).toBe(
      `0: error: The lease has the hosts 18, 21, but no file has the names. [lease-hosts]\n  ${fix}\n`,
    );
    expect(await failure('fromLease', PRINTED, ALLOCATIONS, HOSTS.slice(0, 2))).toBe(
      `0: error: The lease has the host 21, but no file has the name. [lease-hosts]\n  ${fix}\n`,
    );
  });

  test('must be given if there are allocations of several leases', async () => {
    expect(await failure('fromLease', ALLOCATIONS, HOSTS)).toBe(
      '0: error: The allocations belong to 2 leases. [lease-several]\n' +
        '  Save "openstack reservation lease show LEASE -f json", and name this file with --from-lease as well.\n',
    );
  });

  test.each([
    ['text', 'lease-1'],
    ['another object', { server: { id: 'x' } }],
    ['a list of other objects', [...HOSTS, { id: '30' }]],
  ])('is not %s', async (_, text) => {
    expect(await failure('fromLease', text)).toBe(
      '0: error: The file is not JSON of a lease, of allocations or of hosts. [nodes-format]\n' +
        '  Save the output of "openstack reservation lease show LEASE -f json".\n',
    );
  });
});
