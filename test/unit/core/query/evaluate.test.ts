import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../../../src/core/model/json.ts';
import { findNodes, nodesOf } from '../../../../src/core/query/evaluate.ts';
import type { Comparison, Literal, Query, Test } from '../../../../src/core/query/query.ts';
import { refused } from '../../../support/processes/refused-query.ts';
import { fleetOfBodies, type PlacedBody } from '../../../support/values/query-fleet.ts';
import '../../../support/values/arbitraries.ts';

const GiB = 2 ** 30;

/** The names of the nodes that a query finds. */
function found(query: string, nodes: Readonly<Record<string, JsonObject | PlacedBody>>): string {
  const placed = Object.values(nodes).map((node): PlacedBody => (isPlaced(node) ? node : { body: node }));
  const names = Object.keys(nodes);
  return findNodes(query, fleetOfBodies(placed))
    .map((row) => names[row])
    .join(' ');
}

function isPlaced(node: JsonObject | PlacedBody): node is PlacedBody {
  return 'body' in node;
}

const FLEET = {
  a: { gpu: { gpu: true, gpu_count: 4, gpu_model: 'GA100 [A100 PCIe 80GB]' }, main_memory: { ram_size: 512 * GiB } },
  b: { gpu: { gpu: true, gpu_count: 2, gpu_model: 'Tesla P100' }, main_memory: { ram_size: 256 * GiB } },
  c: { gpu: { gpu: false }, main_memory: { ram_size: 128 * GiB } },
  d: { main_memory: { ram_size: null } },
};

describe('one field', () => {
  test.each([
    ['gpu.gpu_count = 4', 'a'],
    ['gpu.gpu_count <> 4', 'b'],
    ['gpu.gpu_count < 4', 'b'],
    ['gpu.gpu_count <= 4', 'a b'],
    ['gpu.gpu_count > 2', 'a'],
    ['2 < gpu.gpu_count', 'a'],
    ['gpu.gpu_count IN (2, 3)', 'b'],
    ['gpu.gpu_count BETWEEN 2 AND 4', 'a b'],
    ['gpu.gpu_count BETWEEN 4 AND 2', ''],
    ["gpu.gpu_model LIKE '%A100%'", 'a'],
    ["gpu.gpu_model LIKE 'tesla%'", ''],
    ["CASEI(gpu.gpu_model) LIKE 'TESLA%'", 'b'],
    ["CASEI(gpu.gpu_model) = 'tesla p100'", 'b'],
    ["gpu.gpu_model LIKE 'Tesla P_00'", 'b'],
    [String.raw`gpu.gpu_model LIKE 'Tesla P\_00'`, ''],
    ["gpu.gpu_model >= 'H'", 'b'],
    ['main_memory.ram_size >= 256GiB', 'a b'],
    ["main_memory.ram_size >= '256 GiB'", 'a b'],
    ["main_memory.ram_size IN ('512 GiB', 128GiB)", 'a c'],
    ['gpu.gpu = true', 'a b'],
    ['gpu.gpu = FALSE', 'c'],
  ])('%s', (query, names) => {
    expect(found(query, FLEET)).toBe(names);
  });
});

describe('a field that a node does not have is unknown', () => {
  test.each([
    ['gpu.gpu_count IS NULL', 'c d'],
    ['gpu.gpu_count IS NOT NULL', 'a b'],
    ['main_memory.ram_size IS NULL', 'd'],
    ['gpu IS NULL', 'd'],
    ['NOT gpu.gpu_count = 4', 'b'],
    ['NOT (gpu.gpu_count = 4 OR gpu.gpu_count = 3)', 'b'],
    ['gpu.gpu_count = 4 OR NOT gpu.gpu_count = 4', 'a b'],
    ['gpu.gpu_count = 4 OR main_memory.ram_size < 200GiB', 'a c'],
    ['NOT (gpu.gpu_count = 4 AND main_memory.ram_size > 200GiB)', 'b c'],
    ['NOT gpu.gpu_count = 4 OR gpu.gpu_count IS NULL', 'b c d'],
    ['gpu.gpu_count NOT IN (4)', 'b'],
    ["gpu.gpu_model NOT LIKE '%A100%'", 'b'],
    ['TRUE', 'a b c d'],
    ['FALSE OR NOT TRUE', ''],
  ])('%s', (query, names) => {
    expect(found(query, FLEET)).toBe(names);
  });
});

