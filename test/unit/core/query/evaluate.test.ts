import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../../../src/core/model/json.ts';
import { findNodes, nodesOf } from '../../../../src/core/query/evaluate.ts';
import {
  type Comparison,
  type Condition,
  FOLDS,
  type Fold,
  type Literal,
  type Query,
  type Test,
} from '../../../../src/core/query/query.ts';
import { queryError } from '../../../support/processes/refused-query.ts';
import { fleetOfBodies, type PlacedBody } from '../../../support/values/query-fleet.ts';
import '../../../support/values/arbitraries.ts';

const GiB = 2 ** 30;

/** Returns the names of the nodes that a query finds. */
function namesFoundBy(query: string, nodes: Readonly<Record<string, JsonObject | PlacedBody>>): string {
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

describe('a condition on one field finds the correct nodes', () => {
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
    expect(namesFoundBy(query, FLEET)).toBe(names);
  });
});

describe('a quantity in quotes also finds the same text', () => {
  const NODES = { text: { disk_size: '1 TB' }, number: { disk_size: 1e12 }, other: { disk_size: '1TB' }, none: {} };

  test.each([
    ["disk_size = '1 TB'", 'text number'],
    ["NOT disk_size = '1 TB'", 'other'],
    ["disk_size <> '1 TB'", 'other'],
    ["disk_size IN ('1 TB', 2)", 'text number'],
    ["CASEI(disk_size) = '1 tb'", 'text'],
    ["CASEI(disk_size) IN ('1 TB')", 'text number'],
    ['disk_size = 1TB', 'number'],
    ["disk_size >= '1 TB'", 'number'],
  ])('%s', (query, names) => {
    expect(namesFoundBy(query, NODES)).toBe(names);
  });
});

describe('two fields', () => {
  const NODES = {
    full: { slots: 8, used: 8, note: 'Été', place: ['ete', 'hiver'] },
    free: { slots: 8, used: [2, 4], note: 'a', place: 'b' },
    text: { slots: 8, used: '8' },
    none: { slots: 8 },
  };

  test.each([
    ['used = slots', 'full text'],
    ['used < slots', 'free'],
    ['NOT used = slots', 'free'],
    ['used <> slots', 'free'],
    ['note = place', ''],
    ['CASEI(note) = ACCENTI(place)', 'full'],
    ['note > place', 'full'],
    ['place > note', 'free'],
  ])('are compared for each node: %s', (query, names) => {
    expect(namesFoundBy(query, NODES)).toBe(names);
  });

  test.each([
    ['note = compute', 8, 'Expected a value, but found compute.', "Put text in single quotes: 'compute'"],
    ['note = "x y"', 8, 'Expected a value, but found "x y".', "Put text in single quotes: 'x y'"],
    ['note = ‘x’', 8, 'Expected a value, but found ‘x’.', "Put text in single quotes: 'x'"],
  ])('need a second field that nodes have: %s', (query, column, what, fix) => {
    expect(queryError(() => namesFoundBy(query, NODES))).toEqual({ column, what, fix });
  });

  test('can contain objects only if the path ends in a value', () => {
    expect(queryError(() => namesFoundBy('note = gpu', { a: { note: 'x', gpu: { count: 2 } } }))).toMatchObject({
      column: 8,
      what: expect.stringContaining('gpu'),
    });
  });
});

describe('accents', () => {
  const NODES = {
    composed: { note: 'é' },
    split: { note: 'e\u0301' },
    plain: { note: 'e' },
    strokes: { name: 'København Łódź' },
  };

  test.each([
    ["note = 'é'", 'composed'],
    ["ACCENTI(note) = 'E'", ''],
    ["ACCENTI(note) = 'è'", 'composed split plain'],
    ["CASEI(ACCENTI(note)) LIKE 'E'", 'composed split plain'],
    ["note IN (ACCENTI('e'))", 'composed split plain'],
    ["ACCENTI(name) = 'Kobenhavn Lodz'", 'strokes'],
    ["CASEI(ACCENTI(name)) = 'KØBENHAVN ŁODZ'", 'strokes'],
  ])('are ignored with ACCENTI: %s', (query, names) => {
    expect(namesFoundBy(query, NODES)).toBe(names);
  });
});

