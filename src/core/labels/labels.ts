/**
 * Labels: columns beside the data of nodes in which the same hardware is called the same, however different tools have
 * written it down. The bodies stay as they are. Each label is made of one field at the top of a body alone.
 */
import type { Configuration } from '../model/configuration.ts';
import { byCodeUnit, type Json, type JsonObject } from '../model/json.ts';
import { quantityOf } from '../model/units.ts';
import { matchesPattern, starPattern } from '../model/wildcards.ts';
import {
  CPU_FIELDS,
  cpuModel,
  cpuNames,
  diskSizes,
  GPU_FIELDS,
  gpuModel,
  gpuNames,
  networkRates,
  ramSizes,
  soldDiskSize,
  soldRamSize,
  standardRate,
} from './hardware-names.ts';

/** A model, a number of bytes, or a number of bits per second. */
export type LabelValue = string | number;

interface LabelOf<V extends LabelValue> {
  /** The fields at the top of a body that it is made of; of the first that a node has. */
  readonly fields: readonly string[];
  /** The fields in and below these that it is read from; that in which it is mostly spelled first. */
  readonly readFrom: readonly [string, ...string[]];
  readonly description: string;
  readonly spellings: (value: Json) => readonly V[];
  /** What a spelling means; undefined where no rule knows it: then it is its own label. */
  readonly rule: (spelling: V) => V | undefined;
  readonly together: (labels: readonly V[]) => V | readonly V[];
}

const TEXT_LABELS = {
  gpu: {
    fields: ['gpu', 'gpu_devices'],
    readFrom: GPU_FIELDS,
    description: 'The model of the GPUs, without maker, form and memory.',
    spellings: gpuNames,
    rule: gpuModel,
    together: different,
  },
  cpu: {
    fields: ['processor'],
    readFrom: CPU_FIELDS,
    description: 'The model of the processors, without maker and clock speed.',
    spellings: cpuNames,
    rule: cpuModel,
    together: different,
  },
} as const satisfies Record<string, LabelOf<string>>;

const SIZE_LABELS = {
  ram: {
    fields: ['main_memory'],
    readFrom: ['ram_size'],
    description: 'The size of the memory as it is sold.',
    spellings: ramSizes,
    rule: soldRamSize,
    together: sum,
  },
  disk: {
    fields: ['storage_devices'],
    readFrom: ['size'],
    description: 'The size of all disks together, each as it is sold.',
    spellings: diskSizes,
    rule: soldDiskSize,
    together: sum,
  },
  network: {
    fields: ['network_adapters'],
    readFrom: ['rate', 'enabled', 'management'],
    description: 'The rate of the fastest network adapter that is in use.',
    spellings: networkRates,
    rule: standardRate,
    together: (rates) => Math.max(...rates),
  },
} as const satisfies Record<string, LabelOf<number>>;

export type LabelName = keyof typeof TEXT_LABELS | keyof typeof SIZE_LABELS;

export interface LabelInfo extends Pick<LabelOf<never>, 'fields' | 'readFrom' | 'description'> {
  readonly name: LabelName;
}

export const LABEL_NAMES: readonly LabelName[] = ['gpu', 'cpu', 'ram', 'disk', 'network'];

export const LABELS: readonly LabelInfo[] = LABEL_NAMES.map((name) => {
  const { fields, readFrom, description } = { ...TEXT_LABELS, ...SIZE_LABELS }[name];
  return { name, fields, readFrom, description };
});

export function isReadByLabels(way: readonly string[]): boolean {
  const [top = ''] = way;
  return LABELS.some(({ fields, readFrom }) => fields.includes(top) && readFrom.includes(way.at(-1) ?? ''));
}

export interface Spelling {
  readonly spelling: LabelValue;
  readonly label: LabelValue;
  /** False where no rule knows the spelling. */
  readonly isCovered: boolean;
  /** The place of the rule of the configuration that it comes from. */
  readonly rule?: number;
}

/** The labels of nodes, by the rules that ship and those of a configuration. */
export interface Labelling {
  /** What a label says of a field that it is made of: nothing, one thing, or several in code-unit order. */
  readonly ofField: (label: LabelName, value: Json) => LabelValue | readonly LabelValue[] | undefined;
  readonly of: (body: JsonObject) => JsonObject;
  /** How a field that a label is made of is spelled, once for each part. */
  readonly spellings: (label: LabelName, value: Json) => readonly Spelling[];
}

export type LabelRules = Configuration['labels'];

/** What is known of a field without any rule: that it says something, or nothing; undefined where nothing is known. */
type KnownLabels = (
  name: LabelName,
  value: Json,
) => { readonly label: LabelValue | readonly LabelValue[] | undefined } | undefined;

export function labelling(rules: LabelRules, known: KnownLabels = () => undefined): Labelling {
  const text = (name: keyof typeof TEXT_LABELS) => openLabel(TEXT_LABELS[name], textSynonyms(rules?.[name] ?? []));
  const size = (name: keyof typeof SIZE_LABELS) => openLabel(SIZE_LABELS[name], sizeSynonyms(rules?.[name] ?? []));
  const labels: Readonly<Record<LabelName, OpenLabel>> = {
    gpu: text('gpu'),
    cpu: text('cpu'),
    ram: size('ram'),
    disk: size('disk'),
    network: size('network'),
  };
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
  readonly value: (field: Json) => LabelValue | readonly LabelValue[] | undefined;
  readonly spellings: (field: Json) => readonly Spelling[];
}

/** What a configuration says of a spelling, and by which of its rules. */
type Synonyms<V> = (spelling: V) => { readonly label: V; readonly rule: number } | undefined;

/** Longer than any name of hardware: what is longer is no spelling that a rule could know. */
const LONGEST_SPELLING = 200;

function openLabel<V extends LabelValue>(label: LabelOf<V>, synonyms: Synonyms<V>): OpenLabel {
  const known = new Map<V, { readonly label: V; readonly isCovered: boolean; readonly rule?: number }>();
  const told = (spelling: V) => {
    const found = known.get(spelling) ?? meaning(label, synonyms, spelling);
    known.set(spelling, found);
    return found;
  };
  return {
    value: (field) => {
      const labels = label.spellings(field).map((spelling) => told(spelling).label);
      return labels.length === 0 ? undefined : label.together(labels);
    },
    spellings: (field) => label.spellings(field).map((spelling) => ({ spelling, ...told(spelling) })),
  };
}

function meaning<V extends LabelValue>({ rule }: LabelOf<V>, synonyms: Synonyms<V>, spelling: V) {
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

function different(labels: readonly string[]): string | readonly string[] {
  const all = [...new Set(labels)].sort(byCodeUnit);
  const [only] = all;
  return all.length === 1 && only !== undefined ? only : all;
}

function sum(labels: readonly number[]): number {
  return labels.reduce((total, each) => total + each, 0);
}
