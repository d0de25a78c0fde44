import { describe, expect, test } from 'vitest';
import { isPlaceholder, placeholders } from '../../../../../src/core/registry/fleet/placeholders.ts';
import { fleetOf, formatFact } from '../../../../support/values/fleet.ts';

describe('isPlaceholder', () => {
  test.each([
    ...['', ' ', '-', '--', '???', 'N/A', 'na', 'None', 'null', 'UNKNOWN', '<unknown>', '(none)', '[empty]'],
    ...['To be filled by O.E.M.', 'To Be Filled By OEM', 'Default string', 'Not Specified', 'No Asset Tag'],
    ...['System Serial Number', 'SerialNumber', 'Base Board Serial Number', 'System Product Name', 'XXXX'],
  ])('accepts %j in any field', (text) => {
    expect(isPlaceholder(text)).toBe(true);
  });

  test.each(['0', '00000000', '0x0000000000000000', '00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff', '0123456789'])(
    'accepts %j only in fields of parts',
    (text) => {
      expect([isPlaceholder(text), isPlaceholder(text, true)]).toEqual([false, true]);
    },
  );

  test.each([...['A', 'x1', 'XX', 'Nonesuch', 'unknown-7', 'FC430', '0001', 'f0', '1234', 'SN', 7, true, null]])(
    'rejects %j',
    (value) => {
      expect(isPlaceholder(value, true)).toBe(false);
    },
  );

  test('accepts the number 0 only in fields of parts', () => {
    expect([isPlaceholder(0), isPlaceholder(0, true)]).toEqual([false, true]);
  });
});

test('a field with the same text is one finding for all nodes that have it', () => {
  const body = (serial: string, name: string) => ({ chassis: { serial, name }, admin_note: 'none' });
  const fleet = fleetOf({ n1: body('-', 'None'), n2: body('S2', 'R650'), n3: body('-', 'R650'), n4: body('', 'A') });
  expect(placeholders(fleet).map(formatFact)).toEqual([
    { kind: 'placeholder', about: 'n1,n3 chassis.serial', value: '"-"' },
    { kind: 'placeholder', about: 'n4 chassis.serial', value: '""' },
    { kind: 'placeholder', about: 'n1 chassis.name', value: '"None"' },
  ]);
});

test('a node with the same text twice counts once', () => {
  const fleet = fleetOf({ n1: { storage_devices: [{ serial: '' }, { serial: '' }] } });
  expect(placeholders(fleet).map(formatFact)).toEqual([
    { kind: 'placeholder', about: 'n1 storage_devices.serial', value: '""' },
  ]);
});
