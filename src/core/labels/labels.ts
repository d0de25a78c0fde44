/** Labels are normalized names of hardware, independent of the tool that wrote the data. */

import type { Configuration } from '../model/configuration.ts';
import { byCodeUnit, type Json, type JsonObject } from '../model/json.ts';
import { quantityOf } from '../model/units.ts';
import { matchesPattern, starPattern } from '../model/wildcards.ts';
import { getOrCreate } from '../platform/lookups.ts';
import {
  cpuModel,
  cpuNames,
  diskSizes,
  gpuModel,
  gpuNames,
  networkRates,
  nominalDiskSize,
  nominalRamSize,
  ramSizes,
  standardRate,
} from './hardware-names.ts';
import { LABELS, type LabelName } from './label-fields.ts';

/** A label is a text such as a model, a size in bytes, or a rate in bits per second. */
export type LabelValue = string | number;
export type Label = LabelValue | readonly LabelValue[] | undefined;

interface LabelOf<V extends LabelValue> {
  /** Returns the values of the subfields in `readFrom` of the label. */
  readonly spellings: (value: Json) => readonly V[];
  /** Returns the label for a spelling. If the result is undefined, the spelling itself is the label. */
  readonly rule: (spelling: V) => V | undefined;
  readonly combine: (labels: readonly V[]) => V | readonly V[];
}

const TEXT_LABELS = {
  gpu: { spellings: gpuNames, rule: gpuModel, combine: distinctLabels },
  cpu: { spellings: cpuNames, rule: cpuModel, combine: distinctLabels },
} as const satisfies Record<string, LabelOf<string>>;

const SIZE_LABELS = {
  ram: { spellings: ramSizes, rule: nominalRamSize, combine: sum },
  disk: { spellings: diskSizes, rule: nominalDiskSize, combine: sum },
  network: { spellings: networkRates, rule: standardRate, combine: (rates) => Math.max(...rates) },
} as const satisfies Record<string, LabelOf<number>>;

export interface Spelling {
  readonly spelling: LabelValue;
  readonly label: LabelValue;
  /** False if no rule matches the spelling. */
  readonly isCovered: boolean;
  /** The index of the matching rule in the configuration. Undefined if no configured rule matches. */
  readonly rule?: number;
}

/** Computes labels with the configured and the built-in rules. */
export interface Labelling {
  /** A field can have no label, one label, or several labels in code-unit order. */
  readonly ofField: (label: LabelName, value: Json) => Label;
  readonly of: (body: JsonObject) => JsonObject;
  /** Each device has one spelling. */
  readonly spellings: (label: LabelName, value: Json) => readonly Spelling[];
}

export type LabelRules = Configuration['labels'];

/** Looks up a label without applying the rules. Returns undefined if the value is unknown. */
type KnownLabels = (name: LabelName, value: Json) => { readonly label: Label } | undefined;

export function labelling(rules: LabelRules, known: KnownLabels = () => undefined): Labelling {
  const text = (name: keyof typeof TEXT_LABELS) => openLabel(TEXT_LABELS[name], textSynonyms(rules?.[name] ?? []));
  const size = (name: keyof typeof SIZE_LABELS) => openLabel(SIZE_LABELS[name], sizeSynonyms(rules?.[name] ?? []));
  const [gpu, cpu, ram, disk, network] = [text('gpu'), text('cpu'), size('ram'), size('disk'), size('network')];
  const labels: Readonly<Record<LabelName, OpenLabel>> = { gpu, cpu, ram, disk, network };
  const ofField: Labelling['ofField'] = (name, value) => {
    const found = known(name, value);
    return found ? found.label : labels[name].value(value);
  };
  return {
    ofField,
    of: (body) => {
      const found: Record<string, Json> = {};
      for (const { name, fields } of LABELS) {
        const label = labelIn(body, fields, (value) => ofField(name, value));
        if (label !== undefined) found[name] = label;
      }
      return found;
    },
    spellings: (name, value) => labels[name].spellings(value),
  };
}

function labelIn<T>(body: JsonObject, fields: readonly string[], of: (value: Json) => T | undefined): T | undefined {
  for (const field of fields) {
    const label = Object.hasOwn(body, field) ? of(body[field] ?? null) : undefined;
    if (label !== undefined) return label;
  }
  return undefined;
}

interface OpenLabel {
  readonly value: (field: Json) => Label;
  readonly spellings: (field: Json) => readonly Spelling[];
}

/** Returns the configured label for a spelling, with the index of the rule. */
type Synonyms<V> = (spelling: V) => { readonly label: V; readonly rule: number } | undefined;

/** The maximum length of a spelling that label rules can match, in characters. This length limits the matching time. */
const LONGEST_SPELLING = 200;

function openLabel<V extends LabelValue>(label: LabelOf<V>, synonyms: Synonyms<V>): OpenLabel {
  const known = new Map<V, { readonly label: V; readonly isCovered: boolean; readonly rule?: number }>();
  const cached = (spelling: V) => getOrCreate(known, spelling, () => resolveSpelling(label, synonyms, spelling));
  return {
    value: (field) => {
      const labels = label.spellings(field).map((spelling) => cached(spelling).label);
      return labels.length === 0 ? undefined : label.combine(labels);
    },
    spellings: (field) => label.spellings(field).map((spelling) => ({ spelling, ...cached(spelling) })),
  };
}

function resolveSpelling<V extends LabelValue>({ rule }: LabelOf<V>, synonyms: Synonyms<V>, spelling: V) {
  const configured = synonyms(spelling);
  if (configured) return { ...configured, isCovered: true };
  const isTooLong = typeof spelling === 'string' && spelling.length > LONGEST_SPELLING;
  const shipped = isTooLong ? undefined : rule(spelling);
  return shipped === undefined ? { label: spelling, isCovered: false } : { label: shipped, isCovered: true };
}

function textSynonyms(
  rules: readonly { readonly label: string; readonly match: readonly string[] }[],
): Synonyms<string> {
  const patterns = rules.map(({ label, match }, rule) => ({
    label,
    rule,
    parts: match.map((pattern) => starPattern(pattern.toLowerCase())),
  }));
  return (spelling) => {
    const text = spelling.trim().toLowerCase();
    const found = patterns.find(({ parts }) => parts.some((pattern) => matchesPattern(text, pattern)));
    return found && { label: found.label, rule: found.rule };
  };
}

function sizeSynonyms(
  rules: readonly { readonly label: string; readonly match: readonly number[] }[],
): Synonyms<number> {
  const known = new Map<number, { readonly label: number; readonly rule: number }>();
  for (const [rule, { label, match }] of rules.entries()) {
    const quantity = quantityOf(label);
    for (const spelling of match) {
      if (quantity && !known.has(spelling)) known.set(spelling, { label: quantity.value, rule });
    }
  }
  return (spelling) => known.get(spelling);
}

function distinctLabels(labels: readonly string[]): string | readonly string[] {
  const [first = '', ...others] = [...new Set(labels)].sort(byCodeUnit);
  return others.length === 0 ? first : [first, ...others];
}

function sum(labels: readonly number[]): number {
  return labels.reduce((total, each) => total + each, 0);
}
