/** What tools are told of a node besides its name: which it is, where it is, and its labels. */
import type { Json } from '../model/json.ts';
import { nodeNameOf } from '../model/node-name.ts';
import type { WholeNode } from './whole-node.ts';

export interface HostVariable {
  readonly name: string;
  /** A text, a number, or a list of texts. */
  readonly value: Json;
}

export const HOST_FIELDS: readonly string[] = ['node_name', 'node_type'];

/** Names of letters and underscores, as every tool takes them. */
export function hostVariables({ site, cluster, uid, body, labels }: WholeNode): HostVariable[] {
  const type = Object.hasOwn(body, 'node_type') ? body['node_type'] : undefined;
  const name = nodeNameOf(body);
  const variables: HostVariable[] = [
    { name: 'uid', value: uid },
    { name: 'site', value: site },
    { name: 'cluster', value: cluster },
  ];
  if (name !== undefined) variables.push({ name: 'node_name', value: name });
  if (typeof type === 'string') variables.push({ name: 'node_type', value: type });
  for (const label of Object.keys(labels)) variables.push({ name: label, value: labels[label] ?? null });
  return variables;
}
