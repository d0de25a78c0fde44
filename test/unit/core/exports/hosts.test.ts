/** Nodes as Ansible hosts and Prometheus targets. */
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { ansibleInventory, hostNames, prometheusTargets } from '../../../../src/core/exports/host-exports.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';

const node = (uid: string, body: JsonObject, labels: JsonObject = {}) => ({
  site: 'lyra',
  cluster: 'main',
  uid,
  labels,
  body: { uid, ...body },
});

describe('the host name of a node', () => {
  test('is its name, or its uid if the name is invalid or ambiguous', () => {
    const called = ['a-1.example.org', 'twice', 'twice', 'x[1:9]', '-v', 'a/b', '', undefined, 'x:22'];
    const nodes = called.map((name, i) => node(`u${i}`, name === undefined ? {} : { node_name: name }));
    expect(hostNames(nodes)).toEqual(['a-1.example.org', 'u1', 'u2', 'u3', 'u4', 'u5', 'u6', 'u7', 'u8']);
  });

  test('is never the uid of another node', () => {
    expect(hostNames([node('u0', { node_name: 'u1' }), node('u1', {})])).toEqual(['u0', 'u1']);
    const names = ['x', 'twice', 'twice'].map((name) => ({ node_name: name }));
    expect(hostNames(['u0', 'x', 'u2'].map((uid, i) => node(uid, names[i] ?? {})))).toEqual(['u0', 'x', 'u2']);
  });

  test('contains the cluster and the site if several nodes have the uid', () => {
    const nodes = ['lyra', 'vega'].map((site) => ({ ...node('n1', { node_name: 'n1' }), site }));
    expect(hostNames(nodes)).toEqual(['n1.main.lyra', 'n1.main.vega']);
  });
});

const NODES = [
  node('u0', { node_name: 'a', node_type: 'gpu "x"' }, { gpu: ['A100', 'H100'], ram: 5 }),
  node('u1', { node_name: '{{ lookup("pipe", "id") }}', node_type: '\u202egpu\u0085😀' }),
];

test('an inventory has groups and variables, and marks templates as unsafe', () => {
  expect([...ansibleInventory(NODES, 'abc')].join('')).toBe(`all:
  vars:
    gridpress_revision: "abc"
  hosts:
    "a":
      gridpress_uid: "u0"
      gridpress_site: "lyra"
      gridpress_cluster: "main"
      gridpress_node_name: "a"
      gridpress_node_type: "gpu \\"x\\""
      gridpress_gpu: ["A100", "H100"]
      gridpress_ram: 5
    "u1":
      gridpress_uid: "u1"
      gridpress_site: "lyra"
      gridpress_cluster: "main"
      gridpress_node_name: !unsafe "{{ lookup(\\"pipe\\", \\"id\\") }}"
      gridpress_node_type: "\\u202egpu\\u0085\\U0001f600"
  children:
    gpu_A100:
      hosts:
        "a": {}
    gpu_H100:
      hosts:
        "a": {}
    site_lyra:
      hosts:
        "a": {}
        "u1": {}
    type__gpu__:
      hosts:
        "u1": {}
    type_gpu__x_:
      hosts:
        "a": {}
`);
  expect([...ansibleInventory([], 'abc')].join('')).toBe(
    'all:\n  vars:\n    gridpress_revision: "abc"\n  hosts: {}\n  children: {}\n',
  );
});

test('an inventory is YAML if a label is long, and if labels differ only in special characters', () => {
  const nodes = [node('u0', {}, { gpu: 'x'.repeat(5000) }), node('u1', {}, { gpu: ['A 100', 'A-100'] })];
  expect(load([...ansibleInventory(nodes, 'abc')].join(''))).toMatchObject({
    all: {
      children: {
        gpu_A_100: { hosts: { u1: {} } },
        [`gpu_${'x'.repeat(996)}`]: { hosts: { u0: {} } },
        site_lyra: { hosts: { u0: {}, u1: {} } },
      },
    },
  });
});

test('targets have all labels as text', () => {
  expect(JSON.parse([...prometheusTargets(NODES.slice(0, 1))].join(''))).toEqual([
    {
      targets: ['a'],
      labels: {
        __meta_gridpress_uid: 'u0',
        __meta_gridpress_site: 'lyra',
        __meta_gridpress_cluster: 'main',
        __meta_gridpress_node_name: 'a',
        __meta_gridpress_node_type: 'gpu "x"',
        __meta_gridpress_gpu: ',A100,H100,',
        __meta_gridpress_ram: '5',
      },
    },
  ]);
  expect([...prometheusTargets([])]).toEqual(['[]']);
});
