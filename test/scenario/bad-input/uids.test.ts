/** Names: of files, of resources, and where they must agree. */
import { describe, expect, test } from 'vitest';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { check } from '../../../src/features/check/check.ts';
import {
  CLUSTER,
  CONFIGURATION,
  type Files,
  GRID,
  NODE,
  NODE_UID,
  registryOf,
  SITE,
} from '../../support/registries/registry.ts';

const OTHER_UID = '00000000-0000-4000-8000-000000000000';
const FLAVORS = 'sites/lyra/flavors';

function told(files: Files): string {
  return registryOf(files).findings();
}

function flavor(uid: string): Files {
  return { [`${FLAVORS}/${uid}.yaml`]: `type: flavor\nuid: ${uid}\n` };
}

/** The message about the uid of a flavor. */
function flavorMessage(uid: string, what: string, fix: string): string {
  return `registry-data/${FLAVORS}/${uid}.yaml:2:6: error: ${what}
  1 | type: flavor
> 2 | uid: ${uid}
    |      ^
  ${fix}
`;
}

describe('a uid and its place', () => {
  test('differ', () => {
    expect(
      told({ [NODE]: `type: node\nuid: ${OTHER_UID}\nnode_name: x\n` }),
    ).toBe(`registry-data/${NODE}:2:6: error: The uid is "${OTHER_UID}", but the file's place says "${NODE_UID}". [uid-not-file-name]
  1 | type: node
> 2 | uid: ${OTHER_UID}
    |      ^
  3 | node_name: x
  Where it was renamed, make it the file ${OTHER_UID}.yaml again; else write "uid: ${NODE_UID}".
`);
  });

  test('differ in a folder of its own', () => {
    expect(
      told({ [SITE]: 'type: site\nuid: vega\nname: Vega\n' }),
    ).toBe(`registry-data/${SITE}:2:6: error: The uid is "vega", but the file's place says "lyra". [uid-not-file-name]
  1 | type: site
> 2 | uid: vega
    |      ^
  3 | name: Vega
  Where it was renamed, make it the folder vega again; else write "uid: lyra".
`);
  });

  test('differ, and the uid would lead out of the registry', () => {
    expect(
      told({ [NODE]: 'type: node\nuid: ../../../../../etc/passwd\n' }),
    ).toBe(`registry-data/${NODE}:2:6: error: The uid is "../../../../../etc/passwd", but the file's place says "${NODE_UID}". [uid-not-file-name]
  1 | type: node
> 2 | uid: ../../../../../etc/passwd
    |      ^
  Write "uid: ${NODE_UID}".
`);
  });

  test.each([
    ['before', OTHER_UID],
    ['after', 'ffffffff-0000-4000-8000-000000000000'],
  ])('differ since the file was copied: the copy is told of, though it stands %s the other', (_, copy) => {
    const file = NODE.replace(NODE_UID, copy);
    expect(
      told({ [file]: `type: node\nuid: ${NODE_UID}\n` }),
    ).toBe(`registry-data/${file}:2:6: error: The uid "${NODE_UID}" is there twice: also in registry-data/${NODE}. [uid-twice]
  1 | type: node
> 2 | uid: ${NODE_UID}
    |      ^
  Write "uid: ${copy}", which is what the file's place says, or remove one of the two.
`);
  });

  test('differ in two files that claim a third name', () => {
    const claim = (
      place: string,
      other: string,
    ) => `registry-data/${FLAVORS}/${place}.yaml:2:6: error: The uid "m9" is there twice: also in registry-data/${FLAVORS}/${other}.yaml. [uid-twice]
  1 | type: flavor
> 2 | uid: m9
    |      ^
  Write "uid: ${place}", which is what the file's place says, or remove one of the two.
`;
    expect(
      told({ [`${FLAVORS}/m1.yaml`]: 'type: flavor\nuid: m9\n', [`${FLAVORS}/m2.yaml`]: 'type: flavor\nuid: m9\n' }),
    ).toBe(`${claim('m1', 'm2')}\n${claim('m2', 'm1')}`);
  });
});