describe('a way through an array means any item', () => {
  const disks = (...sizes: (number | null)[]) => ({
    storage_devices: sizes.map((size) => ({ size, model: `M${size}` })),
  });
  const nodes = { a: disks(1, 5), b: disks(5), c: disks(), d: disks(null, 1), e: { storage_devices: [[{ size: 7 }]] } };
  test.each([
    ['storage_devices.size = 5', 'a b'],
    ['storage_devices.size <> 5', 'a d e'],
    ['NOT storage_devices.size = 5', 'd e'],
    ['storage_devices.size IS NULL', 'c'],
    ['storage_devices IS NULL', 'c'],
    ["storage_devices.size = 1 AND storage_devices.model = 'M5'", 'a'],
    ['storage_devices.size BETWEEN 2 AND 4', ''],
    ['storage_devices.size > 2 AND storage_devices.size < 4', 'a'],
  ])('%s', (query, names) => {
    expect(found(query, nodes)).toBe(names);
  });
});

describe('what one tool writes as a text, another writes as what it is', () => {
  const nodes = { a: { rack: 2, on: true }, b: { rack: '2', on: 'true' }, c: { rack: '02', on: 'yes' } };
  test.each([
    ['rack = 2', 'a b'],
    ["rack = '2'", 'a b'],
    ["rack IN ('2', '02')", 'a b c'],
    ["rack <> '2'", 'c'],
    ['on = true', 'a b'],
    ["on = 'true'", 'a b'],
    ['rack > 1', 'a'],
    ["rack > '1'", 'b'],
  ])('%s', (query, names) => {
    expect(found(query, nodes)).toBe(names);
  });
});

test('what lies deeper than anything should is passed over', () => {
  const deep = JSON.parse(`{"a": ${'['.repeat(1000)}1${']'.repeat(1000)}, "b": 1}`);
  expect(found('b = 1', { a: deep })).toBe('a');
  expect(refused(() => found('a = 1', { a: deep }))).toMatchObject({ what: 'No node has a field a.' });
});

test('places and labels come before fields of their names', () => {
  const nodes = {
    a: {
      body: { site: 'own', cluster: 'own', label: { gpu: 'own' } },
      site: 'x',
      cluster: 'm',
      labels: { gpu: ['A', 'B'] },
    },
    b: { body: {}, site: 'y', cluster: 'm', labels: { ram: 192 * GiB } },
  };
  expect(found("site IN ('x', 'own') AND cluster = 'm' AND label.gpu = 'B'", nodes)).toBe('a');
  expect(found('label.ram >= 192GiB', nodes)).toBe('b');
  expect(found('label.gpu IS NULL', nodes)).toBe('b');
  expect(found(`"site" = 'own' AND "label".gpu = 'own'`, nodes)).toBe('a');
});

describe('no prototypes', () => {
  const nodes = { a: JSON.parse('{"__proto__": {"toString": "x"}, "constructor": "y"}'), b: {} };
  test.each([
    ["__proto__.toString = 'x'", 'a'],
    ["constructor = 'y'", 'a'],
    ['__proto__ IS NULL', 'b'],
  ])('%s', (query, names) => {
    expect(found(query, nodes)).toBe(names);
  });

  test.each([
    'toString',
    'constructor.name',
    '__proto__.hasOwnProperty',
    'label.constructor',
    'site.length',
    'hasOwnProperty',
  ])('no node has %s', (field) => {
    expect(refused(() => found(`${field} IS NOT NULL`, { a: { x: 1 } }))).toMatchObject({
      what: `No node has a field ${field}.`,
    });
  });
});

