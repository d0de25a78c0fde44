import { expect, test } from 'vitest';
import { memoryStore } from '../../../../../src/core/model/body-store.ts';
import { placeOfFact } from '../../../../../src/core/registry/fleet/findings.ts';

test('the file of a node is read once for many facts', () => {
  const text = '{"type": "node", "uid": "n", "storage_devices": [{"serial": "a"}, {"serial": "b"}]}';
  const store = memoryStore();
  const path = 'sites/lyra/clusters/main/nodes/n';
  const node = { path, uid: 'n', name: 'n', site: 'lyra', nodeType: undefined, handle: store.put(text) };
  let reads = 0;
  const read = () => {
    reads++;
    return Buffer.from(text);
  };
  const placeOf = placeOfFact({ name: '', files: [], read, sizeOf: () => text.length }, store);
  const columns = ['a', 'b'].map((serial) => {
    const kind = { check: 'shared', kind: 'shared', value: serial } as const;
    const field = ['storage_devices', 'serial'];
    return placeOf({ ...kind, field, members: [node], isReportedValue: (value) => value === serial }, node).column;
  });
  expect(columns).toEqual([text.indexOf('"a"') + 1, text.indexOf('"b"') + 1]);
  expect(reads).toBe(1);
});
