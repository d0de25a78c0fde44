import { describe, expect, test } from 'vitest';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import {
  BASE,
  BASE_RESOURCES,
  CLUSTER,
  CLUSTER_BODY,
  CLUSTER_FILE,
  GRID,
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

const NODES = `${GRID}/${CLUSTER}/nodes`;

describe('the path of an imported file', () => {
  test('may be in a folder of the item or next to it', async () => {
    const repository = gitRepository();
    const id = repository.commit({
      files: {
        ...BASE,
        [`${GRID}/sites/vega.json`]: json({ type: 'site', uid: 'vega', name: 'Vega' }),
        [`${GRID}/sites/vega/clusters/main.json`]: json(CLUSTER_BODY),
        [`${GRID}/sites/vega/flavors/small/small.json`]: json({ type: 'flavor', uid: 'small' }),
        [`${GRID}/sites/vega/flavors/large.json`]: json({ type: 'flavor', uid: 'large' }),
        [`${NODES}/n.2-x64.json`]: json({ type: 'node', uid: 'n.2-x64' }),
      },
    });
    const { warnings, at } = await imported(repository.folder);
    expect(warnings).toBe('');
    expect(at(id)).toEqual({
      ...BASE_RESOURCES,
      'sites/vega': { type: 'site', uid: 'vega', name: 'Vega' },
      'sites/vega/clusters/main': CLUSTER_BODY,
      'sites/vega/flavors/small': { type: 'flavor', uid: 'small' },
      'sites/vega/flavors/large': { type: 'flavor', uid: 'large' },
      [`${CLUSTER}/nodes/n.2-x64`]: { type: 'node', uid: 'n.2-x64' },
    });
  });

  test('determines the kind of a flavor, regardless of the type in the file', async () => {
    const repository = gitRepository();
    const path = `${SITE}/flavors/small`;
    const flavor = { type: 'vm_flavor', uid: 'small', ram_size: 2 ** 31, humanized_ram_size: '~2 GiB' };
    const id = repository.commit({ files: { ...BASE, [`${GRID}/${path}.json`]: json(flavor) } });
    const { warnings, at } = await imported(repository.folder);
    expect(warnings).toBe('');
    expect(at(id)).toEqual({ ...BASE_RESOURCES, [path]: flavor });
  });

  test('decides between two files for one resource, until one is deleted', async () => {
    const repository = gitRepository();
    const flat = `${GRID}/${SITE}.json`;
    const folded = `${GRID}/${NODE}/n1.json`;
    const yaml = `${GRID}/${CLUSTER}/main.yaml`;
    const first = repository.commit({
      files: {
        ...BASE,
        [flat]: json({ ...SITE_BODY, name: 'Flat' }),
        [folded]: json({ ...NODE_BODY, cores: 1 }),
        [yaml]: 'type: cluster\nuid: main\nfrom: yaml\n',
      },
    });
    const second = repository.commit({ files: { [flat]: json({ ...SITE_BODY, name: 'Flat again' }) } });
    const third = repository.commit({ files: { [SITE_FILE]: null, [NODE_FILE]: null, [CLUSTER_FILE]: null } });

    const { warnings, at, changes } = await imported(repository.folder);
    const twice = (id: string, path: string, other: string) =>
      warning(id, `${path} describes the same resource as ${other}.`, 'import-two-files', `The import uses ${other}.`);
    expect(warnings).toBe(
      [
        twice(first, flat, SITE_FILE),
        twice(first, yaml, CLUSTER_FILE),
        twice(first, folded, NODE_FILE),
        twice(second, flat, SITE_FILE),
      ].join('\n'),
    );
    expect(at(first)).toEqual(BASE_RESOURCES);
    expect(changes(second)).toEqual([]);
    expect(at(third)).toEqual({
      ...BASE_RESOURCES,
      [SITE]: { ...SITE_BODY, name: 'Flat again' },
      [CLUSTER]: { ...CLUSTER_BODY, from: 'yaml' },
      [NODE]: { ...NODE_BODY, cores: 1 },
    });
  });

  test('may change from one form to the other, and the change is listed as in git log', async () => {
    const repository = gitRepository();
    repository.commit({ files: BASE });
    const id = repository.commit({ files: { [SITE_FILE]: null, [`${GRID}/${SITE}.json`]: json(SITE_BODY) } });
    const { warnings, at, changes } = await imported(repository.folder);
    expect(warnings).toBe('');
    expect(at(id)).toEqual(BASE_RESOURCES);
    expect(changes(id)).toEqual([`touched ${SITE}`]);
  });

  test('is ignored if it describes no resource', async () => {
    const repository = gitRepository();
    const others = [
      `${GRID}/${CLUSTER}/nodes/README`,
      `${GRID}/${CLUSTER}/nodes/n1.json.erb`,
      `${GRID}/${CLUSTER}/nodes/n1/disks.json`,
      `${GRID}/${CLUSTER}/pdus/p1.json`,
      `${GRID}/${SITE}/other.json`,
      `${GRID}/accesses/all.json`,
      `${GRID}/sites.json`,
    ];
    const id = repository.commit({
      files: {
        ...BASE,
        ...Object.fromEntries(others.map((path) => [path, '{}'])),
        'data/README.md': 'beside the grid, which does not matter',
        'input/sites/lyra/lyra.json': '{}',
      },
    });
    const deleted = repository.commit({ files: Object.fromEntries(others.map((path) => [path, null])) });
    const { warnings, at } = await imported(repository.folder);
    expect(warnings).toBe(
      [
        `${GRID}/accesses/all.json`,
        `${GRID}/sites.json`,
        `${GRID}/${CLUSTER}/nodes/README`,
        `${GRID}/${CLUSTER}/nodes/n1.json.erb`,
        `${GRID}/${CLUSTER}/nodes/n1/disks.json`,
        `${GRID}/${CLUSTER}/pdus/p1.json`,
        `${GRID}/${SITE}/other.json`,
      ]
        .map((path) => warning(id, `${path} is not a resource.`, 'import-no-resource', 'The import omits it.'))
        .join('\n'),
    );
    expect(at(id)).toEqual(BASE_RESOURCES);
    expect(at(deleted)).toEqual(BASE_RESOURCES);
  });

  describe('a file that contains a whole collection', () => {
    const file = `${GRID}/${SITE}/pdus.json`;
    const pdu = (uid: string, more = {}) => ({ type: 'pdu', uid, ...more });

    test('gives each item, until the item or its entry is deleted', async () => {
      const repository = gitRepository();
      const first = repository.commit({
        files: {
          ...BASE,
          [file]: json({ a: { ports: 8 }, b: pdu('b', { ports: 4 }), 7: { uid: 'seven' } }),
          [`${GRID}/network_equipments.json`]: json({ gw: { kind: 'router' } }),
        },
      });
      const second = repository.commit({ files: { [file]: json({ b: { ports: 6 }, a: { ports: 8 } }) } });
      const third = repository.commit({ files: { [file]: null } });

      const { warnings, at, changes } = await imported(repository.folder);
      expect(warnings).toBe(
        warning(first, `${file} states the uid "seven".`, 'import-uid', 'The import uses the uid of its path: "7".'),
      );
      const gateway = { 'network_equipments/gw': { type: 'network_equipment', uid: 'gw', kind: 'router' } };
      expect(at(first)).toEqual({
        ...BASE_RESOURCES,
        ...gateway,
        [`${SITE}/pdus/7`]: pdu('7'),
        [`${SITE}/pdus/a`]: pdu('a', { ports: 8 }),
        [`${SITE}/pdus/b`]: pdu('b', { ports: 4 }),
      });
      expect(changes(second)).toEqual([`removed ${SITE}/pdus/7`, `updated ${SITE}/pdus/b`]);
      expect(at(third)).toEqual({ ...BASE_RESOURCES, ...gateway });
      expect(changes(third)).toEqual([`removed ${SITE}/pdus/a`, `removed ${SITE}/pdus/b`]);
    });

    test('has lower priority than single files, and moving an item between them changes nothing', async () => {
      const repository = gitRepository();
      const own = `${GRID}/${SITE}/pdus/a.json`;
      repository.commit({ files: { ...BASE, [file]: json({ a: { ports: 8 }, b: { ports: 4 } }) } });
      const both = repository.commit({ files: { [own]: json(pdu('a', { ports: 8 })) } });
      const moved = repository.commit({
        files: { [file]: null, [`${GRID}/${SITE}/pdus/b/b.json`]: json(pdu('b', { ports: 4 })) },
      });
      const { warnings, at, changes } = await imported(repository.folder);
      expect(warnings).toBe(
        warning(both, `${file} describes the same resource as ${own}.`, 'import-two-files', `The import uses ${own}.`),
      );
      expect([changes(both), changes(moved)]).toEqual([[], []]);
      expect(at(moved)).toMatchObject({ [`${SITE}/pdus/a`]: { ports: 8 }, [`${SITE}/pdus/b`]: { ports: 4 } });
    });

    test('keeps its last items while it is unreadable', async () => {
      const repository = gitRepository();
      const text = (value: string) => ({ files: { ...BASE, [file]: value } });
      repository.commit(text('{"a": {"ports": 8}, "a": {"ports": 9}, "b": {}}'));
      const broken = repository.commit(text('{"a": '));
      const inPart = repository.commit(text('{"a": 5, "b": {"ports": 1}, "x y": {}}'));
      const { warnings, at, changes } = await imported(repository.folder);
      const kept = 'The import uses its last valid contents.';
      expect(warnings.replace(/^warning: .* twice.*\n.*\n\n/, '')).toBe(
        [
          warning(
            broken,
            `${file} cannot be read: it is not JSON (Unexpected end of JSON input).`,
            'import-broken-file',
            kept,
          ),
          warning(
            inPart,
            `the name "x y" of ${file} cannot be part of an API path.`,
            'import-bad-uid',
            'The import omits it.',
          ),
          warning(inPart, `${file} cannot be read: its item "a" is not an object.`, 'import-broken-file', kept),
        ].join('\n'),
      );
      expect(changes(broken)).toEqual([]);
      expect(changes(inPart)).toEqual([`updated ${SITE}/pdus/b`]);
      expect(at(inPart)).toMatchObject({ [`${SITE}/pdus/a`]: { ports: 9 }, [`${SITE}/pdus/b`]: { ports: 1 } });
    });
  });

  test.each([
    ['versions', 'versions'],
    ['_old', '_old'],
    ['.hidden', '.hidden'],
    ['null.json', 'null.json'],
    ['rack 1', 'rack 1'],
    ['größe', 'größe'],
    ['con', 'con'],
    ['50%', '50%'],
  ])('a name that cannot be part of a URL is omitted: %s', async (_, uid) => {
    const repository = gitRepository();
    const path = `${NODES}/${uid}.json`;
    const id = repository.commit({ files: { ...BASE, [path]: json({ type: 'node', uid }) } });
    const { warnings, at } = await imported(repository.folder);
    expect(warnings).toBe(
      warning(
        id,
        `the name "${uid}" of ${path} cannot be part of an API path.`,
        'import-bad-uid',
        'The import omits it.',
      ),
    );
    expect(at(id)).toEqual(BASE_RESOURCES);
  });
});

describe('a name that a file system or a terminal would misread', () => {
  const badUid = (id: string, path: string, uid: string) =>
    warning(
      id,
      `the name "${uid}" of ${path} cannot be part of an API path.`,
      'import-bad-uid',
      'The import omits it.',
    );

  test('is printed without control characters', async () => {
    const repository = gitRepository();
    const id = repository.commit({ files: { ...BASE, [`${NODES}/\u001b[31mred.json`]: '{}' } });
    const { warnings } = await imported(repository.folder);
    expect(warnings).toBe(badUid(id, `${NODES}/␛[31mred.json`, '␛[31mred'));
  });

  test('never leads outside the registry', async () => {
    const repository = gitRepository();
    const first = repository.commit({ files: BASE });
    const tree = (...entries: readonly (readonly [mode: string, name: string, id: string])[]) => {
      const bytes = entries.map(([mode, name, id]) =>
        Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
      );
      return repository.store('tree', Buffer.concat(bytes));
    };
    const idOf = (path: string) => repository.git('rev-parse', `${first}:${path}`).trim();
    // Git cannot create such a tree, so the test writes the objects itself.
    const above = tree(['40000', '..', tree(['100644', '...json', idOf(SITE_FILE)])]);
    const sites = tree(['40000', 'sites', above], ['100644', 'testbed.json', idOf(GRID_FILE)]);
    const root = tree(['40000', 'data', tree(['40000', 'testbed', sites])]);
    const who = 'Ada Brown <ada@example.org> 1700000000 +0100';
    const commit = `tree ${root}\nparent ${first}\nauthor ${who}\ncommitter ${who}\n\nUp\n`;
    const second = repository.store('commit', Buffer.from(commit));

    const { warnings, at } = await imported(repository.folder, { ref: second, path: GRID });
    expect(warnings).toBe(badUid(second, `${GRID}/sites/../...json`, '..'));
    expect(at(second)).toEqual({ '': BASE_RESOURCES[''] });
  });
});

describe('a resource whose parent has no file', () => {
  const noParent = (id: string, path: string, kind: string) =>
    warning(
      id,
      `${path} has no ${kind} above it.`,
      'import-no-parent',
      'The import creates one with only a uid and a type.',
    );
  const BARE = { type: 'site', uid: 'lyra' };

  // A site without a name violates the rules of the head; in each test it is removed by then.
  test('gets a generated parent, which the real file replaces', async () => {
    const repository = gitRepository();
    const first = repository.commit({ files: { [GRID_FILE]: BASE[GRID_FILE] ?? null, [NODE_FILE]: json(NODE_BODY) } });
    const second = repository.commit({ files: { [SITE_FILE]: json(SITE_BODY), [CLUSTER_FILE]: json(CLUSTER_BODY) } });

    const { warnings, at, changes } = await imported(repository.folder);
    expect(warnings).toBe([noParent(first, NODE, 'cluster'), noParent(first, NODE, 'site')].join('\n'));
    expect(at(first)).toEqual({ ...BASE_RESOURCES, [SITE]: BARE });
    expect(changes(first)).toEqual(['added ', `added ${SITE}`, `added ${CLUSTER}`, `added ${NODE}`]);
    expect(changes(second)).toEqual([`updated ${SITE}`, `touched ${CLUSTER}`]);
    expect(at(second)).toEqual(BASE_RESOURCES);
  });

  test("keeps a generated parent when the parent's file is deleted", async () => {
    const repository = gitRepository();
    repository.commit({ files: BASE });
    const second = repository.commit({ files: { [SITE_FILE]: null, [CLUSTER_FILE]: null } });
    const third = repository.commit({ files: { [SITE_FILE]: json(SITE_BODY) } });

    const { warnings, at, changes } = await imported(repository.folder);
    expect(warnings).toBe([noParent(second, NODE, 'cluster'), noParent(second, CLUSTER, 'site')].join('\n'));
    expect(changes(second)).toEqual([`updated ${SITE}`, `touched ${CLUSTER}`]);
    expect(at(second)).toEqual({ ...BASE_RESOURCES, [SITE]: BARE });
    expect(changes(third)).toEqual([`updated ${SITE}`]);
  });

  test('takes its generated parents with it when it is removed', async () => {
    const repository = gitRepository();
    const other = `${NODES}/n2.json`;
    repository.commit({
      files: {
        [GRID_FILE]: BASE[GRID_FILE] ?? null,
        [NODE_FILE]: json(NODE_BODY),
        [other]: json({ type: 'node', uid: 'n2' }),
      },
    });
    const second = repository.commit({ files: { [other]: null } });
    const third = repository.commit({ files: { [NODE_FILE]: null } });

    const { at, changes } = await imported(repository.folder, { path: GRID });
    expect(at(second)).toEqual({ ...BASE_RESOURCES, [SITE]: BARE });
    expect(changes(third)).toEqual([`removed ${SITE}`, `removed ${CLUSTER}`, `removed ${NODE}`]);
    expect(at(third)).toEqual({ '': BASE_RESOURCES[''] });
  });

  test("is removed together with its parents' files", async () => {
    const repository = gitRepository();
    const rest = { 'sites/vega': { type: 'site', uid: 'vega', name: 'Vega' } };
    repository.commit({ files: { ...BASE, [`${GRID}/sites/vega/vega.json`]: json(rest['sites/vega']) } });
    const second = repository.commit({ files: { [SITE_FILE]: null, [CLUSTER_FILE]: null, [NODE_FILE]: null } });

    const { warnings, at, changes } = await imported(repository.folder);
    expect(warnings).toBe('');
    expect(changes(second)).toEqual([`removed ${SITE}`, `removed ${CLUSTER}`, `removed ${NODE}`]);
    expect(at(second)).toEqual({ '': BASE_RESOURCES[''], ...rest });
  });

  test('gets a grid, too', async () => {
    const repository = gitRepository();
    const first = repository.commit({ files: { [SITE_FILE]: json(SITE_BODY) } });
    const { warnings, at } = await imported(repository.folder, { path: GRID });
    expect(warnings).toBe(noParent(first, SITE, 'grid'));
    expect(at(first)).toEqual({ '': { type: 'grid', uid: 'testbed' }, [SITE]: SITE_BODY });
  });
});
