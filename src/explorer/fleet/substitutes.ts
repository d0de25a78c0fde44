/** Nodes that can stand in for another: those whose hardware differs least from its own. */
import { difference } from '../../core/model/differences/difference.ts';
import { classesAt, classNames, fieldRules } from '../../core/model/field-classes.ts';
import { NODE } from '../../core/model/kinds.ts';
import { bodyAt, type NodeTable } from '../../core/table/node-table.ts';
import type { Profiles } from './profiles.ts';

export interface Substitute {
  /** A node of the profile, for all of them. */
  readonly row: number;
  readonly nodes: number;
  readonly fields: number;
}

export function substitutes(table: NodeTable, { of, rows }: Profiles, row: number, most: number): Substitute[] {
  const rules = fieldRules(NODE);
  const body = bodyAt(table, row);
  return rows
    .flatMap((members, profile) => {
      const [first] = members;
      if (first === undefined || profile === of[row]) return [];
      const changes = difference(body, bodyAt(table, first), rules);
      const fields = changes.filter(
        ({ at, order }) => order === undefined && classNames(classesAt(NODE, [at])).includes('hardware'),
      ).length;
      return [{ row: first, nodes: members.length, fields }];
    })
    .sort((a, b) => a.fields - b.fields || b.nodes - a.nodes)
    .slice(0, most);
}
