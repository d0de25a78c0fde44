import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Finding, failAll, finding } from '../../core/diagnostics/finding.ts';
import { suggestSimilar } from '../../core/diagnostics/nearest.ts';
import type { FleetCheck, Silence } from '../../core/model/configuration.ts';
import { FILE_BYTES } from '../../core/platform/limits.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import { decode } from '../../core/registry/decode.ts';
import { type AcceptedFact, acceptAll, acceptedSchema, encodeAccepted } from '../../core/registry/fleet/accepted.ts';
import type { Fact } from '../../core/registry/fleet/fact.ts';
import { dotted } from '../../core/registry/fleet/findings.ts';
import { checkFleet } from '../../core/registry/fleet/fleet.ts';
import { locate } from '../../core/registry/yaml/yaml-positions.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { readSource } from '../../system/files/file-io.ts';
import { replaceFile } from '../../system/files/replace-file.ts';
import { reading } from '../../system/files/system-errors.ts';
import type { HeadSources, SourceOptions } from '../sources/load-sources.ts';
import { configurationFile } from '../sources/registry-files.ts';
import { placesInConfiguration } from './check-configuration.ts';
import { brokenRules } from './fleet-rules.ts';

export interface FleetOptions extends SourceOptions {
  /** If set, the command accepts all facts. It writes them to `fleet-accepted.yaml` with this text as the reason. */
  readonly accept?: string | undefined;
}

export interface FactRecord {
  readonly check: FleetCheck;
  readonly kind: Fact['kind'];
  /** The name of a field, without positions in arrays. */
  readonly field: string;
  readonly node_type?: string;
  readonly resources: readonly string[];
  /** The value as JSON text. For a field inside an array, the text contains all values and their counts. */
  readonly value?: string;
  /** The most frequent value among the compared nodes. */
  readonly usual?: string;
  /** Each value with the resources that have it. Missing if more than half of the nodes have the same value. */
  readonly values?: readonly { readonly value: string; readonly resources: readonly string[] }[];
  readonly problem?: string;
}

export interface FleetResult {
  readonly nodes: number;
  readonly node_types: number;
  readonly accepted: number;
  readonly facts: readonly FactRecord[];
  /** The `silence` entries of the configuration, with the facts that each entry hides. */
  readonly silenced: readonly (Silence & { readonly facts: readonly FactRecord[] })[];
}

/** Returns undefined if the registry is invalid, because its nodes cannot be compared. */
export function fleet(
  options: FleetOptions,
  { configuration, worktree: state, store, folder }: HeadSources,
): { readonly result: FleetResult; readonly findings: readonly Finding[] } | undefined {
  if (!state) return undefined;
  const silences = configuration.fleet?.silence ?? [];
  const file = acceptedFile(options);
  const known = existsSync(file) ? readAccepted(file) : undefined;
  const placeOf = placesInConfiguration(options);
  const placeOfRule = (position: number) => placeOf(['fleet', 'rules', position]);
  const report = checkFleet(
    {
      state,
      store,
      folder,
      brokenRules: (memberAt) => brokenRules({ state, store, memberAt, placeOfRule }, configuration),
    },
    configuration,
    options.accept === undefined ? known : [],
  );
  const unused = silences.flatMap(({ check }, i) =>
    report.silenced[i]?.length === 0
      ? [finding('fleet-silence-unused', { check }, placeOf(['fleet', 'silence', i]))]
      : [],
  );
  const idle = report.unusedLabels.map(({ label, rule }) =>
    finding('fleet-label-unused', { label }, placeOf(['labels', label, rule])),
  );
  const mappings = (configuration.fleet?.unique ?? []).flatMap((field, i) => {
    const example = [...report.fields].find((name) => name.startsWith(`${field}.`));
    if (example === undefined) return [];
    return [finding('fleet-unique-mapping', { field, example }, placeOf(['fleet', 'unique', i]))];
  });
  const absent = (['unique', 'same_in_cluster'] as const).flatMap((setting) =>
    (configuration.fleet?.[setting] ?? []).flatMap((field, i) => {
      if (report.nodes === 0 || report.fields.has(field)) return [];
      const nearest = suggestSimilar(field, report.fields);
      return [finding('fleet-field-absent', { field, nearest }, placeOf(['fleet', setting, i]))];
    }),
  );
  const written = options.accept === undefined ? undefined : acceptAll(report.facts, options.accept, known ?? []);
  if (written) replaceFile('', file, encodeAccepted(written));
  const facts = written ? [] : report.facts;
  const result = {
    nodes: report.nodes,
    node_types: report.nodeTypes,
    accepted: written?.length ?? (known?.length ?? 0) - report.unusedAccepted.length,
    facts: facts.map(factRecord),
    silenced: silences.map((rule, i) => ({ ...rule, facts: itemAt(report.silenced, i).map(factRecord) })),
  };
  const compared = written ? [] : [...report.findings, ...acceptedFindings(file, known, report)];
  return { result, findings: [...compared, ...unused, ...idle, ...absent, ...mappings] };
}

function acceptedFile(options: SourceOptions): string {
  return join(dirname(configurationFile(options)), 'fleet-accepted.yaml');
}

function readAccepted(file: string): readonly AcceptedFact[] {
  const name = displayPath(file);
  const bytes = reading(file, () => readSource(file, FILE_BYTES, name));
  const decoded = decode(name, bytes, acceptedSchema);
  return decoded.findings ? failAll(decoded.findings) : acceptedSchema().parse(decoded.value).accepted;
}

/** Reports facts that `fleet-accepted.yaml` does not accept, and accepted facts that no longer occur. */
function acceptedFindings(
  file: string,
  known: readonly AcceptedFact[] | undefined,
  { facts, unusedAccepted }: ReturnType<typeof checkFleet>,
): Finding[] {
  if (!known) return [];
  const name = displayPath(file);
  const [unused] = unusedAccepted;
  const place = (position: number) => locate(name, readFileSync(file, 'utf8'), ['accepted', position]);
  return [
    ...(facts.length > 0 ? [finding('fleet-new', { count: facts.length, file: name })] : []),
    ...(unused === undefined
      ? []
      : [finding('fleet-accepted-unused', { count: unusedAccepted.length }, place(unused))]),
  ];
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
      ? { values: fact.valueGroups.map((group) => ({ value: group.value, resources: paths(group.members) })) }
      : {}),
    ...('problem' in fact ? { problem: typeof fact.problem === 'string' ? fact.problem : fact.problem.problem } : {}),
  };
}
