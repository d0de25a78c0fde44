/** Machines find their nodes by uid, then serial, then MAC address, then name. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import type { Machine } from '../../../../src/core/observe/format.ts';
import { indexNodes, knownNode, matchMachine } from '../../../../src/core/observe/match.ts';

const UID = ['5f2c1d7e-3b7a-4c55-9a5e-000000000001', '5f2c1d7e-3b7a-4c55-9a5e-000000000002'] as const;

function node(i: 0 | 1, name: string, serial: string | null, ...macs: string[]) {
  const body: JsonObject = { chassis: { serial }, network_adapters: macs.map((mac) => ({ mac })) };
  return knownNode(`nodes/${UID[i]}`, UID[i], name, body);
}

function machine(given: Partial<Record<'uids' | 'serials' | 'names' | 'macs', string[]>>): Machine {
  const { uids = [], serials = [], names = [], macs = [] } = given;
  return {
    uids,
    serials,
    names,
    node: {},
    completeLists: [],
    omitsVolumes: false,
    listsAdapters: false,
    network_adapters: macs.map((mac) => ({ mac })),
  };
}

const [A, B] = ['02:00:00:00:00:0a', '02:00:00:00:00:0b'];
const indexAll = (nodes: Parameters<typeof indexNodes>[0]) => indexNodes(nodes, () => true);
const INDEX = indexAll([node(0, 'lyra-c01', 'S1', A, '02:00:00:00:00:aa'), node(1, 'lyra-c02', 'S2', B)]);

test.each<[string, Machine, string | undefined, string]>([
  ['uid', machine({ uids: [UID[1]], serials: ['S9'], names: ['lyra-c01'] }), undefined, 'lyra-c02 by uid'],
  ['uid in the name of the file', machine({ serials: ['S9'] }), UID[1], 'lyra-c02 by uid'],
  [
    'serial before MAC address and name',
    machine({ serials: ['S1'], macs: [B], names: ['lyra-c02'] }),
    undefined,
    'lyra-c01 by serial',
  ],
  ['second serial', machine({ serials: ['BOARD', 'S2'] }), undefined, 'lyra-c02 by serial'],
  ['MAC address before name', machine({ macs: [A], names: ['lyra-c02'] }), undefined, 'lyra-c01 by mac'],
  ['most MAC addresses', machine({ macs: [A, B, '02:00:00:00:00:aa'] }), undefined, 'lyra-c01 by mac'],
  [
    'name, if MAC addresses name two nodes equally',
    machine({ macs: [A, B], names: ['lyra-c02'] }),
    undefined,
    'lyra-c02 by name',
  ],
  ['name without its domain', machine({ names: ['lyra-c01.lyra.example.org'] }), undefined, 'lyra-c01 by name'],
  ['name of the file', machine({}), 'lyra-c02', 'lyra-c02 by name'],
  ['serial number in another case', machine({ serials: ['s2'] }), undefined, 'lyra-c02 by serial'],
  ['name in another case', machine({ serials: ['s1'], names: ['LYRA-C01'] }), undefined, 'lyra-c01 by serial'],
  ['name in another case only', machine({ names: ['LYRA-C01'] }), undefined, 'lyra-c01 by name'],
  ['nothing', machine({ serials: ['S9'], names: ['localhost'] }), 'report', 'none'],
  [
    'name of another machine',
    machine({ serials: ['S9'], names: ['lyra-c01'] }),
    undefined,
    'lyra-c01 by name, but serial S9 is not S1',
  ],
  [
    'MAC address in another machine',
    machine({ serials: ['S9'], macs: [A] }),
    undefined,
    'lyra-c01 by mac, but serial S9 is not S1',
  ],
  [
    'name with other MAC addresses',
    machine({ names: ['lyra-c01'], macs: ['02:00:00:00:00:0f'] }),
    undefined,
    `lyra-c01 by name, but mac 02:00:00:00:00:0f is not ${A}`,
  ],
  [
    'uid of one and serial of another',
    machine({ uids: [UID[0]], serials: ['S2'] }),
    undefined,
    'lyra-c01 by uid, but serial S2 is not S1',
  ],
])('matches by %s', (_, observed, fileName, expected) => {
  const match = matchMachine(observed, fileName, INDEX);
  const { conflict } = match ?? {};
  const doubt = conflict ? `, but ${conflict.key} ${conflict.reported} is not ${conflict.known}` : '';
  expect(match ? `${match.node.name} by ${match.by}${doubt}` : 'none').toBe(expected);
});

test('a name without a domain matches a node with a domain, but another domain does not', () => {
  const index = indexAll([node(0, 'lyra-c01.lyra.example.org', null), node(1, 'vega-c01', null)]);
  const matched = (...names: string[]) => matchMachine(machine({ names }), undefined, index)?.node.name;
  expect(matched('lyra-c01')).toBe('lyra-c01.lyra.example.org');
  expect(matched('lyra-c01.vega.example.org', 'lyra-c01')).toBe(undefined);
  expect(matched('lyra')).toBe(undefined);
});

test('a name without a domain matches no node if two nodes differ only in their domains', () => {
  const index = indexAll([node(0, 'c01.lyra.example.org', null), node(1, 'c01.vega.example.org', null)]);
  expect(matchMachine(machine({ names: ['c01'] }), undefined, index)).toBe(undefined);
});

test('a serial number that several nodes share is no key', () => {
  const index = indexAll([node(0, 'lyra-c01', '777403-B21', A), node(1, 'lyra-c02', '777403-B21', B)]);
  expect(matchMachine(machine({ serials: ['777403-B21'], macs: [B] }), undefined, index)).toMatchObject({
    by: 'mac',
    node: { name: 'lyra-c02' },
  });
});

test('a serial number that machines in one chassis share needs the same name or a common MAC address', () => {
  const known = node(0, 'sled1', 'CHASSIS', A);
  const sled = (name: string, ...macs: string[]) => ({
    ...machine({ serials: ['CHASSIS'], names: [name], macs }),
    listsAdapters: true,
  });
  const index = indexAll([known]);
  expect(matchMachine(sled('sled2', B), undefined, index)).toMatchObject({
    by: 'serial',
    conflict: { key: 'mac', reported: B, known: A },
  });
  expect(matchMachine(sled('SLED1', B), undefined, index)).toEqual({ by: 'serial', node: known });
  expect(matchMachine(sled('sled2', A, B), undefined, index)).toEqual({ by: 'serial', node: known });
  const added = node(1, 'sled2', null);
  expect(matchMachine(sled('sled2', B), undefined, indexAll([known, added]))).toEqual({ by: 'name', node: added });
});

test('the MAC address of a BMC is not compared with those of the host', () => {
  const bmc = '02:00:00:00:00:99';
  const adapters = (mac: string, management: boolean) => [{ mac, management }];
  const known = (mac: string, management: boolean) => {
    const body = { chassis: { serial: 'S1' }, network_adapters: adapters(mac, management) };
    return knownNode(`nodes/${UID[0]}`, UID[0], 'bmc-c01', body);
  };
  const reported = (mac: string, management: boolean) => ({
    ...machine({ serials: ['S1'], names: ['lyra-c01'] }),
    listsAdapters: true,
    network_adapters: adapters(mac, management),
  });
  const conflictOf = (node: ReturnType<typeof known>, found: Machine) =>
    matchMachine(found, undefined, indexAll([node]))?.conflict;
  expect(conflictOf(known(bmc, true), reported(A, false))).toBeUndefined();
  expect(conflictOf(known(A, false), reported(bmc, true))).toBeUndefined();
  expect(conflictOf(known(A, false), reported(B, false))).toEqual({ key: 'mac', reported: B, known: A });
});

test.each(['-', '0123456789', '00000000'])(
  'a node with the placeholder %s as its serial number has no conflict',
  (serial) => {
    const index = indexAll([node(0, 'lyra-c01', serial)]);
    expect(matchMachine(machine({ serials: ['S9'], macs: [A], names: ['lyra-c01'] }), undefined, index)).toEqual({
      by: 'name',
      node: expect.objectContaining({ name: 'lyra-c01', serial: undefined }),
    });
  },
);
