/** Nodes as the arguments of a message. */
import { byCodeUnit } from '../../model/json.ts';
import type { FleetNode } from './fact.ts';

export type NodesOfType = (nodeType: string) => readonly FleetNode[];

export interface NodeSummary {
  readonly names: readonly string[];
  readonly nodeType?: string;
  readonly total?: number;
  /** The sites, all of whose nodes of the type they are. */
  readonly allAt?: readonly string[];
}

/** In the order in which people look for them. */
export function byName(members: readonly FleetNode[]): readonly FleetNode[] {
  return [...members].sort((a, b) => byCodeUnit(a.name, b.name) || byCodeUnit(a.path, b.path));
}

/** How to name nodes: by their type where they have one in common, and as a batch where they are one. */
export function summarizeNodes(members: readonly FleetNode[], ofType: NodesOfType): NodeSummary {
  const names = members.map(({ name }) => name);
  const [first] = members;
  const nodeType = first?.nodeType;
  if (nodeType === undefined || members.some((member) => member.nodeType !== nodeType)) return { names };
  const all = ofType(nodeType);
  const sites = new Set(members.map(({ site }) => site));
  const atSites = all.filter(({ site }) => sites.has(site)).length;
  const isBatch = atSites === members.length && members.length < all.length && members.length > 1;
  return { names, nodeType, total: all.length, ...(isBatch ? { allAt: [...sites] } : {}) };
}
