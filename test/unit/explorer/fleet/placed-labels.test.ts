/** Labels on the map never overlap. */
import { expect, test } from 'vitest';
import { placedLabels } from '../../../../src/explorer/fleet/placed-labels.ts';

const ROOM = { width: 400, height: 160 };
const dot = (name: string, x: number, y = 80) => ({ uid: name, name, x, y, radius: 5 });

test('a label is right of its point, or left of it at the edge', () => {
  expect(placedLabels([dot('north', 100), dot('south', 380)], ROOM)).toEqual([
    { text: 'north', anchor: 'start', x: 108, y: 84 },
    { text: 'south', anchor: 'end', x: 372, y: 84 },
  ]);
});

test('a label moves away from another point', () => {
  const [first] = placedLabels([dot('north', 100), dot('south', 120)], ROOM);
  expect(first).toEqual({ text: 'north', anchor: 'end', x: 92, y: 84 });
});

test('points at one place share a label, or are counted if the labels are too long', () => {
  const near = [dot('north', 100), dot('south', 103, 82)];
  expect(placedLabels(near, ROOM).map(({ text }) => text)).toEqual(['north, south']);
  expect(placedLabels(near, { width: 150, height: 160 }).map(({ text }) => text)).toEqual(['2 sites']);
});
