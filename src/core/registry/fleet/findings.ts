/** Combines related facts about the same nodes into one finding. The finding has the place of the first fact. */

import { type Finding, finding, type Place } from '../../diagnostics/finding.ts';
import { byCodeUnit, isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { KINDS } from '../../model/kinds.ts';
import { subjectAt } from '../../model/resource-path.ts';
import type { BodyStore } from '../../model/state.ts';
import { assertDefined, getOrCreate, groupBy, itemAt } from '../../platform/lookups.ts';
import { fileOfResource } from '../layout.ts';
import { positionsOf, type SourceFolder, storedObject } from '../registry.ts';
import type { Positions } from '../yaml/yaml-positions.ts';
import type { Fact, FleetNode, Location, Shared, Split } from './fact.ts';

interface FleetContext {
  readonly placeOf: (fact: Fact, member: FleetNode) => Place;
  readonly ofType: NodesOfType;
}

const MOST_PLACES = 10;

export function fleetFindings(facts: readonly Fact[], surroundings: FleetContext): Finding[] {
  return [...groupBy(facts, groupKey).values()].flatMap((group) => findingOf(group, surroundings));
}

function groupKey(fact: Fact): string {
  const names = (members: readonly FleetNode[]) => members.map(({ path }) => path).join(' ');
  const field = fact.kind === 'location' ? fact.field.join('.') : '';
  const parts = fact.kind === 'split' ? fact.valueGroups.map((group) => names(group.members)).sort() : [];
  // Differences and missing fields of the same nodes become one finding, because they usually have one cause.
  const theme = fact.kind === 'split' ? 'split' : fact.check === 'presence' ? 'difference' : fact.check;
  return [theme, field, names(fact.members), ...parts].join('\n');
}

function findingOf(group: readonly Fact[], surroundings: FleetContext): Finding[] {
  const first = itemAt(group, 0);
  const members = byName(first.members);
  const [member] = members;
  if (!member) return [];
  const place = surroundings.placeOf(first, member);
  const nodes = summarizeNodes(members, surroundings.ofType);
  switch (first.kind) {
    case 'difference':
    case 'extra':
    case 'missing': {
      const others = group.filter((fact) => fact.kind === 'difference').map(withFieldText);
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
      return [finding('fleet-placeholder', { nodes, facts: empty.map(withFieldText) }, place)];
    }
    case 'implausible': {
      const wrong = group.filter((fact) => fact.kind === 'implausible');
      return [finding('fleet-implausible', { nodes, facts: wrong.map(withFieldText) }, place)];
    }
    case 'location':
      return [locationFinding(first, member, place)];
    case 'uncovered': {
      const unknown = group.filter((fact) => fact.kind === 'uncovered');
      const labels = [...new Set(unknown.map(({ label }) => label))];
      return [finding('fleet-label', { nodes, labels, facts: unknown.map(withFieldText) }, place)];
    }
    case 'rule': {
      const broken = group.filter((fact) => fact.kind === 'rule');
      return [finding('fleet-rule', { nodes, facts: broken.map(withFieldText) }, place)];
    }
    default:
      return first satisfies never;
  }
}

function withFieldText<F extends Fact>(fact: F): Omit<F, 'field'> & { readonly field: string } {
  return { ...fact, field: dotted(fact) };
}

export function dotted({ field }: Fact): string {
  return field.join('.');
}

function splitFinding(first: Split, group: readonly Fact[], surroundings: FleetContext): Finding {
  const facts = group.filter((fact) => fact.kind === 'split');
  const valueGroups = first.valueGroups.map(({ members }) => byName(members));
  const [, [odd] = []] = valueGroups;
  return finding(
    'fleet-split',
    {
      nodes: summarizeNodes(first.members, surroundings.ofType),
      groups: valueGroups.map((members) => members.map(({ name }) => name)),
      facts: facts.map((fact) => ({
        field: dotted(fact),
        isCount: fact.isCount,
        // The order of the groups can differ between facts. The finding uses the order of its first fact.
        values: first.valueGroups.map(
          ({ members }) => assertDefined(fact.valueGroups.find((group) => group.members[0] === members[0])).value,
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

type NodesOfType = (nodeType: string) => readonly FleetNode[];

interface NodeSummary {
  readonly names: readonly string[];
  readonly nodeType?: string;
  readonly total?: number;
  /** The sites whose nodes of the type are all members. */
  readonly allAt?: readonly string[];
}

export function byName(members: readonly FleetNode[]): readonly FleetNode[] {
  return [...members].sort((a, b) => byCodeUnit(a.name, b.name) || byCodeUnit(a.path, b.path));
}

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

/** The facts of a node with many parts alternate between a few files. A parsed file is large. */
const MOST_PARSED_FILES = 16;

/** A missing field has the place of the nearest field above it. Messages contain the values instead of a frame. */
export function placeOfFact(folder: SourceFolder, store: BodyStore) {
  const parsed = new Map<string, Positions>();
  return (fact: Fact, { path, handle }: FleetNode): Place => {
    const file = fileOfResource(subjectAt(path, KINDS));
    if (parsed.size >= MOST_PARSED_FILES && !parsed.has(file)) parsed.clear();
    const positions = getOrCreate(parsed, file, () => positionsOf(folder, file));
    const { frame: _, ...place } = positions.locate(valuePath(storedObject(store, handle), fact));
    return place;
  };
}

function valuePath(body: JsonObject, { field, isReportedValue }: Fact): ValuePath {
  const found = [...occurrences(body, field, [])];
  const meant = (isReportedValue && found.find(({ value }) => isReportedValue(value))) ?? found[0];
  if (meant) return meant.path;
  for (let length = field.length - 1; length > 0; length--) {
    const holders = [...occurrences(body, field.slice(0, length), [])];
    const holder = holders.find(({ value }) => isJsonObject(value)) ?? holders[0];
    if (holder) return holder.path;
  }
  return [];
}

type ValuePath = readonly (string | number)[];

function* occurrences(
  value: Json,
  field: readonly string[],
  path: ValuePath,
): Generator<{ readonly path: ValuePath; readonly value: Json }> {
  if (field.length === 0) yield { path, value };
  const [name, ...rest] = field;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* occurrences(item, field, [...path, i]);
  } else if (isJsonObject(value) && name !== undefined && Object.hasOwn(value, name)) {
    yield* occurrences(assertDefined(value[name]), rest, [...path, name]);
  }
}
