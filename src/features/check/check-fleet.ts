import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import type { FleetCheck, Silence } from '../../core/model/configuration.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import type { Fact } from '../../core/registry/fleet/fact.ts';
import { dotted } from '../../core/registry/fleet/findings.ts';
import { checkFleet } from '../../core/registry/fleet/fleet.ts';
import type { HeadSources, SourceOptions } from '../sources/load-sources.ts';
import { placeInConfiguration } from './check-configuration.ts';

export interface FactRecord {
  readonly check: FleetCheck;
  readonly kind: Fact['kind'];
  /** Field name without positions in arrays. */
  readonly field: string;
  readonly node_type?: string;
  readonly resources: readonly string[];
  /** JSON text. For items of an array, the values with their counts. */
  readonly value?: string;
  /** The most frequent value among the other nodes of the type. */
  readonly usual?: string;
  /** All values with their resources. Set only if no value is the usual one. */
  readonly sorts?: readonly { readonly value: string; readonly resources: readonly string[] }[];
  readonly problem?: string;
}

export interface FleetResult {
  readonly nodes: number;
  readonly node_types: number;
  readonly facts: readonly FactRecord[];
  /** The `silence` entries of the configuration, each with the facts that it silences. */
  readonly silenced: readonly (Silence & { readonly facts: readonly FactRecord[] })[];
}

/** Returns undefined if the registry is invalid, because nothing can be compared then. */
export function fleet(
  options: SourceOptions,
  { configuration, worktree: state, store, folder }: HeadSources,
): { readonly result: FleetResult; readonly findings: readonly Finding[] } | undefined {
  if (!state) return undefined;
  const silences = configuration.fleet?.silence ?? [];
  const report = checkFleet({ state, store, folder }, configuration);
  const unused = silences.flatMap(({ check }, i) =>
    report.silenced[i]?.length === 0
      ? [finding('fleet-silence-unused', { check }, placeInConfiguration(options, ['fleet', 'silence', i]))]
      : [],
  );
  const idle = report.unusedLabels.map(({ label, rule }) =>
    finding('fleet-label-unused', { label }, placeInConfiguration(options, ['labels', label, rule])),
  );
  const result = {
    nodes: report.nodes,
    node_types: report.nodeTypes,
    facts: report.facts.map(factRecord),
    silenced: silences.map((rule, i) => ({ ...rule, facts: itemAt(report.silenced, i).map(factRecord) })),
  };
  return { result, findings: [...report.findings, ...unused, ...idle] };
}

function factRecord(fact: Fact): FactRecord {
  const { check, kind, members } = fact;
  const types = new Set(members.map(({ nodeType }) => nodeType));
  const [nodeType] = types;
  const paths = (those: Fact['members']) => those.map(({ path }) => `/${path}`);
  return {
    check,
    kind,
    field: dotted(fact),
    ...(types.size === 1 && nodeType !== undefined ? { node_type: nodeType } : {}),
    resources: paths(members),
    ...('value' in fact ? { value: fact.value } : {}),
    ...('usual' in fact ? { usual: fact.usual } : {}),
    ...(fact.kind === 'split'
      ? { sorts: fact.sorts.map((sort) => ({ value: sort.value, resources: paths(sort.members) })) }
      : {}),
    ...('problem' in fact ? { problem: typeof fact.problem === 'string' ? fact.problem : fact.problem.problem } : {}),
  };
}
