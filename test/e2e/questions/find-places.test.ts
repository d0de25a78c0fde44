/** A query of a registry, its tree and its service finds the same nodes as a loop over all bodies. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../src/core/model/json.ts';
import { isJsonObject } from '../../../src/core/model/json.ts';
import { find } from '../../../src/features/find/find.ts';
import { newFolder } from '../../support/folders.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import { BASE, GRID, imported, NODE_BODY, NODE_FILE, SITE, SITE_BODY } from '../../support/registries/imported.ts';
import { NODE, NODE_UID, registryOf } from '../../support/registries/registry.ts';
import { nodeFile, nodeUid } from '../../support/registries/testbed.ts';
import { buildAndServe } from '../../support/trees/served.ts';

const MODELS = ['GA100 [A100 PCIe 80GB]', 'Tesla P100', 'A100-SXM', undefined];
const SIZES = [64, 128, 256];

interface Machine {
  readonly uid: string;
  readonly body: Json;
}

const MACHINES: readonly Machine[] = Array.from({ length: 12 }, (_, n) => {
  const model = MODELS[n % 4];
  const body = {
    node_name: `lyra-${n}`,
    node_type: n % 3 === 0 ? 'storage' : 'compute',
    main_memory: { ram_size: (SIZES[n % 3] ?? 0) * 2 ** 30 },
    ...(model === undefined ? {} : { gpu: { gpu: true, gpu_count: 1 + (n % 2), gpu_model: model } }),
    ...(n % 5 === 0 ? {} : { chassis: { serial: `S"${n}` } }),
    storage_devices: Array.from({ length: n % 3 }, (_, i) => ({ device: `sd${i}`, size: (i + n) * 10 ** 12 })),
    ...Object.fromEntries(n === 7 ? [['note', '=cmd()']] : []),
  };
  return { uid: nodeUid(n + 1), body };
});

let places: readonly string[] = [];

beforeAll(async () => {
  const files = MACHINES.map(({ uid, body }, n) => [
    nodeFile('lyra', n + 1),
    JSON.stringify({ type: 'node', uid, ...(isJsonObject(body) ? body : {}) }),
  ]);
  const { folder, registry, record } = registryOf({ [NODE]: null, ...Object.fromEntries(files) }, newFolder());
  writeFileSync(
    join(folder, 'gridpress.yaml'),
    'cluster_uid: main\nlabels:\n  gpu:\n    - label: Big\n      match: ["*A100*"]\n',
  );
  record('All');
  const { out, port } = await buildAndServe(registry);
  places = [registry, out, `http://127.0.0.1:${port}/`];
});

async function uidsIn(from: string, query: string): Promise<readonly unknown[]> {
  return await find({ from, query, timeout: 30, maxRequests: 1000 }, [], async ({ rows, fleet }) => {
    const column = fleet.column('field', 'uid');
    return rows.map((row) => column?.values[column.rows[row] ?? -1]);
  });
}

/** Returns the values of a field, through lists. */
function valuesAt(value: Json | undefined, way: readonly string[]): Json[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, way));
  if (value === null || value === undefined) return [];
  const [name, ...rest] = way;
  if (name === undefined) return [value];
  return isJsonObject(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : [];
}

function valuesOf({ body }: Machine, field: string): Json[] {
  if (field === 'site') return ['lyra'];
  if (field !== 'label.gpu') return valuesAt(body, field.split('.'));
  return valuesAt(body, ['gpu', 'gpu_model']).map((model) => (String(model).includes('A100') ? 'Big' : 'P100'));
}

interface Asked {
  readonly text: string;
  /** Undefined for a machine without the field: neither the condition nor its negation is true. */
  readonly isTrueOf: (machine: Machine) => boolean | undefined;
}

const any = (field: string, holds: (value: Json) => boolean) => (machine: Machine) => {
  const values = valuesOf(machine, field);
  return values.length === 0 ? undefined : values.some(holds);
};
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

