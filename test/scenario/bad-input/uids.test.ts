/** Names of files and resources, which must match. */
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

function checkOutput(files: Files): string {
  return registryOf(files).findings();
}

function flavor(uid: string): Files {
  return { [`${FLAVORS}/${uid}.yaml`]: `type: flavor\nuid: ${uid}\n` };
}

/** Returns the message about the uid of a flavor. */
function flavorMessage(uid: string, what: string, fix: string): string {
  return `registry-data/${FLAVORS}/${uid}.yaml:2:6: error: ${what}
  1 | type: flavor
> 2 | uid: ${uid}
    |      ^
  ${fix}
`;
}

describe('a uid that differs from its path is reported', () => {
  test('for a node', () => {
    expect(
      checkOutput({ [NODE]: `type: node\nuid: ${OTHER_UID}\nnode_name: x\n` }),
    ).toBe(`registry-data/${NODE}:2:6: error: The uid is "${OTHER_UID}", but the path of the file requires "${NODE_UID}". [uid-not-file-name]
  1 | type: node
> 2 | uid: ${OTHER_UID}
    |      ^
  3 | node_name: x
  If someone renamed it, change it back to the file ${OTHER_UID}.yaml. Otherwise write "uid: ${NODE_UID}".
`);
  });

  test('for a resource with a folder of its own', () => {
    expect(
      checkOutput({ [SITE]: 'type: site\nuid: vega\nname: Vega\n' }),
    ).toBe(`registry-data/${SITE}:2:6: error: The uid is "vega", but the path of the file requires "lyra". [uid-not-file-name]
  1 | type: site
> 2 | uid: vega
    |      ^
  3 | name: Vega
  If someone renamed it, change it back to the folder vega. Otherwise write "uid: lyra".
`);
  });

  test('even if it contains a path out of the registry', () => {
    expect(
      checkOutput({ [NODE]: 'type: node\nuid: ../../../../../etc/passwd\n' }),
    ).toBe(`registry-data/${NODE}:2:6: error: The uid is "../../../../../etc/passwd", but the path of the file requires "${NODE_UID}". [uid-not-file-name]
  1 | type: node
> 2 | uid: ../../../../../etc/passwd
    |      ^
  Write "uid: ${NODE_UID}".
`);
  });

  test.each([
    ['before', OTHER_UID],
    ['after', 'ffffffff-0000-4000-8000-000000000000'],
  ])('in the copy of a file, even if the copy is sorted %s the original', (_, copy) => {
    const file = NODE.replace(NODE_UID, copy);
    expect(
      checkOutput({ [file]: `type: node\nuid: ${NODE_UID}\n` }),
    ).toBe(`registry-data/${file}:2:6: error: The uid "${NODE_UID}" occurs twice. The other file is registry-data/${NODE}. [uid-twice]
  1 | type: node
> 2 | uid: ${NODE_UID}
    |      ^
  Write "uid: ${copy}" as the path of the file requires, or remove one of the two files.
`);
  });

  test('in two files with the same third name', () => {
    const claim = (
      place: string,
      other: string,
    ) => `registry-data/${FLAVORS}/${place}.yaml:2:6: error: The uid "m9" occurs twice. The other file is registry-data/${FLAVORS}/${other}.yaml. [uid-twice]
  1 | type: flavor
> 2 | uid: m9
    |      ^
  Write "uid: ${place}" as the path of the file requires, or remove one of the two files.
`;
    expect(
      checkOutput({
        [`${FLAVORS}/m1.yaml`]: 'type: flavor\nuid: m9\n',
        [`${FLAVORS}/m2.yaml`]: 'type: flavor\nuid: m9\n',
      }),
    ).toBe(`${claim('m1', 'm2')}\n${claim('m2', 'm1')}`);
  });
});