describe('dates', () => {
  const NODES = {
    day: { bios: { date: '2024-03-01' } },
    noon: { bios: { date: '2024-03-01T12:00:00Z' } },
    // 23:30 of the day before, in UTC.
    east: { bios: { date: '2024-03-01T01:30:00+02:00' } },
    text: { bios: { date: 'March 2024' } },
    odd: { bios: { date: '2024-02-30' } },
  };

  test.each([
    ["bios.date = DATE('2024-03-01')", 'day noon'],
    ["bios.date < DATE('2024-03-01')", 'east'],
    ["bios.date <> DATE('2024-03-01')", 'east'],
    ["bios.date > DATE('2024-02-29')", 'day noon'],
    ["bios.date <= DATE('2024-02-29')", 'east'],
    ["DATE('2024-02-29') = bios.date", 'east'],
    ["bios.date >= TIMESTAMP('2024-03-01T12:00:00Z')", 'noon'],
    ["bios.date < TIMESTAMP('2024-03-01T12:00:00Z')", 'day east'],
    ["bios.date <= TIMESTAMP('2024-03-01T00:00:00Z')", 'day east'],
    ["bios.date > TIMESTAMP('2024-03-01T00:00:00Z')", 'noon'],
    ["bios.date <> TIMESTAMP('2024-03-01T12:00:00Z')", 'day east'],
    ["bios.date = TIMESTAMP('2024-02-29T23:30:00Z')", 'east'],
    ["bios.date BETWEEN DATE('2024-02-29') AND DATE('2024-03-01')", 'day noon east'],
    ["bios.date IN (DATE('2024-02-29'), DATE('2024-03-02'))", 'east'],
    ["NOT bios.date = date('2024-03-01')", 'east'],
  ])('%s', (query, names) => {
    expect(namesFoundBy(query, NODES)).toBe(names);
  });

  test('in local time can be after the year 9999 in UTC', () => {
    const nodes = {
      none: { support: { until: '9999-12-31T23:59:59-05:00' } },
      some: { support: { until: '2024-03-01' } },
    };
    expect(namesFoundBy("support.until > DATE('2024-03-01')", nodes)).toBe('none');
  });

  describe('in two fields', () => {
    const PAIRS = {
      same: { built: '2024-03-01', sold: '2024-03-01T01:00:00+01:00' },
      // As texts, the first is larger. As instants, it is an hour earlier.
      earlier: { built: '2024-03-01T12:00:00+02:00', sold: '2024-03-01T11:00:00Z' },
      later: { built: '2024-03-02', sold: '2024-03-01T23:59:59Z' },
      bad: { built: '2024-02-30', sold: '2024-02-30' },
      word: { built: 'unknown', sold: '2024-03-01' },
      none: { sold: '2024-03-01' },
    };

    test.each([
      ['built = sold', 'same'],
      ['built <> sold', 'earlier later'],
      ['built < sold', 'earlier'],
      ['built <= sold', 'same earlier'],
      ['built > sold', 'later'],
      ['sold <= built', 'same later'],
      ['NOT built = sold', 'earlier later'],
      // CASEI compares texts.
      ['CASEI(built) = sold', 'bad'],
    ])('are compared as dates: %s', (query, names) => {
      expect(namesFoundBy(query, PAIRS)).toBe(names);
    });

    test('are compared as texts if most values of one of them are no dates', () => {
      const nodes = {
        date: { a: '2024-03-01', b: '2024-03-01T00:00:00Z' },
        version: { a: '1.2', b: '1.2' },
        word: { a: 'x', b: 'x' },
      };
      expect(namesFoundBy('a = b', nodes)).toBe('version word');
    });
  });

  test.each([
    ["bios.date = DATE('2024-13-01')", '2024-13-01 is not a date.', "Write a day: DATE('2026-03-01')."],
    [
      "bios.date = DATE('2024-03-01T12:00:00Z')",
      '2024-03-01T12:00:00Z is not a date.',
      "Write a day: DATE('2026-03-01').",
    ],
    [
      "bios.date = TIMESTAMP('2024-03-01T12:00:00')",
      '2024-03-01T12:00:00 is not a timestamp.',
      "Write a time with an offset: TIMESTAMP('2026-03-01T12:00:00Z').",
    ],
  ])('%s is rejected', (query, what, fix) => {
    expect(queryError(() => namesFoundBy(query, NODES))).toEqual({ column: query.indexOf("'") + 1, what, fix });
  });

  test.each([
    '2024-01-01T24:00:00Z',
    '2024-01-01T12:60:00Z',
    '2024-01-01T12:00:61Z',
    '2024-01-01T12:00:60Z',
    '2016-12-30T23:59:60Z',
    '2024-02-30T12:00:00Z',
    '2024-01-32T12:00:00Z',
    '2024-00-01T12:00:00Z',
    '2024-01-01T12:00:00+24:00',
    '2024-01-01T12:00:00+01:60',
  ])('%s is rejected as a timestamp', (text) => {
    expect(queryError(() => namesFoundBy(`bios.date = TIMESTAMP('${text}')`, NODES))).toMatchObject({
      what: `${text} is not a timestamp.`,
    });
  });

  test('a leap second is after the second before it, and on the same day', () => {
    const nodes = { leap: { bios: { date: '2017-01-01T00:59:60+01:00' } } };
    expect(namesFoundBy("bios.date > TIMESTAMP('2016-12-31T23:59:59Z')", nodes)).toBe('leap');
    expect(namesFoundBy("bios.date = TIMESTAMP('2016-12-31T23:59:60Z')", nodes)).toBe('leap');
    expect(namesFoundBy("bios.date = DATE('2016-12-31')", nodes)).toBe('leap');
  });
});

