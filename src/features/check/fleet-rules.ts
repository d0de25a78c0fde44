import { Failure, fail, finding, type Place } from '../../core/diagnostics/finding.ts';
import { labelling } from '../../core/labels/labels.ts';
import type { Configuration, FleetRule } from '../../core/model/configuration.ts';
import { pathOfField } from '../../core/model/fields/field-name.ts';
import { byCodeUnit, type Json } from '../../core/model/json.ts';
import { pathAbove } from '../../core/model/resource-path.ts';
import type { BodyStore, RegistryState } from '../../core/model/state.ts';
import { getOrCreate, itemAt } from '../../core/platform/lookups.ts';
import { valuesAt } from '../../core/query/columns.ts';
import { findNodes } from '../../core/query/evaluate.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { conditionsOf } from '../../core/query/query.ts';
import { tableFleet } from '../../core/query/table-fleet.ts';
import type { BrokenRule, FleetNode } from '../../core/registry/fleet/fact.ts';
import { storedObject } from '../../core/registry/registry.ts';
import { nodesIn, surveyNodes } from '../../core/table/node-survey.ts';

interface RuledFleet {
  readonly state: RegistryState;
  readonly store: BodyStore;
  readonly memberAt: (path: string) => FleetNode;
  readonly placeOfRule: (position: number) => Place;
}

export function brokenRules(
  { state, store, memberAt, placeOfRule }: RuledFleet,
  { fleet, labels }: Pick<Configuration, 'fleet' | 'labels'>,
): BrokenRule[] {
  const { rules = [], same_in_cluster: same = [] } = fleet ?? {};
  if (rules.length + same.length === 0) return [];
  const members = [...nodesIn(state)].map(({ path }) => memberAt(path));
  const table = tableFleet(surveyNodes(state, store, 'nothing').table, labelling(labels));
  const broken = rules.flatMap((rule, i) => {
    try {
      return brokenBy(rule, members, (query) => findNodes(query, table));
    } catch (error) {
      // The place of a query error does not name the rule, so another finding names it.
      if (error instanceof Failure) return fail(finding('fleet-rule-query', {}, placeOfRule(i)), ...error.findings);
      throw error;
    }
  });
  return [...broken, ...same.flatMap((field) => differing(pathOfField(field) ?? [], members, store))];
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

/** Reports nodes whose value differs from the most frequent value of their type and cluster. */
function differing(field: readonly string[], members: readonly FleetNode[], store: BodyStore): BrokenRule[] {
  const groups = new Map<string, Map<string, FleetNode[]>>();
  for (const member of members) {
    const group = JSON.stringify([pathAbove(member.path), member.nodeType]);
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

/** Sorts the values, because the order of parts does not matter. */
function textOf(values: readonly Json[]): string {
  const texts = values.map((value) => JSON.stringify(value)).sort(byCodeUnit);
  return texts.length === 0 ? 'missing' : texts.join(', ');
}