describe('a uid that is', () => {
  test.each(['latest', 'versions', 'snapshots', 'index', '_x', 'a.json', 'con', '__proto__'])('reserved: %s', (uid) => {
    expect(told(flavor(uid))).toBe(
      flavorMessage(
        uid,
        `The uid "${uid}" is reserved: it would collide with a path or a file of the API. [uid-reserved]`,
        'Choose another: not versions, snapshots, latest, index or a device name, nothing that starts with "_" or "." or ends in ".json".',
      ),
    );
  });

  test.each(['a b', 'a%2Fb', 'ä', 'a.', 'a+b', "a'b"])('in need of escaping: %s', (uid) => {
    expect(told(flavor(uid))).toBe(
      flavorMessage(
        uid,
        `The uid "${uid}" would need escaping in a URL or a file name. [uid-characters]`,
        'Use letters, digits, "-", "_", "~" and, inside, ".".',
      ),
    );
  });

  test('longer than a file name may be', () => {
    const uid = 'a'.repeat(129);
    expect(told(flavor(uid))).toBe(
      flavorMessage(
        uid,
        `The uid "${'a'.repeat(20)}…" is longer than 128 characters. [uid-length]`,
        'Choose a shorter one.',
      ),
    );
  });

  test('longer than an archive has room for, with those above it', async () => {
    const uid = `f${'x'.repeat(90)}`;
    const { registry, record } = registryOf(flavor(uid));
    record('First');
    const { findings } = await check({ registry });
    expect(renderFindings(findings)).toContain(
      `/${FLAVORS}/${uid}.yaml:2:6: error: With the uid "${uid.slice(0, 20)}…", names in archives get too long: 241 bytes. [uid-archive]`,
    );
  });

  test('no UUID, of a node', () => {
    const file = NODE.replace(NODE_UID, 'lyra-2');
    expect(
      told({ [file]: 'type: node\nuid: lyra-2\n' }),
    ).toBe(`registry-data/${file}:2:6: error: The uid "lyra-2" is not a lowercase UUID. [uid-not-a-uuid]
  1 | type: node
> 2 | uid: lyra-2
    |      ^
  Give the node a UUID, or set "node_uid: name" in gridpress.yaml.
`);
  });

  test('good, in a file that was renamed by hand', () => {
    const file = NODE.replace(NODE_UID, 'lyra-2');
    expect(
      told({ [NODE]: null, [file]: `type: node\nuid: ${NODE_UID}\nnode_name: lyra-2\n` }),
    ).toBe(`registry-data/${file}: error: The file is not called as its uid, "${NODE_UID}", says. [file-name]
  Make it the file ${NODE_UID}.yaml again; node_name is for the names that people use.
`);
  });

  test('a UUID of two nodes, since the folder of a site was copied', () => {
    const copied = (file: string) => file.replace('sites/lyra', 'sites/vega');
    const files: Files = {
      [copied(SITE)]: 'type: site\nuid: vega\nname: Vega\nsite_class: baremetal\n',
      [copied(CLUSTER)]: 'type: cluster\nuid: main\n',
      [copied(NODE)]: `type: node\nuid: ${NODE_UID}\nnode_name: lyra-1\n`,
    };
    expect(
      told(files),
    ).toBe(`registry-data/${copied(NODE)}:2:6: error: The node ${NODE_UID} is there twice: also in registry-data/${NODE}. [uuid-twice]
  1 | type: node
> 2 | uid: ${NODE_UID}
    |      ^
  3 | node_name: lyra-1
  A UUID names one node: remove the file that was copied, and make new nodes with "gridpress add node --like".
`);
    expect(told({ ...files, [CONFIGURATION]: 'cluster_uid: main\nnode_uid: name\n' })).not.toContain('uuid-twice');
  });

  test('another in another case', () => {
    expect(told({ ...flavor('m1'), ...flavor('M1') })).toBe(
      flavorMessage(
        'm1',
        'The uids "m1" and "M1" differ only by case. [uid-case-collision]',
        'Rename one: many file systems cannot hold both.',
      ),
    );
  });
});

const BELOW_SITE = ['clusters', 'flavors', 'servers', 'pdus', 'network_equipments', 'environments'];
const IN_SITE = [SITE, ...BELOW_SITE.map((name) => `sites/lyra/${name}/`)].join(', ');
const IN_CLUSTER = `${CLUSTER}, sites/lyra/clusters/main/nodes/`;

describe('files', () => {
  test('that are missing above others', () => {
    const missing = (file: string, holds: string) =>
      `registry-data/${file}: error: The file is missing: it holds ${holds}. [file-missing]\n  Create it; "gridpress init --example" shows what it looks like.\n`;
    expect(told({ [GRID]: null, [SITE]: null, [CLUSTER]: null, 'history/README.md': '' })).toBe(
      [missing(GRID, 'the grid'), missing(CLUSTER, 'the cluster main'), missing(SITE, 'the site lyra')].join('\n'),
    );
  });

  test.each([
    ['sites/lyra/lyra.json', '{}', IN_SITE],
    ['sites/lyra/site.yml', '', IN_SITE],
    ['sites/lyra/clusters/main.yaml', '', 'sites/lyra/clusters/UID/cluster.yaml'],
    ['sites/lyra/clusters/main/node.yaml', '', IN_CLUSTER],
    ['sites/lyra/clusters/main/node/n1.yaml', '', IN_CLUSTER],
    ['sites/lyra/flavors/m1/flavor.yaml', 'type: flavor\nuid: m1\n', 'sites/lyra/flavors/m1.yaml'],
    ['sites/lyra/nodes/n1.yaml', '', IN_SITE],
    ['site/lyra/site.yaml', '', 'grid.yaml and the folders sites, network_equipments, environments and history'],
    ['notes.yaml', 'a: b\n', 'grid.yaml and the folders sites, network_equipments, environments and history'],
    ['history/000001-aaaaaaaa.yml', '', 'history/NNNNNN-IDENTIFIER.yaml'],
  ])('%s has no place', (file, text, expected) => {
    expect(told({ [file]: text })).toBe(
      `registry-data/${file}: error: The file has no place in a registry. [file-unexpected]\n  Expected here: ${expected}. Move the file elsewhere, or rename it.\n`,
    );
  });

  test('that are no sources may lie about', () => {
    const given = registryOf({
      'README.md': '#',
      'sites/lyra/.draft.yaml': '[',
      '.git/config': '',
      'sites/lyra/map.png': '',
    });
    given.record('First');
    expect(given.findings()).toBe('');
  });
});
