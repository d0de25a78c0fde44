import { readFileSync } from 'node:fs';
import { nodeGroups } from '../../core/api/nodes/node-groups.ts';
import { type Finding, finding, type Place } from '../../core/diagnostics/finding.ts';
import { suggestSimilar } from '../../core/diagnostics/nearest.ts';
import { publicBodyOf, publicState } from '../../core/history/public-history.ts';
import { HOSTS, hostNamed } from '../../core/hosts/all.ts';
import { labelling } from '../../core/labels/labels.ts';
import { pathOfField } from '../../core/model/fields/field-name.ts';
import { publicBodies } from '../../core/model/private-fields.ts';
import type { RegistryState } from '../../core/model/state.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { nearestFields } from '../../core/query/named-field.ts';
import { tableFleet } from '../../core/query/table-fleet.ts';
import { positionsIn } from '../../core/registry/yaml/yaml-positions.ts';
import { type NodeSurvey, surveyNodes } from '../../core/table/node-survey.ts';
import { isPerNodeAt } from '../../core/table/per-node-fields.ts';
import { displayPath } from '../../system/files/display-path.ts';
import type { HeadSources, SourceOptions } from '../sources/load-sources.ts';
import { configurationFile } from '../sources/registry-files.ts';

export function configurationFindings(options: SourceOptions, { configuration }: HeadSources): Finding[] {
  const known = HOSTS.map(({ name }) => name);
  const placeOf = placesInConfiguration(options);
  return configuration.hosts.flatMap((name, i) => {
    if (hostNamed(name)) return [];
    const [nearest] = suggestSimilar(name, known);
    return [finding('configuration-host', { name, nearest, known }, placeOf(['hosts', i]))];
  });
}

/** Returns a function that locates values. The function reads and parses the configuration at most once. */
export function placesInConfiguration(options: SourceOptions): (path: readonly PropertyKey[]) => Place {
  const positions = lazily(() => {
    const file = configurationFile(options);
    return positionsIn(displayPath(file), readFileSync(file, 'utf8'));
  });
  return (path) => positions().locate(path);
}

/**
 * Warns about fields in `search.collections` that form no groups, because the tree contains no documents for these
 * fields. Also warns about fields in `search.left_out` that no node has.
 */
export function searchWarnings(options: SourceOptions, sources: HeadSources): Finding[] {
  const { configuration, worktree, store } = sources;
  const { collections = [], left_out: leftOut } = configuration.search ?? {};
  const survey = surveyNodes(publicWorktree(sources), store, leftOut);
  if (survey.table.total === 0) return [];
  const labels = labelling(configuration.labels);
  const grouped = new Set(nodeGroups({ nodes: () => survey, labels }, collections).map(({ field }) => field));
  const fleet = tableFleet(survey.table, labels);
  const placeOf = placesInConfiguration(options);
  const ofGroups = collections.flatMap((field, i): Finding[] => {
    if (grouped.has(field)) return [];
    const place = placeOf(['search', 'collections', i]);
    const path = pathOfField(field) ?? [];
    if (hasField(survey, path) && isPerNodeAt(path, survey.own))
      return [finding('collection-left-out', { field }, place)];
    return [finding('collection-empty', { field, nearest: nearestFields(field, fleet) }, place)];
  });
  const whole = lazily(() => surveyNodes(worktree, store, 'nothing'));
  const ofTable = (leftOut ?? []).flatMap((field, i): Finding[] => {
    if (hasField(whole(), pathOfField(field) ?? [])) return [];
    const nearest = nearestFields(field, tableFleet(whole().table, labels));
    return [finding('left-out-absent', { field, nearest }, placeOf(['search', 'left_out', i]))];
  });
  return [...ofGroups, ...ofTable];
}

/** Whether a node has the field or a field below it. */
function hasField({ fields }: NodeSurvey, path: readonly string[]): boolean {
  return fields.some((field) => path.every((name, at) => name === field.path[at]));
}

/** Contains texts instead of their hashes, so that checks need no hash key. */
function publicWorktree({ configuration, worktree, store, history }: HeadSources): RegistryState {
  if (!configuration.private) return worktree;
  const bodies = publicBodies(configuration.private, { hashOf: (text) => text });
  return publicState(worktree, publicBodyOf(bodies, store, history.kinds));
}