describe('a condition on a missing field is unknown', () => {
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
    expect(namesFoundBy(query, FLEET)).toBe(names);
  });
});

describe('a path through an array matches if any element matches', () => {
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
    expect(namesFoundBy(query, nodes)).toBe(names);
  });
});

describe('texts and the values that they spell are equal', () => {
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
    expect(namesFoundBy(query, nodes)).toBe(names);
  });
});

test('a text can spell a value of a field that contains both numbers and booleans', () => {
  expect(namesFoundBy("smt IN ('true', '0')", { a: { smt: true }, b: { smt: 0 }, c: { smt: false } })).toBe('a b');
});

test.each([
  ['infiniband IS NULL', 'a b'],
  ['NOT infiniband = TRUE', ''],
  ['pdus IS NULL AND storage_devices.size IS NULL', 'a b'],
  ['storage_devices.size > 1TB OR gpu.gpu_count >= 2', ''],
])('a field that contains only null or empty lists is known: %s', (query, names) => {
  const nodes = {
    a: { infiniband: null, pdus: [], gpu: { gpu_count: null } },
    b: { pdus: [null, []], storage_devices: [{ size: null }] },
  };
  expect(namesFoundBy(query, nodes)).toBe(names);
});

test('values beyond the maximum depth are ignored', () => {
  const deep = JSON.parse(`{"a": ${'['.repeat(1000)}1${']'.repeat(1000)}, "b": 1}`);
  expect(namesFoundBy('b = 1', { a: deep })).toBe('a');
  expect(namesFoundBy('a = 1', { a: deep })).toBe('');
});

