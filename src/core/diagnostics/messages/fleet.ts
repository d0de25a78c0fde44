import { error, listed } from '../message.ts';
import { grouped, plural } from '../words.ts';

/** Nodes of a fleet: all of one type, where there is one. */
interface ForNodes {
  names: readonly string[];
  nodeType?: string;
  /** How many nodes of the type there are. */
  total?: number;
  /** Sites, all of whose nodes of the type they are. */
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
/** How many nodes may share a value before it looks like a product code. */
const FEW = 3;
const NAMES_SHOWN = 6;
const OR_SILENCE = 'or silence it with a reason (fleet.silence).';

const lines = (each: readonly string[]) => each.map((line) => `\n  - ${line}`).join('');

function someOf(names: readonly string[]): string {
  const rest = names.length - NAMES_SHOWN;
  return rest > 1 ? `${listed(names.slice(0, NAMES_SHOWN))} and ${rest} more` : listed(names);
}

/** `2 of 57 compute nodes (n7, n9: all at lyra)`, `node n7`; without the names where these follow. */
function nodesSaid({ names, nodeType, total = names.length, allAt }: ForNodes, isNamed = true): string {
  const where = allAt ? `: all at ${listed(allAt)}` : '';
  const type = nodeType === undefined ? 'node' : `${nodeType} node`;
  const count = names.length < total ? `${names.length} of ${plural(total, type)}` : plural(total, type);
  return isNamed ? `${count} (${someOf(names)}${where})` : count;
}

function measured({ field, isCount }: { field: string; isCount: boolean }): string {
  return isCount ? `the number of ${field}` : field;
}

function placeSaid({ file, line, column }: ForPlace): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

const IMPLAUSIBLE = {
  negative: 'it cannot be negative',
  zero: 'it cannot be 0',
  fraction: 'it counts something, and must be a whole number',
  unit: "it looks like another unit than the schema's",
  'fewer-threads': 'there are fewer threads than processors',
  mac: 'a MAC address has 6 bytes, that of InfiniBand 8 or 20',
  'group-mac': 'it is the address of a group, not of an adapter',
  humanized: 'the two are not the same size',
} as const;
type Implausibility = keyof typeof IMPLAUSIBLE;

const CURES = {
  'latitude-sign': 'the other sign of the latitude',
  'longitude-sign': 'the other sign of the longitude',
  swap: 'latitude and longitude swapped',
} as const;

export const FLEET_MESSAGES = {
  'fleet-difference': error<{
    nodes: ForNodes;
    others: readonly (ForFact & { usual: string; isCount: boolean })[];
    lacking: readonly string[];
    having: readonly string[];
  }>(
    (a) => {
      const isOne = a.nodes.names.length === 1;
      const others = a.others.map((fact) => `${measured(fact)} is ${fact.value}, mostly ${fact.usual}`);
      const lacking = a.lacking.length > 0 ? [`without ${listed(a.lacking)}, which the others have`] : [];
      const having = a.having.length > 0 ? [`with ${listed(a.having)}, which the others lack`] : [];
      return `${nodesSaid(a.nodes)} ${isOne ? 'is' : 'are'} not like the others:${lines([...others, ...lacking, ...having])}`;
    },
    (a) =>
      a.nodes.names.length === 1
        ? `Correct what is wrong, give it a node_type of its own, ${OR_SILENCE}`
        : `Correct what is wrong, give them a node_type of their own, ${OR_SILENCE}`,
  ),
  'fleet-split': error<{
    nodes: ForNodes;
    sorts: readonly (readonly string[])[];
    facts: readonly { field: string; isCount: boolean; values: readonly string[] }[];
  }>(
    (a) =>
      `${nodesSaid(a.nodes, false)} are of ${a.sorts.length} sorts, and none is the rule: ${a.sorts
        .map((names) => (names.length === 1 ? listed(names) : `${names.length} (${someOf(names)})`))
        .join(' | ')}:${lines(a.facts.map((fact) => `${measured(fact)} is ${fact.values.join(' | ')}`))}`,
    `Correct what is wrong, give them node_types of their own, ${OR_SILENCE}`,
  ),
  'fleet-shared': error<{
    nodes: ForNodes;
    facts: readonly (ForFact & { places: readonly ForPlace[]; count: number })[];
  }>(
    (a) =>
      `${nodesSaid({ names: a.nodes.names })} have in common what only one can have:${a.facts
        .map(
          ({ field, value, places, count }) =>
            `${lines([`${field} is ${value}`])}${places.map((place) => `\n    at ${placeSaid(place)}`).join('')}${
              count > places.length ? `\n    and ${count - places.length} more` : ''
            }`,
        )
        .join('')}`,
    (a) =>
      a.nodes.names.length > FEW
        ? 'So many share it that it is hardly the name of one: leave it out where it is a product code, or correct it.'
        : 'Find out which of them has it, and correct the others.',
  ),
  'fleet-placeholder': error<{ nodes: ForNodes; facts: readonly ForFact[] }>(
    (a) =>
      `${nodesSaid(a.nodes)} ${a.nodes.names.length === 1 ? 'has' : 'have'} a placeholder for a value:${lines(
        a.facts.map((fact) => `${fact.field} is ${fact.value}`),
      )}`,
    'Write the value, or leave the field out: what is not known is better not said.',
  ),
  'fleet-implausible': error<{ nodes: ForNodes; facts: readonly (ForFact & { problem: Implausibility })[] }>(
    (a) =>
      `${nodesSaid(a.nodes)} ${a.nodes.names.length === 1 ? 'has' : 'have'} what cannot be:${lines(
        a.facts.map((fact) => `${fact.field} is ${fact.value}: ${IMPLAUSIBLE[fact.problem]}`),
      )}`,
    'Correct it, or leave the field out.',
  ),
  'fleet-location-range': error<{ site: string; field: string; value: number; limit: number; swaps: boolean }>(
    (a) => `The ${a.field} of the site ${a.site} is ${a.value}, which is not within ±${a.limit}.`,
    (a) =>
      a.swaps ? 'Correct it: latitude and longitude look swapped.' : 'Correct it: coordinates are decimal degrees.',
  ),
  'fleet-location-zero': error<{ site: string }>(
    (a) => `The site ${a.site} has the coordinates 0, 0, which lie in the Gulf of Guinea.`,
    'Write where it stands, or leave the coordinates out.',
  ),
  'fleet-location-half': error<{ site: string; field: string; missing: string }>(
    (a) => `The site ${a.site} has a ${a.field}, but no ${a.missing}.`,
    (a) => `Add the ${a.missing}, or leave both out.`,
  ),
  'fleet-location-far': error<{
    site: string;
    area: string;
    count: number;
    others: number;
    km: number;
    cure?: { what: keyof typeof CURES; near: string };
  }>(
    (a) =>
      `The coordinates of the site ${a.site} lie at least ${grouped(a.km)} km from ${a.count} of the ${a.others} other sites in "${a.area}".`,
    (a) =>
      a.cure
        ? `Correct them: with ${CURES[a.cure.what]} they would be near those of ${a.cure.near}.`
        : 'Correct them or the location, or silence it with a reason (fleet.silence).',
  ),
  'fleet-label': error<{ nodes: ForNodes; labels: readonly string[]; facts: readonly ForFact[] }>(
    (a) =>
      `${nodesSaid(a.nodes)} ${a.nodes.names.length === 1 ? 'has' : 'have'} what no rule of labels knows:${lines(
        a.facts.map((fact) => `${fact.field} is ${fact.value}`),
      )}`,
    (a) => `Say what it is (${listed(a.labels.map((label) => `labels.${label}`))}), correct it, ${OR_SILENCE}`,
  ),
  'fleet-label-unused': error<{ label: string }>(
    (a) => `This rule of labels.${a.label} matches nothing that any node has.`,
    'Remove it, or correct what it matches: perhaps what it was for has been mended.',
  ),
  'fleet-silence-unused': error<{ check: string }>(
    (a) => `This rule silences no finding of the check "${a.check}".`,
    'Remove it, or correct what it says: perhaps what it was for has been mended.',
  ),
} as const;
