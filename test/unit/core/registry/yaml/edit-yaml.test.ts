import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldRules } from '../../../../../src/core/model/field-classes.ts';
import type { JsonObject } from '../../../../../src/core/model/json.ts';
import { NODE } from '../../../../../src/core/model/kinds.ts';
import { editYaml } from '../../../../../src/core/registry/yaml/edit-yaml.ts';
import { readYaml } from '../../../../../src/core/registry/yaml/read-yaml.ts';
import { encodeYaml } from '../../../../../src/core/registry/yaml/write-yaml.ts';
import { smallObject } from '../../../../support/values/arbitraries.ts';

const TEXT = `# the first node
type:   node  # keep
node_name: "lyra-1"
chassis: {serial: A1, name: 'R650'}   # a flow mapping
placement:
    rack: 4     # by the door
    # row: 2
storage_devices:
- size: 100   # system
  model: x
- {size: 200}
note: |
  two
  lines
monitoring:

# the end
`;

function bodyOf(text: string): JsonObject {
  const read = readYaml('node.yaml', text);
  return read.findings ? {} : read.value;
}

const RULE = fieldRules(NODE);

function edited(text: string, change: JsonObject): string | undefined {
  const before = bodyOf(text);
  return editYaml(text, before, { ...before, ...change }, RULE);
}

test.each<[string, JsonObject, readonly [string, string][]]>([
  ['a value', { node_name: 'lyra-2' }, [['"lyra-1"', 'lyra-2']]],
  ['a text that looks like a number', { node_name: '0002' }, [['"lyra-1"', '"0002"']]],
  ['a value inside brackets', { chassis: { serial: 'B: 2', name: 'R650' } }, [['serial: A1', 'serial: "B: 2"']]],
  ['a nested value', { placement: { rack: 5 } }, [['rack: 4 ', 'rack: 5 ']]],
  ['an added field', { placement: { rack: 4, row: 2 } }, [['by the door\n', 'by the door\n    row: 2\n']]],
  ['an added field at the end', { a: { b: 1 } }, [['monitoring:\n', 'monitoring:\na:\n  b: 1\n']]],
  ['an empty value', { monitoring: true }, [['monitoring:', 'monitoring: true']]],
  ['a mapping for an empty value', { monitoring: { a: 1 } }, [['monitoring:\n', 'monitoring:\n  a: 1\n']]],
  ['lines', { note: 'one' }, [['note: |\n  two\n  lines\n', 'note: one\n']]],
  [
    'a longer mapping for a mapping in brackets',
    { chassis: { serial: 'A1', name: 'R650', size: 2 } },
    [["'R650'}", "'R650', size: 2}"]],
  ],
  ['lines for a text', { type: 'a\nb' }, [['type:   node  # keep', 'type: |-  # keep\n  a\n  b']]],
  [
    'items of a list',
    { storage_devices: [{ size: 101, model: 'x' }, { size: 200 }, { size: 300 }] },
    [
      ['100', '101'],
      ['{size: 200}\n', '{size: 200}\n- size: 300\n'],
    ],
  ],
])('changes only %s', (_, change, replaced) => {
  const expected = replaced.reduce((text, [old, now]) => text.replace(old, now), TEXT);
  expect(edited(TEXT, change)).toBe(expected);
  expect(edited(TEXT.replaceAll('\n', '\r'), change)).toBe(expected);
});

test('removes fields with their lines only', () => {
  const { chassis: _, note: __, ...rest } = bodyOf(TEXT);
  const after = { ...rest, storage_devices: [{ model: 'x' }, { size: 200 }] };
  expect(editYaml(TEXT, bodyOf(TEXT), after, RULE)).toBe(
    TEXT.replace(/^chassis.*\n/m, '')
      .replace(/^note: .*\n.*\n.*\n/m, '')
      .replace('size: 100   # system\n  ', ''),
  );
});

test('keeps the comment above the second field of a list item without its first field', () => {
  const text = 'disks:\n  - size: 1 # small\n    # of the vendor\n    model: x\n';
  expect(edited(text, { disks: [{ model: 'x' }] })).toBe('disks:\n  - # of the vendor\n    model: x\n');
});

test.each([
  ['rack: # unknown\n', 'rack: 4 # unknown\n'],
  ['rack:  # unknown\n', 'rack:  4 # unknown\n'],
  ['rack: # unknown', 'rack: 4 # unknown'],
])('fills in an empty value before its comment: %j', (text, expected) => {
  expect(edited(text, { rack: 4 })).toBe(expected);
});

const DISKS = `disks:
  # the first disk
  - size: 1 # slot 0
    note: |
      x
  # a spare
  -
    size: 2
  - {size: 3} # slot 2
  - size: 4
# the end
`;

test.each([
  [[2], ['  -\n    size: 2\n']],
  [[3], ['  - {size: 3} # slot 2\n']],
  [
    [1, 4],
    ['  - size: 1 # slot 0\n    note: |\n      x\n', '  - size: 4\n'],
  ],
])('removes only the lines of removed list items: %j', (sizes, lines) => {
  const items = [{ size: 1, note: 'x\n' }, { size: 2 }, { size: 3 }, { size: 4 }];
  const after = { disks: items.filter(({ size }) => !sizes.includes(size)) };
  const expected = lines.reduce((text, line) => text.replace(line, ''), DISKS);
  expect(editYaml(DISKS, { disks: items }, after, RULE)).toBe(expected);
});

