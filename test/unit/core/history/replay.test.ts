import { describe, expect, test } from 'vitest';
import { stateDigest } from '../../../../src/core/history/replay.ts';
import type { ResourceChange } from '../../../../src/core/history/revision-file.ts';
import { updateAction } from '../../../../src/core/model/differences/difference.ts';
import { NODE } from '../../../../src/core/model/kinds.ts';
import { recordedId } from '../../../../src/core/model/revision.ts';
import { resourceAt, resourcesIn } from '../../../../src/core/model/state.ts';
import { headerOf, idOf } from '../../../support/values/headers.ts';
import { added, historyOf, removed, replayed, type Step, updated } from '../../../support/values/history.ts';

const START: Step = ['a:', added(''), added('sites/x', { n: 1 }), added('sites/x/flavors/m', { n: 1 })];

/** Returns the findings for a second revision with these changes. */
function findingsFor(...changes: ResourceChange[]): unknown {
  const { history } = historyOf([START]);
  const first = { ...headerOf('a:'), state: stateDigest(history.states[0] ?? null) };
  const { findings } = replayed([START, ['b: a', ...changes]], [first, headerOf('b: a')]);
  return findings.map(({ code, args, place }) => [code, args, place?.file]);
}

describe('replay', () => {
  test('gives the state after every revision, and shares unchanged parts', () => {
    const { history, store } = historyOf([
      START,
      ['b: a', updated('sites/x', 1, 2), added('sites/y', { n: 1 })],
      ['c: b', removed('sites/x/flavors/m'), removed('sites/x')],
      ['d: c'],
    ]);
    const listed = history.states.map((state) =>
      [...resourcesIn(state)].map(([path, { body }]) => `${path} ${store.get(body.handle)}`),
    );
    expect(listed).toEqual([
      [' {}', 'sites/x {"n":1}', 'sites/x/flavors/m {"n":1}'],
      [' {}', 'sites/x {"n":2}', 'sites/x/flavors/m {"n":1}', 'sites/y {"n":1}'],
      [' {}', 'sites/y {"n":1}'],
      [' {}', 'sites/y {"n":1}'],
    ]);
    const shared = history.states.slice(1).map((state) => resourceAt(state ?? null, 'sites/y'));
    expect(new Set(shared).size).toBe(1);
  });

  test('continues from the first parent of a merge', () => {
    const { history, store } = historyOf([
      START,
      ['b: a', updated('sites/x', 1, 2)],
      ['c: a', updated('sites/x', 1, 3)],
      ['d: c b', updated('sites/x', 3, 4)],
    ]);
    const [, x] = [...resourcesIn(history.states[3] ?? null)];
    expect(x && store.get(x[1].body.handle)).toBe('{"n":4}');
  });

  test('lists changes in path order, with the old bodies', () => {
    const { history } = historyOf([START, ['b: a', added('sites/y'), updated('sites/x/flavors/m', 1, 2)]]);
    expect(history.changes[1]?.map(({ path, action }) => [path, action])).toEqual([
      ['sites/x/flavors/m', 'updated'],
      ['sites/y', 'added'],
    ]);
  });

  test('accepts an empty first revision', () => {
    const { history } = historyOf([['a:'], ['b: a', added('')], ['c: b', removed('')]]);
    expect(history.states.map(stateDigest)).toEqual([
      '0'.repeat(64),
      expect.stringMatching(/^[1-9a-f]/),
      '0'.repeat(64),
    ]);
  });

  test.each<[string, ResourceChange[], unknown]>([
    [
      'of a missing resource',
      [updated('sites/y', 1, 2)],
      [['change-not-there', { path: 'sites/y', action: 'updated' }, 'b/changes/0/updated']],
    ],
    [
      'that removes a missing resource',
      [removed('sites/y')],
      [['change-not-there', { path: 'sites/y', action: 'removed' }, 'b/changes/0/removed']],
    ],
    [
      'that adds an existing resource',
      [added('sites/x')],
      [['change-already-there', { path: 'sites/x' }, 'b/changes/0/added']],
    ],
    [
      'with a wrong old value',
      [updated('sites/x', 5, 6)],
      [['change-wrong-from', { path: 'sites/x', at: '/n', stated: '5', found: '1' }, 'b/changes/0/fields/0/from']],
    ],
    [
      'of a missing field',
      [updated('sites/x', 5, 6, 'm')],
      [
        [
          'change-wrong-from',
          { path: 'sites/x', at: '/m', stated: '5', found: 'nothing' },
          'b/changes/0/fields/0/from',
        ],
      ],
    ],
    [
      'without the old value',
      [{ action: 'updated', path: 'sites/x', fields: [{ at: '/n', to: 2 }] }],
      [['change-wrong-from', { path: 'sites/x', at: '/n', stated: 'nothing', found: '1' }, 'b/changes/0/fields/0/at']],
    ],
    [
      'without fields',
      [{ action: 'updated', path: 'sites/x', fields: [{ at: '/a/b', to: 2 }] }],
      [['change-no-place', { path: 'sites/x', at: '/a/b' }, 'b/changes/0/fields/0/at']],
    ],
    [
      'without an effect',
      [{ action: 'updated', path: 'sites/x', fields: [{ at: '/n', from: 1, to: 1 }] }],
      [['change-nothing', { path: 'sites/x' }, 'b/changes/0']],
    ],
    [
      'of the same resource twice',
      [updated('sites/x', 1, 2), updated('sites/x', 2, 3)],
      [['change-twice', { path: 'sites/x' }, 'b/changes/1']],
    ],
    [
      'without a parent',
      [added('sites/y/flavors/m')],
      [['change-no-parent', { path: 'sites/y/flavors/m', parent: 'sites/y' }, 'b/changes/0/added']],
    ],
    [
      'that leaves resources without a parent',
      [removed('sites/x')],
      [['change-no-parent', { path: 'sites/x/flavors/m', parent: 'sites/x' }, 'b/changes/0/removed']],
    ],
    ['of a collection', [removed('sites')], [['revision-path', { path: 'sites' }, 'b/changes/0/removed']]],
    ['of an unknown kind', [added('servers/x')], [['revision-path', { path: 'servers/x' }, 'b/changes/0/added']]],
    [
      'with an additional slash',
      [removed('/sites/x')],
      [['revision-path', { path: '/sites/x' }, 'b/changes/0/removed']],
    ],
    [
      'with a path outside the registry',
      [added('sites/../../etc')],
      [['revision-path', { path: 'sites/../../etc' }, 'b/changes/0/added']],
    ],
    ['with a parent folder in its path', [added('sites/..')], [['uid-reserved', { uid: '..' }, 'b/changes/0/added']]],
    [
      'with a parent folder as uid',
      [added('sites/../flavors/m')],
      [['uid-reserved', { uid: '..' }, 'b/changes/0/added']],
    ],
    ['of "__proto__"', [added('sites/__proto__')], [['uid-reserved', { uid: '__proto__' }, 'b/changes/0/added']]],
    ['with a uid that needs escaping', [added('sites/a b')], [['uid-characters', { uid: 'a b' }, 'b/changes/0/added']]],
    [
      'with an endless uid',
      [added(`sites/${'a'.repeat(129)}`)],
      [['uid-length', { uid: 'a'.repeat(129) }, 'b/changes/0/added']],
    ],
    [
      'and reports another one too',
      [updated('sites/y', 1, 2), added('sites/x')],
      [
        ['change-not-there', { path: 'sites/y', action: 'updated' }, 'b/changes/0/updated'],
        ['change-already-there', { path: 'sites/x' }, 'b/changes/1/added'],
      ],
    ],
  ])('rejects a change %s', (_, changes, findings) => {
    expect(findingsFor(...changes)).toEqual(findings);
    expect(Object.hasOwn(Object.prototype, 'body')).toBe(false);
  });

  test('compares the state with the digest in the revision', () => {
    const stated = 'f'.repeat(64);
    const { findings } = replayed([START], [{ ...headerOf('a:'), state: stated }]);
    const computed = stateDigest(historyOf([START]).history.states[0] ?? null);
    expect(findings).toEqual([
      { code: 'revision-state', args: { id: idOf('a'), stated, computed }, place: { file: 'a/state' } },
    ]);
  });

  test('verifies the identifiers of recorded revisions, but not of imported ones', () => {
    const state = stateDigest(historyOf([START]).history.states[0] ?? null);
    const header = { ...headerOf('a:'), state };
    expect(replayed([START], [header]).findings).toEqual([]);
    expect(replayed([START], [{ ...header, origin: 'recorded' }]).findings).toEqual([
      { code: 'revision-id', args: { id: idOf('a'), computed: recordedId(header) }, place: { file: 'a/id' } },
    ]);
  });

  test('reports only the first broken revision', () => {
    const { findings, history } = replayed([START, ['b: a'], ['c: b']]);
    expect(findings.map(({ code, place }) => [code, place?.file])).toEqual([['revision-state', 'a/state']]);
    expect(history.states.length).toBe(1);
  });
});

describe('updateAction', () => {
  const part = (at: string) => ({ at, from: 'A1', to: 'B1' });

  test.each([
    ['/storage_devices/0/serial', 'replaced'],
    ['/network_adapters/1/mac', 'replaced'],
    ['/storage_devices/0/wwn', 'replaced'],
    ['/network_adapters/0/guid', 'replaced'],
    ['/storage_devices/0/model', 'updated'],
    ['/main_memory/note', 'updated'],
  ])('of %s alone is %s', (at, action) => {
    expect(updateAction(NODE, [part(at)])).toBe(action);
  });

  test('is a replacement only if nothing but parts changed, and no part was added or removed', () => {
    expect(updateAction(NODE, [part('/disks/0/serial'), part('/disks/0/wwn')])).toBe('replaced');
    expect(updateAction(NODE, [part('/disks/0/serial'), part('/disks/0/size')])).toBe('updated');
    expect(updateAction(NODE, [{ at: '/disks/0/serial', to: 'B1' }])).toBe('updated');
    expect(updateAction(NODE, [{ at: '/disks/0/serial', from: 'A1' }])).toBe('updated');
  });
});
