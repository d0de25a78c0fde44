import { type FieldClass, ruleOfField } from '../model/field-classes.ts';
import type { FieldDescription } from '../model/fields/field-descriptions.ts';
import { fieldName, PLACE_NAMES } from '../model/fields/field-name.ts';
import { byCodeUnit } from '../model/json.ts';
import { NODE } from '../model/kinds.ts';
import { unitOfField } from '../model/units.ts';
import {
  type FieldCounts,
  type JsonType,
  newFieldCounter,
  newValueCounts,
  type ValueCount,
  type ValueCounts,
} from './field-counts.ts';
import type { LabelColumn } from './label-columns.ts';
import type { NodeSurvey } from './node-survey.ts';
import type { ClusterRows } from './node-table.ts';
import { isPerNodeAt } from './per-node-fields.ts';

export interface Facet {
  readonly name: string;
  /** The path of the field in bodies. Undefined for `site`, `cluster` and labels. */
  readonly path: readonly string[] | undefined;
  readonly class: FieldClass;
  readonly types: readonly JsonType[];
  readonly nodes: number;
  readonly distinct: number;
  /** The values with node counts, most frequent first. Undefined if the field has a `range`, no values or too many. */
  readonly values: readonly ValueCount[] | undefined;
  /** The number of distinct values that `values` omits because they are too long. */
  readonly longer: number;
  readonly range: NumberRange | undefined;
  readonly lengths: readonly ValueCount[] | undefined;
  readonly described?: Partial<FieldDescription>;
}

export interface NumberRange {
  readonly min: number;
  readonly max: number;
  /**
   * The quartiles: at least 1/4, 1/2 and 3/4 of the numbers are at or below these values. Each quartile is the smallest
   * such value.
   */
  readonly quartiles: readonly [number, number, number];
}

/** The maximum number of listed values, and the maximum length of a listed value in characters. */
export const MOST_VALUES = 200;
export const LONGEST_VALUE = 256;

export function facetsOf({ table, fields, own }: NodeSurvey, labels: readonly LabelColumn[] = []): Facet[] {
  const facets = fields.map((field) => facetOf(fieldName(field.path), field, isPerNodeAt(field.path, own)));
  const places = PLACE_NAMES.map((name) => placeFacet(name, table.clusters));
  return [...facets, ...places, ...labels.map(labelFacet)].sort((a, b) => byCodeUnit(a.name, b.name));
}

function facetOf(name: string, field: FieldCounts, isOwn: boolean): Facet {
  const { path, types, nodes, values, lengths } = field;
  const counted = values.distinct > MOST_VALUES && isOwn ? undefined : values.counted();
  const numbers = values.distinct > MOST_VALUES ? values.numbers() : [];
  const listed = numbers.length > 0 ? undefined : counted?.slice(0, MOST_VALUES);
  const short = listed?.filter(({ value }) => typeof value !== 'string' || value.length <= LONGEST_VALUE);
  return {
    name,
    path,
    class: ruleOfField(NODE, path).class,
    types: [...types].sort(byCodeUnit),
    nodes,
    distinct: values.distinct,
    values: values.distinct === 0 ? undefined : short,
    longer: (listed?.length ?? 0) - (short?.length ?? 0),
    range: rangeOf(numbers),
    lengths: types.has('array') ? lengths.counted() : undefined,
  };
}

function placeFacet(name: (typeof PLACE_NAMES)[number], clusters: readonly ClusterRows[]): Facet {
  const values: ValueCounts = newValueCounts();
  let nodes = 0;
  for (const [part, cluster] of clusters.entries()) {
    values.add(JSON.stringify(cluster[name]), cluster.nodes, part);
    nodes += cluster.nodes;
  }
  const field: FieldCounts = { path: [], types: new Set(['string']), nodes, values, lengths: newValueCounts() };
  const described = { text: `The uid of the node's ${name}.` };
  return { ...facetOf(name, field, false), path: undefined, class: 'placement', described };
}

function labelFacet(column: LabelColumn): Facet {
  const counter = newFieldCounter();
  const field = counter.fieldAt([column.name]);
  counter.countColumn(field, column);
  const unit = unitOfField(column.name.split('.'));
  const described = { text: column.description, ...(unit === undefined ? {} : { unit }) };
  return { ...facetOf(column.name, field, false), path: undefined, class: 'derived', described };
}

function rangeOf(numbers: ReturnType<ValueCounts['numbers']>): NumberRange | undefined {
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (!first || !last) return undefined;
  const total = numbers.reduce((sum, { nodes }) => sum + nodes, 0);
  const quantile = (share: number) => {
    let seen = 0;
    for (const { value, nodes } of numbers) {
      seen += nodes;
      if (seen >= share * total) return value;
    }
    return last.value;
  };
  return { min: first.value, max: last.value, quartiles: [quantile(0.25), quantile(0.5), quantile(0.75)] };
}
