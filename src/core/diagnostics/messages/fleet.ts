import { error, failure, joinNames, type NoArguments, suggestion, warning } from '../message.ts';
import { formatCount, plural } from '../words.ts';

/** The nodes that a message lists. `nodeType` is set if all nodes have the same type. */
interface ForNodes {
  names: readonly string[];
  nodeType?: string;
  total?: number;
  /** The sites of the nodes in `names`. Set only if `names` contains all nodes of this type at these sites. */
  allAt?: readonly string[];
}
interface ForFact {
  field: string;
  value: string;
}
interface ForPlace {
  file: string;
  line?: number;
  column?: number;
}
/** If more than this number of nodes share a value, the value is probably a product code, not a serial number. */
const FEW = 3;
const NAMES_SHOWN = 6;
const OR_SILENCE = 'or accept the finding with a reason (--accept, or fleet.silence).';

const lines = (each: readonly string[]) => each.map((line) => `\n  - ${line}`).join('');

function someOf(names: readonly string[]): string {
  const rest = names.length - NAMES_SHOWN;
  return rest > 1 ? `${joinNames(names.slice(0, NAMES_SHOWN))} and ${rest} more` : joinNames(names);
}

/** Returns a text such as `2 of 57 compute nodes (n7, n9: all at lyra)`. */
function nodesText({ names, nodeType, total = names.length, allAt }: ForNodes, isNamed = true): string {
  const where = allAt ? `: all at ${joinNames(allAt)}` : '';
  const type = nodeType === undefined ? 'node' : `${nodeType} node`;
  const count = names.length < total ? `${names.length} of ${plural(total, type)}` : plural(total, type);
  return isNamed ? `${count} (${someOf(names)}${where})` : count;
}

function factsText(nodes: ForNodes, problem: string, facts: readonly ForFact[]): string {
  const verb = nodes.names.length === 1 ? 'has' : 'have';
  return `${nodesText(nodes)} ${verb} ${problem}:${lines(facts.map(({ field, value }) => `${field} is ${value}`))}`;
}

function measured({ field, isCount }: { field: string; isCount: boolean }): string {
  return isCount ? `the number of ${field}` : field;
}

function placeText({ file, line, column }: ForPlace): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

const IMPLAUSIBLE = {
  negative: 'it cannot be negative',
  zero: 'it cannot be 0',
  fraction: 'a count must be a whole number',
  unit: 'the unit seems to differ from the unit in the schema',
  'fewer-threads': 'there are fewer threads than processors',
  mac: 'a MAC address has 6 bytes, an InfiniBand address 8 or 20',
  'group-mac': 'this is the address of a group, not of an adapter',
  humanized: 'the two sizes differ',
} as const;
type Implausibility = keyof typeof IMPLAUSIBLE;

const CORRECTIONS = {
  'latitude-sign': 'the other sign of the latitude',
  'longitude-sign': 'the other sign of the longitude',
  swap: 'latitude and longitude swapped',
} as const;

