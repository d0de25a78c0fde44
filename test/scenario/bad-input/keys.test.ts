/** Field names that are special in JavaScript are plain data everywhere in the program. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { resourceAt } from '../../../src/core/model/state.ts';
import { build } from '../../../src/features/build/build.ts';
import { importRegistry } from '../../../src/features/import/import.ts';
import { loadSources } from '../../../src/features/sources/load-sources.ts';
import { git } from '../../support/registries/random-repository.ts';
import { NODE, NODE_UID, registryOf } from '../../support/registries/registry.ts';

const NODE_PATH = NODE.slice(0, -'.yaml'.length);
const START = `type: node\nuid: ${NODE_UID}\n`;

const BEFORE = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":null';
const AFTER = '"__proto__":{"polluted":2,"__proto__":[1]},"constructor":"x","hasOwnProperty":3';

afterEach(() => {
  expect('polluted' in {}).toBe(false);
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
});

/** Returns the node's JSON texts: from the registry, then from each revision. */
function bodies(registry: string): string[] {
  const { worktree, history, store } = loadSources({ registry });
  return [worktree, ...history.states].map((state) => {
    const node = resourceAt(state, NODE_PATH);
    return node ? store.get(node.body.handle) : '';
  });
}

function node(fields: string): string {
  return `{"type":"node","uid":"${NODE_UID}",${fields}}`;
}

describe('the keys "__proto__" and "constructor"', () => {
  test('are preserved in the registry, its history, its patches and the tree', async () => {
    const given = registryOf({
      [NODE]: `${START}__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}\ntoString: null\n`,
    });
    given.record('First');
    given.write({ [NODE]: `${START}__proto__: {polluted: 2, __proto__: [1]}\nconstructor: x\nhasOwnProperty: 3\n` });
    const second = given.record('Second');
    expect(given.findings()).toBe('');
    expect(bodies(given.registry)).toEqual([node(AFTER), node(BEFORE), node(AFTER)]);
    expect(given.read(second.file).split('changes:\n')[1]).toBe(`  - updated: ${NODE_PATH}
    fields:
      - {at: /__proto__/polluted, from: 1, to: 2}
      - {at: /__proto__/__proto__, to: [1]}
      - {at: /constructor, from: {prototype: {polluted: 1}}, to: x}
      - {at: /toString, from: null}
      - {at: /hasOwnProperty, to: 3}
`);

    const out = join(given.folder, 'dist');
    await build({ registry: given.registry, out, showsProgress: false });
    const served = readFileSync(join(out, `${NODE_PATH}.json`), 'utf8');
    expect(served.startsWith(`${node(AFTER).slice(0, -1)},"version":"${second.id}"`)).toBe(true);
    const version = readFileSync(join(out, NODE_PATH, 'versions', `${second.id}.json`), 'utf8');
    expect(version).toContain('{"at":"/__proto__/polluted","from":1,"to":2},{"at":"/__proto__/__proto__","to":[1]}');
    expect(version).toContain(`"resource":${node(AFTER)},`);
  });

  test('are preserved by an import from JSON', async () => {
    const given = registryOf();
    const repository = join(given.folder, 'repository');
    mkdirSync(repository);
    git(repository, ['init', '--quiet', '--initial-branch=main']);
    const file = (path: string, text: string) => `M 100644 inline data/g/${path}\ndata ${text.length}\n${text}\n`;
    const commit = (message: string, from: string, body: string) =>
      `commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\ndata ${message.length}\n${message}\n${from}` +
      file('g.json', '{"type":"grid","uid":"g"}') +
      file('sites/lyra/lyra.json', '{"type":"site","uid":"lyra","name":"Lyra"}') +
      file('sites/lyra/clusters/main.json', '{"type":"cluster","uid":"main"}') +
      file(`${NODE_PATH}.json`, body);
    git(repository, ['fast-import', '--quiet'], commit('One', '', node(BEFORE)) + commit('Two', '', node(AFTER)));
    const out = join(given.folder, 'imported');
    const { warnings } = await importRegistry({
      repository,
      ref: 'main',
      firstParent: false,
      out,
      showsProgress: false,
    });
    expect(warnings).toEqual([]);
    expect(bodies(out)).toEqual([node(AFTER), node(BEFORE), node(AFTER)]);
  });

  test('may be uids of resources', () => {
    const given = registryOf({ 'sites/lyra/flavors/constructor.yaml': 'type: flavor\nuid: constructor\n' });
    given.record('First');
    expect(given.findings()).toBe('');
    const { worktree } = loadSources({ registry: given.registry });
    expect(resourceAt(worktree, 'sites/lyra/flavors/constructor')).toBeDefined();
    expect(resourceAt(worktree, 'sites/lyra/flavors/toString')).toBeUndefined();
  });
});
