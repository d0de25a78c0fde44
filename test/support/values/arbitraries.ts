/** Generators of hostile JSON and text for property tests. */
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import { setOwn } from '../../../src/core/model/json.ts';

// A fixed seed makes failures reproducible.
fc.configureGlobal({ seed: 20260101 });

/** Words that YAML parsers or other programs misread. */
const TRAPS = [
  ...['', ' ', '~', 'null', 'NULL', 'true', 'True', 'yes', 'No', 'on', 'OFF', 'y', 'N', '=', '<<', '-', '?', ':'],
  ...['0', '-0', '007', '0o17', '0b101', '0x5000c500a3f1b6d7', '1_000', '1.10', '2.0', '.5', '5.', '+1', '1e3'],
  ...['22227146E059', '341E42', '1E400', '.nan', '.inf', '-.Inf', 'NaN', 'Infinity', '9007199254740993'],
  ...['2021-04-05', '2001-12-14t21:59:43.10-05:00', '10:20:30:40:50:06', '190:20:30', '1:30', '12:30:45.5'],
  ...['- a', 'a: b', 'a #b', '#a', '[a', '{a', 'a]', '&a', '*a', '!a', '!!str a', '@a', '`a', '%a', '|', '>', '"', "'"],
  ...[
    '---',
    '...',
    '--- a',
    'a\n',
    '\na',
    ' a',
    'a ',
    'a\n\n',
    '\n',
    '\t',
    'a\tb',
    'a\r\nb',
    'a\rb',
    'a\u2028b',
    '\u0085',
  ],
  ...['\ufeff', '\ufeffa', '\u0007', '\0', '\u007f', '\u00a0', 'ä', '漢字', '\ud83d\ude00', '\uffff', '\u200b'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a/b', 'a~b', '~0', '~1', '/', 'x'.repeat(1100)],
];

export const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TRAPS),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...' \n\t-:#,[]{}&*!|>\'"%@`?a0.eE+x_~/\\'), maxLength: 12 }),
);

/** Numbers that a registry supports: integers within 2^53, and fractions of every size. */
const number: fc.Arbitrary<number> = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -20, max: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
);

function objectOf(value: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(text, value), { maxLength: 5 }).map((entries) => {
    const result: Record<string, Json> = {};
    for (const [key, held] of entries) setOwn(result, key, held);
    return result;
  });
}

const { json, object } = fc.letrec<{ json: Json; object: JsonObject }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.oneof(fc.constant(null), fc.boolean(), number, text),
    fc.array(tie('json'), { maxLength: 5 }),
    tie('object'),
  ),
  object: objectOf(tie('json')),
}));

export const jsonValue: fc.Arbitrary<Json> = json;
export const jsonObject: fc.Arbitrary<JsonObject> = object;

/** Few keys and values, so that two objects have much in common. */
export const smallObject: fc.Arbitrary<JsonObject> = fc.letrec<{ json: Json; object: JsonObject }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<Json>(null, false, 0, 1, '', 'a'),
    fc.array(tie('json'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom('a', 'b', '0', '', '__proto__', 'x/y', 'x~y'), tie('json')), { maxLength: 4 })
    .map((entries) => {
      const result: Record<string, Json> = {};
      for (const [key, held] of entries) setOwn(result, key, held);
      return result;
    }),
})).object;

const part: fc.Arbitrary<JsonObject> = fc.record(
  {
    device: fc.constantFrom<Json>('sda', 'sdb', 'sdc', 'sdd', '', null),
    serial: fc.constantFrom<Json>('A', 'B', 'C', null, 7),
    size: fc.constantFrom<Json>(1, 2),
    rev: fc.array(fc.constantFrom<Json>('x', 'y'), { maxLength: 2 }),
    lanes: fc.record({ a: fc.constantFrom(1, 2) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

/** Bodies of nodes with parts that are added, removed, changed and reordered. */
export const partsObject: fc.Arbitrary<JsonObject> = fc.record(
  {
    storage_devices: fc.array(part, { maxLength: 5 }),
    network_adapters: fc.array(part, { maxLength: 4 }),
    gpu: fc.oneof(part, fc.array(part, { maxLength: 3 })),
  },
  { requiredKeys: [] },
);