const number = fc
  .record({
    field: fc.constantFrom('main_memory.ram_size', 'gpu.gpu_count', 'storage_devices.size'),
    operator: fc.constantFrom('=', '<', '<=', '>', '>='),
    bound: fc.constantFrom(1, 2, 64 * 2 ** 30, 128 * 2 ** 30, 3 * 10 ** 12),
  })
  .map(
    ({ field, operator, bound }): Asked => ({
      text: `${field} ${operator} ${bound}`,
      isTrueOf: any(field, (value) => {
        const [a, b] = [Number(value), bound];
        return { '=': a === b, '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b }[operator];
      }),
    }),
  );
const TEXTS = ['label.gpu', 'gpu.gpu_model', 'node_name', 'node_type', 'chassis.serial', 'site', 'note'];
const given = fc.constantFrom('Big', 'P100', 'Tesla P100', 'lyra-3', 'compute', 'S"7', 'lyra', '=cmd()');
const text = fc
  .record({ field: fc.constantFrom(...TEXTS), values: fc.array(given, { minLength: 1, maxLength: 3 }) })
  .map(
    ({ field, values }): Asked => ({
      text: `${field} IN (${values.map(quoted).join(', ')})`,
      isTrueOf: any(field, (value) => values.some((each) => each === value)),
    }),
  );
const pattern = fc
  .record({ field: fc.constantFrom(...TEXTS), part: fc.constantFrom('A100', 'P100', 'lyra', '7', '"', '=') })
  .map(
    ({ field, part }): Asked => ({
      text: `${field} LIKE '%${part}%'`,
      isTrueOf: any(field, (value) => String(value).includes(part)),
    }),
  );
const absent = fc
  .constantFrom('gpu.gpu_model', 'chassis.serial', 'note', 'storage_devices.size', 'label.gpu')
  .map((field): Asked => ({ text: `${field} IS NULL`, isTrueOf: (machine) => valuesOf(machine, field).length === 0 }));

const opposite = (one: Asked): Asked => ({
  text: `NOT (${one.text})`,
  isTrueOf: (machine) => {
    const isTrue = one.isTrueOf(machine);
    return isTrue === undefined ? undefined : !isTrue;
  },
});

/** `decides` is the operand value that determines the result alone. */
const joined = (word: string, decides: boolean, both: readonly Asked[]): Asked => ({
  text: both.map(({ text: each }) => `(${each})`).join(` ${word} `),
  isTrueOf: (machine) => {
    const found = both.map(({ isTrueOf }) => isTrueOf(machine));
    if (found.includes(decides)) return decides;
    return found.includes(undefined) ? undefined : !decides;
  },
});

const { asked } = fc.letrec<{ asked: Asked; condition: Asked }>((tie) => ({
  condition: fc.oneof(number, text, pattern, absent),
  asked: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie('condition'),
    tie('asked').map(opposite),
    fc.tuple(tie('asked'), tie('asked')).map((both) => joined('AND', false, both)),
    fc.tuple(tie('asked'), tie('asked')).map((both) => joined('OR', true, both)),
  ),
}));

test('any query finds the same nodes in a registry, its tree, its service and a loop over all bodies', async () => {
  await fc.assert(
    fc.asyncProperty(asked, async ({ text: query, isTrueOf }) => {
      const expected = MACHINES.filter((machine) => isTrueOf(machine) === true).map(({ uid }) => uid);
      for (const from of places)
        expect([query, new Set(await uidsIn(from, query))]).toEqual([query, new Set(expected)]);
    }),
    { numRuns: 60 },
  );
});

test('configured labels work where only the tree is available', async () => {
  const big = MACHINES.filter((_, n) => n % 4 === 0 || n % 4 === 2).map(({ uid }) => uid);
  for (const from of places) {
    expect(await uidsIn(from, "label.gpu = 'Big'")).toEqual(big);
    await expect(uidsIn(from, "label.gpu = 'A100'")).resolves.toEqual([]);
  }
});

