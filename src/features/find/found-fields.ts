import { facetBody } from '../../core/api/nodes/facet-body.ts';
import { formatCount, plural, truncated } from '../../core/diagnostics/words.ts';
import { shownText, WIDEST_CELL } from '../../core/exports/hardware-table.ts';
import { revisionSuffix } from '../../core/exports/nodes-document.ts';
import { fieldName, pathOfField } from '../../core/model/fields/field-name.ts';
import { quantityText, unitNamed } from '../../core/model/units.ts';
import { assertDefined, groupBy } from '../../core/platform/lookups.ts';
import type { QueryFleet } from '../../core/query/columns.ts';
import { throwUnknownField } from '../../core/query/named-field.ts';
import { type Facet, facetsOf } from '../../core/table/facets.ts';
import { labelColumns } from '../../core/table/label-columns.ts';
import { alignedLines } from './describe-found.ts';
import { type FindOptions, find } from './find.ts';
import { surveyOf } from './fleet-source.ts';
import type { PresentedNodes } from './present-found.ts';

const MAX_EXAMPLES = 3;

export interface FieldOptions extends FindOptions {
  /** Only this field and the fields below it. */
  readonly under?: string | undefined;
  /** Only fields whose name or description contains this text. Case is ignored. */
  readonly search?: string | undefined;
  /** The maximum number of fields. */
  readonly maxFields?: number | undefined;
  /** The maximum number of listed values of each field in JSON. By default, all values of a facet are listed. */
  readonly maxValues?: number | undefined;
}

export async function presentFields(options: FieldOptions): Promise<PresentedNodes> {
  return await find(options, 'all', async ({ rows, nodes, revision, findings, fleet }, source) => {
    const survey = rows.length === nodes ? assertDefined(source.survey)() : surveyOf(await source.nodesAt(rows));
    const all = facetsOf(survey, labelColumns(survey.table.columns, source.labels));
    const matching = matchingFacets(all, options, fleet);
    const facets = matching.slice(0, options.maxFields);
    const counts = { total: rows.length, nodes, ...(revision ? { revision } : {}) };
    const fields = facets.map((facet) => facetBody(withFewerValues(facet, options.maxValues), undefined));
    const omitted = matching.slice(facets.length);
    const shown = omitted.length > 0 ? `; ${formatCount(facets.length)} are shown` : '';
    return {
      record: { ...counts, fields, ...(omitted.length > 0 ? { omitted: omittedRecords(omitted) } : {}) },
      lines: alignedLines([HEAD, ...facets.map(fieldLine)]),
      note: `${plural(matching.length, 'field')} of ${formatCount(rows.length)} of ${plural(nodes, 'node')}${revisionSuffix(revision)}${shown}.\n`,
      findings,
    };
  });
}

function matchingFacets(
  facets: readonly Facet[],
  { under, search }: FieldOptions,
  fleet: QueryFleet,
): readonly Facet[] {
  const isUnder = ({ name }: Facet) => under === undefined || name === under || name.startsWith(`${under}.`);
  const wanted = search?.toLowerCase();
  const isSearched = (facet: Facet) => {
    const { name, description = '' } = facetBody(facet, undefined);
    return wanted === undefined || `${name}\n${description}`.toLowerCase().includes(wanted);
  };
  const below = facets.filter(isUnder);
  if (under !== undefined && below.length === 0 && facets.length > 0) throwUnknownField(under, fleet);
  return below.filter(isSearched);
}

function withFewerValues(facet: Facet, most: number | undefined): Facet {
  return most === undefined ? facet : { ...facet, values: facet.values?.slice(0, most) };
}

/** Counts the omitted fields by the first part of their names, which is a value of `under`. */
function omittedRecords(facets: readonly Facet[]): object[] {
  const groups = groupBy(facets, ({ name, path }) => {
    const [top = name] = path ?? pathOfField(name) ?? [];
    return path ? fieldName([top]) : top;
  });
  return [...groups].map(([under, fields]) => ({ under, fields: fields.length }));
}

const HEAD = ['field', 'types', 'unit', 'class', 'nodes', 'values', 'such as'];

function fieldLine(facet: Facet): string[] {
  const { unit = '-' } = facetBody(facet, undefined);
  return [
    ...[shownText(facet.name), facet.types.join(', '), unit, facet.class],
    ...[formatCount(facet.nodes), formatCount(facet.distinct), exampleValues(facet, unit)],
  ];
}

/** Returns the range of a facet, such as `16 to 64`. If the facet has no range, returns its most frequent values. */
function exampleValues({ values = [], range }: Facet, unitName: string): string {
  const unit = unitNamed(unitName)?.base;
  const shown = (value: string | number | boolean | null) =>
    typeof value === 'number' && unit ? quantityText(value, unit) : value === '' ? '""' : shownText(String(value));
  const text = range
    ? `${shown(range.min)} to ${shown(range.max)}`
    : values
        .slice(0, MAX_EXAMPLES)
        .map(({ value }) => shown(value))
        .join(', ');
  return truncated(text, WIDEST_CELL) || '-';
}
