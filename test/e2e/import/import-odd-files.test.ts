import { describe, expect, test } from 'vitest';
import { executable, gitRepository, json, submodule, symbolicLink } from '../../support/registries/git-repository.ts';
import {
  BASE,
  BASE_RESOURCES,
  CLUSTER,
  CLUSTER_FILE,
  GRID,
  GRID_BODY,
  GRID_FILE,
  imported,
  NODE,
  NODE_BODY,
  NODE_FILE,
  SITE,
  SITE_BODY,
  SITE_FILE,
  warning,
} from '../../support/registries/imported.ts';

const CHANGED = { ...NODE_BODY, cores: 16 };

describe('an imported file', () => {
  test('can have a name that begins with a control character', async () => {
    const repository = gitRepository();
    repository.commit({ files: { ...BASE, '\u0001\u0001': 'x', '\u0001folder/:100644 100644': 'x', '\n:x': 'x' } });
    const id = repository.commit({ files: { '\u0001\u0001': 'y', [NODE_FILE]: json(CHANGED) } });
    const { warnings, at } = await imported(repository.folder);
    expect(warnings).toBe('');
    expect(at(id)).toEqual({ ...BASE_RESOURCES, [NODE]: CHANGED });
  });

  test('with a duplicate key keeps the last value', async () => {
    const repository = gitRepository();
    const id = repository.commit({
      files: {
        ...BASE,
        [NODE_FILE]:
          '{"type": "node", "uid": "n1", "node_type": "old", "cores": 8, "disks": [{"a": 1, "a": 2}], "node_type": "compute"}',
      },
    });
    const { warnings, at } = await imported(repository.folder);
    const twice = (key: string) =>
      warning(
        id,
        `${NODE_FILE} contains the key "${key}" twice.`,
        'import-duplicate-key',
        'The import uses the last one.',
      );
    expect(warnings).toBe([twice('node_type'), twice('a')].join('\n'));
    expect(at(id)).toEqual({ ...BASE_RESOURCES, [NODE]: { ...NODE_BODY, disks: [{ a: 2 }] } });
  });

  test('with numbers beyond double precision keeps them as text', async () => {
    const repository = gitRepository();
    const id = repository.commit({
      files: {
        ...BASE,
        [NODE_FILE]: `{"type": "node", "uid": "n1", "exact": 9007199254740991, "lossy": 9007199254740993,
          "wwn": [1, -36893488147419103232], "huge": 1E400, "ratio": 0.1, "power": 1e3, "text": "9007199254740993"}`,
      },
    });
    const { warnings, at } = await imported(repository.folder);
    const large = (field: string, text: string) =>
      warning(
        id,
        `"${field}" in ${NODE_FILE} is ${text}, which a double-precision number cannot represent.`,
        'import-large-number',
        'The import keeps the number as a string.',
      );
    expect(warnings).toBe(
      [large('lossy', '9007199254740993'), large('wwn[1]', '-36893488147419103232'), large('huge', '1E400')].join('\n'),
    );
    expect(at(id)[NODE]).toEqual({
      type: 'node',
      uid: 'n1',
      exact: 9007199254740991,
      lossy: '9007199254740993',
      wwn: [1, '-36893488147419103232'],
      huge: '1E400',
      ratio: 0.1,
      power: 1000,
      text: '9007199254740993',
    });
  });

  test('with keys that are special in JavaScript keeps them as plain data', async () => {
    const repository = gitRepository();
    const body = '{"type":"node","uid":"n1","__proto__":{"admin":true},"constructor":{"prototype":1},"1":"one"}';
    const changed = body.replace('true', 'false');
    const first = repository.commit({ files: { ...BASE, [NODE_FILE]: body } });
    const second = repository.commit({ files: { [NODE_FILE]: changed } });

    const { warnings, at, changes } = await imported(repository.folder);
    expect(warnings).toBe('');
    // Compared as text, because a comparison of values would read prototypes. Integer keys come first in JavaScript.
    const numberFirst = (text: string) => text.replace(',"1":"one"', '').replace('{', '{"1":"one",');
    expect(JSON.stringify(at(first)[NODE])).toBe(numberFirst(body));
    expect(JSON.stringify(at(second)[NODE])).toBe(numberFirst(changed));
    expect(changes(second)).toEqual([`updated ${NODE}`]);
    expect(Reflect.get({}, 'admin')).toBeUndefined();
  });

  test('with another uid gets the uid of its path', async () => {
    const repository = gitRepository();
    const id = repository.commit({
      files: {
        ...BASE,
        [NODE_FILE]: json({ ...NODE_BODY, uid: 'n7' }),
        [SITE_FILE]: json({ ...SITE_BODY, uid: 5 }),
        [GRID_FILE]: json({ ...GRID_BODY, uid: 'another' }),
      },
    });
    const { warnings, at } = await imported(repository.folder);
    const says = (path: string, uid: string, expected: string) =>
      warning(
        id,
        `${path} states the uid "${uid}".`,
        'import-uid',
        `The import uses the uid of its path: "${expected}".`,
      );
    expect(warnings).toBe([says(NODE_FILE, 'n7', 'n1'), says(SITE_FILE, '5', 'lyra')].join('\n'));
    // A grid has no sibling resources, so it keeps the name in its file.
    expect(at(id)).toEqual({ ...BASE_RESOURCES, '': { ...GRID_BODY, uid: 'another' } });
  });

  test('without a type or a uid gets them from its path', async () => {
    const repository = gitRepository();
    const id = repository.commit({
      files: { ...BASE, [NODE_FILE]: '{"uid": null, "cores": 8}', [CLUSTER_FILE]: '{"uid": "main", "note": 1}' },
    });
    const { warnings, at } = await imported(repository.folder);
    const lacks = (path: string, what: string) =>
      warning(id, `${path} has no ${what}.`, 'import-identity', 'The import derives the value from the path.');
    expect(warnings).toBe([lacks(CLUSTER_FILE, 'type'), lacks(NODE_FILE, 'type and no uid')].join('\n'));
    expect(at(id)).toEqual({
      ...BASE_RESOURCES,
      [NODE]: { type: 'node', uid: 'n1', cores: 8 },
      [CLUSTER]: { type: 'cluster', uid: 'main', note: 1 },
    });
  });

  test('with another type than its path keeps it', async () => {
    const repository = gitRepository();
    const id = repository.commit({ files: { ...BASE, [NODE_FILE]: json({ ...NODE_BODY, type: 'fpga' }) } });
    repository.commit({ files: { [NODE_FILE]: json(NODE_BODY) } });
    const { warnings, at } = await imported(repository.folder);
    expect(warnings).toBe(
      warning(
        id,
        `${NODE_FILE} states the type "fpga", but its path is the path of a node.`,
        'import-type',
        'The import keeps the type unchanged.',
      ),
    );
    expect(at(id)).toEqual({ ...BASE_RESOURCES, [NODE]: { ...NODE_BODY, type: 'fpga' } });
  });

  test('with only a new order, white space or escapes is unchanged', async () => {
    const repository = gitRepository();
    repository.commit({ files: { ...BASE, [NODE_FILE]: '{"type":"node","uid":"n1","name":"é","size":100}' } });
    const second = repository.commit({
      files: { [NODE_FILE]: '\ufeff\n{ "size": 1e2,\r\n\t"name": "\\u00e9", "uid": "n1", "type": "node" }' },
    });
    const { warnings, at, changes } = await imported(repository.folder);
    expect(warnings).toBe('');
    expect(changes(second)).toEqual([`touched ${NODE}`]);
    expect(at(second)[NODE]).toEqual({ type: 'node', uid: 'n1', name: 'é', size: 100 });
  });

  test('with numbers in text fields is read as a registry file, in every revision', async () => {
    const repository = gitRepository();
    const node = (serial: string) => `{"type": "node", "uid": "n1", "node_name": 17, "chassis": {"serial": ${serial}}}`;
    const first = repository.commit({ files: { ...BASE, [NODE_FILE]: node('1.10') } });
    const second = repository.commit({ files: { [NODE_FILE]: node('"1.10"') } });
    const third = repository.commit({ files: { [NODE_FILE]: node('2.0') } });
    const { warnings, at, changes } = await imported(repository.folder);
    expect(warnings).toBe('');
    const body = (serial: string) => ({ type: 'node', uid: 'n1', node_name: '17', chassis: { serial } });
    expect([first, second, third].map((id) => at(id)[NODE])).toEqual(['1.10', '1.10', '2.0'].map(body));
    expect([second, third].map(changes)).toEqual([[`touched ${NODE}`], [`replaced ${NODE}`]]);
  });

  test('in YAML is read as a registry file', async () => {
    const repository = gitRepository();
    const id = repository.commit({
      files: {
        [`${GRID}/testbed.yaml`]: 'type: grid\nuid: testbed\n',
        [`${GRID}/${SITE}/lyra.yml`]: 'type: site\nuid: lyra\nname: Lyra\n',
        [`${GRID}/${CLUSTER}/main.yaml`]: '# a comment\ntype: cluster\nuid: main\n',
        [`${GRID}/${NODE}.yaml`]: 'type: node\nuid: n1\nnode_type: compute\ncores: 8\nserial: 00123\n',
      },
    });
    const broken = repository.commit({ files: { [`${GRID}/${NODE}.yaml`]: 'type: node\nuid: n1\nuid: n1\n' } });

    const { warnings, at } = await imported(repository.folder);
    expect(at(id)).toEqual({ ...BASE_RESOURCES, [NODE]: { ...NODE_BODY, serial: '00123' } });
    expect(warnings).toBe(
      warning(
        broken,
        `${GRID}/${NODE}.yaml cannot be read: it is not YAML that a registry can hold (The key "uid" occurs twice in one mapping, line 3, column 1).`,
        'import-broken-file',
        'The import uses its last valid contents.',
      ),
    );
  });
});

