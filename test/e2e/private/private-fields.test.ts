/** Private fields: no byte of anything that leaves a registry contains their values. */
import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordedId } from '../../../src/core/model/revision.ts';
import { build } from '../../../src/features/build/build.ts';
import { bundle } from '../../../src/features/bundle/bundle.ts';
import { loadSources } from '../../../src/features/sources/load-sources.ts';
import { publicDigest, publicSources } from '../../../src/features/sources/public-sources.ts';
import { privateValueFindings } from '../../../src/features/verify/private-values.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress, startServer } from '../../support/processes/cli.ts';
import {
  CONFIGURATION,
  NODE,
  NODE_UID,
  registryOf,
  SITE,
  type TestRegistry,
} from '../../support/registries/registry.ts';
import { archived, unpacked, verifiedArchive } from '../../support/trees/archived.ts';
import { builtTree } from '../../support/trees/bundled.ts';
import { clientOf, closeAtEnd } from '../../support/trees/served.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';

const KEY = 'a key of the tests, 32 bytes long';
const KEY_FILE = '../../private.key';
const RULES = `
private:
  omit:
    fields: [admin_note, ipmi.address, network_adapters.mac]
    classes: [administrative, placement]
  hash:
    classes: [component]
    key: {file: ../private.key}
`;

/** Every private value of every revision begins with this text. */
const SECRET = 'xqzsecret';

interface NodeValues {
  readonly note: string;
  readonly disk: string;
  readonly mac: string;
  readonly ram?: number;
  readonly adapters?: readonly string[];
}

const nodeText = ({ note, disk, mac, ram = 64, adapters = ['eth0', 'eth1'] }: NodeValues) =>
  `type: node
uid: ${NODE_UID}
node_name: lyra-1
admin_note: ${SECRET}-note-${note}
ipmi: {address: ${SECRET}-10.0.0.7, vendor: Quanta}
chassis: {name: R740, serial: ${SECRET}-chassis}
placement: {rack: ${SECRET}-rack}
main_memory: {ram_size: ${ram}}
network_adapters:
${adapters.map((device) => `  - {device: ${device}, mac: "${SECRET}-${mac}-${device}", rate: 10000000000}`).join('\n')}
storage_devices:
  - {device: sda, serial: ${SECRET}-${disk}, size: 480000000000}
`;

const siteText = (contact: string) =>
  `type: site\nuid: lyra\nname: Lyra\nsite_class: baremetal\nsys_admin_contact: ${SECRET}-${contact}@example.org\n`;

const FIRST: NodeValues = { note: 'one', disk: 'disk-a', mac: 'aa' };

let folder: string;
let given: TestRegistry;
let revisions: Record<'first' | 'note' | 'disk' | 'moved' | 'gone' | 'back', string>;
let tree: string;

beforeAll(async () => {
  folder = newFolder();
  given = registryOf(
    {
      [CONFIGURATION]: `cluster_uid: main\nhosts: [nginx, caddy]\n${RULES}`,
      [KEY_FILE]: `${KEY}\n`,
      [SITE]: siteText('ada'),
      [NODE]: nodeText(FIRST),
    },
    join(folder, 'work'),
  );
  const recordNode = (values: NodeValues, message: string) => {
    given.write({ [NODE]: nodeText(values) });
    return given.record(message).id;
  };
  const first = given.record('First').id;
  given.write({ [SITE]: siteText('bob') });
  const note = recordNode({ ...FIRST, note: 'two' }, 'Only private fields');
  const second = { ...FIRST, note: 'two', disk: 'disk-b' };
  const disk = recordNode(second, 'Another disk');
  const third = { ...second, mac: 'bb', ram: 128, adapters: ['eth1', 'eth0'] };
  const moved = recordNode(third, 'More memory, other adapters');
  given.write({ [NODE]: null });
  const gone = given.record('Remove the node').id;
  const back = recordNode(third, 'Add it again');
  revisions = { first, note, disk, moved, gone, back };
  tree = await builtTree(given.registry, { snapshots: 'all' });
});

const documentIn = (out: string, url: string) => JSON.parse(readFileSync(join(out, `${url}.json`), 'utf8'));
const NODE_URL = `sites/lyra/clusters/main/nodes/${NODE_UID}`;

