/** The sample registry in this repository: valid, and with every kind of resource and of change. */

import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import fg from 'fast-glob';
import { describe, expect, test } from 'vitest';
import { revisionFileSchema } from '../../src/core/history/revision-file.ts';
import { lockSchema } from '../../src/core/lock/lock-file.ts';
import { KINDS } from '../../src/core/model/kinds.ts';
import { epochSeconds } from '../../src/core/model/revision.ts';
import { resourcesIn } from '../../src/core/model/state.ts';
import { editorSchemas, jsonSchema, modeline } from '../../src/core/registry/editor-schemas.ts';
import { SCHEMAS_FOLDER, schemaFileName } from '../../src/core/registry/layout.ts';
import { storedObject } from '../../src/core/registry/registry.ts';
import { log } from '../../src/features/revisions/log.ts';
import { show } from '../../src/features/revisions/show.ts';
import { checkFindings, loadSources } from '../../src/features/sources/load-sources.ts';

const ROOT = join(import.meta.dirname, '../..');
const registry = join(ROOT, 'registry-data');
const sources = loadSources({ registry });
const { history, worktree, store } = sources;

test('the sample registry has no findings and no unrecorded changes', () => {
  expect(checkFindings(sources)).toEqual([]);
});

describe('editor support', () => {
  test('schemas/ equals the output of `npm run schemas`', () => {
    const lock = { [schemaFileName('lock')]: jsonSchema(lockSchema(), 'input') };
    const schemas = new Map([...editorSchemas(revisionFileSchema()), ...Object.entries(lock)]);
    expect(fg.sync('*', { cwd: join(ROOT, SCHEMAS_FOLDER) }).sort()).toEqual([...schemas.keys()].sort());
    for (const [file, schema] of schemas) {
      expect(readFileSync(join(ROOT, SCHEMAS_FOLDER, file), 'utf8')).toBe(`${JSON.stringify(schema, null, 2)}\n`);
    }
  });

  test('every resource file begins with the path of its schema', () => {
    const sourceFiles = fg.sync('registry-data/{grid.yaml,sites/**}', { cwd: ROOT });
    expect(sourceFiles).toHaveLength(79);
    for (const file of ['gridpress.yaml', ...sourceFiles]) {
      const text = readFileSync(join(ROOT, file), 'utf8');
      const kind = KINDS.all.find(({ name }) => text.includes(`\ntype: ${name}\n`));
      const way = relative(dirname(join(ROOT, file)), join(ROOT, SCHEMAS_FOLDER));
      const folder = way.startsWith('..') ? way : `./${way}`;
      expect({ file, line: `${text.split('\n', 1)[0]}\n` }).toEqual({
        file,
        line: modeline(folder, kind?.name ?? 'gridpress'),
      });
    }
  });
});

test('the sample has seven sites of three classes, sixty nodes of twelve types and six flavors', () => {
  const classes: unknown[] = [];
  const types = new Set<unknown>();
  const counts = new Map<unknown, number>();
  for (const [, { body }] of resourcesIn(worktree)) {
    const { type, site_class, node_type } = storedObject(store, body.handle);
    counts.set(type, (counts.get(type) ?? 0) + 1);
    if (type === 'site') classes.push(site_class);
    if (type === 'node') types.add(node_type);
  }
  expect(Object.fromEntries(counts)).toEqual({ grid: 1, site: 7, cluster: 5, node: 60, flavor: 6 });
  expect(classes.sort()).toEqual([...Array(5).fill('baremetal'), 'edge', 'kvm']);
  expect([...types].sort()).toEqual([
    ...['bigmem_icelake', 'cpu_altra', 'cpu_cascadelake', 'cpu_icelake_r650', 'cpu_zen3', 'cpu_zen3_hdr'],
    ...['cpu_zen4', 'fpga_u280', 'gpu_a100x4', 'gpu_mi210x2', 'store_hdd', 'store_nvme'],
  ]);
});

describe('the history of the sample', () => {
  const { revisions, changes, parents } = history;

  test('has 36 revisions, with one merge and two revisions in the same second', () => {
    expect(revisions).toHaveLength(36);
    expect(revisions.filter((_, i) => parents[i]?.length === 2).map(({ message }) => message.split('\n')[0])).toEqual([
      'Merge the storage nodes of carina',
    ]);
    const seconds = revisions.map(({ date }) => epochSeconds(date));
    expect(revisions.filter((_, i) => seconds.indexOf(seconds[i] ?? 0) !== i).map(({ date }) => date)).toEqual([
      '2024-07-01T06:00:00+00:00',
    ]);
  });

  test('contains every kind of change', () => {
    expect([...new Set(changes.flat().map(({ action }) => action))].sort()).toEqual([
      ...['added', 'removed', 'replaced', 'updated'],
    ]);
  });

  test('contains a disk that was replaced by one of the same model', () => {
    const { revisions: list } = log({ registry, resource: 'lyra-c03' });
    expect(list.map(({ date, changes: { replaced } }) => [date.slice(0, 10), replaced])).toEqual([
      ['2024-12-05', 0],
      ['2024-02-28', 0],
      ['2024-01-18', 1],
      ['2023-09-18', 0],
    ]);
  });

  test('contains a node that was removed and restored', () => {
    const { revisions: list } = log({ registry, resource: 'aquila-ib03' });
    expect(list.map(({ changes: { added, removed } }) => ({ added, removed }))).toEqual([
      { added: 1, removed: 0 },
      { added: 0, removed: 1 },
      { added: 1, removed: 0 },
    ]);
  });

  test('gives the node that had a name at the requested date', () => {
    const nameAt = (at: string) => show({ registry, resource: 'carina-c06', at }).resource;
    expect(nameAt('2025-01-23')).not.toBe(nameAt('2025-01-24'));
  });
});

test('the sample keeps texts that look like numbers', () => {
  const { body } = show({ registry, resource: 'lyra-c05' });
  expect(body).toMatchObject({
    chassis: { serial: '8402713' },
    network_adapters: [{ mac: '46:18:30:25:10:52' }, { mac: '46:18:30:25:10:53' }],
    storage_devices: [{ serial: '222238851207', wwn: '0x500a075138851207', size: 480103981056 }],
    bios: { version: '2.21.2', release_date: '2024-02-19' },
  });
  expect(show({ registry, resource: 'lyra-c04' }).body).toMatchObject({
    storage_devices: [{ serial: '22227146E059', wwn: '0x500a07517146e059' }],
  });
  expect(show({ registry, resource: 'fornax-c08' }).body).toMatchObject({ bios: { version: '1.10' } });
  expect(show({ registry, resource: 'fornax-c01' }).body).toMatchObject({ bios: { version: '2.0' } });
});