describe('imported git entries', () => {
  const notAFile = (id: string, path: string, what: string) =>
    warning(id, `${path} is ${what}.`, 'import-not-a-file', 'The import omits it.');

  test('symbolic links are omitted', async () => {
    const repository = gitRepository();
    const path = `${GRID}/${CLUSTER}/nodes/n2.json`;
    const id = repository.commit({ files: { ...BASE, [path]: symbolicLink('n1.json') } });
    const gone = repository.commit({ files: { [path]: null } });
    const { warnings, at, changes } = await imported(repository.folder);
    expect(warnings).toBe(notAFile(id, path, 'a symbolic link'));
    expect(at(id)).toEqual(BASE_RESOURCES);
    expect(changes(gone)).toEqual([]);
  });

  test('a file that becomes a symbolic link is removed, and added when it is a file again', async () => {
    const repository = gitRepository();
    repository.commit({ files: BASE });
    const link = repository.commit({ files: { [NODE_FILE]: symbolicLink('n2.json') } });
    const file = repository.commit({ files: { [NODE_FILE]: json(CHANGED) } });
    const { warnings, at, changes } = await imported(repository.folder);
    expect(warnings).toBe(notAFile(link, NODE_FILE, 'a symbolic link'));
    expect(changes(link)).toEqual([`removed ${NODE}`]);
    expect(changes(file)).toEqual([`added ${NODE}`]);
    expect(at(file)).toEqual({ ...BASE_RESOURCES, [NODE]: CHANGED });
  });

  test('submodules are omitted', async () => {
    const repository = gitRepository();
    const other = 'e83c5163316f89bfbde7d9ab23ca2e25604af290';
    const id = repository.commit({
      files: {
        ...BASE,
        [`${GRID}/${CLUSTER}/nodes/n2.json`]: submodule(other),
        [`${GRID}/vendor`]: submodule(other),
        vendor: submodule(other),
      },
    });
    const { warnings, at } = await imported(repository.folder);
    expect(warnings).toBe(
      [
        notAFile(id, `${GRID}/${CLUSTER}/nodes/n2.json`, 'a submodule'),
        notAFile(id, `${GRID}/vendor`, 'a submodule'),
      ].join('\n'),
    );
    expect(at(id)).toEqual(BASE_RESOURCES);
  });

  test('a changed mode is listed as in git log', async () => {
    const repository = gitRepository();
    repository.commit({ files: BASE });
    const id = repository.commit({ files: { [NODE_FILE]: executable(json(NODE_BODY)) } });
    const { warnings, at, changes } = await imported(repository.folder);
    expect(warnings).toBe('');
    expect(at(id)).toEqual(BASE_RESOURCES);
    expect(changes(id)).toEqual([`touched ${NODE}`]);
  });
});
