import { describe, expect, test } from 'vitest';
import { hasOtherDomain, hostMatcher, sitesOf } from '../../../../src/core/lock/match-hosts.ts';

const UUID = '0e670cf2-0513-4fc5-a693-921fdc61f04a';
const C01 = { path: `sites/lyra/clusters/main/nodes/${UUID}`, name: 'lyra-C01' };
const PC1 = { path: 'sites/vega/clusters/a/nodes/pc1', name: undefined };
const OTHER_PC1 = { path: 'sites/aquila/clusters/a/nodes/pc1', name: undefined };
const FULL = { path: 'sites/vega/clusters/a/nodes/9', name: 'pc2.vega.example.org' };
const HALF = { path: 'sites/vega/clusters/a/nodes/8', name: 'pc3.vega' };
const ADDRESS = { path: 'sites/vega/clusters/a/nodes/10', name: undefined };
const match = hostMatcher([C01, PC1, OTHER_PC1, FULL, HALF, ADDRESS], ['lyra', 'vega', 'aquila', 'Deneb']);

describe('a host matches', () => {
  test.each([
    ['the uid', UUID, [C01]],
    ['the uid in capitals', UUID.toUpperCase(), [C01]],
    ['the path', C01.path, [C01]],
    ['the path with a leading slash, the form in documents', `/${C01.path}`, [C01]],
    ['the node_name', 'lyra-C01', [C01]],
    ['the node_name in small letters', 'lyra-c01', [C01]],
    ['the node_name with a domain', 'lyra-c01.cloud.example.org', [C01]],
    ['a node_name with the same domain', 'pc2.vega.example.org', [FULL]],
    ['a node_name with a domain, if it is short', 'pc2', [FULL]],
    ['a node_name with a domain, if it has a part of the domain', 'pc2.vega', [FULL]],
    ['a node_name with a part of the domain', 'pc3.vega.example.org', [HALF]],
    ['the uid of two nodes', 'pc1', [PC1, OTHER_PC1]],
    ['the uid of two nodes, with the domain of no site', 'pc1.example.org', [PC1, OTHER_PC1]],
    ['the node of the site in its domain', 'pc1.vega.example.org', [PC1]],
  ])('%s', (_, host, expected) => {
    expect(match(host)).toEqual(expected);
  });
});

test.each([
  ['an unknown name', 'lyra-c02'],
  ['a domain with another site', 'lyra-c01.vega.example.org'],
  ['a domain with a site without nodes', 'lyra-c01.deneb.example.org'],
  ['a domain other than that of the node_name', 'pc2.example.net'],
  ['an IP address that begins like a uid', '10.0.0.1'],
  ['the end of a name', 'c01'],
  ['a name that is too long for a host', `pc1${'.a'.repeat(500_000)}`],
  ['an empty name', ''],
  ['a domain without a name', '.example.org'],
])('%s matches no node', (_, host) => {
  expect(match(host)).toEqual([]);
});

const EDGE = { path: 'sites/chi-edge/clusters/a/nodes/1', name: 'n1' };

test.each([
  ['the domain of no site', 'liqid04.lyon.grid5000.fr', { ...PC1, name: 'liqid04' }, true],
  ['the domain of another testbed for a uid', 'pc1.example.org', PC1, true],
  ['the domain of the site', 'pc1.vega.example.org', PC1, false],
  ['the domain of a site with a hyphen', 'n1.chi-edge.example.org', EDGE, false],
  ['the site in the name', 'lyra-c01.example.org', C01, false],
  ['the whole name with its domain', 'PC2.vega.example.org', FULL, false],
  ['no domain', 'pc1', PC1, false],
] as const)('a host with %s', (_, host, node, isOther) => {
  expect(hasOtherDomain(host, node, sitesOf([C01, PC1, EDGE, FULL]))).toBe(isOther);
});

test('any domain is expected if the registry has one site', () => {
  expect(hasOtherDomain('pc1.example.org', PC1, sitesOf([PC1, FULL]))).toBe(false);
});
