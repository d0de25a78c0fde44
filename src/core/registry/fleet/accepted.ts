/** An entry of `fleet-accepted.yaml` accepts one value of one resource, and does not depend on other resources. */

import type { z } from 'zod';
import { FLEET_CHECKS } from '../../model/configuration.ts';
import { byCodeUnit } from '../../model/json.ts';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
import { encodeLines } from '../yaml/write-yaml.ts';
import type { Fact, FleetNode } from './fact.ts';

export const acceptedSchema = lazily(() => {
  const z = zod();
  const entry = z.strictObject({
    check: z.enum(FLEET_CHECKS),
    field: z.string(),
    path: z.string(),
    value: z.string(),
    reason: z.string().regex(/\S/, 'expected a reason'),
  });
  return z.strictObject({ accepted: z.array(entry) });
});

type AcceptedFile = z.output<ReturnType<typeof acceptedSchema>>;
export type AcceptedFact = AcceptedFile['accepted'][number];

interface Accepting {
  readonly left: readonly Fact[];
  /** The positions of the accepted entries that match no fact, counted from 0. */
  readonly unused: readonly number[];
}

/** Removes accepted resources from facts. `shared` and `split` facts keep all resources until all are accepted. */
export function applyAccepted(facts: readonly Fact[], accepted: readonly AcceptedFact[]): Accepting {
  const positions = new Map(accepted.map((entry, i) => [keyOf(entry), i]));
  const unused = new Set(positions.values());
  const left = facts.flatMap((fact): Fact[] => {
    const members = entriesOf(fact).flatMap(([member, entry]) => {
      const position = positions.get(keyOf(entry));
      if (position === undefined) return [member];
      unused.delete(position);
      return [];
    });
    if (members.length === 0) return [];
    return [fact.kind === 'shared' || fact.kind === 'split' ? fact : { ...fact, members }];
  });
  return { left, unused: [...unused] };
}

/** Returns the entries that accept all facts. Keeps the reasons of the entries that are already in `before`. */
export function acceptAll(facts: readonly Fact[], reason: string, before: readonly AcceptedFact[]): AcceptedFact[] {
  const reasons = new Map(before.map((entry) => [keyOf(entry), entry.reason]));
  const entries = facts.flatMap(entriesOf).map(([, entry]) => [keyOf(entry), entry] as const);
  return [...new Map(entries)]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([key, entry]) => ({ ...entry, reason: reasons.get(key) ?? reason }));
}

export function encodeAccepted(entries: readonly AcceptedFact[]): string {
  return entries.length === 0 ? 'accepted: []\n' : `accepted:\n${encodeLines(entries, '  ')}`;
}

type Entry = Omit<AcceptedFact, 'reason'>;

function keyOf({ path, check, field, value }: Entry): string {
  return JSON.stringify([path, field, check, value]);
}

function entriesOf(fact: Fact): (readonly [FleetNode, Entry])[] {
  const entry = ({ path }: FleetNode, value: string): Entry => ({
    check: fact.check,
    field: fact.field.join('.'),
    path: `/${path}`,
    value,
  });
  if (fact.kind === 'split') {
    return fact.valueGroups.flatMap(({ value, members }) =>
      members.map((member) => [member, entry(member, value)] as const),
    );
  }
  return fact.members.map((member) => [member, entry(member, statedBy(fact))] as const);
}

/** Returns the value that an entry records for a fact: JSON text, or a problem such as `extra` or `missing`. */
function statedBy(fact: Exclude<Fact, { kind: 'split' }>): string {
  if (fact.check === 'presence') return fact.kind;
  return fact.check === 'location' ? fact.problem.problem : fact.value;
}
