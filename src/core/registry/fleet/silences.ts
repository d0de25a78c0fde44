/** Taking out of the facts what the configuration says is as it should be. */
import type { Silence } from '../../model/configuration.ts';
import type { Fact, FleetNode } from './fact.ts';

export interface Silenced {
  readonly facts: readonly Fact[];
  /** For each rule the facts that it silenced, about the members that it covers. */
  readonly silenced: readonly (readonly Fact[])[];
}

/** A fact that several rules cover counts for each of them; a rule that covers none has no purpose. */
export function applySilences(facts: readonly Fact[], rules: readonly Silence[]): Silenced {
  const silenced: Fact[][] = rules.map(() => []);
  const left = facts.flatMap((fact): Fact[] => {
    const covered = new Set<FleetNode>();
    for (const [i, rule] of rules.entries()) {
      const those = coveredBy(rule, fact);
      if (those.length === 0) continue;
      silenced[i]?.push({ ...fact, members: those });
      for (const member of those) covered.add(member);
    }
    const rest = covered.size > 0 ? without(fact, covered) : fact;
    return rest ? [rest] : [];
  });
  return { facts: left, silenced };
}

function coveredBy(rule: Silence, { check, field, members, kind }: Fact): readonly FleetNode[] {
  if (rule.check !== check) return [];
  const path = field.join('.');
  if (rule.field !== undefined && path !== rule.field && !path.startsWith(`${rule.field}.`)) return [];
  const those = members.filter(
    ({ nodeType, site, uid, name }) =>
      (rule.node_type === undefined || rule.node_type === nodeType) &&
      (rule.sites?.includes(site) ?? true) &&
      (rule.nodes === undefined || rule.nodes.includes(uid) || rule.nodes.includes(name)),
  );
  // What members share is a fact about all of them.
  return kind === 'shared' && those.length < members.length ? [] : those;
}

/** What a fact still says once it is not about some members any more. */
function without(fact: Fact, covered: ReadonlySet<FleetNode>): Fact | undefined {
  const rest = (members: readonly FleetNode[]) => members.filter((member) => !covered.has(member));
  const members = rest(fact.members);
  if (fact.kind === 'split') {
    const sorts = fact.sorts
      .map((sort) => ({ ...sort, members: rest(sort.members) }))
      .filter((sort) => sort.members.length > 0);
    return sorts.length > 1 ? { ...fact, members, sorts } : undefined;
  }
  return members.length > 0 ? { ...fact, members } : undefined;
}
