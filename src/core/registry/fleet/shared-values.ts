/** Finds values that several nodes share, such as a serial number. Several ports of one node can share a value. */
import { assertDefined, getOrCreate, itemAt } from '../../platform/lookups.ts';
import type { Column, StatedValue, TypeColumns } from './columns.ts';
import type { FleetNode, Shared } from './fact.ts';
import { isPlaceholder } from './placeholders.ts';

const NODE_NAME = 'node_name';
const IS_UUID = /(^|_)uuid$/;
/** Matches fields with addresses, which tools write with or without separators. */
const IS_ADDRESS = /(^|_)(mac|wwn|guid)$/;

interface Holders {
  readonly field: readonly string[];
  readonly value: StatedValue;
  readonly members: Set<FleetNode>;
}

/** `isChecked` selects the columns whose values must be unique. */
export function sharedValues(fleet: readonly TypeColumns[], isChecked = isUnique): Shared[] {
  const holders = new Map<string, Holders>();
  for (const { members, columns } of fleet) {
    for (const column of columns) if (isChecked(column)) gatherHolders(column, members, holders);
  }
  const facts: Shared[] = [];
  for (const { field, value, members } of holders.values()) {
    if (members.size < 2) continue;
    const key = comparable(field, value);
    facts.push({
      check: 'shared',
      kind: 'shared',
      field,
      members: [...members].sort((a, b) => (a.path < b.path ? -1 : 1)),
      value: JSON.stringify(value),
      isReportedValue: (found) => found !== null && typeof found !== 'object' && comparable(field, found) === key,
    });
  }
  return facts;
}

/** Whether two nodes of a registry must never have the same value in this column. */
export function isUnique({ field, rule }: Column): boolean {
  return rule.class === 'component' || IS_UUID.test(assertDefined(field.at(-1))) || isNodeName(field);
}

function isNodeName(field: readonly string[]): boolean {
  return field.length === 1 && field[0] === NODE_NAME;
}

function gatherHolders({ field, cells }: Column, members: readonly FleetNode[], holders: Map<string, Holders>) {
  const name = field.join('\0');
  for (const [node, { values }] of cells) {
    const member = itemAt(members, node);
    const scope = isNodeName(field) ? member.site : '';
    for (const value of values) {
      if (isPlaceholder(value, true)) continue;
      const key = `${name}\0${scope}\0${comparable(field, value)}`;
      getOrCreate(holders, key, () => ({ field, value, members: new Set<FleetNode>() })).members.add(member);
    }
  }
}

function comparable(field: readonly string[], value: StatedValue): string {
  const text = String(value).trim().toLowerCase();
  return IS_ADDRESS.test(assertDefined(field.at(-1))) ? text.replace(/^0x|[:.\-\s]/g, '') : text;
}
