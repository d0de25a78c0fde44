/** Random alterations of valid input: bytes, and values in JSON. */
import { isJsonObject, type Json, parsedJson } from '../../src/core/model/json.ts';
import type { Random } from '../support/values/random.ts';

/** Tokens that parsers often mishandle. */
const TOKENS = [
  ...['\0', '\r', '\n', '\t', '\ufeff', '\u202e', '\u2028', '\ud800', '\u001b[2J', '\u0085', 'é', '😀'],
  ...[
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    ':',
    ': ',
    '- ',
    '? ',
    '#',
    ' #',
    '|',
    '>-',
    '&a ',
    '*a',
    '!!str ',
    '<<: *a',
    '---\n',
    '...\n',
  ],
  ...[
    'null',
    '~',
    'true',
    'yes',
    '0x1f',
    '1e999',
    '-0',
    '.inf',
    '.nan',
    '9007199254740993',
    '1_000',
    '2026-01-01',
    '12:30:45',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'length',
    '../',
    '/',
    '//',
    '.',
    '..',
    '%2e%2e%2f',
    '\\',
    '~0',
    '~1',
    'x'.repeat(300),
  ],
  ...[
    'type',
    'uid',
    'links',
    'items',
    'documents',
    'claim',
    'seal',
    'digest',
    '"alias_of":',
    ',"claim":{',
    '}\n',
    '\\u0000',
  ],
] as const;

const DEEP = 400;

/** Makes one to three alterations of bytes. */
export function alteredBytes(bytes: Uint8Array, chance: Random): Buffer {
  let altered: Buffer = Buffer.from(bytes);
  for (let left = 1 + chance.below(3); left > 0; left--) altered = alteredOnce(altered, chance);
  return altered;
}

function alteredOnce(bytes: Buffer, chance: Random): Buffer {
  const from = chance.below(bytes.length + 1);
  const to = Math.min(bytes.length, from + 1 + chance.below(chance.chance(0.7) ? 16 : bytes.length + 1));
  const [before, part, after] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)];
  switch (chance.below(8)) {
    case 0:
      return Buffer.concat([before, after]);
    case 1:
      return Buffer.concat([before, part, part, after]);
    case 2:
      return Buffer.from(before);
    case 3:
      return Buffer.concat([before, ...Array<Buffer>(1 + chance.below(DEEP)).fill(part.subarray(0, 40)), after]);
    case 4:
      return Buffer.concat([before, Buffer.from([chance.below(256)]), bytes.subarray(from + 1)]);
    case 5:
      return Buffer.concat([
        before,
        Buffer.from(chance.pick(TOKENS).repeat(1 + chance.below(3))),
        bytes.subarray(from),
      ]);
    case 6:
      return Buffer.concat([before, Buffer.from(chance.pick(TOKENS)), after]);
    default:
      return Buffer.concat([after, part, before]);
  }
}

/** Alters one to three values of a JSON text, or its bytes if it is not JSON. */
export function alteredJson(text: string, chance: Random): string {
  const value = parsedJson(text);
  if (value === undefined || chance.chance(0.2)) return alteredBytes(Buffer.from(text), chance).toString('utf8');
  let altered = value;
  for (let left = 1 + chance.below(3); left > 0; left--) altered = alteredWithin(altered, chance);
  return JSON.stringify(altered);
}

/** Alters one value somewhere inside. */
function alteredWithin(value: Json, chance: Random): Json {
  const isHere = chance.chance(0.15);
  if (!isHere && Array.isArray(value) && value.length > 0) {
    const at = chance.below(value.length);
    return value.map((item: Json, i) => (i === at ? alteredWithin(item, chance) : item));
  }
  if (!isHere && isJsonObject(value) && Object.keys(value).length > 0) {
    const key = chance.pick(Object.keys(value));
    const rest = Object.entries(value).map(([name, item]) => [name, name === key ? alteredWithin(item, chance) : item]);
    if (chance.chance(0.1)) return Object.fromEntries(rest.filter(([name]) => name !== key));
    if (chance.chance(0.1)) return Object.fromEntries([...rest, [chance.pick(TOKENS), oddValue(chance)]]);
    return Object.fromEntries(rest);
  }
  if (typeof value === 'string' && chance.chance(0.5)) return alteredBytes(Buffer.from(value), chance).toString('utf8');
  return oddValue(chance);
}

function oddValue(chance: Random): Json {
  const odd: readonly Json[] = [
    ...[null, true, false, '', 0, -1, 0.5, 1e308, 2 ** 53, {}, [], [[]], [null], { a: {} }],
    ...[chance.pick(TOKENS), Array<Json>(1 + chance.below(DEEP)).fill('x'), { type: 'node', links: [] }],
  ];
  if (chance.chance(0.05)) return nested(chance.below(DEEP));
  return chance.pick(odd);
}

function nested(levels: number): Json {
  let value: Json = 'x';
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
