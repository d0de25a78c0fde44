/**
 * A small invented testbed whose history contains every kind of event: removals, restored resources, merges, a site
 * that existed only on a side branch, a collection that was removed and restored, equal and decreasing dates.
 */
import { join } from 'node:path';
import { type Commit, commit, type Edits, REGISTRY, writeFiles } from './revisions.ts';

export interface Testbed {
  /** Contains the registry and its configuration. */
  readonly folder: string;
  readonly registry: string;
  /** The revisions by name, parents before children. */
  readonly revisions: Readonly<Record<RevisionName, Commit>>;
}

const NAMES = [
  ...['first', 'grown', 'shrunk', 'side', 'pruned', 'replaced', 'merged'],
  ...['readded', 'flavorless', 'flavored', 'closed', 'given', 'described', 'joined'],
] as const;
export type RevisionName = (typeof NAMES)[number];

/** The uid of the nth node. */
export function nodeUid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

export function siteText(uid: string, siteClass: string): string {
  return `type: site\nuid: ${uid}\nname: ${uid.toUpperCase()}\ndescription: The site ${uid}\nlatitude: 47.5\nlongitude: 8.25\nsite_class: ${siteClass}\n`;
}

export function nodeText(n: number, fields = ''): string {
  return `type: node\nuid: ${nodeUid(n)}\nnode_name: node-${n}\nmain_memory:\n  ram_size: 274877906944\n  humanized_ram_size: 256 GiB\nstorage_devices:\n  - device: sda\n    serial: "000${n}"\n${fields}`;
}

const CLUSTER = 'type: cluster\nuid: main\n';
const flavorText = (uid: string, ram: number) => `type: flavor\nuid: ${uid}\nname: ${uid}\nvcpus: 2\nram: ${ram}\n`;

export function nodeFile(site: string, n: number): string {
  return `sites/${site}/clusters/main/nodes/${nodeUid(n)}.yaml`;
}
export const siteFile = (site: string) => `sites/${site}/site.yaml`;
export const clusterFile = (site: string) => `sites/${site}/clusters/main/cluster.yaml`;
const flavorFile = (flavor: string) => `sites/cirrus/flavors/${flavor}.yaml`;

const GROWN: Edits = {
  [siteFile('vega')]: siteText('vega', 'baremetal'),
  [clusterFile('vega')]: CLUSTER,
  [nodeFile('vega', 4)]: nodeText(4),
  [siteFile('cirrus')]: siteText('cirrus', 'kvm'),
  [flavorFile('small')]: flavorText('small', 2048),
  [flavorFile('large')]: flavorText('large', 65_536),
};

const VEGA_GONE: Edits = { [siteFile('vega')]: null, [clusterFile('vega')]: null, [nodeFile('vega', 4)]: null };

/** A registry with one revision: the site lyra, its cluster, and nodes with these texts, numbered from 1. */
export function writeFirstRevision(folder: string, configuration: string, nodes = [nodeText(1)]): Commit {
  writeFiles(folder, [['gridpress.yaml', configuration]]);
  return commit(folder, {
    parents: [],
    message: 'First revision',
    date: '2026-01-01T00:00:00Z',
    edits: {
      'grid.yaml': 'type: grid\nuid: testgrid\n',
      [siteFile('lyra')]: siteText('lyra', 'baremetal'),
      [clusterFile('lyra')]: 'type: cluster\nuid: main\n',
      ...Object.fromEntries(nodes.map((text, i) => [nodeFile('lyra', i + 1), text])),
    },
  });
}

/** Writes the testbed into a folder. */
export function writeTestbed(folder: string): Testbed {
  writeFiles(folder, [['gridpress.yaml', 'cluster_uid: main\n']]);
  const step = (date: string, message: string, parents: readonly Commit[], edits: Edits) =>
    commit(folder, { parents, edits, message, date });

  const first = step('2026-01-01T08:00:00+01:00', 'First revision\n\nOne site with two nodes.', [], {
    'grid.yaml': 'type: grid\nuid: testgrid\n',
    [siteFile('lyra')]: siteText('lyra', 'baremetal'),
    [clusterFile('lyra')]: CLUSTER,
    [nodeFile('lyra', 1)]: nodeText(1),
    [nodeFile('lyra', 2)]: nodeText(2),
    [siteFile('kit')]: siteText('kit', 'edge'),
  });
  const grown = step('2026-01-02T08:00:00Z', 'Add "vega" & the cloud', [first], GROWN);
  const shrunk = step('2026-01-03T08:00:00Z', 'Remove node-2', [grown], { [nodeFile('lyra', 2)]: null });
  const side = step('2026-01-04T08:00:00Z', 'Update the firmware; try dune', [shrunk], {
    [nodeFile('lyra', 1)]: nodeText(1, 'bios:\n  version: "1.10"\n'),
    [siteFile('dune')]: siteText('dune', 'edge'),
  });
  const pruned = step('2026-01-04T08:00:00Z', 'Give dune up', [side], { [siteFile('dune')]: null });
  const replaced = step('2026-01-03T20:00:00Z', 'Replace the disk of node-4', [shrunk], {
    [nodeFile('vega', 4)]: nodeText(4).replace('"0004"', '"0104"'),
  });
  const merged = step('2026-01-05T08:00:00Z', 'Merge the firmware update', [replaced, pruned], {
    [nodeFile('lyra', 1)]: nodeText(1, 'bios:\n  version: "1.10"\n'),
  });
  const readded = step('2026-01-06T08:00:00Z', 'Bring node-2 back, with a GPU', [merged], {
    [nodeFile('lyra', 2)]: nodeText(2, 'gpu:\n  gpu: true\n'),
  });
  const flavorless = step('2026-01-07T08:00:00Z', 'Stop the cloud', [readded], {
    [flavorFile('small')]: null,
    [flavorFile('large')]: null,
  });
  const flavored = step('2026-01-08T08:00:00Z', 'Start the cloud anew', [flavorless], {
    [flavorFile('small')]: flavorText('small', 4096),
  });
  const closed = step('2026-01-09T08:00:00Z', 'Close vega', [flavored], VEGA_GONE);
  // Both sides change something, and the merge keeps the state of its first parent.
  const given = step('2026-01-10T08:00:00Z', 'A note that is given up', [closed], {
    [nodeFile('lyra', 2)]: nodeText(2, 'gpu:\n  gpu: true\nnote: no\n'),
  });
  const described = step('2026-01-11T08:00:00Z', 'Describe lyra', [closed], {
    [siteFile('lyra')]: siteText('lyra', 'baremetal').replace('The site', 'The first site'),
  });
  const joined = step('2026-01-12T08:00:00Z', 'Join, without the note', [described, given], {});
  const revisions = {
    first,
    grown,
    shrunk,
    side,
    pruned,
    replaced,
    merged,
    readded,
    flavorless,
    flavored,
    closed,
    given,
    described,
    joined,
  };
  return { folder, registry: join(folder, REGISTRY), revisions };
}
