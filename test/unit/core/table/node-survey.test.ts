import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldRules } from '../../../../src/core/model/field-classes.ts';
import { byCodeUnit, isJsonObject, type Json, type JsonObject } from '../../../../src/core/model/json.ts';
import { NODE } from '../../../../src/core/model/kinds.ts';
import { surveyNodes } from '../../../../src/core/table/node-survey.ts';
import { bodyAt, clusterOfRows, valueInRow } from '../../../../src/core/table/node-table.ts';
import { isPerNodeAt, perNodeFields, withoutPerNodeFields } from '../../../../src/core/table/per-node-fields.ts';
import { jsonObject, partsObject, smallObject } from '../../../support/values/arbitraries.ts';
import { fieldsIn, fleetOf, fleetOfBodies } from '../../../support/values/fleet-of-bodies.ts';

const bodies = fc.array(fc.oneof(jsonObject, smallObject, partsObject), { maxLength: 12 });

const LYRA = {
  a1: { uid: 'a1', type: 'node', node_name: 'c1', gpu: { gpu: false }, chassis: { serial: 'S1' } },
  a2: { type: 'node', uid: 'a2', node_name: 'c2', chassis: { serial: '', name: 'R740' } },
};
const VEGA = { b1: { uid: 'b1', type: 'node', gpu: { gpu: false }, note: null } };

describe('the table of nodes', () => {
  test('has a row for each node, sorted by site, cluster and uid, and stores each value once', () => {
    const { state, store } = fleetOf({ vega: VEGA, lyra: LYRA });
    const { table } = surveyNodes(state, store);
    expect({ ...table, columns: table.columns.map((column) => ({ ...column, rows: [...column.rows] })) }).toEqual({
      total: 3,
      clusters: [
        { site: 'lyra', cluster: 'c', nodes: 2 },
        { site: 'vega', cluster: 'c', nodes: 1 },
      ],
      uids: ['a1', 'a2', 'b1'],
      columns: [
        { name: 'chassis', values: [{}, { name: 'R740' }], rows: [0, 1, -1] },
        { name: 'gpu', values: [{ gpu: false }], rows: [0, -1, 0] },
        { name: 'node_name', values: ['c1', 'c2'], rows: [0, 1, -1] },
        { name: 'note', values: [null], rows: [-1, -1, 0] },
        { name: 'type', values: ['node'], rows: [0, 0, 0] },
      ],
      omittedFields: ['chassis.serial'],
    });
    expect([...clusterOfRows(table)].map(({ site }) => site)).toEqual(['lyra', 'lyra', 'vega']);
    const [, gpu, , note] = table.columns;
    expect([0, 1, 2].map((row) => gpu && valueInRow(gpu, row))).toEqual([{ gpu: false }, undefined, { gpu: false }]);
    expect([0, 1, 2].map((row) => note && valueInRow(note, row))).toEqual([undefined, undefined, null]);
  });

  test('contains all fields of each body except the uid and the fields listed as omitted', () => {
    fc.assert(
      fc.property(bodies, (all) => {
        const { state, store } = fleetOfBodies(all);
        const { table, own } = surveyNodes(state, store);
        for (const [row, body] of all.entries()) {
          expect(bodyAt(table, row)).toEqual(withoutPerNodeFields(body, own));
        }
      }),
    );
  });

  test('omits on request only the uid, the named fields and component fields', () => {
    fc.assert(
      fc.property(bodies, (all) => {
        const { state, store } = fleetOfBodies(all);
        const { table } = surveyNodes(state, store, 'nothing');
        expect(table.omittedFields).toEqual([]);
        for (const [row, body] of all.entries()) {
          const { uid: _, ...rest } = body;
          expect(bodyAt(table, row)).toEqual(rest);
        }
      }),
    );
    const { state, store } = fleetOf({ lyra: LYRA });
    const { table } = surveyNodes(state, store, ['gpu', 'node_name']);
    expect(table.omittedFields).toEqual(['chassis.serial', 'gpu', 'node_name']);
    expect(table.columns.map(({ name }) => name)).toEqual(['chassis', 'type']);
  });

  test('omits fields that differ in almost every node, but not names and types, which other documents need', () => {
    const all = Array.from({ length: 120 }, (_, i) => ({
      node_name: `c${i}`,
      node_type: `t${i}`,
      ip: `10.0.0.${i}`,
      half: `h${i % 51}`,
      nic: [{ address: `10.0.1.${i}`, rate: i % 50 }],
    }));
    const { state, store } = fleetOfBodies(all);
    const { table } = surveyNodes(state, store);
    expect(table.omittedFields).toEqual(['half', 'ip', 'nic.address']);
    expect(table.columns.map(({ name, values }) => [name, values.length])).toEqual([
      ['nic', 50],
      ['node_name', 120],
      ['node_type', 120],
    ]);
  });

  test('treats values with another key order as equal', () => {
    const { state, store } = fleetOfBodies([
      { gpu: { gpu: true, gpu_count: 2 } },
      { gpu: { gpu_count: 2, gpu: true } },
    ]);
    expect(surveyNodes(state, store).table.columns[0]?.values).toEqual([{ gpu: true, gpu_count: 2 }]);
  });
});

