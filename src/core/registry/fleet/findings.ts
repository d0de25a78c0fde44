/**
 * Facts -> findings: facts of one kind about the same nodes are one finding, at the place of the first. So an odd batch
 * of forty nodes is told once, with all that is odd about it.
 */

import { type Finding, finding, type Place } from '../../diagnostics/finding.ts';
import { byCodeUnit, isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { KINDS } from '../../model/kinds.ts';
import { subjectAt } from '../../model/resource-path.ts';
import type { BodyStore } from '../../model/state.ts';
import { certain } from '../../platform/certain.ts';
import { fileOfResource } from '../layout.ts';
import { placeOf, type SourceFolder, storedObject } from '../registry.ts';
import type { Fact, FleetNode, Location, Shared, Split } from './fact.ts';

interface FleetContext {
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

/** Nodes as the arguments of a message. */
type NodesOfType = (nodeType: string) => readonly FleetNode[];

interface NodeSummary {
  readonly names: readonly string[];
  readonly nodeType?: string;
  readonly total?: number;
  /** The sites, all of whose nodes of the type they are. */
  readonly allAt?: readonly string[];
}

/** In the order in which people look for them. */
export function byName(members: readonly FleetNode[]): readonly FleetNode[] {
  return [...members].sort((a, b) => byCodeUnit(a.name, b.name) || byCodeUnit(a.path, b.path));
}

/** How to name nodes: by their type where they have one in common, and as a batch where they are one. */
export function summarizeNodes(members: readonly FleetNode[], ofType: NodesOfType): NodeSummary {
  const names = members.map(({ name }) => name);
  const [first] = members;
  const nodeType = first?.nodeType;
  if (nodeType === undefined || members.some((member) => member.nodeType !== nodeType)) return { names };
  const all = ofType(nodeType);
  const sites = new Set(members.map(({ site }) => site));
  const atSites = all.filter(({ site }) => sites.has(site)).length;
  const isBatch = atSites === members.length && members.length < all.length && members.length > 1;
  return { names, nodeType, total: all.length, ...(isBatch ? { allAt: [...sites] } : {}) };
}

/**
 * The place of the value that a fact means at a member, of the field's first where it means none, or of what should hold
 * a field that is not there. Without a code frame: the values are in the message.
 */
export function placeOfFact(folder: SourceFolder, store: BodyStore) {
  return (fact: Fact, { path, handle }: FleetNode): Place => {
    const file = fileOfResource(subjectAt(path, KINDS));
    const { frame: _, ...place } = placeOf(folder, file, ...wayTo(storedObject(store, handle), fact));
    return place;
  };
}

function wayTo(body: JsonObject, { field, isMeant }: Fact): Way {
  const found = [...occurrences(body, field, [])];
  const meant = (isMeant && found.find(({ value }) => isMeant(value))) ?? found[0];
  if (meant) return meant.way;
  for (let length = field.length - 1; length > 0; length--) {
    const holders = [...occurrences(body, field.slice(0, length), [])];
    const holder = holders.find(({ value }) => isJsonObject(value)) ?? holders[0];
    if (holder) return holder.way;
  }
  return [];
}

type Way = readonly (string | number)[];

/** Everything that a field leads to, through every item of the arrays on its way; an array before its items. */
function* occurrences(
  value: Json,
  field: readonly string[],
  way: Way,
): Generator<{ readonly way: Way; readonly value: Json }> {
  if (field.length === 0) yield { way, value };
  const [name, ...rest] = field;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* occurrences(item, field, [...way, i]);
  } else if (isJsonObject(value) && name !== undefined && Object.hasOwn(value, name)) {
    yield* occurrences(certain(value[name]), rest, [...way, name]);
  }
}
