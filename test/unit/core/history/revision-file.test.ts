import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isRecordable,
  type ResourceChange,
  type RevisionFile,
  readRevisionFile,
  writeRevisionFile,
} from '../../../../src/core/history/revision-file.ts';
import { difference } from '../../../../src/core/model/differences/difference.ts';
import { fieldRules } from '../../../../src/core/model/field-classes.ts';
import { NODE } from '../../../../src/core/model/kinds.ts';
import { jsonObject, partsObject, text } from '../../../support/values/arbitraries.ts';

const FIRST: RevisionFile = {
  header: {
    id: '91a3482404be5cf2a77cf1a8a5e24f0bd0a4c6e1',
    parents: [],
    date: '2026-06-26T15:45:12-05:00',
    author: 'Ada Brown',
    message: 'First revision',
    origin: 'recorded',
    state: 'c'.repeat(64),
  },
  changes: [],
};

function revision(header: Partial<RevisionFile['header']>, changes: readonly ResourceChange[] = []): RevisionFile {
  return { header: { ...FIRST.header, ...header }, changes };
}

/** Returns the parsed file, or the codes of its findings. */
function read(source: string): unknown {
  const result = readRevisionFile('history/1.yaml', new TextEncoder().encode(source));
  if (!result.findings) return result.value;
  return result.findings.map(({ args, place }) => [args, `${place?.line}:${place?.column}`]);
}

describe('a revision file', () => {
  test('is readable text', () => {
    const written = writeRevisionFile(
      revision(
        { parents: ['8'.repeat(40), 'a'.repeat(40)], origin: 'git', message: 'Replace a disk\n\n- of lyra-1: 007' },
        [
          { action: 'added', path: '', value: { type: 'grid', uid: 'g' } },
          { action: 'added', path: 'sites/x', value: {} },
          {
            action: 'updated',
            path: 'sites/y',
            fields: [
              { at: '/storage_devices/0/serial', from: '7KD0R2M4', to: '007' },
              { at: '/note', from: null },
              { at: '/long', to: 'x'.repeat(120) },
            ],
          },
          { action: 'removed', path: 'sites/z' },
        ],
      ),
    );
    expect(written).toBe(`id: 91a3482404be5cf2a77cf1a8a5e24f0bd0a4c6e1
parents:
  - "8888888888888888888888888888888888888888"
  - aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
date: "2026-06-26T15:45:12-05:00"
author: Ada Brown
message: |-
  Replace a disk

  - of lyra-1: 007
origin: git
state: sha256:${'c'.repeat(64)}
changes:
  - added: /
    value:
      type: grid
      uid: g
  - added: sites/x
    value: {}
  - updated: sites/y
    fields:
      - {at: /storage_devices/0/serial, from: 7KD0R2M4, to: "007"}
      - {at: /note, from: null}
      - at: /long
        to: ${'x'.repeat(120)}
  - removed: sites/z
`);
  });

  test('has an empty list of changes if there are none, and no parents field for the first revision', () => {
    expect(writeRevisionFile(FIRST)).toBe(`id: 91a3482404be5cf2a77cf1a8a5e24f0bd0a4c6e1
date: "2026-06-26T15:45:12-05:00"
author: Ada Brown
message: First revision
state: sha256:${'c'.repeat(64)}
changes: []
`);
  });

  test.each([
    ['that resembles a list', '[CH-12] Fix: the nodes, all of them'],
    ['that resembles a mapping', 'key: value'],
    ['with a comment', 'Fix # 12 and #13'],
    ['of several lines with CR LF', 'Squash\r\n\r\n* one\r\n* two'],
    ['with tabs', '\tindented\n\tmore\t'],
    ['with leading and trailing spaces', '  padded  '],
    ['with indented lines', 'Subject\n\n    code: here\n  less'],
    ['with an indented first line', '    code\nand text'],
    ['with empty lines and lines of spaces', 'a\n\n\n   \nb'],
    ['in other scripts', 'Größe geändert – 漢字 \ud83d\ude00 \u200b\u2028\u0085'],
    ['with control characters', 'bell \u0007 escape \u001b[31m'],
    ['that is empty', ''],
    ['that is a number', '007'],
    ['that is null', '~'],
    ['that is true', 'yes'],
    ['with the end marker of a document', '...\n---\nx'],
    ['with quotes', `'single' "double" \\ back`],
    ['of 22 kB', Array.from({ length: 400 }, (_, i) => `* change ${i}: "x" [y] {z} - # ${'w'.repeat(30)}`).join('\n')],
  ])('preserves a message %s', (_, message) => {
    const one = revision({ message, author: message });
    expect(read(writeRevisionFile(one))).toEqual(one);
  });

  test('trims only newlines at the end of a message', () => {
    expect(read(writeRevisionFile(revision({ message: 'a\n\n' })))).toEqual(revision({ message: 'a' }));
    expect(read(writeRevisionFile(revision({ message: 'a \r\n' })))).toEqual(revision({ message: 'a \r' }));
  });

  test('preserves any changes', () => {
    const path = fc.constantFrom('', 'sites/a', 'sites/null', 'sites/007', 'sites/a/clusters/~', 'sites/1e3');
    const change: fc.Arbitrary<ResourceChange> = fc.oneof(
      fc.record({ action: fc.constant('added' as const), path, value: jsonObject }),
      fc.record({ action: fc.constant('removed' as const), path }),
      fc.record({ action: fc.constant('removed' as const), path, successor: fc.constantFrom('b', '007', 'null') }),
      fc
        .oneof(fc.tuple(path, jsonObject, jsonObject), fc.tuple(path, partsObject, partsObject))
        .map(([where, a, b]) => ({
          action: 'updated' as const,
          path: where,
          fields: difference(a, b, fieldRules(NODE)),
        }))
        .filter(({ fields }) => fields.length > 0),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), text, text, (changes, message, author) => {
        const one = revision({ message: message.replace(/\n+$/, ''), author }, changes);
        expect(JSON.stringify(read(writeRevisionFile(one)))).toBe(JSON.stringify(one));
      }),
      { numRuns: 500 },
    );
  });
});

