/** Nodes of an invented fleet in the form that the checks use. */

import type { JsonObject } from '../../../src/core/model/json.ts';
import { NODE } from '../../../src/core/model/kinds.ts';
import { openColumns, type TypeColumns } from '../../../src/core/registry/fleet/columns.ts';
import type { Fact, FleetNode } from '../../../src/core/registry/fleet/fact.ts';

export function member(name: string, nodeType: string | null = 'compute', site = 'lyra'): FleetNode {
  const path = `sites/${site}/clusters/main/nodes/${name}`;
  return { path, uid: name, name, site, nodeType: nodeType ?? undefined, handle: 0 };
}

/** The columns of nodes of one type at one site, by name. */
export function fleetOf(
  bodies: Readonly<Record<string, JsonObject>>,
  nodeType: string | null = 'compute',
  site = 'lyra',
): TypeColumns {
  const columns = openColumns(NODE, nodeType ?? undefined);
  for (const [name, body] of Object.entries(bodies)) columns.add(member(name, nodeType, site), body);
  return columns.close();
}

const names = (members: readonly FleetNode[]) => members.map(({ name }) => name).join(',');

/** Formats a finding as `n1,n2 storage_devices.size` with its details. */
export function formatFact(fact: Fact) {
  const { field, members, check: _, isReportedValue: __, ...rest } = fact;
  const about = `${names(members)} ${field.join('.')}`;
  if (fact.kind !== 'split') return { about, ...rest };
  return { about, ...rest, valueGroups: fact.valueGroups.map((group) => `${names(group.members)}: ${group.value}`) };
}
