import { expect, test } from 'vitest';
import { configurationSchema } from '../../../../src/core/model/configuration.ts';

test('only the uid of clusters must be given', () => {
  expect(configurationSchema().parse({ cluster_uid: 'main' })).toEqual({
    cluster_uid: 'main',
    node_uid: 'uuid',
    dialect: 'current',
    vendor: 'gridpress',
    release: '1.0.0',
    snapshots: 'all',
    max_files: 1_000_000,
    hosts: [],
    host_plan: 'free',
    base_path: '',
    headers: {},
  });
});

test.each([
  {},
  { cluster_uid: 'main', node_uid: 'number' },
  { cluster_uid: 'main', dialect: 'ancient' },
  { cluster_uid: 'main', vendor: 'A B' },
  { cluster_uid: 'main', snapshots: 'some' },
  { cluster_uid: 'main', snapshots: ['xyz'] },
  { cluster_uid: 'main', max_files: 0 },
  { cluster_uid: 'main', max_files: 1.5 },
  { cluster_uid: 'main', headers: { server: 'x' } },
  { cluster_uid: 'main', cluster: 'x' },
  { cluster_uid: 'main', labels: { gpu: [{ label: 'A100', match: [] }] } },
  { cluster_uid: 'main', labels: { ram: [{ label: '192', match: [178e9] }] } },
  { cluster_uid: 'main', labels: { ram: [{ label: '192Gbps', match: [178e9] }] } },
  { cluster_uid: 'main', labels: { network: [{ label: '25Gbps', match: ['25'] }] } },
  { cluster_uid: 'main', labels: { colour: [] } },
])('refuses %j', (configuration) => {
  expect(configurationSchema().safeParse(configuration).success).toBe(false);
});

test.each([
  { snapshots: ['547815582085', '0123456'] },
  { snapshots: 'none' },
  { vendor: 'acme-2.x' },
  { labels: { gpu: [{ label: 'A100', match: ['*A100*'] }], ram: [{ label: '192 GiB', match: [178e9] }] } },
  { labels: { disk: [{ label: '1.92TB', match: [1] }], network: [{ label: '2.5Gbps', match: [2.4e9] }] } },
])('takes %j', (more) => {
  expect(configurationSchema().parse({ cluster_uid: 'main', ...more })).toMatchObject(more);
});
