/** Checks the rules that a testbed writes for its nodes, `fleet.rules` and `fleet.same_in_cluster`. */

import { labelling } from '../../labels/labels.ts';
import type { Configuration, FleetRule } from '../../model/configuration.ts';
import { byCodeUnit, type Json } from '../../model/json.ts';
import type { BodyStore, RegistryState } from '../../model/state.ts';
import { getOrCreate, itemAt } from '../../platform/lookups.ts';
import { valuesAt } from '../../query/columns.ts';
import { findNodes } from '../../query/evaluate.ts';
import { parseQuery } from '../../query/parse.ts';
import { conditionsOf } from '../../query/query.ts';
import { tableFleet } from '../../query/table-fleet.ts';
import { nodesIn, surveyNodes } from '../../table/node-survey.ts';
import { storedObject } from '../registry.ts';
import type { BrokenRule, FleetNode } from './fact.ts';

interface RuledFleet {
  readonly state: RegistryState;
  readonly store: BodyStore;
  readonly memberAt: (path: string) => FleetNode;
}

/** Runs the queries of a rule. It can explain a Failure, because the place in a query does not name the rule. */
type Ask = <T>(rule: number, run: () => T) => T;

export function brokenRules(
  { state, store, memberAt }: RuledFleet,
  { fleet, labels }: Pick<Configuration, 'fleet' | 'labels'>,
  ask: Ask,
): BrokenRule[] {
  const { rules = [], same_in_cluster: same = [] } = fleet ?? {};
  if (rules.length + same.length === 0) return [];
  const members = [...nodesIn(state)].map(({ path }) => memberAt(path));
  const table = tableFleet(surveyNodes(state, store, 'nothing').table, labelling(labels));
  const broken = rules.flatMap((rule, i) => brokenBy(rule, members, (query) => ask(i, () => findNodes(query, table))));
  return [...broken, ...same.flatMap((field) => differing(field.split('.'), members, store))];
}

function brokenBy(
  { nodes, require }: FleetRule,
  all: readonly FleetNode[],
  find: (query: string) => number[],
): BrokenRule[] {
  const kept = new Set(find(require));
  const selected = nodes === undefined ? [...all.keys()] : find(nodes);
  const members = selected.filter((row) => !kept.has(row)).map((row) => itemAt(all, row));
  if (members.length === 0) return [];
  const [first] = conditionsOf(parseQuery(require));
  return [{ check: 'rule', kind: 'rule', field: first?.field.path ?? [], members, value: require }];
}

/** Compares the nodes of each type and cluster. Reports the nodes without the most frequent value. */
function differing(field: readonly string[], members: readonly FleetNode[], store: BodyStore): BrokenRule[] {
  const groups = new Map<string, Map<string, FleetNode[]>>();
  for (const member of members) {
    const group = JSON.stringify([member.path.slice(0, member.path.lastIndexOf('/')), member.nodeType]);
    const value = textOf(valuesAt(storedObject(store, member.handle), field));
    getOrCreate(
      getOrCreate(groups, group, () => new Map<string, FleetNode[]>()),
      value,
      () => [],
    ).push(member);
  }
  return [...groups.values()].flatMap((byValue) => {
    const [[usual = ''] = [], ...others] = [...byValue].sort(
      ([a, those], [b, them]) => them.length - those.length || byCodeUnit(a, b),
    );
    return others.map(
      ([value, those]) => ({ check: 'rule', kind: 'rule', field, members: those, value, usual }) as const,
    );
  });
}

/** The order of parts does not matter. */
function textOf(values: readonly Json[]): string {
  const texts = values.map((value) => JSON.stringify(value)).sort(byCodeUnit);
  return texts.length === 0 ? 'missing' : texts.join(', ');
}
