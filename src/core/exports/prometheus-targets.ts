/**
 * Nodes for Prometheus, as its service discovery reads them over HTTP (`http_sd_configs`) and from files
 * (`file_sd_configs`): a target for each, without a port, and what is known of it in labels for relabelling.
 */
import { asText, type Json } from '../model/json.ts';
import { printableJson } from '../platform/text.ts';
import { hostNames, hostVariables } from './hosts.ts';
import type { WholeNode } from './whole-node.ts';

/** Labels whose names begin so are gone once targets have been relabelled. */
const META = '__meta_gridpress_';

/** The JSON text in parts. */
export function* prometheusTargets(nodes: readonly WholeNode[]): Generator<string> {
  const names = hostNames(nodes);
  for (const [i, node] of nodes.entries()) {
    const labels = hostVariables(node).map(({ name, value }) => [META + name, labelText(value)] as const);
    const target = { targets: [names[i] ?? node.uid], labels: Object.fromEntries(labels) };
    yield `${i === 0 ? '[' : ','}${printableJson(JSON.stringify(target))}`;
  }
  yield nodes.length === 0 ? '[]' : ']';
}

/** Several texts have commas between and around them, as in other discoveries: so one of them can be told. */
function labelText(value: Json): string {
  return Array.isArray(value) ? `,${value.map(asText).join(',')},` : asText(value);
}
