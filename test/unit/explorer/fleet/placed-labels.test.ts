/** Names on the map: none covers another. */
import { expect, test } from 'vitest';
import { placedLabels } from '../../../../src/explorer/fleet/placed-labels.ts';

const ROOM = { width: 400, height: 160 };
const dot = (name: string, x: number, y = 80) => ({ uid: name, name, x, y });

test('a name stands on the right of its point, or on the left where the frame ends', () => {
  expect(placedLabels([dot('north', 100), dot('south', 380)], ROOM)).toEqual([
    { text: 'north', anchor: 'start', x: 108, y: 84 },
    { text: 'south', anchor: 'end', x: 372, y: 84 },
  ]);
});

test('a name makes way for a point', () => {
  const [first] = placedLabels([dot('north', 100), dot('south', 120)], ROOM);
  expect(first).toEqual({ text: 'north', anchor: 'end', x: 92, y: 84 });
});

test('points on each other share a name, or are counted where their names are too long', () => {
  const near = [dot('north', 100), dot('south', 103, 82)];
  expect(placedLabels(near, ROOM).map(({ text }) => text)).toEqual(['north, south']);
  expect(placedLabels(near, { width: 150, height: 160 }).map(({ text }) => text)).toEqual(['2 sites']);
});