describe('a uid is rejected', () => {
  test.each(['latest', 'versions', 'snapshots', 'index', '_x', 'a.json', 'con', '__proto__'])(
    'if it is reserved: %s',
    (uid) => {
      expect(checkOutput(flavor(uid))).toBe(
        flavorMessage(
          uid,
          `The uid "${uid}" is reserved, because it conflicts with a path or a file of the API. [uid-reserved]`,
          'Choose another uid. Not allowed: versions, snapshots, latest, index, device names, a leading "_" or ".", and the endings ".json", ".gz" and ".br".',
        ),
      );
    },
  );

  test.each(['a b', 'a%2Fb', 'ä', 'a.', 'a+b', "a'b"])('if it needs escaping: %s', (uid) => {
    expect(checkOutput(flavor(uid))).toBe(
      flavorMessage(
        uid,
        `The uid "${uid}" contains characters that need escaping in a URL or a file name. [uid-characters]`,
        'Use letters, digits, "-", "_" and "~". "." is allowed except at the start and the end.',
      ),
    );
  });

  test('if it is longer than a file name', () => {
    const uid = 'a'.repeat(129);
    expect(checkOutput(flavor(uid))).toBe(
      flavorMessage(
        uid,
        `The uid "${'a'.repeat(20)}…" is longer than 128 characters. [uid-length]`,
        'Choose a shorter uid.',
      ),
    );
  });

  test('if its path is too long for an archive', async () => {
    const uid = `f${'x'.repeat(90)}`;
    const { registry, record } = registryOf(flavor(uid));
    const expected = `/${FLAVORS}/${uid}.yaml:2:6: error: The uid "${uid.slice(0, 20)}…" makes a file name in archives too long: 241 bytes. [uid-archive]`;
    expect(() => record('First')).toThrow('uid-archive');
    const { findings } = await check({ registry });
    expect(renderFindings(findings)).toContain(expected);
  });

  test('if it is not a UUID, for nodes', () => {
    const file = NODE.replace(NODE_UID, 'lyra-2');
    expect(
      checkOutput({ [file]: 'type: node\nuid: lyra-2\n' }),
    ).toBe(`registry-data/${file}:2:6: error: The uid "lyra-2" is not a lowercase UUID. [uid-not-a-uuid]
  1 | type: node
> 2 | uid: lyra-2
    |      ^
  Give the node a UUID, or set "node_uid: name" in gridpress.yaml.
`);
  });

  test('if the file was renamed by hand', () => {
    const file = NODE.replace(NODE_UID, 'lyra-2');
    expect(
      checkOutput({ [NODE]: null, [file]: `type: node\nuid: ${NODE_UID}\nnode_name: lyra-2\n` }),
    ).toBe(`registry-data/${file}: error: The name of the file does not match the uid "${NODE_UID}". [file-name]
  Change it back to the file ${NODE_UID}.yaml. For a name that people use, set node_name.
`);
  });

  test('if two nodes have the same UUID after a site folder was copied', () => {
    const copied = (file: string) => file.replace('sites/lyra', 'sites/vega');
    const files: Files = {
      [copied(SITE)]: 'type: site\nuid: vega\nname: Vega\nsite_class: baremetal\n',
      [copied(CLUSTER)]: 'type: cluster\nuid: main\n',
      [copied(NODE)]: `type: node\nuid: ${NODE_UID}\nnode_name: lyra-1\n`,
    };
    expect(
      checkOutput(files),
    ).toBe(`registry-data/${copied(NODE)}:2:6: error: Two files describe the node "${NODE_UID}". The other one is registry-data/${NODE}. [uuid-twice]
  1 | type: node
> 2 | uid: ${NODE_UID}
    |      ^
  3 | node_name: lyra-1
  A UUID identifies one node. Remove the copied file, and create new nodes with "gridpress add node --like".
`);
    expect(checkOutput({ ...files, [CONFIGURATION]: 'cluster_uid: main\nnode_uid: name\n' })).not.toContain(
      'uuid-twice',
    );
  });

  test('if it differs from another only by case', () => {
    expect(checkOutput({ ...flavor('m1'), ...flavor('M1') })).toBe(
      flavorMessage(
        'm1',
        'The uids "m1" and "M1" differ only by case. [uid-case-collision]',
        'Rename one of them. Many file systems cannot store both.',
      ),
    );
  });
});

const BELOW_SITE = ['clusters', 'flavors', 'servers', 'pdus', 'network_equipments', 'environments'];
const IN_SITE = [SITE, ...BELOW_SITE.map((name) => `sites/lyra/${name}/`)].join(', ');
const IN_CLUSTER = `${CLUSTER}, sites/lyra/clusters/main/nodes/`;

describe('a registry folder', () => {
  test('must contain the files of all parent resources', () => {
    const missing = (file: string, holds: string, instead: string) =>
      `registry-data/${file}: error: The file that describes ${holds} is missing. [file-missing]\n  Create the file. "gridpress init --example" creates an example.${instead}\n`;
    const missingBelow = (file: string, holds: string) =>
      missing(
        file,
        holds,
        ` If another git branch renamed or removed ${holds}, move or delete the files in this folder instead.`,
      );
    expect(checkOutput({ [GRID]: null, [SITE]: null, [CLUSTER]: null, 'history/README.md': '' })).toBe(
      [
        missing(GRID, 'the grid', ''),
        missingBelow(CLUSTER, 'the cluster main'),
        missingBelow(SITE, 'the site lyra'),
      ].join('\n'),
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
    ['history/000001-aaaaaaaa.YAML', '', 'history/NNNNNN-IDENTIFIER.yaml'],
  ])('must not contain %s', (file, text, expected) => {
    expect(checkOutput({ [file]: text })).toBe(
      `registry-data/${file}: error: This file does not belong in the registry. [file-unexpected]\n  Expected here: ${expected}. Move the file elsewhere, or rename it.\n`,
    );
  });

  test('may contain files that are not YAML', () => {
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
