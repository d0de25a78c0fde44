import { expect, test } from 'vitest';
import { labelSteps } from '../../../../src/core/lock/label-steps.ts';
import type { Step } from '../../../../src/core/lock/node-source.ts';
import type { FieldChange } from '../../../../src/core/model/differences/difference.ts';

const step = (action: Step['action'], ...fields: FieldChange[]): Step => ({
  revision: 'r',
  date: '2026-01-02T00:00:00Z',
  author: 'Ada Brown',
  message: 'Change',
  classes: [],
  action,
  fields,
});
const labels = (steps: readonly Step[]) => steps.map(({ fields }) => fields.map(({ field }) => field));

const BEFORE = { storage_devices: [{ device: 'sda', serial: 'A' }, { device: 'sdb' }] };
/** Newest first. The second change moves `sdb` to the first position. */
const STEPS = [
  step('updated', { at: '/storage_devices/0/serial', to: 'C' }),
  step('updated', { at: '/storage_devices/0', from: { device: 'sda', serial: 'B' } }),
  step('updated', { at: '/storage_devices/0/serial', from: 'A', to: 'B' }, { at: '/bios', to: { version: '1' } }),
];

test('fields are labelled by the parts that they had in each step', () => {
  const labelled = labelSteps({ before: BEFORE, steps: STEPS, omitted: 0 });
  expect(labels(labelled)).toEqual([
    ['storage_devices[sdb].serial'],
    ['storage_devices[sda]'],
    ['storage_devices[sda].serial', 'bios'],
  ]);
  expect(labelled[0]).toMatchObject({ revision: 'r', fields: [{ at: '/storage_devices/0/serial', to: 'C' }] });
});

test('fields have no labels if the body is unknown', () => {
  expect(labelSteps({ before: undefined, steps: STEPS, omitted: 0 })).toEqual(STEPS);
  expect(labelSteps({ before: BEFORE, steps: STEPS, omitted: 1 })).toEqual(STEPS);
  const added = [STEPS[0] ?? step('updated'), step('added'), step('removed'), STEPS[2] ?? step('updated')];
  expect(labels(labelSteps({ before: BEFORE, steps: added, omitted: 0 }))).toEqual([
    [undefined],
    [],
    [],
    ['storage_devices[sda].serial', 'bios'],
  ]);
  const other = { storage_devices: [{ device: 'sda', serial: 'Z' }] };
  expect(labels(labelSteps({ before: other, steps: STEPS, omitted: 0 }))).toEqual([
    [undefined],
    [undefined],
    [undefined, undefined],
  ]);
});
