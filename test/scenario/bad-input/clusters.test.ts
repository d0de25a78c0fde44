/** Every bare-metal site has exactly one cluster, and the clusters of all sites have one name. */
import { describe, expect, test } from 'vitest';
import { CLUSTER, CONFIGURATION, type Files, NODE, registryOf, SITE } from '../../support/registries/registry.ts';

function message(found: string, fix: string): string {
  return `registry-data/${SITE}:4:13: error: The bare-metal site "lyra" has ${found}. It must have exactly one, "main". [cluster-count]
  2 | uid: lyra
  3 | name: Lyra
> 4 | site_class: baremetal
    |             ^
  ${fix}
`;
}

describe('check reports a bare-metal site with', () => {
  test.each<[string, Files, string, string]>([
    [
      'no cluster',
      { [CLUSTER]: null, [NODE]: null },
      'no cluster',
      'Add a cluster with the uid "main", or change the site_class of the site.',
    ],
    [
      'two clusters',
      { 'sites/lyra/clusters/second/cluster.yaml': 'type: cluster\nuid: second\n' },
      '2 clusters (main, second)',
      'Keep one cluster with the uid "main", write "cluster_uid: any" in gridpress.yaml, or change the site_class of the site.',
    ],
    [
      'a cluster with another name',
      { [CLUSTER]: null, [NODE]: null, 'sites/lyra/clusters/mane/cluster.yaml': 'type: cluster\nuid: mane\n' },
      '1 cluster (mane)',
      'Rename the cluster to "main", or correct cluster_uid in gridpress.yaml. "any" allows another cluster uid at each site.',
    ],
  ])('%s', (_, files, found, fix) => {
    expect(registryOf(files).findings()).toBe(message(found, fix));
  });
});

test('sites may have any clusters if the configuration allows it', () => {
  const given = registryOf({
    [CONFIGURATION]: 'cluster_uid: any\n',
    'sites/lyra/clusters/second/cluster.yaml': 'type: cluster\nuid: second\n',
    'sites/bare/site.yaml': 'type: site\nuid: bare\nname: Bare\nsite_class: baremetal\n',
  });
  given.record('First');
  expect(given.findings()).toBe('');
});

test('sites of other classes may have any number of clusters', () => {
  const given = registryOf({
    'sites/kvm/site.yaml': 'type: site\nuid: kvm\nname: KVM\nsite_class: kvm\n',
    'sites/edge/site.yaml': 'type: site\nuid: edge\nname: Edge\nsite_class: edge\n',
    'sites/edge/clusters/a/cluster.yaml': 'type: cluster\nuid: a\n',
    'sites/edge/clusters/b/cluster.yaml': 'type: cluster\nuid: b\n',
    'sites/new/site.yaml': 'type: site\nuid: new\nname: New\n',
  });
  given.record('First');
  expect(given.findings()).toBe('');
});
