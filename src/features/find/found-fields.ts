/** The data dictionary: which fields nodes have, of which type and unit, how many have them, and what is in them. */
import { facetBody } from '../../core/api/nodes/facet-body.ts';
import { grouped, plural, shortened } from '../../core/diagnostics/words.ts';
import { quantityText, unitNamed } from '../../core/model/units.ts';
import { certain } from '../../core/platform/certain.ts';
import { type Facet, facetsOf } from '../../core/table/facets.ts';
import { labelColumns } from '../../core/table/label-columns.ts';
import { alignedLines, momentOf, shownText, WIDEST_CELL } from './describe-found.ts';
import { type FindOptions, find } from './find.ts';
import type { PresentedNodes } from './present-found.ts';
import { surveyOf } from './survey-of.ts';

/** How much of what is in a field a line tells. */
const MOST_SHOWN = 3;

/** The fields of the nodes of which the query is true. */
export async function presentFields(options: FindOptions): Promise<PresentedNodes> {
  return await find(options, 'all', async ({ rows, nodes, revision, findings }, source) => {
    const survey = rows.length === nodes ? certain(source.survey)() : surveyOf(await source.nodesAt(rows));
    const facets = facetsOf(survey, labelColumns(survey.table.columns, source.labels));
    const counts = { total: rows.length, nodes, ...(revision ? { revision } : {}) };
    return {
      record: { ...counts, fields: facets.map((facet) => facetBody(facet, undefined)) },
      lines: alignedLines([HEAD, ...facets.map(fieldLine)]),
      note: `${plural(facets.length, 'field')} of ${grouped(rows.length)} of ${plural(nodes, 'node')}${momentOf(revision)}.\n`,
      findings,
    };
  });
}

const HEAD = ['field', 'types', 'unit', 'class', 'nodes', 'values', 'such as'];

function fieldLine(facet: Facet): string[] {
  const { unit = '-' } = facetBody(facet, undefined);
  return [
    ...[shownText(facet.name), facet.types.join(', '), unit, facet.class],
    ...[grouped(facet.nodes), grouped(facet.distinct), suchAs(facet, unit)],
  ];
}

/** The most frequent values, or the least and the greatest. */
function suchAs({ values = [], range }: Facet, unitName: string): string {
  const unit = unitNamed(unitName)?.base;
  const shown = (value: string | number | boolean | null) =>
    typeof value === 'number' && unit ? quantityText(value, unit) : shownText(String(value));
  const text = range
    ? `${shown(range.min)} to ${shown(range.max)}`
    : values
        .slice(0, MOST_SHOWN)
        .map(({ value }) => shown(value))
        .join(', ');
  return shortened(text, WIDEST_CELL) || '-';
}