/** Fails if a file contains a private value or the key, as it is or after decompression. */
function expectNoSecrets(place: string): void {
  const names = statSync(place).isDirectory() ? filesBelow(place).map((name) => join(place, name)) : [place];
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const bytes = readFileSync(name);
    const texts = [
      bytes,
      name.endsWith('.gz') ? gunzipSync(bytes) : '',
      name.endsWith('.br') ? brotliDecompressSync(bytes) : '',
    ];
    for (const text of [...texts, Buffer.from(name)])
      for (const secret of [SECRET, KEY]) if (text.includes(secret)) expect(`${name} contains ${secret}`).toBe('');
  }
}

describe('no byte contains a private value', () => {
  test('the registry does contain them', () => {
    expect(() => expectNoSecrets(given.registry)).toThrow();
  });

  test.each(['current', 'legacy'] as const)('in a tree of the %s dialect', async (dialect) => {
    const out = dialect === 'current' ? tree : await builtTree(given.registry, { dialect, hosts: ['caddy'] });
    expectNoSecrets(out);
    expect(documentIn(out, NODE_URL)).toMatchObject({ main_memory: { ram_size: 128 }, ipmi: { vendor: 'Quanta' } });
  });

  test('in a bundle of a whole tree and in an update', async () => {
    for (const since of [undefined, revisions.disk]) {
      const out = join(newFolder(), 'tree.bundle');
      await bundle({ registry: given.registry, tree, out, since, showsProgress: false });
      expectNoSecrets(out);
    }
  });

  test('in archives, whose registry rebuilds the same tree without the key', async () => {
    const { out, archives } = await archived(given.registry, { all: true });
    expect(archives.length).toBe(6);
    for (const { name } of archives) {
      expectNoSecrets(join(out, `${name}.tar`));
      expectNoSecrets(join(out, `${name}.tar.gz`));
      expect((await verifiedArchive(join(out, `${name}.tar`))).findings).toEqual([]);
    }
    const name = archives.find(({ revision }) => revision === revisions.moved)?.name;
    const files = unpacked(join(out, `${name}.tar`));
    const rebuilt = join(newFolder(), 'dist');
    const sources = join(files, 'data', 'sources');
    await build({
      registry: join(sources, 'registry-data'),
      out: rebuilt,
      snapshots: 'none',
      versionLinks: 'none',
      precompressed: false,
      showsProgress: false,
    });
    expect(readFileSync(join(rebuilt, '_manifest.json'), 'utf8')).toBe(
      readFileSync(join(files, 'data', 'tree', '_manifest.json'), 'utf8'),
    );
  });

  test('in lock files of nodes and of queries, which equal those of the tree', async () => {
    const out = newFolder();
    const lockWith = async (name: string, ...args: string[]) => {
      const file = join(out, name);
      const { status, stderr } = await gridpress([...args, file], { cwd: out });
      expect(status, stderr).toBe(0);
      return JSON.stringify(JSON.parse(readFileSync(file, 'utf8')).nodes);
    };
    const query = "node_name = 'lyra-1'";
    const locks = [
      await lockWith('tree.json', 'lock', 'lyra-1', '--from', tree, '--out'),
      await lockWith('registry.json', 'lock', 'lyra-1', '--from', given.registry, '--out'),
      await lockWith('query.json', 'find', query, '--from', given.registry, '--lock'),
    ];
    expect(new Set(locks).size).toBe(1);
    expectNoSecrets(out);
    for (const against of [given.registry, tree]) {
      const { status } = await gridpress(['verify-lock', join(out, 'tree.json'), '--against', against], { cwd: out });
      expect(status).toBe(0);
    }
  });

  test('in responses of dev, with unrecorded changes', async () => {
    const served = registryOf(
      { [CONFIGURATION]: `cluster_uid: main\n${RULES}`, [KEY_FILE]: KEY, [NODE]: nodeText(FIRST) },
      join(newFolder(), 'work'),
    );
    served.record('First');
    served.write({ [NODE]: nodeText({ ...FIRST, note: 'other', ram: 96 }) });
    const { port, stop } = await startServer(['dev', '--registry', served.registry]);
    closeAtEnd(stop);
    const { get } = clientOf(port);
    const urls = ['/', '/changes', `/${NODE_URL}`, '/nodes/table', '/exports/nodes.csv', '/_manifest.json'];
    const answers = await Promise.all(urls.map(async (url) => (await get(url)).body.toString()));
    expect(answers.join('')).not.toContain(SECRET);
    expect(answers[2]).toContain('"ram_size":96');
  });
});

