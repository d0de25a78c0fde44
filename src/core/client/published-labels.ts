/**
 * Labels as a service gives them: by the rules of its own configuration, which whoever asks it need not have. What its
 * table does not know, such as values of the past, is labelled by the rules that ship.
 */
import { type Labelling, type LabelName, type LabelValue, labelling } from '../labels/labels.ts';
import { canonicalJson, type Json } from '../model/json.ts';
import { lazily } from '../platform/on-demand.ts';
import type { PublishedLabel, PublishedTable } from './published-table.ts';

type Label = ReturnType<Labelling['ofField']>;

/** By the labels of a table; by the rules that ship where there is none. */
export function publishedLabelling(table: PublishedTable | undefined): Labelling {
  // Of a question about one label, nothing is known of the others.
  const known = new Map((table?.labels ?? []).map(({ name, of }) => [name, lazily(() => labelsBy(of, table))]));
  return labelling(undefined, (name: LabelName, value: Json) => {
    const labels = known.get(name)?.();
    const key = labels && canonicalJson(value);
    return key !== undefined && labels?.has(key) ? { label: labels.get(key) } : undefined;
  });
}

/** By the canonical texts of the values of columns. */
function labelsBy(of: PublishedLabel['of'], table: PublishedTable | undefined): ReadonlyMap<string, Label> {
  const labels = new Map<string, Label>();
  for (const { column, values } of of) {
    const said = table?.columns.find((each) => each.name === column)?.values ?? [];
    for (const [i, value] of said.entries()) labels.set(canonicalJson(value), labelIn(values[i] ?? null));
  }
  return labels;
}

function labelIn(value: Json): Label {
  if (Array.isArray(value)) return value.filter(isLabel);
  return isLabel(value) ? value : undefined;
}

function isLabel(value: Json): value is LabelValue {
  return typeof value === 'string' || typeof value === 'number';
}
