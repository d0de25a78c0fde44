/** What the checks of a fleet find: facts about fields of nodes and sites, before they are silenced and grouped. */
import type { LabelName } from '../../labels/labels.ts';
import type { FleetCheck } from '../../model/configuration.ts';
import type { Json } from '../../model/json.ts';

export interface FleetNode {
  readonly path: string;
  readonly uid: string;
  /** The `node_name` of a node that has one, else the uid. */
  readonly name: string;
  /** The uid of the site that it is, or that it stands at. */
  readonly site: string;
  readonly nodeType: string | undefined;
  /** Of its body, in the body store. */
  readonly handle: number;
}

interface Base {
  readonly check: FleetCheck;
  /** Names from the top of the body down; positions in arrays are passed over. */
  readonly field: readonly string[];
  /** Those that the fact is about, in the order of their paths. */
  readonly members: readonly FleetNode[];
  /** Whether a value of the field is the one to point at; the first is, where none is said. */
  readonly isMeant?: (value: Json) => boolean;
}

/** Members have a value where most nodes of their type that have the field have another. */
export interface NodeDifference extends Base {
  readonly check: 'difference';
  readonly kind: 'difference';
  readonly value: string;
  readonly usual: string;
  readonly isCount: boolean;
}

/** The nodes of a type have several values, none of which most of them have. The most frequent comes first. */
export interface Split extends Base {
  readonly check: 'difference';
  readonly kind: 'split';
  readonly isCount: boolean;
  readonly sorts: readonly { readonly value: string; readonly members: readonly FleetNode[] }[];
}

/** Members have, or lack, a field that most nodes of their type that could have it lack, or have. */
export interface Presence extends Base {
  readonly check: 'presence';
  readonly kind: 'extra' | 'missing';
}

/** All members have a value that only one can have. */
export interface Shared extends Base {
  readonly check: 'shared';
  readonly kind: 'shared';
  readonly value: string;
}

export interface Placeholder extends Base {
  readonly check: 'placeholder';
  readonly kind: 'placeholder';
  readonly value: string;
}

/** Why a value cannot be. */
export type Implausibility =
  | 'negative'
  | 'zero'
  | 'fraction'
  | 'unit'
  | 'fewer-threads'
  | 'mac'
  | 'group-mac'
  | 'humanized';

export interface Implausible extends Base {
  readonly check: 'implausible';
  readonly kind: 'implausible';
  readonly value: string;
  readonly problem: Implausibility;
}

/** What is wrong with a site's coordinates, as the arguments of its finding. */
export type LocationProblem =
  | { readonly problem: 'range'; readonly value: number; readonly limit: number; readonly swaps: boolean }
  | { readonly problem: 'zero' }
  | { readonly problem: 'half'; readonly missing: string }
  | ({ readonly problem: 'far' } & Far);

/** A site that stands far from most others of what the last part of its location names, such as a country. */
export interface Far {
  readonly area: string;
  /** From how many of the others, and by how much at least. */
  readonly count: number;
  readonly others: number;
  readonly km: number;
  /** What would bring it near to one of them, and to which. */
  readonly cure?: { readonly what: 'latitude-sign' | 'longitude-sign' | 'swap'; readonly near: string };
}

export interface Location extends Base {
  readonly check: 'location';
  readonly kind: 'location';
  readonly problem: LocationProblem;
}

/** No rule knows what hardware a spelling means, so that it is a label of its own. */
export interface Uncovered extends Base {
  readonly check: 'label';
  readonly kind: 'uncovered';
  readonly label: LabelName;
  readonly value: string;
}

/** A value as facts have it: its JSON text, and the test that finds it again in a body. */
export function statedValue(value: Json): { readonly value: string; readonly isMeant: (other: Json) => boolean } {
  return { value: JSON.stringify(value), isMeant: (other) => other === value };
}

export type Fact = (NodeDifference | Split | Presence) | (Shared | Placeholder | Implausible) | (Location | Uncovered);
