import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patch } from '../../../../src/core/model/differences/patch.ts';
import { bodyDigest } from '../../../../src/core/model/digest.ts';
import { KINDS } from '../../../../src/core/model/kinds.ts';
import { fileReader, updateIn } from '../../../../src/features/import/file-reader.ts';

/** Few keys and values, so that fields are often the same, or differ in the order of keys alone. */
const FIELD = fc.oneof(
  fc.constantFrom(0, -0, 1, '1', null, true, 'é'),
  fc.array(fc.constantFrom(0, 1, 'a'), { maxLength: 2 }),
  fc
    .constantFrom('{"a":1,"b":[2]}', '{"b":[2],"a":1}', '{"a":1}', '{"a":{"c":1,"b":2}}', '{"a":{"b":2,"c":1}}')
    .map((text): unknown => JSON.parse(text)),
);
const BODIES = fc.array(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', '__proto__', '1'), FIELD), { maxLength: 4 }), {
  minLength: 1,
  maxLength: 8,
});

const file = (text: string) => ({
  path: 'data/g/sites/x/x.json',
  subject: 'sites/x',
  blob: { bytes: Buffer.from(text) },
});

test('bodies that share values with others before them have the texts and digests that they have by themselves', () => {
  fc.assert(
    fc.property(BODIES, (bodies) => {
      const read = fileReader(KINDS);
      let before: string | undefined;
      for (const fields of bodies) {
        const text = JSON.stringify({ type: 'site', uid: 'x', ...Object.fromEntries(fields) });
        const said = read([file(text)]);
        const body = said[0]?.[0]?.read;
        const digest = bodyDigest(JSON.parse(text));
        expect(body).toMatchObject({ json: text, digest, oddities: [] });
        const isSame = before === undefined || bodyDigest(JSON.parse(before)) === digest;
        expect(body?.update === undefined).toBe(isSame);
        if (body?.update && before !== undefined) {
          const { fields: changed, isInPlace } = updateIn(body.update);
          const patched = patch(JSON.parse(before), changed);
          if (patched.conflict) throw new Error(`it does not fit at ${patched.conflict.change.at}`);
          expect(bodyDigest(patched.body)).toBe(digest);
          if (isInPlace) expect(JSON.stringify(patched.body)).toBe(text);
        }
        before = text;
      }
    }),
  );
});