describe('readRevisionFile', () => {
  const SOURCE = writeRevisionFile(FIRST);

  test.each<[string, string, string, string]>([
    ['id: 91a3482404be5cf2a77cf1a8a5e24f0bd0a4c6e1', 'id: 5DA0', '"id": expected 40 hexadecimal digits', '1:5'],
    ['id: 91a3482404be5cf2a77cf1a8a5e24f0bd0a4c6e1', 'id: 123', '"id": expected 40 hexadecimal digits', '1:5'],
    ['state: sha256:', 'state: md5:', '"state": expected sha256: and 64 hexadecimal digits', '5:8'],
    ['author: Ada Brown', 'author: [Ada]', '"author": expected a string, found a list', '3:9'],
    ['author: Ada Brown\n', '', '"author": missing; expected a string', '1:1'],
    ['author: Ada', 'auther: x\nauthor: Ada', '"auther": no such field', '3:1'],
    [
      'changes: []',
      'changes: [{removed: a, added: b}]',
      '"changes.0": expected exactly one of added, updated, removed and touched',
      '6:11',
    ],
    ['changes: []', 'changes: [{updated: a, fields: []}]', '"changes.0.fields": expected at least one field', '6:32'],
    ['changes: []', 'changes: [{updated: a}]', '"changes.0": "fields" goes with "updated", and only with it', '6:11'],
    [
      'changes: []',
      'changes: [{updated: a, fields: [{at: /x}]}]',
      '"changes.0.fields.0": expected "from", "to" or both, or "order" alone',
      '6:33',
    ],
    [
      'changes: []',
      'changes: [{updated: a, fields: [{at: x, to: 1}]}]',
      '"changes.0.fields.0.at": expected a JSON pointer such as /bios/version',
      '6:38',
    ],
  ])('reports an error: %s -> %s', (from, to, says, where) => {
    const [field, problem] = [/^"(.*?)": /.exec(says)?.[1], says.replace(/^".*?": /, '')];
    expect(read(SOURCE.replace(from, to))).toEqual([[{ field, problem }, where]]);
  });

  test('accepts a pointer with millions of steps', () => {
    const long = `{updated: a, fields: [{at: "${'/a'.repeat(4_000_000)}~", to: 1}]}`;
    expect(read(SOURCE.replace('changes: []', `changes: [${long}]`))).toEqual([
      [{ field: 'changes.0.fields.0.at', problem: 'expected a JSON pointer such as /bios/version' }, '1:1'],
    ]);
  });

  test('accepts values as people write them by hand', () => {
    const source = `id: 91a3482404be5cf2a77cf1a8a5e24f0bd0a4c6e1
date: 2026-06-26T15:45:12Z
author: 007
message: 12
state: sha256:${'c'.repeat(64)}
changes: [{added: /, value: {type: grid, uid: g}}]
`;
    expect(read(source)).toEqual(
      revision({ date: '2026-06-26T15:45:12Z', author: '007', message: '12' }, [
        { action: 'added', path: '', value: { type: 'grid', uid: 'g' } },
      ]),
    );
  });
});

test.each([
  ['2026-03-01T12:00:00+01:00', true],
  ['2026-03-01T12:00:00Z', true],
  ['2026-03-01T12:00:00', false],
  ['2026-03-01', false],
  ['2026-13-01T12:00:00Z', false],
  ['2026-03-01T24:00:00Z', false],
  ['2026-03-01T25:00:00Z', false],
  ['2026-03-01 12:00:00Z', false],
  ['2026-02-30T12:00:00Z', false],
  ['1969-12-31T23:59:59Z', false],
  ['9999-12-31T23:59:59Z', true],
  ['9999-12-31T23:59:59-01:00', false],
  ['yesterday', false],
])('isRecordable(%j) is correct', (date, is) => {
  expect(isRecordable(date)).toBe(is);
});
