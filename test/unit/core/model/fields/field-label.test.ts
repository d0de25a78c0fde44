import { expect, test } from 'vitest';
import type { FieldChange } from '../../../../../src/core/model/differences/difference.ts';
import { fieldRules } from '../../../../../src/core/model/field-classes.ts';
import { fieldLabel } from '../../../../../src/core/model/fields/differing-fields.ts';
import { NODE } from '../../../../../src/core/model/kinds.ts';

const before = {
  storage_devices: [{ device: 'sda' }, { serial: 'S1' }, { size: 5 }],
  ports: [{ device: 'eth0' }],
  'a/b': 1,
};
const after = { storage_devices: [{ device: 'nvme0' }, ...before.storage_devices], ports: before.ports };

test.each<[FieldChange, string]>([
  [{ at: '/storage_devices/0/rev', from: '1', to: '2' }, 'storage_devices[sda].rev'],
  [{ at: '/storage_devices/1/size', from: 1, to: 2 }, 'storage_devices[S1].size'],
  [{ at: '/storage_devices/2/size', from: 5, to: 6 }, 'storage_devices[2].size'],
  // A new part is looked up in the new body.
  [{ at: '/storage_devices/0', to: { device: 'nvme0' } }, 'storage_devices[nvme0]'],
  [{ at: '/storage_devices/1/rev', to: '1' }, 'storage_devices[sda].rev'],
  [{ at: '/storage_devices', order: [1, 0] }, 'storage_devices'],
  // No rule has keys for the items of unknown fields.
  [{ at: '/ports/0/rate', from: 1, to: 2 }, 'ports[0].rate'],
  [{ at: '/a~1b', from: 1 }, 'a/b'],
  [{ at: '/never/was', from: 1 }, 'never.was'],
])('the label of %j is %s', (change, label) => {
  expect(fieldLabel(change, before, after, fieldRules(NODE))).toBe(label);
});