test('configured labels do not depend on the fields of a query, or on the revision', async () => {
  const disk = (size: number, serial: string) =>
    json({ type: 'node', uid: NODE_UID, storage_devices: [{ size, serial }] });
  const { folder, registry, write, record } = registryOf({ [NODE]: disk(900, 'S1') }, newFolder());
  const rules = [
    { label: '1TB', match: [900] },
    { label: '2TB', match: [1900] },
  ];
  writeFileSync(join(folder, 'gridpress.yaml'), JSON.stringify({ cluster_uid: 'main', labels: { disk: rules } }));
  const first = record('First');
  write({ [NODE]: disk(1900, 'S2') });
  const second = record('Second');
  const { out, port } = await buildAndServe(registry);
  for (const from of [registry, out, `http://127.0.0.1:${port}/`]) {
    const sizeAt = (at: string | undefined, shown: readonly string[]) =>
      find(
        { from, at, timeout: 30, maxRequests: 1000 },
        shown,
        async ({ fleet }) => fleet.column('label', 'disk')?.values,
      );
    for (const shown of [[], ['storage_devices.serial']]) {
      expect([from, await sizeAt(undefined, shown)]).toEqual([from, [2 * 10 ** 12]]);
      expect([from, await sizeAt(second.id, shown)]).toEqual([from, [2 * 10 ** 12]]);
      expect([from, await sizeAt(first.id, shown)]).toEqual([from, [10 ** 12]]);
      expect([from, await sizeAt('2026-01-01', shown)]).toEqual([from, [10 ** 12]]);
    }
  }
});

test('a date selects the revision on the line of first parents, for either parent that a merge continues', async () => {
  const { commit, folder } = gitRepository();
  const on = (day: number) => ({ date: `${Date.UTC(2026, 0, day) / 1000} +0100` });
  const small = { [NODE_FILE]: json({ ...NODE_BODY, cores: 1 }) };
  const large = { [NODE_FILE]: json({ ...NODE_BODY, cores: 2 }) };
  const site = { [`${GRID}/${SITE}.json`]: json({ ...SITE_BODY, name: 'Lyra anew' }) };
  const first = commit({ ...on(1), files: { ...BASE, ...small } });
  const begun = commit({ ...on(3), files: site, parents: [first] });
  const larger = commit({ ...on(5), files: large, parents: [first] });
  const caughtUp = commit({ ...on(6), files: large, parents: [begun, larger] });
  // A merge with only the contents of its second parent.
  const merged = commit({ ...on(7), files: site, parents: [larger, caughtUp] });
  const { registry } = await imported(folder);
  const { out, port } = await buildAndServe(registry);
  for (const from of [registry, out, `http://127.0.0.1:${port}/`]) {
    const revisionAt = (at: string) =>
      find({ from, at, timeout: 30, maxRequests: 1000 }, [], async (_, { revision }) => revision);
    const found = await Promise.all(['2026-01-04', '2026-01-06', '2026-01-09'].map(revisionAt));
    expect([from, ...found.map((each) => each?.id)]).toEqual([from, first, larger, merged]);
  }

  // If the table over time is too long, the tree does not contain the line of first parents.
  appendFileSync(join(registry, '..', 'gridpress.yaml'), 'search:\n  max_history: 10\n');
  const { out: from } = await buildAndServe(registry);
  const asked = (at: string) =>
    find({ from, at, timeout: 30, maxRequests: 1000 }, [], async (_, { revision }) => revision?.id);
  expect(await failureOf(() => asked('2026-01-06'))).toBe(
    `error: ${from}/nodes/history.json does not list the revisions, because the list is too long. A date cannot be resolved without it. [no-first-parents]
  Name a revision that /snapshots lists, or use the folder of the registry in place of this URL.
`,
  );
  expect(await asked(larger)).toBe(larger);
});
