import { expect, test } from 'vitest';
import { newSlots, packed, unpacked } from '../../../../src/features/build/batch-slots.ts';
import type { Batch, RenderedDocument } from '../../../../src/features/build/document-writer.ts';

const SLOT_BYTES = 1 << 22;

function document(url: string, text: string): RenderedDocument {
  return { url, text, type: 'application/json', cache: 'mutable', modified: 1_700_000_000 };
}

function batch(order: number, documents: Batch['documents']): Batch {
  return { order, documents, aliases: [{ url: '/latest', target: '/a', cache: 'mutable' }] };
}

/** A batch with its texts as texts, whatever they are in it. */
function told({ order, documents, aliases }: Batch) {
  const texts = documents.map((each) => ('text' in each ? { ...each, text: Buffer.from(each.text).toString() } : each));
  return { order, documents: texts, aliases };
}

test('batches in different slots come out of them as they were', () => {
  const slots = newSlots(2);
  const first = batch(0, [document('/a', '{"a":"é😀"}'), { url: '/b', line: '{"path":"/b"}' }]);
  const second = batch(1, [document('/c', ''), document('/d', 'd'.repeat(100_000))]);
  const sent = [first, second].map((each, i) => packed(each, slots, i));
  expect(sent.map((each) => each && told(unpacked(each, slots)))).toEqual([told(first), told(second)]);
});

test('a slot holds as many bytes as it has, and no more', () => {
  const slots = newSlots(1);
  const fitting = batch(0, [document('/a', 'a'), document('/b', 'b'.repeat(SLOT_BYTES - 1))]);
  const sent = packed(fitting, slots, 0);
  expect(sent && told(unpacked(sent, slots))).toEqual(told(fitting));
  for (const text of ['b'.repeat(SLOT_BYTES), 'é'.repeat(SLOT_BYTES / 2)])
    expect(packed(batch(0, [document('/a', 'a'), document('/b', text)]), slots, 0)).toBeUndefined();
});

test('what is rendered while it is written is not put into a slot', () => {
  const { text: _, ...said } = document('/a', '');
  expect(packed(batch(0, [{ ...said, parts: () => ['a'] }]), newSlots(1), 0)).toBeUndefined();
});
