import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldwiseBodies, wholeTexts } from '../../../../../src/core/history/bodies/body-fields.ts';
import { difference } from '../../../../../src/core/model/differences/difference.ts';
import { patch } from '../../../../../src/core/model/differences/patch.ts';
import { fieldRules } from '../../../../../src/core/model/field-classes.ts';
import { canonicalJson } from '../../../../../src/core/model/json.ts';
import { NODE } from '../../../../../src/core/model/kinds.ts';
import { jsonObject, partsObject, smallObject } from '../../../../support/values/arbitraries.ts';

test.each([
  ['bodies that have much in common', smallObject],
  ['any bodies', jsonObject],
  ['nodes whose parts come, go and change places', partsObject],
])('are changed as whole bodies are: %s', (_, bodies) => {
  fc.assert(
    fc.property(fc.array(bodies, { minLength: 2, maxLength: 8 }), (versions) => {
      const fieldwise = fieldwiseBodies();
      let body = versions[0] ?? {};
      let fields = fieldwise.of(body);
      for (const version of versions.slice(1)) {
        const changes = difference(body, version, fieldRules(NODE));
        const patched = patch(body, changes);
        const after = fieldwise.patched(fields, changes);
        if (patched.conflict || !after) throw new Error('a difference fits the body that it was taken of');
        ({ body } = patched);
        fields = after;
        expect(wholeTexts(fields)).toEqual({ json: JSON.stringify(body), canonical: canonicalJson(body) });
      }
    }),
    { numRuns: 200 },
  );
});

test('keep the texts of what a change leaves alone', () => {
  const fieldwise = fieldwiseBodies();
  const before = fieldwise.of({ cpu: { cores: 8 }, ram: 16, disks: ['sda'] });
  const after = fieldwise.patched(before, [{ at: '/ram', from: 16, to: 32 }]);
  expect(after?.texts.map((texts, i) => texts === before.texts[i])).toEqual([true, false, true]);
});

test('take a field away and put it in again behind all others', () => {
  const fieldwise = fieldwiseBodies();
  const changes = [
    { at: '/a', from: 1 },
    { at: '/a', to: 2 },
  ];
  const after = fieldwise.patched(fieldwise.of({ a: 1, b: 1 }), changes);
  expect(after && wholeTexts(after).json).toBe('{"b":1,"a":2}');
});

test.each([
  ['a field that is another', { at: '/a', from: 2, to: 3 }],
  ['a field that is not there', { at: '/b', from: 2, to: 3 }],
  ['a new field that is there', { at: '/a', to: 3 }],
  ['the body itself', { at: '', from: 1, to: 2 }],
])('are not changed in %s', (_, change) => {
  const fieldwise = fieldwiseBodies();
  expect(fieldwise.patched(fieldwise.of({ a: 1 }), [change])).toBeUndefined();
});