describe('changes', () => {
  const changesAt = (revision: string, url = '') => documentIn(tree, `${url}versions/${revision}`).changes;
  const fieldsAt = (revision: string) =>
    (changesAt(revision)[0]?.fields ?? []).map(({ at, order }: { at: string; order?: unknown }) =>
      order ? 'order' : at,
    );

  test('of private fields alone are a revision that changes nothing, at the resource too', () => {
    expect(changesAt(revisions.note)).toEqual([]);
    expect(documentIn(tree, `${NODE_URL}/versions`).items.map(({ uid }: { uid: string }) => uid)).toContain(
      revisions.note,
    );
    expect(JSON.stringify(documentIn(tree, 'changes'))).not.toContain(revisions.note);
  });

  test('of a hashed serial are a replaced part', () => {
    const [change] = changesAt(revisions.disk);
    expect(change).toMatchObject({ action: 'replaced', fields: [{ at: '/storage_devices/0/serial' }] });
    const path = JSON.stringify([['storage_devices', 'serial'], `${SECRET}-disk-b`]);
    const hash = createHmac('sha256', KEY).update(path).digest('hex');
    expect(change.fields[0].to).toBe(`hmac-sha256:${hash}`);
  });

  test('show their public fields only', () => {
    expect(fieldsAt(revisions.moved)).toEqual(['/main_memory/ram_size', 'order']);
  });

  test('pass a verification of the whole tree', async () => {
    expect((await gridpress(['verify', tree])).stdout).toContain('is complete and unaltered');
  });
});

describe('verify --private', () => {
  const verify = (...places: string[]) => gridpress(['verify', ...places, '--private', given.registry]);

  test('finds no private value in a tree', async () => {
    expect((await verify(tree)).status).toBe(0);
  });

  test('finds a value that a message publishes, in compressed files too', async () => {
    const leaking = registryOf(
      {
        [CONFIGURATION]: `cluster_uid: main\nhosts: [nginx]\n${RULES}`,
        [KEY_FILE]: KEY,
        [NODE]: nodeText(FIRST),
        [SITE]: siteText('ada'),
      },
      join(newFolder(), 'work'),
    );
    leaking.record(`Replace ${SECRET}-disk-a`);
    const out = await builtTree(leaking.registry);
    const files = (await privateValueFindings(out, leaking.registry)).map(({ place }) => place?.file ?? '');
    for (const ending of ['.json', '.json.gz', '.json.br'])
      expect(files.some((file) => file.startsWith('versions/') && file.endsWith(ending))).toBe(true);
    const { status, stderr } = await gridpress(['verify', out, '--private', leaking.registry]);
    expect(status).toBe(1);
    expect(stderr).toContain('The file contains a private value of storage_devices.serial. [verify-private]');
    const archives = join(newFolder(), 'archives');
    await gridpress(['archive', '--registry', leaking.registry, '-o', archives]);
    const packed = readdirSync(archives).filter((file) => file.startsWith('gridpress-'));
    expect(packed).toHaveLength(2);
    for (const file of packed.map((name) => join(archives, name))) {
      const verified = await gridpress(['verify', file, '--private', leaking.registry]);
      expect(verified.stderr).toMatch(
        /^\S+: error: The file contains a private value of storage_devices\.serial\. \[verify-private\]/,
      );
    }
  });

  test('fails for a URL, because it searches files', async () => {
    expect(await verify('https://api.testbed.example.org/')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^error: --private searches files\./),
    });
  });

  test('fails for a registry without private fields', async () => {
    const open = registryOf({}, join(newFolder(), 'work'));
    open.record('First');
    const { stderr } = await gridpress(['verify', tree, '--private', open.registry]);
    expect(stderr).toContain('[private-none]');
  });
});

