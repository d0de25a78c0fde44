/** What nodes call their hardware, held against the rules of labels: what no rule knows, and which rules know nothing. */
import { LABELS, type Labelling, type LabelName, type LabelRules } from '../../labels/labels.ts';
import type { JsonObject } from '../../model/json.ts';
import { type FleetNode, statedValue, type Uncovered } from './fact.ts';

/** A rule of the configuration that no node needs, by its place in the list of its label. */
export interface UnusedRule {
  readonly label: LabelName;
  readonly rule: number;
}

/** Spellings while they are gathered, one node after the other. */
export interface OpenSpellings {
  readonly add: (member: FleetNode, body: JsonObject) => void;
  readonly close: (rules: LabelRules) => {
    readonly facts: readonly Uncovered[];
    readonly unused: readonly UnusedRule[];
  };
}

export function openSpellings(labels: Labelling): OpenSpellings {
  const unknown = new Map<string, Uncovered & { readonly members: FleetNode[] }>();
  const used = new Set<string>();
  return {
    add: (member, body) => {
      for (const { name, fields, readFrom } of LABELS) {
        for (const field of fields) {
          if (!Object.hasOwn(body, field)) continue;
          for (const { spelling, isCovered, rule } of labels.spellings(name, body[field] ?? null)) {
            if (rule !== undefined) used.add(`${name} ${rule}`);
            if (isCovered) continue;
            const way = [field, readFrom[0]];
            const key = `${way.join('.')} ${spelling}`;
            const fact = unknown.get(key) ?? {
              check: 'label',
              kind: 'uncovered',
              label: name,
              field: way,
              members: [],
              ...statedValue(spelling),
            };
            unknown.set(key, fact);
            if (fact.members.at(-1) !== member) fact.members.push(member);
          }
        }
      }
    },
    close: (rules) => ({
      facts: [...unknown.values()],
      unused: LABELS.flatMap(({ name }) =>
        (rules?.[name] ?? []).flatMap((_, rule) => (used.has(`${name} ${rule}`) ? [] : [{ label: name, rule }])),
      ),
    }),
  };
}
