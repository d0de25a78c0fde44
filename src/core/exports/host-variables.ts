/** What tools are told of a node besides its name: which it is, where it is, and its labels. */
import type { Json } from '../model/json.ts';
import { nodeNameOf } from '../model/node-name.ts';
import type { WholeNode } from './whole-node.ts';

export interface HostVariable {
  readonly name: string;
  /** A text, a number, or a list of texts. */
  readonly value: Json;
}

/** The fields of bodies that say what hosts are told. */
export const HOST_FIELDS: readonly string[] = ['node_name', 'node_type'];

/** Names of letters and underscores, as every tool takes them. */
export function hostVariables({ site, cluster, uid, body, labels }: WholeNode): HostVariable[] {
  const type = Object.hasOwn(body, 'node_type') ? body['node_type'] : undefined;
  const name = nodeNameOf(body);
  const known: readonly (readonly [string, Json | undefined])[] = [
    ['uid', uid],
    ['site', site],
    ['cluster', cluster],
    ['node_name', name],
    ['node_type', typeof type === 'string' ? type : undefined],
    ...Object.entries(labels),
  ];
  return known.flatMap(([key, value]) => (value === undefined ? [] : [{ name: key, value }]));
}
