/** Objects with a `toString` of their own in the place of texts: commands report findings and throw no exceptions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isJsonObject, type Json, parsedJson } from '../../../src/core/model/json.ts';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { gitRepository } from '../../support/registries/git-repository.ts';
import { NODE_UID, registryOf } from '../../support/registries/registry.ts';
import { serviceOf } from '../../support/services/service.ts';
import { manifestOf } from '../../support/trees/served.ts';

const ODD = { toString: 1, valueOf: null };

let tree: string;
let files: ReadonlyMap<string, string>;

beforeAll(async () => {
  const { registry, record } = registryOf({}, newFolder());
  record('First');
  tree = join(newFolder(), 'dist');
  await build({ registry, out: tree, snapshots: 'none', showsProgress: false });
  files = new Map(manifestOf(tree).documents.map(({ path, file }) => [path, file]));
});

function withOdd(value: Json, field: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withOdd(item, field));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, name === field ? ODD : withOdd(one, field)]),
  );
}

test.each(['version', 'uid', 'date', 'url', 'feed_url'])(
  'services that return such an object as %s get a finding',
  async (field) => {
    const { origin } = await serviceOf((path) => {
      const file = files.get(path.replace(/\?.*|\.json$/, ''));
      if (file === undefined) return { status: 404 };
      const text = readFileSync(join(tree, file), 'utf8');
      const value = parsedJson(text);
      return { body: value === undefined ? text : withOdd(value, field) };
    });
    for (const args of [
      ['crawl', origin, '--requests', '200'],
      ['probe', origin],
      ['find', '--from', origin, "node_name = 'x'"],
      ['lock', NODE_UID, '--from', origin],
    ]) {
      const { status, stdout, stderr } = await gridpress(args);
      expect({ args, said: stdout + stderr }).not.toMatchObject({ said: expect.stringContaining('has a bug') });
      expect([0, 1, 2]).toContain(status);
    }
  },
);

test('repositories with such uids, types and names get findings', async () => {
  const repository = gitRepository();
  const odd = (type: string) => JSON.stringify({ type: type === 'grid' ? type : ODD, uid: ODD, name: ODD });
  repository.commit({
    files: {
      'data/g/g.json': odd('grid'),
      'data/g/sites/s/s.json': odd('site'),
      'data/g/sites/s/clusters/c/c.json': odd('cluster'),
      'data/g/sites/s/clusters/c/nodes/n.json': odd('node'),
    },
  });
  const out = join(newFolder(), 'registry-data');
  const { status, stderr } = await gridpress(['import', repository.folder, '--out', out]);
  expect({ status, stderr }).toMatchObject({
    status: 0,
    stderr: expect.stringContaining(`{"toString":1,"valueOf":null}`),
  });
});