describe('a query that does not fit the nodes', () => {
  const nodes = {
    a: { ...FLEET.a, rack: 2, bios: { version: '1.10' }, on: true, node_name: 'n1', processor: { model: 'Xeon' } },
    b: { ...FLEET.b, network_adapters: [{ rate: 10e9 }] },
  };
  const FIELDS = 'gridpress find --fields lists the fields.';
  test.each([
    ['gpu.model = 1', 1, 'No node has a field gpu.model.', 'Did you mean gpu.gpu_model or gpu.gpu?'],
    ["gpu_model LIKE 'x'", 1, 'No node has a field gpu_model.', 'Did you mean gpu.gpu_model?'],
    [
      'TRUE OR main_memory.ramsize > 1',
      9,
      'No node has a field main_memory.ramsize.',
      'Did you mean main_memory.ram_size?',
    ],
    ['RAM_SIZE > 1', 1, 'No node has a field RAM_SIZE.', 'Did you mean main_memory.ram_size?'],
    ['qqqq IS NULL', 1, 'No node has a field qqqq.', FIELDS],
    ['label.gpu IS NULL', 1, 'No node has a field label.gpu.', 'Did you mean gpu.gpu?'],
    ['"gpu.gpu_model" IS NULL', 1, 'No node has a field "gpu.gpu_model".', 'Did you mean gpu.gpu_model?'],
    [
      "gpu = 'x'",
      1,
      'gpu is no value: it holds other fields.',
      'Ask for one of them, such as gpu.gpu or gpu.gpu_count or gpu.gpu_model.',
    ],
    ['gpu.gpu_count = 2GiB', 17, 'gpu.gpu_count has no unit, so that GiB does not fit it.', 'Write the number alone.'],
    [
      'main_memory.ram_size > 2GHz',
      24,
      'main_memory.ram_size is in B, which GHz does not fit.',
      'Its units are B, kB, MB, GB, TB, PB, KiB, MiB, GiB, TiB, PiB.',
    ],
    [
      'network_adapters.rate >= 40GB',
      26,
      'network_adapters.rate is in bit/s, which GB does not fit.',
      'Its units are bps, kbps, Mbps, Gbps, Tbps, bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s, b/s, kb/s, Mb/s, Gb/s, Tb/s.',
    ],
    [
      "gpu.gpu_count > 'x'",
      17,
      'gpu.gpu_count holds numbers, and cannot be compared so with a text.',
      'gridpress find --fields lists what fields hold.',
    ],
    ["gpu.gpu_count > '2'", 17, 'gpu.gpu_count holds numbers, and cannot be compared so with a text.', 'Write 2.'],
    [
      "gpu.gpu_count LIKE '2%'",
      20,
      'gpu.gpu_count holds numbers, and cannot be compared so with a text.',
      'gridpress find --fields lists what fields hold.',
    ],
    ['bios.version > 1.5', 16, 'bios.version holds texts, and cannot be compared so with a number.', "Write '1.5'."],
    ['node_name LIKE 5', 16, 'node_name holds texts, and cannot be compared so with a number.', "Write '5'."],
    [
      "on = 'maybe'",
      6,
      'on holds true and false, and cannot be compared so with a text.',
      'gridpress find --fields lists what fields hold.',
    ],
    [
      'on > false',
      6,
      'on holds true and false, and cannot be compared so with true or false.',
      'gridpress find --fields lists what fields hold.',
    ],
    [
      `node_name LIKE '${'%a'.repeat(501)}'`,
      16,
      'The pattern has 1,002 characters; 1,000 are the most.',
      'Write a shorter one.',
    ],
  ])('%s', (query, column, what, fix) => {
    expect(refused(() => found(query, nodes))).toEqual({ column, what, fix });
  });

  test('is wrong of no node where there are none', () => {
    expect(found('qqqq = 1', {})).toBe('');
    expect(refused(() => found('qqqq =', {}))).toMatchObject({ column: 7 });
  });
});

describe('against what the definitions say, word for word, of random bodies', () => {
  const NAMES = ['a', 'b', '__proto__', 'length'];
  const scalar = fc.constantFrom<Json>(null, true, false, 0, 1, 2, 10, '', '1', 'true', 'ab', 'AB', 'b');
  const { json } = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      scalar,
      fc.array(tie('json'), { maxLength: 3 }),
      fc.array(fc.tuple(fc.constantFrom(...NAMES), tie('json')), { maxLength: 3 }).map((pairs) => fromEntries(pairs)),
    ),
  }));
  const body = fc.array(fc.tuple(fc.constantFrom(...NAMES), json), { maxLength: 3 }).map((pairs) => fromEntries(pairs));
  const literal = scalar
    .filter((value): value is string | number | boolean => value !== null)
    .map((value): Literal => ({ value, start: 0, end: 0 }));
  const operator = fc.constantFrom<Comparison>('=', '<>', '<', '<=', '>', '>=');
  const test_ = fc.oneof(
    fc.record({ kind: fc.constant('compare' as const), operator, literal }),
    fc.record({ kind: fc.constant('in' as const), literals: fc.array(literal, { minLength: 1, maxLength: 3 }) }),
    fc.record({ kind: fc.constant('between' as const), low: literal, high: literal }),
    fc.record({
      kind: fc.constant('like' as const),
      literal: fc.constantFrom('%', '_', 'a_', '%b', '%B%').map((value): Literal => ({ value, start: 0, end: 0 })),
    }),
    fc.constant({ kind: 'null' as const }),
  );
  const condition = fc.record({
    kind: fc.constant('condition' as const),
    field: fc
      .tuple(fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 2 }), fc.boolean())
      .map(([way, isFolded]) => ({ name: way.join('.'), way, isFolded, start: 0, end: 0 })),
    test: test_,
  });
  const { query } = fc.letrec<{ query: Query }>((tie) => ({
    query: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      condition,
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        parts: fc.array(tie('query'), { minLength: 2, maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant('not' as const), part: tie('query') }),
      fc.record({ kind: fc.constant('constant' as const), value: fc.boolean() }),
    ),
  }));

  test('the same nodes', () => {
    let fitting = 0;
    let nodes = 0;
    fc.assert(
      fc.property(query, fc.array(body, { minLength: 1, maxLength: 6 }), (asked, bodies) => {
        let rows: readonly number[];
        try {
          rows = nodesOf(asked, fleetOfBodies(bodies.map((each) => ({ body: each }))), '');
        } catch {
          return;
        }
        fitting++;
        nodes += rows.length;
        expect(rows).toEqual(bodies.flatMap((each, row) => (truth(asked, each) === true ? [row] : [])));
      }),
      { numRuns: 5000 },
    );
    // Most random queries name a field that no node has: enough must be left to say something.
    expect([fitting > 500, nodes > 500]).toEqual([true, true]);
  });
});

