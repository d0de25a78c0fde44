/**
 * Fields that only some nodes of a type have, the outermost that is missing. Asked are the nodes that have what holds
 * the field; what operators note about single nodes is no field of a type.
 */

import { itemAt } from '../../platform/certain.ts';
import { cellAt, type TypeColumns } from './columns.ts';
import type { Presence } from './fact.ts';
import { TOLD_CLASSES } from './placeholders.ts';

export function presences({ nodeType, members, columns }: TypeColumns): Presence[] {
  if (nodeType === undefined || members.length < 2) return [];
  const facts: Presence[] = [];
  for (const column of columns) {
    if (!TOLD_CLASSES.has(column.rule.class)) continue;
    const { holder } = column;
    const asked = [...members.keys()].filter((node) => !holder || (cellAt(holder, node)?.items ?? 0) > 0);
    const having = asked.filter((node) => column.cells.has(node));
    if (having.length === 0 || having.length === asked.length) continue;
    const isUsual = having.length * 2 >= asked.length;
    const odd = isUsual ? asked.filter((node) => !column.cells.has(node)) : having;
    facts.push({
      check: 'presence',
      kind: isUsual ? 'missing' : 'extra',
      field: column.field,
      members: odd.map((node) => itemAt(members, node)),
    });
  }
  return facts;
}
