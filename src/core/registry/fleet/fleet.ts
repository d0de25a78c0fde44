import type { Finding } from '../../diagnostics/finding.ts';
import { labelling } from '../../labels/labels.ts';
import type { Configuration, Silence } from '../../model/configuration.ts';
import { fieldName } from '../../model/fields/field-name.ts';
import type { JsonObject } from '../../model/json.ts';
import { KINDS, kindNamed, NODE } from '../../model/kinds.ts';
import { lastSegment, parsePath } from '../../model/resource-path.ts';
import { type BodyStore, type RegistryState, resourcesIn } from '../../model/state.ts';
import { assertDefined, getOrCreate, itemAt } from '../../platform/lookups.ts';
import { type SourceFolder, storedObject } from '../registry.ts';
import { type AcceptedFact, applyAccepted } from './accepted.ts';
import { type OpenColumns, openColumns, type TypeColumns } from './columns.ts';
import { nodeDifferences, presences } from './differences.ts';
import type { BrokenRule, Fact, FleetNode } from './fact.ts';
import { fleetFindings, placeOfFact } from './findings.ts';
import { implausibleValues, type OpenHumanized, openHumanized } from './implausible.ts';
import { locations } from './locations.ts';
import { placeholders } from './placeholders.ts';
import { isUnique, sharedValues } from './shared-values.ts';
import { type OpenSpellings, openSpellings, type UnusedRule } from './spellings.ts';

interface FleetSources {
  readonly state: RegistryState;
  readonly store: BodyStore;
  readonly folder: SourceFolder;
  readonly brokenRules: (memberAt: (path: string) => FleetNode) => readonly BrokenRule[];
}

interface FleetReport {
  readonly nodes: number;
  readonly nodeTypes: number;
  readonly facts: readonly Fact[];
  readonly findings: readonly Finding[];
  /** The facts that each `silence` rule hides, in the order of the rules. */
  readonly silenced: readonly (readonly Fact[])[];
  readonly unusedLabels: readonly UnusedRule[];
  /** The names of all fields in the files of nodes, without labels and places. */
  readonly fields: ReadonlySet<string>;
  /** The positions of the accepted facts that no longer occur in the fleet. */
  readonly unusedAccepted: readonly number[];
}

export function checkFleet(
  { state, store, folder, brokenRules }: FleetSources,
  { fleet, labels }: Pick<Configuration, 'fleet' | 'labels'>,
  accepted: readonly AcceptedFact[] = [],
): FleetReport {
  const spellings = openSpellings(labelling(labels));
  const humanized = openHumanized();
  const { types, flavors, sites } = columnsOf(state, store, { spellings, humanized });
  const spelled = spellings.close(labels);
  const unique = new Set(fleet?.unique);
  // The most reliable checks come first, because people may read only the first of many findings.
  const all: Fact[] = [
    ...locations(sites),
    ...sharedValues(types, (column) => isUnique(column) || (!column.isCount && unique.has(fieldName(column.field)))),
    ...brokenRules(memberIn(types)),
    ...[...types, flavors].flatMap(implausibleValues),
    ...humanized.close(),
    ...types.flatMap(placeholders),
    ...types.flatMap((type) => [...nodeDifferences(type), ...presences(type)]),
    ...spelled.facts,
  ];
  const { facts: audible, silenced } = applySilences(all, fleet?.silence ?? []);
  const { left: facts, unused: unusedAccepted } = applyAccepted(audible, accepted);
  const byType = new Map(types.map(({ nodeType, members }) => [nodeType, members]));
  const findings = fleetFindings(facts, {
    placeOf: placeOfFact(folder, store),
    ofType: (nodeType) => byType.get(nodeType) ?? [],
  });
  return {
    nodes: types.reduce((sum, { members }) => sum + members.length, 0),
    nodeTypes: types.filter(({ nodeType }) => nodeType !== undefined).length,
    facts,
    findings,
    silenced,
    unusedLabels: spelled.unused,
    fields: new Set(types.flatMap(({ columns }) => columns.map(({ field }) => fieldName(field)))),
    unusedAccepted,
  };
}

