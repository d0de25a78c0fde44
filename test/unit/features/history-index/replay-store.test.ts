import { expect, test } from 'vitest';
import { replayStore } from '../../../../src/features/history-index/replay-store.ts';

const MEGABYTE = 1 << 20;

test('forgets what was not used for long, and reads it from its row', () => {
  const read: number[] = [];
  const store = replayStore((row) => {
    read.push(row);
    return `row ${row}`;
  });
  const handles = Array.from({ length: 70 }, (_, row) => {
    const handle = store.put(String(row % 10).repeat(MEGABYTE));
    store.put('changed fields');
    store.isWritten(handle, row);
    store.forgetOthers();
    store.get(0);
    return handle;
  });
  expect([0, 1, 2, 68, 69].map((row) => store.get(handles[row] ?? -1).slice(0, 5))).toEqual([
    ...['00000', 'row 1', 'row 2', '88888', '99999'],
  ]);
  expect(read).toEqual([1, 2]);
  expect(handles.map(store.rowOf)).toEqual([...handles.keys()]);
});

test('forgets nothing that is in no row yet', () => {
  const store = replayStore(() => 'read');
  const handles = Array.from({ length: 70 }, () => store.put('a'.repeat(MEGABYTE)));
  expect(handles.every((handle) => store.get(handle).length === MEGABYTE)).toBe(true);
});
