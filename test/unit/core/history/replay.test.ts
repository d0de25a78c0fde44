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

/** What is wrong with a second revision: codes with arguments and places. */
function wrong(...changes: ResourceChange[]): unknown {
  const { history } = historyOf([START]);
  const first = { ...headerOf('a:'), state: stateDigest(history.states[0] ?? null) };
  const { findings } = replayed([START, ['b: a', ...changes]], [first, headerOf('b: a')]);
  return findings.map(({ code, args, place }) => [code, args, place?.file]);
}

describe('replay', () => {
  test('gives the state after every revision, and shares what did not change', () => {
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

  test('stands on the first parent of a merge', () => {
    const { history, store } = historyOf([
      START,
      ['b: a', updated('sites/x', 1, 2)],
      ['c: a', updated('sites/x', 1, 3)],
      ['d: c b', updated('sites/x', 3, 4)],
    ]);
    const [, x] = [...resourcesIn(history.states[3] ?? null)];
    expect(x && store.get(x[1].body.handle)).toBe('{"n":4}');
  });

  test('lists what changed in the order of paths, and what it was', () => {
    const { history } = historyOf([START, ['b: a', added('sites/y'), updated('sites/x/flavors/m', 1, 2)]]);
    expect(history.changes[1]?.map(({ path, action }) => [path, action])).toEqual([
      ['sites/x/flavors/m', 'updated'],
      ['sites/y', 'added'],
    ]);
  });

  test('may begin with nothing at all', () => {
    const { history } = historyOf([['a:'], ['b: a', added('')], ['c: b', removed('')]]);
    expect(history.states.map(stateDigest)).toEqual([
      '0'.repeat(64),
      expect.stringMatching(/^[1-9a-f]/),
      '0'.repeat(64),
    ]);
  });

  test.each<[string, ResourceChange[], unknown]>([
    [
      'of what is not there',
      [updated('sites/y', 1, 2)],
      [['change-not-there', { path: 'sites/y', action: 'updated' }, 'b/changes/0/updated']],
    ],
    [
      'that removes what is not there',
      [removed('sites/y')],
      [['change-not-there', { path: 'sites/y', action: 'removed' }, 'b/changes/0/removed']],
    ],
    [
      'that adds what is there',
      [added('sites/x')],
      [['change-already-there', { path: 'sites/x' }, 'b/changes/0/added']],
    ],
    [
      'from what was not',
      [updated('sites/x', 5, 6)],
      [['change-wrong-from', { path: 'sites/x', at: '/n', stated: '5', found: '1' }, 'b/changes/0/fields/0/from']],
    ],
    [
      'of a field that is not there',
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
      'that passes over what was',
      [{ action: 'updated', path: 'sites/x', fields: [{ at: '/n', to: 2 }] }],
      [['change-wrong-from', { path: 'sites/x', at: '/n', stated: 'nothing', found: '1' }, 'b/changes/0/fields/0/at']],
    ],
    [
      'in nothing',
      [{ action: 'updated', path: 'sites/x', fields: [{ at: '/a/b', to: 2 }] }],
      [['change-no-place', { path: 'sites/x', at: '/a/b' }, 'b/changes/0/fields/0/at']],
    ],
    [
      'that changes nothing',
      [{ action: 'updated', path: 'sites/x', fields: [{ at: '/n', from: 1, to: 1 }] }],
      [['change-nothing', { path: 'sites/x' }, 'b/changes/0']],
    ],
    [
      'made twice',
      [updated('sites/x', 1, 2), updated('sites/x', 2, 3)],
      [['change-twice', { path: 'sites/x' }, 'b/changes/1']],
    ],
    [
      'without a parent',
      [added('sites/y/flavors/m')],
      [['change-no-parent', { path: 'sites/y/flavors/m', parent: 'sites/y' }, 'b/changes/0/added']],
    ],
    [
      'that leaves orphans',
      [removed('sites/x')],
      [['change-no-parent', { path: 'sites/x/flavors/m', parent: 'sites/x' }, 'b/changes/0/removed']],
    ],
    ['of a collection', [removed('sites')], [['revision-path', { path: 'sites' }, 'b/changes/0/removed']]],
    [
      'of what the kinds do not know',
      [added('servers/x')],
      [['revision-path', { path: 'servers/x' }, 'b/changes/0/added']],
    ],
    ['with a slash too many', [removed('/sites/x')], [['revision-path', { path: '/sites/x' }, 'b/changes/0/removed']]],
    [
      'that leads out',
      [added('sites/../../etc')],
      [['revision-path', { path: 'sites/../../etc' }, 'b/changes/0/added']],
    ],
    ['that leads up', [added('sites/..')], [['uid-reserved', { uid: '..' }, 'b/changes/0/added']]],
    [
      'under a name that leads up',
      [added('sites/../flavors/m')],
      [['uid-reserved', { uid: '..' }, 'b/changes/0/added']],
    ],
    ['of "__proto__"', [added('sites/__proto__')], [['uid-reserved', { uid: '__proto__' }, 'b/changes/0/added']]],
    ['of a name that needs escaping', [added('sites/a b')], [['uid-characters', { uid: 'a b' }, 'b/changes/0/added']]],
    [
      'of a name without end',
      [added(`sites/${'a'.repeat(129)}`)],
      [['uid-length', { uid: 'a'.repeat(129) }, 'b/changes/0/added']],
    ],
    [
      'and another',
      [updated('sites/y', 1, 2), added('sites/x')],
      [
        ['change-not-there', { path: 'sites/y', action: 'updated' }, 'b/changes/0/updated'],
        ['change-already-there', { path: 'sites/x' }, 'b/changes/1/added'],
      ],
    ],
  ])('refuses a change %s', (_, changes, findings) => {
    expect(wrong(...changes)).toEqual(findings);
    expect(Object.hasOwn(Object.prototype, 'body')).toBe(false);
  });

  test('compares the state with what the revision states', () => {
    const stated = 'f'.repeat(64);
    const { findings } = replayed([START], [{ ...headerOf('a:'), state: stated }]);
    const computed = stateDigest(historyOf([START]).history.states[0] ?? null);
    expect(findings).toEqual([
      { code: 'revision-state', args: { id: idOf('a'), stated, computed }, place: { file: 'a/state' } },
    ]);
  });

  test('computes the identifiers of revisions that were recorded, and of no others', () => {
    const state = stateDigest(historyOf([START]).history.states[0] ?? null);
    const header = { ...headerOf('a:'), state };
    expect(replayed([START], [header]).findings).toEqual([]);
    expect(replayed([START], [{ ...header, origin: 'recorded' }]).findings).toEqual([
      { code: 'revision-id', args: { id: idOf('a'), computed: recordedId(header) }, place: { file: 'a/id' } },
    ]);
  });

  test('shows only the first broken revision, for the rest stands on it', () => {
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

  test('is a replacement only when nothing but parts changed, and none came or went', () => {
    expect(updateAction(NODE, [part('/disks/0/serial'), part('/disks/0/wwn')])).toBe('replaced');
    expect(updateAction(NODE, [part('/disks/0/serial'), part('/disks/0/size')])).toBe('updated');
    expect(updateAction(NODE, [{ at: '/disks/0/serial', to: 'B1' }])).toBe('updated');
    expect(updateAction(NODE, [{ at: '/disks/0/serial', from: 'A1' }])).toBe('updated');
  });
});
