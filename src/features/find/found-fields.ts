import { facetBody } from '../../core/api/nodes/facet-body.ts';
import { formatCount, plural, truncated } from '../../core/diagnostics/words.ts';
import { shownText, WIDEST_CELL } from '../../core/exports/hardware-table.ts';
import { revisionSuffix } from '../../core/exports/nodes-document.ts';
import { quantityText, unitNamed } from '../../core/model/units.ts';
import { assertDefined } from '../../core/platform/lookups.ts';
import { type Facet, facetsOf } from '../../core/table/facets.ts';
import { labelColumns } from '../../core/table/label-columns.ts';
import { alignedLines } from './describe-found.ts';
import { type FindOptions, find } from './find.ts';
import { surveyOf } from './fleet-source.ts';
import type { PresentedNodes } from './present-found.ts';

const MAX_EXAMPLES = 3;

export async function presentFields(options: FindOptions): Promise<PresentedNodes> {
  return await find(options, 'all', async ({ rows, nodes, revision, findings }, source) => {
    const survey = rows.length === nodes ? assertDefined(source.survey)() : surveyOf(await source.nodesAt(rows));
    const facets = facetsOf(survey, labelColumns(survey.table.columns, source.labels));
    const counts = { total: rows.length, nodes, ...(revision ? { revision } : {}) };
    return {
      record: { ...counts, fields: facets.map((facet) => facetBody(facet, undefined)) },
      lines: alignedLines([HEAD, ...facets.map(fieldLine)]),
      note: `${plural(facets.length, 'field')} of ${formatCount(rows.length)} of ${plural(nodes, 'node')}${revisionSuffix(revision)}.\n`,
      findings,
    };
  });
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
