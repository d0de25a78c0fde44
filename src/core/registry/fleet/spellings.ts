import { LABELS, type LabelName } from '../../labels/label-fields.ts';
import type { Labelling, LabelRules } from '../../labels/labels.ts';
import type { JsonObject } from '../../model/json.ts';
import { getOrCreate } from '../../platform/lookups.ts';
import { type FleetNode, statedValue, type Uncovered } from './fact.ts';

/** A configured label rule that matches no node. `rule` is its index in the list of rules for the label. */
export interface UnusedRule {
  readonly label: LabelName;
  readonly rule: number;
}

type OpenFact = Uncovered & { readonly members: FleetNode[] };

export interface OpenSpellings {
  readonly add: (member: FleetNode, body: JsonObject) => void;
  readonly close: (rules: LabelRules) => {
    readonly facts: readonly Uncovered[];
    readonly unused: readonly UnusedRule[];
  };
}

export function openSpellings(labels: Labelling): OpenSpellings {
  const unknown = new Map<string, OpenFact>();
  const used = new Set<string>();
  return {
    add: (member, body) => {
      for (const { name, fields, readFrom } of LABELS) {
        for (const field of fields) {
          if (!Object.hasOwn(body, field)) continue;
          for (const { spelling, isCovered, rule } of labels.spellings(name, body[field] ?? null)) {
            if (rule !== undefined) used.add(`${name} ${rule}`);
            if (isCovered) continue;
            const path = [field, readFrom[0]];
            const fact = getOrCreate(
              unknown,
              `${path.join('.')} ${spelling}`,
              (): OpenFact => ({
                check: 'label',
                kind: 'uncovered',
                label: name,
                field: path,
                members: [],
                ...statedValue(spelling),
              }),
            );
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