test('places and labels have priority over fields with their names', () => {
  const nodes = {
    a: {
      body: { site: 'own', cluster: 'own', label: { gpu: 'own' } },
      site: 'x',
      cluster: 'm',
      labels: { gpu: ['A', 'B'] },
    },
    b: { body: {}, site: 'y', cluster: 'm', labels: { ram: 192 * GiB } },
  };
  expect(namesFoundBy("site IN ('x', 'own') AND cluster = 'm' AND label.gpu = 'B'", nodes)).toBe('a');
  expect(namesFoundBy('label.ram >= 192GiB', nodes)).toBe('b');
  expect(namesFoundBy('label.gpu IS NULL', nodes)).toBe('b');
  expect(namesFoundBy(`"site" = 'own' AND "label".gpu = 'own'`, nodes)).toBe('a');
});

describe('names of prototypes are ordinary fields', () => {
  const nodes = { a: JSON.parse('{"__proto__": {"toString": "x"}, "constructor": "y"}'), b: {} };
  test.each([
    ["__proto__.toString = 'x'", 'a'],
    ["constructor = 'y'", 'a'],
    ['__proto__ IS NULL', 'b'],
  ])('%s', (query, names) => {
    expect(namesFoundBy(query, nodes)).toBe(names);
  });

  test.each([
    'toString',
    'constructor.name',
    '__proto__.hasOwnProperty',
    'label.constructor',
    'site.length',
    'hasOwnProperty',
  ])('no node has the field %s', (field) => {
    expect(queryError(() => namesFoundBy(`${field} IS NOT NULL`, { a: { x: 1 } }))).toMatchObject({
      what: `No node has a field ${field}.`,
    });
  });
});

describe('a query with a mistake gets a suggestion', () => {
  const nodes = {
    a: { ...FLEET.a, rack: 2, bios: { version: '1.10' }, on: true, node_name: 'n1', processor: { model: 'Xeon' } },
    b: { ...FLEET.b, network_adapters: [{ rate: 10e9 }] },
  };
  const FIELDS = 'List the fields with "gridpress find --fields".';
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
      'gpu is not a value. It contains other fields.',
      'Use one of them, such as gpu.gpu or gpu.gpu_count or gpu.gpu_model.',
    ],
    [
      'gpu.gpu_count = 2GiB',
      17,
      'gpu.gpu_count has no unit, so it cannot be compared with a value in GiB.',
      'Write the number without a unit.',
    ],
    [
      'main_memory.ram_size > 2GHz',
      24,
      'main_memory.ram_size is in B, so it cannot be compared with a value in GHz.',
      'Use one of its units: B, kB, MB, GB, TB, PB, KiB, MiB, GiB, TiB, PiB.',
    ],
    [
      'main_memory.ram_size > network_adapters.rate',
      24,
      'main_memory.ram_size is in B and network_adapters.rate is in bit/s, so they cannot be compared.',
      'Compare fields that have the same unit. "gridpress find --fields" lists the units.',
    ],
    [
      'gpu.gpu_count >= four',
      18,
      'Expected a value, but found four.',
      'gpu.gpu_count contains numbers. Write a number.',
    ],
    ['on = yes', 6, 'Expected a value, but found yes.', 'Write TRUE instead of yes.'],
    ['on = maybe', 6, 'Expected a value, but found maybe.', 'on contains true and false. Write TRUE or FALSE.'],
    [
      "on = 'TRUE'",
      6,
      'on contains true and false, so this comparison with text is not possible.',
      'Write TRUE without quotes.',
    ],
    ['on = 0', 6, 'on contains true and false, so this comparison with a number is not possible.', 'Write FALSE.'],
    [
      'network_adapters.rate >= 40GB',
      26,
      'network_adapters.rate is in bit/s, so it cannot be compared with a value in GB.',
      'Use one of its units: bps, kbps, Mbps, Gbps, Tbps, bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s, b/s, kb/s, Mb/s, Gb/s, Tb/s.',
    ],
    [
      "gpu.gpu_count > 'x'",
      17,
      'gpu.gpu_count contains numbers, so this comparison with text is not possible.',
      'List the fields and their values with "gridpress find --fields".',
    ],
    [
      "gpu.gpu_count > '2'",
      17,
      'gpu.gpu_count contains numbers, so this comparison with text is not possible.',
      'Write 2 without quotes.',
    ],
    [
      "gpu.gpu_count LIKE '2%'",
      20,
      'gpu.gpu_count contains numbers, so this comparison with text is not possible.',
      'List the fields and their values with "gridpress find --fields".',
    ],
    [
      'bios.version > 1.5',
      16,
      'bios.version contains text, so this comparison with a number is not possible.',
      "Write '1.5'.",
    ],
    [
      'node_name LIKE 5',
      16,
      'node_name contains text, so this comparison with a number is not possible.',
      "Write '5'.",
    ],
    [
      "on = 'maybe'",
      6,
      'on contains true and false, so this comparison with text is not possible.',
      'List the fields and their values with "gridpress find --fields".',
    ],
    [
      'on > false',
      6,
      'on contains true and false, so this comparison with true or false is not possible.',
      'List the fields and their values with "gridpress find --fields".',
    ],
    [
      `node_name LIKE '${'%a'.repeat(501)}'`,
      16,
      'The pattern has 1,002 characters. The limit is 1,000.',
      'Write a shorter pattern.',
    ],
  ])('%s', (query, column, what, fix) => {
    expect(queryError(() => namesFoundBy(query, nodes))).toEqual({ column, what, fix });
  });

  test('a fleet without nodes reports no unknown fields', () => {
    expect(namesFoundBy('qqqq = 1', {})).toBe('');
    expect(queryError(() => namesFoundBy('qqqq =', {}))).toMatchObject({ column: 7 });
  });
});