function fromEntries(pairs: readonly (readonly [string, Json])[]): JsonObject {
  return JSON.parse(`{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`);
}

/** The tables of truth, with undefined for unknown. */
function truth(query: Query, body: JsonObject): boolean | undefined {
  switch (query.kind) {
    case 'constant':
      return query.value;
    case 'not': {
      const part = truth(query.part, body);
      return part === undefined ? undefined : !part;
    }
    case 'and': {
      const parts = query.parts.map((part) => truth(part, body));
      return parts.includes(false) ? false : parts.includes(undefined) ? undefined : true;
    }
    case 'or': {
      const parts = query.parts.map((part) => truth(part, body));
      return parts.includes(true) ? true : parts.includes(undefined) ? undefined : false;
    }
    case 'condition': {
      const values = reached([body], query.field.way);
      if (query.test.kind === 'null') return values.length === 0;
      if (values.length === 0) return undefined;
      return values.some((value) => holds(value, query.test, query.field.isFolded));
    }
    default:
      return query satisfies never;
  }
}

function reached(values: readonly Json[], way: readonly string[]): Json[] {
  const there = values.flatMap(flat).filter((value) => value !== null);
  const [name, ...rest] = way;
  if (name === undefined) return there;
  const below = there.flatMap((value) => {
    const entry = isJsonObject(value) ? Object.entries(value).find(([key]) => key === name) : undefined;
    return entry ? [entry[1]] : [];
  });
  return reached(below, rest);
}

function flat(value: Json): Json[] {
  return Array.isArray(value) ? value.flatMap(flat) : [value];
}

function holds(value: Json, test: Test, isFolded: boolean): boolean {
  if (value === null || typeof value === 'object') return false;
  const fold = (each: string | number | boolean) => (isFolded && typeof each === 'string' ? each.toLowerCase() : each);
  const have = fold(value);
  const same = (literal: Literal) => `${have}` === `${fold(literal.value)}`;
  const ordered = (literal: Literal, check: (a: string | number, b: string | number) => boolean) => {
    const other = fold(literal.value);
    if (typeof have === 'number') return typeof other === 'number' && check(have, other);
    return typeof have === 'string' && typeof other === 'string' && check(have, other);
  };
  switch (test.kind) {
    case 'compare': {
      const { operator, literal } = test;
      if (operator === '=') return same(literal);
      if (operator === '<>') return !same(literal);
      if (operator === '<') return ordered(literal, (a, b) => a < b);
      if (operator === '<=') return ordered(literal, (a, b) => a <= b);
      if (operator === '>') return ordered(literal, (a, b) => a > b);
      return ordered(literal, (a, b) => a >= b);
    }
    case 'in':
      return test.literals.some(same);
    case 'between':
      return ordered(test.low, (a, b) => a >= b) && ordered(test.high, (a, b) => a <= b);
    case 'like': {
      const source = String(fold(test.literal.value)).replaceAll('%', '.*').replaceAll('_', '.');
      return typeof have === 'string' && new RegExp(`^${source}$`, 's').test(have);
    }
    case 'null':
      return false;
    default:
      return test satisfies never;
  }
}
