import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { assertDefined, getOrCreate, itemAt } from '../../platform/lookups.ts';
import { type Column, cellAt, membersByValue, type StatedValue, type TypeColumns } from './columns.ts';
import { type FleetNode, type Implausibility, type Implausible, statedValue } from './fact.ts';
import { isPlaceholder } from './placeholders.ts';

/**
 * Matches names of counts and measurements. Other fields are not checked, because they can contain slot numbers, for
 * which 0 and -1 are valid.
 */
const MEASURES = /^(cache_\w+|(\w+_)?(size|count|capacity|speed|cores|threads|vcpus|cpus|rate|bandwidth|ram|disk))$/;
/** Matches fields in which 0 is plausible, such as the size of a missing cache or the rate of an inactive link. */
const MAY_BE_ZERO = /(^memory_devices\.\w+|(^|\.)cache_\w+|rate|count|disk|bandwidth|(^|[._])(?<!clock_)speed)$/;
const COUNTS = /^(smp_size|smt_size|vcpus|cpus|cores|threads|\w+_count)$/;

/** The plausible values of a field. Values outside these bounds were probably written in a wrong unit. */
const UNITS: Readonly<Record<string, { readonly least: number; readonly most: number }>> = {
  'main_memory.ram_size': { least: 1_000_000, most: 1e16 },
  'storage_devices.size': { least: 1_000_000, most: 1e17 },
  'processor.clock_speed': { least: 10_000_000, most: 100_000_000_000 },
  'network_adapters.rate': { least: 100_000, most: 1e14 },
};

/** Matches EUI-48 and EUI-64 addresses, and the 20-byte addresses of IP over InfiniBand. */
const MAC = /^([0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{40})$/i;
const GROUP_BIT = 1;

export function implausibleValues(group: TypeColumns): Implausible[] {
  return [...group.columns.flatMap((column) => inColumn(column, group.members)), ...fewThreads(group)];
}

function problemOf(field: string, name: string, value: StatedValue): Implausibility | undefined {
  if (typeof value === 'string') return name === 'mac' ? macProblem(value) : undefined;
  if (typeof value !== 'number' || !MEASURES.test(name)) return undefined;
  if (value < 0) return 'negative';
  if (value === 0) return MAY_BE_ZERO.test(field) ? undefined : 'zero';
  if (COUNTS.test(name) && !Number.isInteger(value)) return 'fraction';
  const unit = UNITS[field];
  return unit && (value < unit.least || value > unit.most) ? 'unit' : undefined;
}

function macProblem(text: string): Implausibility | undefined {
  if (isPlaceholder(text, true)) return undefined;
  const digits = text.trim().replace(/[:.-]/g, '');
  if (!MAC.test(digits)) return 'mac';
  const isGroup = digits.length === 12 && (Number.parseInt(digits.slice(0, 2), 16) & GROUP_BIT) !== 0;
  return isGroup ? 'group-mac' : undefined;
}

function inColumn(column: Column, members: readonly FleetNode[]): Implausible[] {
  const { field, rule } = column;
  const name = assertDefined(field.at(-1));
  if (rule.class !== 'hardware' && name !== 'mac') return [];
  return [...membersByValue(column, members)].flatMap(([value, sharing]) => {
    const problem = problemOf(field.join('.'), name, value);
    return problem ? [implausible(field, sharing, value, problem)] : [];
  });
}

function fewThreads({ columns, members }: TypeColumns): Implausible[] {
  const column = (name: string) => columns.find(({ field }) => field.join('.') === `architecture.${name}`);
  const [processors, threads] = [column('smp_size'), column('smt_size')];
  if (!processors || !threads) return [];
  const byCount = new Map<StatedValue, FleetNode[]>();
  for (const [node, { values }] of threads.cells) {
    const [count] = values;
    const [least] = cellAt(processors, node)?.values ?? [];
    if (typeof count !== 'number' || typeof least !== 'number') continue;
    if (count > 0 && count < least) getOrCreate(byCount, count, () => []).push(itemAt(members, node));
  }
  return [...byCount].map(([value, few]) => implausible(threads.field, few, value, 'fewer-threads'));
}

function implausible(
  field: readonly string[],
  members: readonly FleetNode[],
  value: StatedValue,
  problem: Implausibility,
): Implausible {
  return { check: 'implausible', kind: 'implausible', field, members, problem, ...statedValue(value) };
}

/** A size can be recorded twice, in bytes and as a text (`humanized_ram_size: 512 GiB`). Both values must agree. */
const PREFIX = 'humanized_';
const WORDS = /^(\d+(?:\.(\d+))?)\s*([KMGTP]?)i?B$/;
const POWERS: Readonly<Record<string, number>> = { '': 0, K: 1, M: 2, G: 3, T: 4, P: 5 };
/** Both decimal and binary units are accepted, because registries often confuse GB and GiB. */
const BASES = [1000, 1024];
/** If the text contains a multiple of 4, the bytes can be up to 3 % below it, because systems reserve memory. */
const MODULE = 4;
const REPORTED_SHARE = 0.97;

export interface OpenHumanized {
  readonly add: (member: FleetNode, body: JsonObject) => void;
  readonly close: () => readonly Implausible[];
}

export function openHumanized(): OpenHumanized {
  const facts = new Map<string, Implausible & { readonly members: FleetNode[] }>();
  const look = (member: FleetNode, value: Json, path: readonly string[]): void => {
    if (Array.isArray(value)) for (const item of value) look(member, item, path);
    if (!isJsonObject(value)) return;
    for (const [name, held] of Object.entries(value)) {
      const bytes = value[name.slice(PREFIX.length)];
      const text = name.startsWith(PREFIX) && typeof bytes === 'number' ? wordsOf(held) : undefined;
      if (text === undefined || isSame(text, Number(bytes))) look(member, held, [...path, name]);
      else {
        const field = [...path, name];
        const fact = getOrCreate(facts, JSON.stringify([field, text, bytes]), () => ({
          check: 'implausible',
          kind: 'implausible',
          problem: 'humanized',
          field,
          members: [],
          value: `${JSON.stringify(held)} beside ${bytes}`,
          isReportedValue: (other) => JSON.stringify(other) === JSON.stringify(held),
        }));
        if (fact.members.at(-1) !== member) fact.members.push(member);
      }
    }
  };
  return { add: (member, body) => look(member, body, []), close: () => [...facts.values()] };
}

function wordsOf(value: Json): string | undefined {
  const text = isJsonObject(value) ? `${value['value']} ${value['unit']}` : value;
  return typeof text === 'string' && WORDS.test(text) ? text : undefined;
}

function isSame(text: string, bytes: number): boolean {
  const [, number = '', decimals = '', letter = ''] = WORDS.exec(text) ?? [];
  const stated = Number(number);
  return BASES.some((base) => {
    const size = bytes / base ** (POWERS[letter] ?? 0);
    if (Math.abs(size - stated) < 10 ** -decimals.length) return true;
    return stated % MODULE === 0 && size < stated && size > stated * REPORTED_SHARE;
  });
}
