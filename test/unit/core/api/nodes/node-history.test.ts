/** Reads the table over time like a client: from the document alone. */
import { expect, test } from 'vitest';
import { currentView } from '../../../../../src/core/api/item.ts';
import { publishedNodeHistory, renderNodeHistory } from '../../../../../src/core/api/nodes/node-columns.ts';
import type { Publication } from '../../../../../src/core/api/publication.ts';
import { resourceHistories } from '../../../../../src/core/history/resource-history.ts';
import type { ResourceChange } from '../../../../../src/core/history/revision-file.ts';
import { type JsonObject, setOwn } from '../../../../../src/core/model/json.ts';
import { nodesIn, surveyNodes } from '../../../../../src/core/table/node-survey.ts';
import { withoutPerNodeFields } from '../../../../../src/core/table/per-node-fields.ts';
import { added, historyOf, removed } from '../../../../support/values/history.ts';
import { publication } from '../../../../support/values/publication.ts';

const NODES = 'sites/x/clusters/c/nodes';
const M: JsonObject = { type: 'node', uid: 'm', gpu: [{ gpu_model: 'P100' }] };
const N: JsonObject = { type: 'node', uid: 'n', ram: 1, chassis: { serial: '007' }, '"__proto__"': null };
const put = (uid: string, value: JsonObject): ResourceChange => ({ action: 'added', path: `${NODES}/${uid}`, value });
const ram = (from: number, to: number): ResourceChange => ({
  action: 'updated',
  path: `${NODES}/n`,
  fields: [{ at: '/ram', from, to }],
});

/** A line of revisions with a side branch. A merge takes only one node of it. */
function published(): Publication {
  const { history, store } = historyOf([
    [
      'a:',
      added('', { type: 'grid', uid: 'g' }),
      added('sites/x', { type: 'site', uid: 'x' }),
      added('sites/x/clusters/c', { type: 'cluster', uid: 'c' }),
      put('n', N),
    ],
    ['b: a', ram(1, 2)],
    ['c: a', ram(1, 3), put('m', M)],
    ['d: b c', put('m', M)],
    ['e: d', removed(`${NODES}/n`)],
    ['f: e', added(`${NODES}/n`, { type: 'node', uid: 'n' })],
  ]);
  const current = history.states.at(-1) ?? null;
  return {
    ...publication('current'),
    history,
    store,
    current,
    head: 5,
    histories: resourceHistories(history),
    nodes: () => surveyNodes(current, store),
  };
}

interface HistoryBody {
  readonly revisions: readonly { readonly uid: string; readonly parent: number | null }[];
  readonly uids: readonly string[];
  readonly columns: readonly { readonly name: string; readonly values: readonly JsonObject[] }[];
  readonly events: readonly (readonly [revision: number, cells: readonly number[] | null])[][];
}

/** The bodies of the nodes at a revision. */
function fleetAt({ revisions, uids, columns, events }: HistoryBody, revision: number): Map<string, JsonObject> {
  const line = new Set<number>();
  for (let at: number | null = revision; at !== null; at = revisions[at]?.parent ?? null) line.add(at);
  const fleet = new Map<string, JsonObject>();
  for (const [node, uid] of uids.entries()) {
    let row: Map<number, number> | undefined;
    for (const [index, cells] of events[node] ?? []) {
      if (!line.has(index)) continue;
      row = cells ? (row ?? new Map()) : undefined;
      for (let i = 0; i < (cells?.length ?? 0); i += 2) row?.set(cells?.[i] ?? -1, cells?.[i + 1] ?? -1);
    }
    if (!row) continue;
    const body: Record<string, JsonObject> = {};
    for (const [column, value] of row) {
      const { name = '', values = [] } = columns[column] ?? {};
      const found = values[value];
      if (value >= 0 && found !== undefined) setOwn(body, name, found);
    }
    fleet.set(uid, body);
  }
  return fleet;
}

const rendered = (made: Publication) => [...renderNodeHistory(currentView(made), publishedNodeHistory(made))].join('');

test('the table over time gives the nodes of every revision, without the omitted fields', () => {
  const made = published();
  const body: HistoryBody = JSON.parse(rendered(made));
  expect(body).toMatchObject({ left_out: ['chassis.serial'], clusters: [{ site: 'x', cluster: 'c', nodes: 2 }] });
  expect(body).toMatchObject({ labels: [{ name: 'label.gpu', of: [{ column: 'gpu', values: ['P100'] }] }] });
  for (const [index, state] of made.history.states.entries()) {
    const { own } = made.nodes();
    const expected = [...nodesIn(state)].map(({ uid, resource }): [string, JsonObject] => [
      uid,
      withoutPerNodeFields(JSON.parse(made.store.get(resource.body.handle)), own),
    ]);
    expect([...fleetAt(body, index)]).toEqual(expected);
  }
});

test('a table over time above the limit contains only a note', () => {
  const said = JSON.parse(rendered({ ...published(), maxHistoryLength: 100 }));
  expect(said).toMatchObject({ type: 'history', uid: 'history', too_large: { most: 100 } });
  expect(Object.keys(said)).toEqual(['type', 'uid', 'too_large', 'version', 'links']);
  const whole = rendered(published());
  const { length } = whole;
  expect(rendered({ ...published(), maxHistoryLength: length })).toBe(whole);
  expect(rendered({ ...published(), maxHistoryLength: length - 1 })).toContain('too_large');
});