describe('evaluate and the definition by truth tables, for random bodies', () => {
  const NAMES = ['a', 'b', '__proto__', 'length'];
  const scalar = fc.constantFrom<Json>(null, true, false, 0, 1, 2, 10, '', '1', 'true', 'ab', 'AB', 'b', 'é', 'e');
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
  const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 2 });
  const other = path.map((path) => ({ name: path.join('.'), path, folds: [], start: 0, end: 0 }));
  const test_ = fc.oneof(
    fc.record({ kind: fc.constant('compare' as const), operator, literal }),
    fc.record({ kind: fc.constant('compare-field' as const), operator, other }),
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
      .tuple(path, fc.subarray([...FOLDS]))
      .map(([path, folds]) => ({ name: path.join('.'), path, folds, start: 0, end: 0 })),
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

  test('find the same nodes', () => {
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
    // Most random queries name missing fields; this checks that enough others remain.
    expect([fitting > 500, nodes > 500]).toEqual([true, true]);
  });
});

function fromEntries(pairs: readonly (readonly [string, Json])[]): JsonObject {
  return JSON.parse(`{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`);
}

/** The truth tables, with undefined for unknown. */
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
      const values = reached([body], query.field.path);
      if (query.test.kind === 'null') return values.length === 0;
      if (values.length === 0) return undefined;
      if (query.test.kind === 'compare-field') {
        const others = reached([body], query.test.other.path);
        return others.length === 0 ? undefined : values.some((value) => holdsAny(value, query, others));
      }
      return values.some((value) => holds(value, query.test, query.field.folds));
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

/** Whether a comparison of fields is true for a value of the first field and any value of the other. */
function holdsAny(value: Json, { field, test }: Condition, others: readonly Json[]): boolean {
  if (test.kind !== 'compare-field') return false;
  return others.some((other) => {
    if (typeof other === 'object') return false;
    const literal = { value: other, start: 0, end: 0 };
    return holds(value, { kind: 'compare', operator: test.operator, literal }, field.folds);
  });
}

function holds(value: Json, test: Test, folds: readonly Fold[]): boolean {
  if (value === null || typeof value === 'object') return false;
  const fold = (each: string | number | boolean) => {
    if (typeof each !== 'string') return each;
    const text = folds.includes('casei') ? each.toLowerCase() : each;
    return folds.includes('accenti') ? text.replaceAll('é', 'e') : text;
  };
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
    case 'compare-field':
    case 'null':
      return false;
    default:
      return test satisfies never;
  }
}