describe('identifiers', () => {
  test('cannot be computed from published values', () => {
    const header = loadSources({ registry: given.registry }).history.revisions[0];
    if (!header) throw new Error('no revision');
    const { salt, ...known } = header;
    expect(salt).toMatch(/^[0-9a-f]{32}$/);
    expect(recordedId(header)).toBe(revisions.first);
    expect(recordedId(known)).not.toBe(revisions.first);
    expect(documentIn(tree, 'index').version).toBe(revisions.back);
  });

  test('and the digest of the sources do not depend on private values', async () => {
    const build = async (contact: string) => {
      const each = registryOf(
        {
          [CONFIGURATION]: `cluster_uid: main\nprivate: {omit: {classes: [administrative]}}\n`,
          [SITE]: siteText(contact),
        },
        join(newFolder(), 'work'),
      );
      each.record('First');
      // The salt and the identifier differ, so only the values are compared.
      const sources = publicSources(loadSources({ registry: each.registry }), { registry: each.registry });
      const revisions = sources.history.revisions.map((header) => ({ ...header, id: '' }));
      return { ...sources, history: { ...sources.history, revisions } };
    };
    const [ada, bob] = [await build('ada'), await build('bob')];
    expect(publicDigest(ada, [])).toBe(publicDigest(bob, []));
  });
});

describe('a build', () => {
  const built = async (configuration: string, env: Record<string, string> = {}) => {
    const each = registryOf(
      { [CONFIGURATION]: `cluster_uid: main\n${configuration}`, [NODE]: nodeText(FIRST) },
      join(newFolder(), 'work'),
    );
    each.record('First');
    const run = await gridpress(['build', '--snapshots', 'none'], { cwd: each.folder, env });
    return { ...run, folder: each.folder };
  };
  const hashing = 'private: {hash: {classes: [component], key: {variable: GRIDPRESS_TEST_KEY}}}\n';

  test('names the published classes if nothing is configured', async () => {
    const line = /^The tree publishes all fields: hardware, .*administrative, unknown\. To keep/m;
    expect((await built('')).stdout).toMatch(line);
    expect((await built('private: {}\n')).stdout).not.toMatch(line);
  });

  test('fails without the key, with a short key and writes nothing', async () => {
    for (const [env, message] of [
      [{}, 'The environment variable "GRIDPRESS_TEST_KEY" is not set.'],
      [{ GRIDPRESS_TEST_KEY: 'short' }, 'has 5 bytes, but needs at least 16.'],
    ] as const) {
      const { status, stderr, folder } = await built(hashing, env);
      expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(existsSync(join(folder, 'dist'))).toBe(false);
    }
  });

  test('with another key writes other hashes with other file times, because servers make ETags from time and size', async () => {
    const buildWith = async (key: string) => {
      const { folder, stderr } = await built(hashing, { GRIDPRESS_TEST_KEY: key });
      expect(stderr).toBe('');
      const out = join(folder, 'dist');
      const { size, mtimeMs } = statSync(join(out, `${NODE_URL}.json`));
      return { serial: documentIn(out, NODE_URL).chassis.serial, size, mtimeMs };
    };
    const [one, same, two] = [
      await buildWith('1'.repeat(16)),
      await buildWith('1'.repeat(16)),
      await buildWith('2'.repeat(16)),
    ];
    expect(same).toEqual(one);
    expect(two.serial).not.toBe(one.serial);
    expect(two.size).toBe(one.size);
    expect(two.mtimeMs).not.toBe(one.mtimeMs);
  });

  test('fails for a name that no resource has, and for fields that every resource needs', async () => {
    const wrong = await built('private: {omit: {fields: [admin_notes]}}\n');
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('Did you mean "admin_note"?')]);
    const fixed = await built('private: {omit: {fields: [uid]}}\n').catch(String);
    expect(fixed).toContain('private-fixed');
  });

  test('is up to date until something public changes', async () => {
    const { folder, status } = await built(
      'private: {omit: {classes: [administrative, component, placement, unknown]}}\n',
    );
    expect(status).toBe(0);
    const again = await gridpress(['build', '--snapshots', 'none'], { cwd: folder });
    expect(again.stdout).toMatch(/^Up to date: dist /);
  });
});