/** Returns the values of a node by field path. */
function heldBy(body: JsonObject): Map<string, Json[]> {
  const held = new Map<string, Json[]>();
  for (const [way, value] of fieldsIn(body)) held.set(way, [...(held.get(way) ?? []), value]);
  return held;
}

describe('the counts of fields', () => {
  test('equal a simple count of all nodes', () => {
    fc.assert(
      fc.property(bodies, (all) => {
        const { state, store } = fleetOfBodies(all);
        const { fields } = surveyNodes(state, store);
        const found = fields.map(({ path, nodes, types, values, lengths }) => ({
          way: JSON.stringify(path),
          nodes,
          types: [...types].sort(),
          distinct: values.distinct,
          values: shown(values.counted()),
          lengths: shown(lengths.counted()),
        }));
        expect(found.sort((a, b) => byCodeUnit(a.way, b.way))).toEqual(countedOneByOne(all));
      }),
    );
  });

  test('distinguish a missing field, null and the empty text', () => {
    const { state, store } = fleetOfBodies([{ rack: '' }, { rack: null }, { rack: 0 }, { rack: '0' }, {}]);
    const [rack] = surveyNodes(state, store).fields;
    expect([rack?.nodes, rack?.values.distinct]).toEqual([4, 4]);
    expect(rack?.values.counted()).toEqual(['', '0', 0, null].map((value) => ({ value, nodes: 1 })));
  });
});

function shown(counts: readonly { readonly value: Json; readonly nodes: number }[] | undefined) {
  return counts?.map(({ value, nodes }) => `${JSON.stringify(value)} ${nodes}`).sort();
}

function countedOneByOne(all: readonly JsonObject[]) {
  const held = all.map(heldBy);
  const ways = [...new Set(held.flatMap((fields) => [...fields.keys()]))].sort(byCodeUnit);
  return ways.map((way) => {
    const ofNodes = held.flatMap((fields) => fields.get(way) ?? []);
    const counts = (of: (value: Json) => string | undefined) => {
      const nodes = new Map<string, number>();
      for (const fields of held) {
        const own = new Set((fields.get(way) ?? []).flatMap((value) => of(value) ?? []));
        for (const each of own) nodes.set(each, (nodes.get(each) ?? 0) + 1);
      }
      return [...nodes].map(([value, count]) => `${value} ${count}`).sort();
    };
    const values = counts((value) => (typeof value === 'object' && value ? undefined : JSON.stringify(value)));
    return {
      way,
      nodes: held.filter((fields) => fields.has(way)).length,
      types: [...new Set(ofNodes.map(typeOf))].sort(),
      distinct: values.length,
      values,
      lengths: counts((value) => (Array.isArray(value) ? String(value.length) : undefined)),
    };
  });
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

test('a component field is omitted at any path', () => {
  const own = perNodeFields(fieldRules(NODE), []);
  const ways = [['serial'], ['network_adapters', 'mac'], ['odd', 'uuid', 'x'], ['gpu', 'serial']];
  expect(ways.map((way) => isPerNodeAt(way, own))).toEqual([true, true, true, true]);
  expect(isJsonObject({}) && isPerNodeAt(['network_adapters', 'device'], own)).toBe(false);
});
