import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NotInOrder } from '../../../../src/core/history/partial-history.ts';
import {
  type ResourceChange,
  readRevisionText,
  writeRevisionFile,
} from '../../../../src/core/history/revision-file.ts';
import { revisionParts } from '../../../../src/core/history/revision-parts.ts';
import { jsonObject, text } from '../../../support/values/arbitraries.ts';
import { headerOf } from '../../../support/values/headers.ts';

const change: fc.Arbitrary<ResourceChange> = fc.oneof(
  fc.record({
    action: fc.constant('added' as const),
    path: fc.constant('sites/a'),
    value: fc.oneof(jsonObject, fc.record({ changes: fc.array(jsonObject), note: text })),
  }),
  fc.record({ action: fc.constant('removed' as const), path: fc.constant('sites/null') }),
);

/** Some whole lines at a time, as many as the length asks for. */
function* linesOf(source: string, length: number): Generator<string> {
  for (let at = 0; at < source.length; ) {
    const end = source.indexOf('\n', at + length - 1) + 1 || source.length;
    yield source.slice(at, end);
    at = end;
  }
}

test('the parts of a revision file have its header each, and its changes between them', () => {
  const changes = fc.array(change, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(changes, text, fc.integer({ min: 1, max: 400 }), (all, message, length) => {
      const header = { ...headerOf('b: a'), message: message.replace(/\n+$/, '') };
      const source = writeRevisionFile({ header, changes: all });
      // What stands above the changes comes together, as a long file begins with more than that.
      const head = source.indexOf('\nchanges:\n') + '\nchanges:\n'.length;
      const lines = [source.slice(0, head), ...linesOf(source.slice(head), length)];
      const parts = [...revisionParts(lines)].map((part) => {
        const read = readRevisionText('r.yaml', part);
        return read.findings ? expect.fail(JSON.stringify(read.findings)) : read.value;
      });
      for (const part of parts) expect(part.header).toEqual({ ...header, contents: undefined });
      expect(JSON.stringify(parts.flatMap((part) => part.changes))).toBe(JSON.stringify(all));
    }),
    { numRuns: 300 },
  );
});

test('a part is there as soon as the change after it begins', () => {
  const changes = ['a', 'b', 'c'].map((uid): ResourceChange => ({ action: 'removed', path: `sites/${uid}` }));
  const source = writeRevisionFile({ header: headerOf('b: a'), changes });
  const second = source.indexOf('  - removed: sites/b');
  const third = source.indexOf('  - removed: sites/c');
  function* lines() {
    yield source.slice(0, third);
    throw new Error('more was asked for than the first part takes');
  }
  expect(revisionParts(lines()).next().value).toBe(source.slice(0, second));
});

test('what is laid out otherwise is not in order', () => {
  const changes = 'id: x\nchanges:\n  - removed: sites/a\n';
  const more = '  - removed: sites/b\n';
  const laidOut = ['', 'id: x\n', 'id: x\nchanges: []\n', changes.slice('id: x\n'.length)];
  // The document ends, or something else begins: what follows is no change.
  const ended = [`${changes}...\n${more}`, `${changes}---\n${more}`, `${changes}other:\n${more}`];
  for (const source of [...laidOut, ...ended]) expect(() => [...revisionParts([source])], source).toThrow(NotInOrder);
});
