import type { LabelName } from '../../labels/label-fields.ts';
import type { FleetCheck } from '../../model/configuration.ts';
import type { Json } from '../../model/json.ts';

export interface FleetNode {
  readonly path: string;
  readonly uid: string;
  readonly name: string;
  readonly site: string;
  readonly nodeType: string | undefined;
  readonly handle: number;
}

interface Base<C extends FleetCheck, K extends string = C> {
  readonly check: C;
  readonly kind: K;
  readonly field: readonly string[];
  /** The resources to which the fact applies, in the order of their paths. */
  readonly members: readonly FleetNode[];
  /** Selects the value that a finding points to. By default, a finding points to the first value of the field. */
  readonly isReportedValue?: (value: Json) => boolean;
}

/** Nodes with a value that differs from the value of most nodes of their type. */
export interface NodeDifference extends Base<'difference'> {
  readonly value: string;
  readonly usual: string;
  readonly isCount: boolean;
}

/** A field in which no value occurs in most nodes of the type. The most frequent value comes first. */
export interface Split extends Base<'difference', 'split'> {
  readonly isCount: boolean;
  readonly valueGroups: readonly { readonly value: string; readonly members: readonly FleetNode[] }[];
}

/** A field that only some comparable nodes have. The members are the minority, which has the field or lacks it. */
export type Presence = Base<'presence', 'extra' | 'missing'>;

/** A value that several nodes share, although the value of the field should be unique. */
export interface Shared extends Base<'shared'> {
  readonly value: string;
}

export interface Placeholder extends Base<'placeholder'> {
  readonly value: string;
}

export type Implausibility = Implausible['problem'];

export interface Implausible extends Base<'implausible'> {
  readonly value: string;
  readonly problem: ('negative' | 'zero' | 'fraction' | 'unit') | ('fewer-threads' | 'mac' | 'group-mac' | 'humanized');
}

export type LocationProblem =
  | { readonly problem: 'range'; readonly value: number; readonly limit: number; readonly swaps: boolean }
  | { readonly problem: 'zero' }
  | { readonly problem: 'half'; readonly missing: string }
  | ({ readonly problem: 'far' } & Far);

/** A site that is far away from most other sites in its area, such as a country. */
export interface Far {
  readonly area: string;
  readonly count: number;
  readonly others: number;
  readonly km: number;
  /** A likely correction of the coordinates. It would put the site near another site of its area. */
  readonly correction?: { readonly what: 'latitude-sign' | 'longitude-sign' | 'swap'; readonly near: string };
}

export interface Location extends Base<'location'> {
  readonly problem: LocationProblem;
}

/** A spelling that no label rule matches. The spelling itself becomes the label. */
export interface Uncovered extends Base<'label', 'uncovered'> {
  readonly label: LabelName;
  readonly value: string;
}

export interface BrokenRule extends Base<'rule'> {
  /**
   * The query that every node must match. If a rule requires one value per cluster, this text lists the different
   * values.
   */
  readonly value: string;
  /** The most frequent value in the cluster. Set only for a field that must have one value in the whole cluster. */
  readonly usual?: string;
}

export function statedValue(value: Json): {
  readonly value: string;
  readonly isReportedValue: (other: Json) => boolean;
} {
  return { value: JSON.stringify(value), isReportedValue: (other) => other === value };
}

export type Fact =
  | (NodeDifference | Split | Presence)
  | (Shared | Placeholder | Implausible)
  | (Location | Uncovered | BrokenRule);
