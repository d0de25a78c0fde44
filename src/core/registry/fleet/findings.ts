/**
 * Facts -> findings: facts of one kind about the same nodes are one finding, at the place of the first. So an odd batch
 * of forty nodes is told once, with all that is odd about it.
 */

import { type Finding, finding, type Place } from '../../diagnostics/finding.ts';
import { certain } from '../../platform/certain.ts';
import type { Fact, FleetNode, Location, Shared, Split } from './fact.ts';
import { byName, type NodeSummary, type NodesOfType, summarizeNodes } from './node-summary.ts';

export interface FleetContext {
  /** Where a member has the field of a fact, or the nearest thing above it. */
  readonly placeOf: (fact: Fact, member: FleetNode) => Place;
  readonly ofType: NodesOfType;
}

/** How many places of a shared value are looked up. */
const MOST_PLACES = 10;

export function fleetFindings(facts: readonly Fact[], surroundings: FleetContext): Finding[] {
  const groups = new Map<string, [Fact, ...Fact[]]>();
  for (const fact of facts) {
    const key = groupKey(fact);
    const group = groups.get(key);
    if (group) group.push(fact);
    else groups.set(key, [fact]);
  }
  return [...groups.values()].flatMap((group) => findingOf(group, surroundings));
}

function groupKey(fact: Fact): string {
  const names = (members: readonly FleetNode[]) => members.map(({ path }) => path).join(' ');
  const field = fact.kind === 'location' ? fact.field.join('.') : '';
  const parts = fact.kind === 'split' ? fact.sorts.map((sort) => names(sort.members)).sort() : [];
  // What nodes have otherwise and what they lack are told together: it mostly has one cause.
  const theme = fact.kind === 'split' ? 'split' : fact.check === 'presence' ? 'difference' : fact.check;
  return [theme, field, names(fact.members), ...parts].join('\n');
}

function findingOf(group: readonly [Fact, ...Fact[]], surroundings: FleetContext): Finding[] {
  const [first] = group;
  const members = byName(first.members);
  const [member] = members;
  if (!member) return [];
  const place = surroundings.placeOf(first, member);
  const nodes = summarizeNodes(members, surroundings.ofType);
  switch (first.kind) {
    case 'difference':
    case 'extra':
    case 'missing': {
      const others = group.filter((fact) => fact.kind === 'difference').map(told);
      const fields = (kind: Fact['kind']) => group.filter((fact) => fact.kind === kind).map(dotted);
      const [lacking, having] = [fields('missing'), fields('extra')];
      return [finding('fleet-difference', { nodes, others, lacking, having }, place)];
    }
    case 'split':
      return [splitFinding(first, group, surroundings)];
    case 'shared':
      return [sharedFinding(group, nodes, place, surroundings)];
    case 'placeholder': {
      const empty = group.filter((fact) => fact.kind === 'placeholder');
      return [finding('fleet-placeholder', { nodes, facts: empty.map(told) }, place)];
    }
    case 'implausible': {
      const wrong = group.filter((fact) => fact.kind === 'implausible');
      return [finding('fleet-implausible', { nodes, facts: wrong.map(told) }, place)];
    }
    case 'location':
      return [locationFinding(first, member, place)];
    case 'uncovered': {
      const unknown = group.filter((fact) => fact.kind === 'uncovered');
      const labels = [...new Set(unknown.map(({ label }) => label))];
      return [finding('fleet-label', { nodes, labels, facts: unknown.map(told) }, place)];
    }
    default:
      return first satisfies never;
  }
}

/** A fact as the arguments of a message: its field in dots, and all that it says of its own. */
function told<F extends Fact>(fact: F): Omit<F, 'field'> & { readonly field: string } {
  return { ...fact, field: dotted(fact) };
}

export function dotted({ field }: Fact): string {
  return field.join('.');
}

function splitFinding(first: Split, group: readonly Fact[], surroundings: FleetContext): Finding {
  const facts = group.filter((fact) => fact.kind === 'split');
  const sorts = first.sorts.map(({ members }) => byName(members));
  const [, [odd] = []] = sorts;
  return finding(
    'fleet-split',
    {
      nodes: summarizeNodes(first.members, surroundings.ofType),
      sorts: sorts.map((members) => members.map(({ name }) => name)),
      facts: facts.map((fact) => ({
        field: dotted(fact),
        isCount: fact.isCount,
        // Facts are grouped whatever the order of their sorts: that of the first one counts.
        values: first.sorts.map(
          ({ members }) => certain(fact.sorts.find((sort) => sort.members[0] === members[0])).value,
        ),
      })),
    },
    odd && surroundings.placeOf(first, odd),
  );
}

function sharedFinding(group: readonly Fact[], nodes: NodeSummary, place: Place, { placeOf }: FleetContext): Finding {
  const facts = group.filter((fact): fact is Shared => fact.kind === 'shared');
  const shared = facts.map((fact) => ({
    field: dotted(fact),
    value: fact.value,
    places: byName(fact.members)
      .slice(0, MOST_PLACES)
      .map((member) => placeOf(fact, member)),
    count: fact.members.length,
  }));
  return finding('fleet-shared', { nodes, facts: shared }, place);
}

function locationFinding({ problem, field }: Location, { uid }: FleetNode, place: Place): Finding {
  switch (problem.problem) {
    case 'range':
      return finding('fleet-location-range', { ...problem, site: uid, field: field.join('.') }, place);
    case 'zero':
      return finding('fleet-location-zero', { site: uid }, place);
    case 'half':
      return finding('fleet-location-half', { ...problem, site: uid, field: field.join('.') }, place);
    case 'far':
      return finding('fleet-location-far', { ...problem, site: uid }, place);
    default:
      return problem satisfies never;
  }
}