function memberIn(types: readonly TypeColumns[]) {
  const members = new Map(types.flatMap((type) => type.members.map((member) => [member.path, member])));
  return (path: string) => assertDefined(members.get(path));
}

interface FleetColumns {
  readonly types: readonly TypeColumns[];
  readonly flavors: TypeColumns;
  readonly sites: readonly { readonly member: FleetNode; readonly body: JsonObject }[];
}

interface Observers {
  readonly spellings: OpenSpellings;
  readonly humanized: OpenHumanized;
}

function columnsOf(state: RegistryState, store: BodyStore, { spellings, humanized }: Observers): FleetColumns {
  const types = new Map<string | undefined, OpenColumns>();
  const flavors = openColumns(kindNamed('flavor'), undefined);
  const sites: { member: FleetNode; body: JsonObject }[] = [];
  for (const [path, resource] of resourcesIn(state)) {
    const kind = parsePath(path, KINDS)?.kind.name;
    if (kind !== 'node' && kind !== 'flavor' && kind !== 'site') continue;
    const { handle } = resource.body;
    const body = storedObject(store, handle);
    const member = memberOf(path, body, handle);
    if (kind === 'site') sites.push({ member, body });
    else if (kind === 'flavor') flavors.add(member, body);
    else {
      getOrCreate(types, member.nodeType, () => openColumns(NODE, member.nodeType)).add(member, body);
      spellings.add(member, body);
      humanized.add(member, body);
    }
  }
  return { types: [...types.values()].map((columns) => columns.close()), flavors: flavors.close(), sites };
}

function memberOf(path: string, body: JsonObject, handle: number): FleetNode {
  const text = (field: string) => {
    const value = body[field];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const uid = lastSegment(path);
  const site = itemAt(path.split('/'), 1);
  return { path, uid, name: text('node_name') ?? uid, site, nodeType: text('node_type'), handle };
}

interface Silenced {
  readonly facts: readonly Fact[];
  readonly silenced: readonly (readonly Fact[])[];
}

/** Removes the facts that a rule silences. If several rules match a fact, each rule counts the fact. */
export function applySilences(facts: readonly Fact[], rules: readonly Silence[]): Silenced {
  const silenced: Fact[][] = rules.map(() => []);
  const left = facts.flatMap((fact): Fact[] => {
    const covered = new Set<FleetNode>();
    for (const [i, rule] of rules.entries()) {
      const members = coveredBy(rule, fact);
      if (members.length === 0) continue;
      silenced[i]?.push({ ...fact, members });
      for (const member of members) covered.add(member);
    }
    const rest = covered.size > 0 ? without(fact, covered) : fact;
    return rest ? [rest] : [];
  });
  return { facts: left, silenced };
}

function coveredBy(rule: Silence, { check, field, members, kind }: Fact): readonly FleetNode[] {
  if (rule.check !== check) return [];
  const path = field.join('.');
  if (rule.field !== undefined && path !== rule.field && !path.startsWith(`${rule.field}.`)) return [];
  const covered = members.filter(
    ({ nodeType, site, uid, name }) =>
      (rule.node_type === undefined || rule.node_type === nodeType) &&
      (rule.sites?.includes(site) ?? true) &&
      (rule.nodes === undefined || rule.nodes.includes(uid) || rule.nodes.includes(name)),
  );
  // A rule silences a shared value only if it matches all members that share the value.
  return kind === 'shared' && covered.length < members.length ? [] : covered;
}

function without(fact: Fact, covered: ReadonlySet<FleetNode>): Fact | undefined {
  const rest = (members: readonly FleetNode[]) => members.filter((member) => !covered.has(member));
  const members = rest(fact.members);
  if (fact.kind === 'split') {
    const valueGroups = fact.valueGroups
      .map((group) => ({ ...group, members: rest(group.members) }))
      .filter((group) => group.members.length > 0);
    return valueGroups.length > 1 ? { ...fact, members, valueGroups } : undefined;
  }
  return members.length > 0 ? { ...fact, members } : undefined;
}