test('rewrites only the list item whose form changes', () => {
  const { disks } = { disks: [{ size: 1, note: 'x\n' }, { size: 2 }, { capacity: 3 }, { size: 4 }] };
  expect(edited(DISKS, { disks })).toBe(DISKS.replace('{size: 3} # slot 2\n', 'capacity: 3 # slot 2\n'));
  const nested = 'disks:\n- - {size: 1} # slot 0\n  - 2 # slot 1\n# end\n';
  expect(edited(nested, { disks: [['a\nb', 2]] })).toBe(
    'disks:\n- - |- # slot 0\n    a\n    b\n  - 2 # slot 1\n# end\n',
  );
});

const DEVICES = `storage_devices: # in slots
  # the system disk
  - device: sda # slot 0
    size: 1
  # warranty until 2030
  - {device: sdb, size: 2}   # slot 1
  - device: sdc # slot 2
    size: 3
# the end
`;
const [SDA, SDB, SDC] = ['sda', 'sdb', 'sdc'].map((device, i) => ({ device, size: i + 1 }));

test.each<[string, readonly JsonObject[], readonly [string, string][]]>([
  [
    'of the disks that stay',
    [{ ...SDB, size: 9 }, { ...SDC }],
    [
      ['  - device: sda # slot 0\n    size: 1\n', ''],
      ['size: 2', 'size: 9'],
    ],
  ],
  [
    'below a new first disk',
    [{ device: 'nvme0', size: 0 }, { ...SDA }, { ...SDB }, { ...SDC }],
    [['slots\n', 'slots\n  - device: nvme0\n    size: 0\n']],
  ],
  [
    'above a new disk',
    [{ ...SDA }, { device: 'sdaa' }, { ...SDB }, { ...SDC }],
    [['size: 1\n', 'size: 1\n  - device: sdaa\n']],
  ],
  [
    'if one disk goes and another comes',
    [{ ...SDB }, { ...SDC }, { device: 'sdd' }],
    [
      ['  - device: sda # slot 0\n    size: 1\n', ''],
      ['size: 3\n', 'size: 3\n  - device: sdd\n'],
    ],
  ],
  ['of a disk with a new name', [{ ...SDA, device: 'nvme0' }, { ...SDB }, { ...SDC }], [['sda', 'nvme0']]],
])('keeps the comments %s', (_, disks, replaced) => {
  const expected = replaced.reduce((text, [old, now]) => text.replace(old, now), DEVICES);
  expect(edited(DEVICES, { storage_devices: disks })).toBe(expected);
});

test('the edited list has the new items and the comments of the items that stay', () => {
  const item = fc.record({ device: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), size: fc.nat(2) });
  const items = fc.uniqueArray(item, { selector: ({ device }) => device, minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(items, items, (before, after) => {
      const lines = before.map(({ device, size }) => `  - device: ${device} # disk ${device}\n    size: ${size}\n`);
      const text = edited(`storage_devices:\n${lines.join('')}`, { storage_devices: after }) ?? '';
      expect(bodyOf(text)).toEqual({ storage_devices: after });
      const devices = after.map(({ device }) => device);
      const staying = before.map(({ device }) => device).filter((device) => devices.includes(device));
      fc.pre(staying.join() === devices.filter((device) => staying.includes(device)).join());
      for (const device of staying) expect(text).toContain(`device: ${device} # disk ${device}\n`);
    }),
  );
});

test('adds to lists and mappings in brackets with their comments', () => {
  const text = 'disks: [\n  {size: 1}, # slot 0\n  {size: 2}, # slot 1\n]\n';
  expect(edited(text, { disks: [{ size: 1, serial: 'A, B' }, { size: 2 }, { size: 3 }] })).toBe(
    'disks: [\n  {size: 1, serial: "A, B"}, # slot 0\n  {size: 2}, {size: 3}, # slot 1\n]\n',
  );
});

test.each([
  ['note: | # kept\n  one\n  two\n', { note: 'one' }, 'note: one # kept\n'],
  ['note: # kept\n', { note: 'a\nb' }, 'note: |- # kept\n  a\n  b\n'],
  ['placement: # kept\n  rack: 4\n', { placement: {} }, 'placement: {} # kept\n'],
  ['disks: # kept\n- 1\n- 2\n', { disks: [] }, 'disks: [] # kept\n'],
])('keeps the comment after a key: %j', (text, change, expected) => {
  expect(edited(text, change)).toBe(expected);
});

test('a text that ends without a newline stays valid', () => {
  expect(edited('type: node', { rack: 1 })).toBe('type: node\nrack: 1\n');
});

test('the edited text has the new values, for any bodies', () => {
  fc.assert(
    fc.property(smallObject, smallObject, fc.boolean(), (one, other, isMerged) => {
      const after = isMerged ? { ...one, ...other } : other;
      expect(bodyOf(editYaml(encodeYaml(one), one, after, RULE) ?? '')).toEqual(after);
    }),
  );
});
