/** Fields of `search.collections` by which there are no groups: warnings, as a tree without them says nothing. */
import { nodeGroups } from '../../core/api/nodes/node-groups.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { labelling } from '../../core/labels/labels.ts';
import { wayOfField } from '../../core/model/fields/field-name.ts';
import { nearestFields } from '../../core/query/named-field.ts';
import { tableFleet } from '../../core/query/table-fleet.ts';
import { surveyNodes } from '../../core/table/node-survey.ts';
import { isOwnAt } from '../../core/table/own-fields.ts';
import type { HeadSources, SourceOptions } from '../sources/load-sources.ts';
import { placeInConfiguration } from './place-in-configuration.ts';

export function collectionWarnings(options: SourceOptions, { configuration, worktree, store }: HeadSources): Finding[] {
  const { collections = [], left_out: leftOut } = configuration.search ?? {};
  const survey = surveyNodes(worktree, store, leftOut);
  if (survey.table.total === 0) return [];
  const labels = labelling(configuration.labels);
  const grouped = new Set(nodeGroups({ nodes: () => survey, labels }, collections).map(({ field }) => field));
  const fleet = tableFleet(survey.table, labels);
  return collections.flatMap((field, i): Finding[] => {
    if (grouped.has(field)) return [];
    const place = placeInConfiguration(options, ['search', 'collections', i]);
    const way = wayOfField(field) ?? [];
    const isHeld = survey.fields.some((held) => way.every((name, at) => name === held.way[at]));
    if (isHeld && isOwnAt(way, survey.own)) return [finding('collection-left-out', { field }, place)];
    return [finding('collection-empty', { field, nearest: nearestFields(field, fleet) }, place)];
  });
}