export const FLEET_MESSAGES = {
  'fleet-difference': warning<{
    nodes: ForNodes;
    others: readonly (ForFact & { usual: string; isCount: boolean })[];
    lacking: readonly string[];
    having: readonly string[];
  }>(({ nodes, others, lacking, having }) => {
    const different = others.map((fact) => `${measured(fact)} is ${fact.value}, usually ${fact.usual}`);
    const missing = lacking.length > 0 ? [`without ${joinNames(lacking)}, which the others have`] : [];
    const extra = having.length > 0 ? [`with ${joinNames(having)}, which the others lack`] : [];
    const verb = nodes.names.length === 1 ? 'differs' : 'differ';
    return `${nodesText(nodes)} ${verb} from the others:${lines([...different, ...missing, ...extra])}`;
  }, `Correct the values, set another node_type, ${OR_SILENCE}`),
  'fleet-split': warning<{
    nodes: ForNodes;
    groups: readonly (readonly string[])[];
    facts: readonly { field: string; isCount: boolean; values: readonly string[] }[];
  }>(
    (a) =>
      `${nodesText(a.nodes, false)} form ${a.groups.length} groups, and none is the majority: ${a.groups
        .map((names) => (names.length === 1 ? joinNames(names) : `${names.length} (${someOf(names)})`))
        .join(' | ')}:${lines(a.facts.map((fact) => `${measured(fact)} is ${fact.values.join(' | ')}`))}`,
    `Correct the values, give each group another node_type, ${OR_SILENCE}`,
  ),
  'fleet-shared': warning<{
    nodes: ForNodes;
    facts: readonly (ForFact & { places: readonly ForPlace[]; count: number })[];
  }>(
    (a) =>
      `${nodesText({ names: a.nodes.names })} share values that must be unique:${a.facts
        .map(
          ({ field, value, places, count }) =>
            `${lines([`${field} is ${value}`])}${places.map((place) => `\n    at ${placeText(place)}`).join('')}${
              count > places.length ? `\n    and ${count - places.length} more` : ''
            }`,
        )
        .join('')}`,
    (a) =>
      a.nodes.names.length > FEW
        ? 'So many nodes share the value that it is probably a product code. Remove it, or correct it.'
        : 'Find out which node has the value, and correct the others.',
  ),
  'fleet-placeholder': warning<{ nodes: ForNodes; facts: readonly ForFact[] }>(
    (a) => factsText(a.nodes, 'placeholder values', a.facts),
    'Write the real value. If it is unknown, remove the field.',
  ),
  'fleet-implausible': warning<{ nodes: ForNodes; facts: readonly (ForFact & { problem: Implausibility })[] }>(
    (a) =>
      factsText(
        a.nodes,
        'impossible values',
        a.facts.map(({ field, value, problem }) => ({ field, value: `${value}: ${IMPLAUSIBLE[problem]}` })),
      ),
    'Correct the value, or remove the field.',
  ),
  'fleet-location-range': warning<{ site: string; field: string; value: number; limit: number; swaps: boolean }>(
    (a) => `The ${a.field} of the site "${a.site}" is ${a.value}, outside ±${a.limit}.`,
    (a) =>
      a.swaps
        ? 'Correct it. Latitude and longitude seem to be swapped.'
        : 'Correct it. Coordinates are decimal degrees.',
  ),
  'fleet-location-zero': warning<{ site: string }>(
    (a) => `The coordinates of the site "${a.site}" are 0, 0, a point in the Gulf of Guinea.`,
    'Write the real coordinates, or remove them.',
  ),
  'fleet-location-half': warning<{ site: string; field: string; missing: string }>(
    (a) => `The site "${a.site}" has a ${a.field}, but no ${a.missing}.`,
    (a) => `Add the ${a.missing}, or remove both.`,
  ),
  'fleet-location-far': warning<{
    site: string;
    area: string;
    count: number;
    others: number;
    km: number;
    correction?: { what: keyof typeof CORRECTIONS; near: string };
  }>(
    (a) =>
      `The coordinates of the site "${a.site}" are at least ${formatCount(a.km)} km away from ${a.count} of the ${a.others} other sites in "${a.area}".`,
    (a) =>
      a.correction
        ? `Correct the coordinates. With ${CORRECTIONS[a.correction.what]}, they would be near the site "${a.correction.near}".`
        : `Correct the coordinates or the location, ${OR_SILENCE}`,
  ),
  'fleet-label': warning<{ nodes: ForNodes; labels: readonly string[]; facts: readonly ForFact[] }>(
    (a) => factsText(a.nodes, 'values that no label rule matches', a.facts),
    (a) =>
      `Add a label rule (${joinNames(a.labels.map((label) => `labels.${label}`))}), correct the value, ${OR_SILENCE}`,
  ),
  'fleet-rule': warning<{ nodes: ForNodes; facts: readonly (ForFact & { usual?: string })[] }>(
    ({ nodes, facts }) =>
      `${nodesText(nodes)} ${nodes.names.length === 1 ? 'breaks' : 'break'} rules of the configuration:${lines(
        facts.map(({ field, value, usual }) =>
          usual === undefined ? value : `${field} is ${value}, usually ${usual} in the cluster`,
        ),
      )}`,
    'Correct the values, change the rule in gridpress.yaml, or accept the finding with a reason (--accept, or fleet.silence).',
  ),
  'fleet-rule-query': failure<NoArguments>(
    () => 'The query of this rule cannot be used.',
    'Correct it. The next finding says what is wrong.',
  ),
  'fleet-field-absent': warning<{ field: string; nearest: readonly string[] }>(
    (a) => `No file of a node contains the field "${a.field}", so this rule checks nothing.`,
    (a) => suggestion(a.nearest, 'Correct the name. The rule cannot check labels, sites or clusters.'),
  ),
  'fleet-unique-mapping': warning<{ field: string; example: string }>(
    (a) => `The field "${a.field}" contains other fields, so this rule checks nothing.`,
    (a) => `Write the name of a field in it, such as ${a.example}.`,
  ),
  'fleet-label-unused': warning<{ label: string }>(
    (a) => `This rule of labels.${a.label} matches no value of any node.`,
    'Remove the rule, or correct it. The values that it matched may have been corrected.',
  ),
  'fleet-silence-unused': warning<{ check: string }>(
    (a) => `This rule silences no finding of the check "${a.check}".`,
    'Remove the rule, or correct it. The cause of the finding may have been corrected.',
  ),
  'fleet-new': error<{ count: number; file: string }>(
    (a) => `The fleet has ${plural(a.count, 'finding')} that ${a.file} does not accept.`,
    'Correct the values, or accept the findings with a reason: gridpress check --fleet --accept "REASON"',
  ),
  'fleet-accepted-unused': warning<{ count: number }>(
    (a) =>
      a.count === 1
        ? 'This entry accepts a finding that the fleet no longer has.'
        : `This entry and ${formatCount(a.count - 1)} others accept findings that the fleet no longer has.`,
    'Remove the entries. "gridpress check --fleet --accept REASON" removes them too.',
  ),
} as const;
