import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excerpt, headText, partsOf, readPosition, splitChanges } from '../../../../src/core/history/excerpt.ts';
import {
  type ResourceChange,
  readRevisionFile,
  writeRevisionFile,
} from '../../../../src/core/history/revision-file.ts';
import { difference } from '../../../../src/core/model/differences/difference.ts';
import { fieldRules } from '../../../../src/core/model/field-classes.ts';
import { NODE } from '../../../../src/core/model/kinds.ts';
import { jsonObject, partsObject, text } from '../../../support/values/arbitraries.ts';

const ID = 'a'.repeat(40);
const PARENT = '1'.repeat(40);
const header = (message: string) => ({
  id: ID,
  parents: [PARENT],
  date: '2026-03-01T12:00:00+01:00',
  author: 'Ada',
  message,
  origin: 'git' as const,
  state: '0'.repeat(64),
});

const PATHS = ['', 'sites/a', 'sites/null', 'sites/007', 'sites/a/clusters/~'];
const changesAt = (path: string): fc.Arbitrary<ResourceChange> =>
  fc.oneof(
    fc.record({ action: fc.constant('added' as const), path: fc.constant(path), value: jsonObject }),
    fc.record({ action: fc.constantFrom('removed' as const, 'touched' as const), path: fc.constant(path) }),
    fc
      .tuple(partsObject, partsObject)
      .map(([a, b]) => ({ action: 'updated' as const, path, fields: difference(a, b, fieldRules(NODE)) }))
      .filter(({ fields }) => fields.length > 0),
  );

function read(text: string | undefined) {
  const found = readRevisionFile('r.yaml', Buffer.from(text ?? ''));
  if (found.findings) throw new Error(JSON.stringify(found.findings));
  return found.value;
}

test('an excerpt reads as the revision with only the selected changes', () => {
  const changes = fc
    .subarray(PATHS, { minLength: 1 })
    .chain((paths) => fc.tuple(...paths.map((path) => changesAt(path))));
  fc.assert(
    fc.property(changes, fc.subarray(PATHS, { minLength: 1 }), text, (all, chosen, message) => {
      const whole = { header: header(message.replace(/\n+$/, '')), changes: all };
      const text = writeRevisionFile(whole);
      const wanted = all.filter(({ path }) => chosen.includes(path));
      const part = excerpt(text, (path) => chosen.includes(path));
      expect(JSON.stringify(read(part))).toBe(JSON.stringify({ ...whole, changes: wanted }));
      expect(JSON.stringify(read(headText(text)))).toBe(JSON.stringify({ ...whole, changes: [] }));
      const parts = [...(partsOf(text, 100) ?? [])].map(read);
      expect(JSON.stringify(parts.flatMap(({ changes }) => changes))).toBe(JSON.stringify(all));
      for (const { header } of parts) expect(JSON.stringify(header)).toBe(JSON.stringify(whole.header));
    }),
    { numRuns: 300 },
  );
});

test('changes that are known by their text are the changes that a parser reads', () => {
  const scalars = [
    '',
    'null',
    '~',
    'True',
    '-',
    '-1',
    '-0',
    '1.50',
    '0x1f',
    '1e3',
    'a b',
    'a: b',
    'a #b',
    "it's",
    '"',
    '\\',
    'é',
    '\t',
  ];
  const value = fc.oneof(
    jsonObject,
    fc.constantFrom(...scalars),
    fc.integer(),
    fc.double({ noNaN: true }),
    fc.constant(null),
  );
  const fields = fc.array(fc.record({ at: fc.constantFrom('/a', '/a~1b/0', '/x y'), from: value, to: value }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(fc.constantFrom(...PATHS), fields, fc.boolean(), (path, all, isPlain) => {
      const written = writeRevisionFile({ header: header('x'), changes: [{ action: 'updated', path, fields: all }] });
      // Without quotes, some values are no strings, or the file is invalid.
      const text = isPlain ? written.replaceAll(/(?<=(?:from|to): )"([^"\\\n]*)"/g, '$1') : written;
      const split = splitChanges(text);
      const whole = readRevisionFile('r.yaml', Buffer.from(text));
      const parsed = whole.findings ? undefined : whole.value.changes;
      if (split && split.known.length > 0) expect(split.known).toEqual(parsed);
    }),
    { numRuns: 500 },
  );
  const simple = [
    {
      action: 'updated' as const,
      path: 'sites/a',
      fields: [
        { at: '/a', from: '007', to: 7 },
        { at: '/b', to: null },
      ],
    },
  ];
  const text = writeRevisionFile({ header: header('x'), changes: simple });
  expect(splitChanges(text)).toEqual({ known: simple, rest: headText(text) });
});

test('a revision without changes is its own excerpt', () => {
  const whole = writeRevisionFile({ header: header('Nothing'), changes: [] });
  expect(excerpt(whole, () => true)).toBe(whole);
});

describe('excerpt returns undefined for', () => {
  const SOURCE = `id: ${ID}\ndate: "2026-03-01T12:00:00Z"\nchanges:\n  - removed: sites/a\n  - added: sites/b\n    value: {}\n`;
  test.each([
    ['another indentation', '  - removed: sites/a', '  -  removed: sites/a'],
    ['another order of keys', '  - added: sites/b\n    value: {}', '  - value: {}\n    added: sites/b'],
    ['a path in quotes', 'removed: sites/a', 'removed: "sites/a"'],
    ['a comment', '  - removed: sites/a', '  - removed: sites/a # gone'],
    ['an unindented comment', '  - added', '# here\n  - added'],
    ['a key after the changes', 'value: {}\n', 'value: {}\nmessage: x\n'],
    ['a list on one line', /changes:[\s\S]*$/, 'changes: [{removed: sites/a}]\n'],
    ['an unclosed text', '{}\n', '{}'],
    ['carriage returns', /\n/g, '\r\n'],
  ])('%s', (_, from, to) => {
    expect(excerpt(SOURCE, () => true)).toBe(SOURCE);
    expect(excerpt(SOURCE.replace(from, to), () => true)).toBeUndefined();
  });
});

describe('placedOf', () => {
  test('reads the identifier, the parents and the date', () => {
    const { id, parents, date } = header('x');
    expect(readPosition(writeRevisionFile({ header: header('x'), changes: [] }))).toEqual({ id, parents, date });
    expect(readPosition(`# schema\nid: "${'1'.repeat(40)}"\ndate: 2026-03-01T12:00:00Z\nauthor`)).toEqual({
      id: '1'.repeat(40),
      parents: [],
      date: '2026-03-01T12:00:00Z',
    });
  });

  test.each([
    `date: "2026-03-01T12:00:00Z"\nid: ${ID}\n`,
    `id: ${ID}\nparents: [${PARENT}]\ndate: "2026-03-01T12:00:00Z"\n`,
    `id: ${ID}\ndate: "2026-02-30T12:00:00Z"\n`,
    `id: ${ID.slice(1)}\ndate: "2026-03-01T12:00:00Z"\n`,
  ])('returns undefined for another layout: %j', (beginning) => {
    expect(readPosition(beginning)).toBeUndefined();
  });
});
