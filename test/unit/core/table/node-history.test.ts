import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { History } from '../../../../src/core/history/replay.ts';
import type { ResourceChange } from '../../../../src/core/history/revision-file.ts';
import { difference } from '../../../../src/core/model/differences/difference.ts';
import { fieldRules } from '../../../../src/core/model/field-classes.ts';
import { type Json, type JsonObject, setOwn } from '../../../../src/core/model/json.ts';
import { NODE } from '../../../../src/core/model/kinds.ts';
import { assertDefined } from '../../../../src/core/platform/lookups.ts';
import { type NodeHistory, nodeHistory } from '../../../../src/core/table/node-history.ts';
import { nodesIn } from '../../../../src/core/table/node-survey.ts';
import { perNodeFields, withoutPerNodeFields } from '../../../../src/core/table/per-node-fields.ts';
import { partsObject } from '../../../support/values/arbitraries.ts';
import { added, historyOf, type Step } from '../../../support/values/history.ts';

const NODES = 'sites/x/clusters/c/nodes';
const own = perNodeFields(fieldRules(NODE), [['uid']]);
const FRAME = [
  added('', { type: 'grid', uid: 'g' }),
  added('sites/x', { type: 'site', uid: 'x' }),
  added('sites/x/clusters/c', { type: 'cluster', uid: 'c' }),
];

function node(uid: string, value: JsonObject): ResourceChange {
  return { action: 'added', path: `${NODES}/${uid}`, value: { uid, ...value } };
}

test('lists the changes of each revision to the columns of a node, without fields unique to each node', () => {
  const { history, store } = historyOf([
    ['a:', ...FRAME, node('n', { gpu: false, serial: 'S1' })],
    ['b: a', { action: 'updated', path: `${NODES}/n`, fields: [{ at: '/serial', from: 'S1', to: 'S2' }] }],
    [
      'c: b',
      {
        action: 'updated',
        path: `${NODES}/n`,
        fields: [
          { at: '/gpu', from: false },
          { at: '/ram', to: 1 },
        ],
      },
    ],
    ['d: c', { action: 'removed', path: `${NODES}/n` }, node('m', { ram: 1 })],
    ['e: d', node('n', { ram: 1, gpu: true })],
  ]);
  const { columns, nodes } = nodeHistory(history, store, own);
  expect(columns.map(({ name, values }) => [name, values])).toEqual([
    ['gpu', [false, true]],
    ['ram', [1]],
  ]);
  expect(nodes).toEqual([
    { site: 'x', cluster: 'c', uid: 'm', events: '[[3,[1,0]]]' },
    { site: 'x', cluster: 'c', uid: 'n', events: '[[0,[0,0]],[2,[0,-1,1,0]],[3,null],[4,[0,1,1,0]]]' },
  ]);
});

/** Rebuilds the bodies at a revision like a client: along first parents. */
function stateAsRead({ columns, nodes }: NodeHistory, { parents }: History, index: number): Map<string, JsonObject> {
  const line = new Set<number>();
  for (let at: number | undefined = index; at !== undefined; at = parents[at]?.[0]) line.add(at);
  const bodies = new Map<string, JsonObject>();
  for (const { uid, events } of assertDefined(nodes)) {
    const told: readonly (readonly [number, readonly number[] | null])[] = JSON.parse(events);
    let body: Map<string, Json> | undefined;
    for (const [at, cells] of told) {
      if (!line.has(at)) continue;
      body = cells ? (body ?? new Map<string, Json>()) : undefined;
      for (let i = 0; cells && i < cells.length; i += 2) {
        const [column = -1, value = -1] = cells.slice(i, i + 2);
        const name = columns[column]?.name ?? '';
        if (value < 0) body?.delete(name);
        else body?.set(name, columns[column]?.values[value] ?? null);
      }
    }
    if (!body) continue;
    const read: Record<string, Json> = {};
    for (const [name, value] of body) setOwn(read, name, value);
    bodies.set(uid, read);
  }
  return bodies;
}

test('changes on a side branch appear at their own revisions and at the merge', () => {
  const change = (from: number, to: number): ResourceChange => ({
    action: 'updated',
    path: `${NODES}/n`,
    fields: [{ at: '/ram', from, to }],
  });
  const { history, store } = historyOf([
    ['a:', ...FRAME, node('n', { ram: 1 })],
    ['b: a', change(1, 2)],
    ['c: a', change(1, 3), node('m', { ram: 1 })],
    ['d: b c', node('m', { ram: 1 })],
  ]);
  const past = nodeHistory(history, store, own);
  const read = [...history.states.keys()].map((index) => Object.fromEntries(stateAsRead(past, history, index)));
  expect(Object.fromEntries(history.revisions.map(({ message }, i) => [message, read[i]]))).toEqual({
    a: { n: { ram: 1 } },
    b: { n: { ram: 2 } },
    c: { n: { ram: 3 }, m: { ram: 1 } },
    d: { n: { ram: 2 }, m: { ram: 1 } },
  });
});

/** Revisions that each change, add or remove one of three nodes. */
const pasts = fc.array(fc.record({ uid: fc.constantFrom('k', 'l', 'm'), body: fc.option(partsObject) }), {
  minLength: 1,
  maxLength: 12,
});

test('the nodes at any revision can be rebuilt', () => {
  fc.assert(
    fc.property(pasts, (edits) => {
      const { history, store } = historyOf(stepsOf(edits));
      const past = nodeHistory(history, store, own);
      for (const [index, state] of history.states.entries()) {
        const expected = new Map<string, JsonObject>();
        for (const { uid, resource } of nodesIn(state))
          expected.set(uid, withoutPerNodeFields(JSON.parse(store.get(resource.body.handle)), own));
        expect(stateAsRead(past, history, index)).toEqual(expected);
      }
    }),
    { numRuns: 60 },
  );
});

const NAMES = 'abcdefghijklmnopqrstuvwxyz';

function stepsOf(edits: readonly { readonly uid: string; readonly body: JsonObject | null }[]): Step[] {
  const steps: Step[] = [['a:', ...FRAME]];
  const held = new Map<string, JsonObject>();
  for (const { uid, body } of edits) {
    const old = held.get(uid);
    const change = changeOf(uid, old, body ?? undefined);
    if (!change) continue;
    const [before = '', name = ''] = [NAMES.charAt(steps.length - 1), NAMES.charAt(steps.length)];
    steps.push([`${name}: ${before}`, change]);
    if (body) held.set(uid, { uid, ...body });
    else held.delete(uid);
  }
  return steps;
}

function changeOf(uid: string, old: JsonObject | undefined, now: JsonObject | undefined): ResourceChange | undefined {
  if (!old) return now && node(uid, now);
  if (!now) return { action: 'removed', path: `${NODES}/${uid}` };
  const fields = difference(old, { uid, ...now }, fieldRules(NODE));
  return fields.length > 0 ? { action: 'updated', path: `${NODES}/${uid}`, fields } : undefined;
}
