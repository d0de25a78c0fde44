import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SortedMap } from '../../../../src/core/model/sorted-map.ts';
import {
  editState,
  membersOf,
  type RegistryState,
  resourceAt,
  resourcesIn,
  type StateEdit,
  sharedState,
  stateDifference,
} from '../../../../src/core/model/state.ts';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function put(path: string, digest: string): StateEdit {
  return { path, body: { handle: 0, digest } };
}

function remove(path: string): StateEdit {
  return { path, body: null };
}

const TINY = editState(null, [
  put('sites/vega', 'V'),
  put('sites/lyra/clusters/main', 'C'),
  put('sites/lyra', 'L'),
  put('sites/lyra/flavors/m1', 'M'),
  put('', 'G'),
]);

function paths(state: RegistryState): string[] {
  return [...resourcesIn(state)].map(([path]) => path);
}

describe('the digest of a state', () => {
  test('covers a resource and its descendants, in code-unit order', () => {
    const cluster = sha256('C');
    const flavor = sha256('M');
    const lyra = sha256(`L\nclusters\nmain ${cluster}\nflavors\nm1 ${flavor}`);
    const vega = sha256('V');
    expect(TINY?.digest).toBe(sha256(`G\nsites\nlyra ${lyra}\nvega ${vega}`));
  });

  test('is independent of the edits that led to the state', () => {
    const longer = editState(
      editState(editState(TINY, [put('sites/atlas', 'A'), put('sites/vega', 'W')]), [remove('sites/vega')]),
      [remove('sites/atlas'), put('sites/vega', 'V')],
    );
    expect(longer?.digest).toBe(TINY?.digest);
  });

  test('omits empty collections', () => {
    const without = editState(TINY, [remove('sites/lyra/flavors/m1')]);
    expect([...(resourceAt(without, 'sites/lyra')?.collections.keys() ?? [])]).toEqual(['clusters']);
  });
});

describe('editState', () => {
  test('shares unchanged parts with the old state', () => {
    const after = editState(TINY, [put('sites/vega', 'W')]);
    expect(resourceAt(after, 'sites/lyra')).toBe(resourceAt(TINY, 'sites/lyra'));
    expect(resourceAt(TINY, 'sites/vega')?.body.digest).toBe('V');
  });

  test('removes a resource with its descendants, and finally the grid', () => {
    const site = [remove('sites/lyra'), remove('sites/lyra/clusters/main'), remove('sites/lyra/flavors/m1')];
    expect(paths(editState(TINY, site))).toEqual(['', 'sites/vega']);
    expect(editState(TINY, [...site, remove('sites/vega'), remove('')])).toBeNull();
  });

  test('treats "__proto__" as an ordinary path segment', () => {
    const state = editState(TINY, [put('sites/__proto__', 'P')]);
    expect(paths(state)).toContain('sites/__proto__');
    expect(Object.hasOwn(Object.prototype, 'body')).toBe(false);
  });
});

test('resourcesIn lists parents before children, in code-unit order', () => {
  expect(paths(TINY)).toEqual([
    ...['', 'sites/lyra', 'sites/lyra/clusters/main', 'sites/lyra/flavors/m1', 'sites/vega'],
  ]);
  expect(paths(null)).toEqual([]);
});

test.each([
  ['', 'G'],
  ['sites/lyra/clusters/main', 'C'],
  ['sites/atlas', undefined],
  ['sites/atlas/clusters/main', undefined],
  ['sites/lyra/clusters/main/nodes/n1', undefined],
])('resourceAt(%j) is correct', (path, digest) => {
  expect(resourceAt(TINY, path)?.body.digest).toBe(digest);
});

test('membersOf a missing collection is empty', () => {
  const vega = resourceAt(TINY, 'sites/vega');
  expect(vega && membersOf(vega, 'clusters')).toBe(SortedMap.empty());
});

describe('stateDifference', () => {
  test('equals a comparison of all bodies, for any two states', () => {
    const site = fc.constantFrom('a', 'b', 'c');
    const edit = fc.tuple(
      fc.oneof(
        site.map((s) => `sites/${s}`),
        fc.tuple(site, site).map(([s, c]) => `sites/${s}/clusters/${c}`),
        fc.tuple(site, site).map(([s, f]) => `sites/${s}/flavors/${f}`),
      ),
      fc.constantFrom('1', '2'),
    );
    const bodies = fc.array(edit, { maxLength: 8 }).map((edits) => {
      const all = new Map([['', '0']]);
      for (const [path, digest] of edits) {
        const holder = path.split('/').slice(0, 2).join('/');
        if (!all.has(holder)) all.set(holder, '0');
        all.set(path, digest);
      }
      return all;
    });
    const stateOf = (all: ReadonlyMap<string, string>) =>
      editState(
        null,
        [...all].map(([path, d]) => put(path, d)),
      );
    fc.assert(
      fc.property(bodies, bodies, (a, b) => {
        const found = [...stateDifference(stateOf(a), stateOf(b))].map(({ path, before, after }) => {
          return [path, before?.body.digest, after?.body.digest];
        });
        const differing = [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
        expect(found.sort()).toEqual(differing.map((path) => [path, a.get(path), b.get(path)]).sort());
      }),
    );
  });

  test('lists everything if one of the states is empty', () => {
    expect([...stateDifference(null, TINY)].map(({ path }) => path)).toEqual(paths(TINY));
    expect([...stateDifference(TINY, null)].map(({ path, after }) => [path, after])).toEqual(
      paths(TINY).map((path) => [path, undefined]),
    );
    expect([...stateDifference(null, null)]).toEqual([]);
  });
});

describe('sharedState', () => {
  const body = (path: string, handle: number): StateEdit => ({ path, body: { handle, digest: `d${handle}` } });
  const edits = [
    body('', 0),
    body('sites/a', 1),
    body('sites/a/clusters/c', 2),
    body('sites/a/clusters/c/nodes/n', 3),
    body('sites/b', 4),
  ];
  const other = editState(null, edits);

  test('returns the other state if all bodies are equal', () => {
    expect(sharedState(editState(null, edits), other)).toBe(other);
  });

  test.each([
    ['a changed body', [body('sites/a/clusters/c', 9)], ['sites/a/clusters/c/nodes/n', 'sites/b']],
    ['an added resource', [body('sites/a/clusters/c/nodes/m', 9)], ['sites/a/clusters/c/nodes/n', 'sites/b']],
    ['a removed resource', [{ path: 'sites/a/clusters/c/nodes/n', body: null }], ['sites/b']],
    ['an added collection', [body('sites/b/flavors/f', 9)], ['sites/a', 'sites/a/clusters/c']],
  ])('keeps its own values and shares parts unchanged by %s', (_, changed, same) => {
    const own = editState(editState(null, edits), changed);
    const shared = sharedState(own, other);
    expect(
      [...resourcesIn(shared)].map(
        ([
          path,
          {
            body: { handle },
          },
        ]) => [path, handle],
      ),
    ).toEqual(
      [...resourcesIn(own)].map(
        ([
          path,
          {
            body: { handle },
          },
        ]) => [path, handle],
      ),
    );
    expect(shared?.digest).toBe(own?.digest);
    const ofOther = [...resourcesIn(shared)].filter(([path, each]) => each === resourceAt(other, path));
    expect(ofOther.map(([path]) => path)).toEqual(expect.arrayContaining(same));
    expect(shared).not.toBe(other);
  });

  test('returns its argument if there is no other state', () => {
    expect([sharedState(other, null), sharedState(null, other)]).toEqual([other, null]);
  });
});
