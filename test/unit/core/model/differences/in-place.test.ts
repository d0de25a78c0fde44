import fc from 'fast-check';
import { expect, test } from 'vitest';
import { difference } from '../../../../../src/core/model/differences/difference.ts';
import { isInPlace } from '../../../../../src/core/model/differences/in-place.ts';
import { patch } from '../../../../../src/core/model/differences/patch.ts';
import { fieldRules } from '../../../../../src/core/model/field-classes.ts';
import type { JsonObject } from '../../../../../src/core/model/json.ts';
import { NODE } from '../../../../../src/core/model/kinds.ts';

const rule = fieldRules(NODE);
const isSo = (before: JsonObject, after: JsonObject) => isInPlace(before, after, difference(before, after, rule));

const NODE_BODY = { bios: { vendor: 'A', version: '1' }, storage_devices: [{ device: 'sda' }, { device: 'sdb' }] };

test.each<[string, JsonObject, boolean]>([
  ['nothing that differs', NODE_BODY, true],
  ['another value', { ...NODE_BODY, bios: { vendor: 'A', version: '2' } }, true],
  ['a value of another form', { ...NODE_BODY, bios: ['2'] }, true],
  ['another order of fields', { ...NODE_BODY, bios: { version: '2', vendor: 'A' } }, false],
  ['another order of items', { ...NODE_BODY, storage_devices: NODE_BODY.storage_devices.toReversed() }, false],
  ['a field more', { ...NODE_BODY, note: 'x' }, false],
  ['a field less', { bios: NODE_BODY.bios }, false],
  ['an item more', { ...NODE_BODY, storage_devices: [...NODE_BODY.storage_devices, {}] }, false],
])('%s', (_, after, expected) => {
  expect(isSo(NODE_BODY, after)).toBe(expected);
});

test('what is in place, a patch makes to the letter', () => {
  const values = fc.letrec((tie) => ({
    value: fc.oneof(fc.constantFrom(1, 2, 'a', null), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 2 }),
    object: fc.dictionary(fc.constantFrom('device', 'serial', 'x', '1'), tie('value'), { maxKeys: 3 }),
  }));
  const bodies = fc
    .dictionary(fc.constantFrom('bios', 'storage_devices', 'x'), values.value, { maxKeys: 3 })
    .map((body): JsonObject => JSON.parse(JSON.stringify(body)));
  let met = 0;
  fc.assert(
    fc.property(bodies, bodies, (before, after) => {
      const fields = difference(before, after, rule);
      if (fields.length === 0 || !isInPlace(before, after, fields)) return;
      met++;
      expect(JSON.stringify(patch(before, fields))).toBe(JSON.stringify({ body: after }));
    }),
    { numRuns: 5000 },
  );
  expect(met).toBeGreaterThan(100);
});
