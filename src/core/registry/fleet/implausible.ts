/** Values of hardware fields that cannot be, whatever the hardware is. */
import { certain, itemAt } from '../../platform/certain.ts';
import { type Column, cellAt, membersByValue, type StatedValue, type TypeColumns } from './columns.ts';
import { type FleetNode, type Implausibility, type Implausible, statedValue } from './fact.ts';
import { isPlaceholder } from './placeholders.ts';

/** What counts or measures something. Other numbers may be numbers of slots, where 0 and even -1 have a meaning. */
const MEASURES = /^(cache_\w+|(\w+_)?(size|count|capacity|speed|cores|threads|vcpus|cpus|rate|bandwidth|ram|disk))$/;
/** What can be 0: a cache that is not there, an empty slot, a link that is down, GPUs of a node without, a flavor's disk. */
const MAY_BE_ZERO = /(^memory_devices\.\w+|(^|\.)cache_\w+|rate|count|disk|bandwidth|(^|[._])(?<!clock_)speed)$/;
const COUNTS = /^(smp_size|smt_size|vcpus|cpus|cores|threads|\w+_count)$/;

/** Below the least or above the most, a value is in another unit than the schema's. */
const UNITS: Readonly<Record<string, { readonly least: number; readonly most: number }>> = {
  'main_memory.ram_size': { least: 1_000_000, most: 1e16 },
  'storage_devices.size': { least: 1_000_000, most: 1e17 },
  'processor.clock_speed': { least: 10_000_000, most: 100_000_000_000 },
  'network_adapters.rate': { least: 100_000, most: 1e14 },
};

/** EUI-48, EUI-64, and the 20 bytes of IP over InfiniBand. */
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
  const name = certain(field.at(-1));
  if (rule.class !== 'hardware' && name !== 'mac') return [];
  return [...membersByValue(column, members)].flatMap(([value, those]) => {
    const problem = problemOf(field.join('.'), name, value);
    return problem ? [implausible(field, those, value, problem)] : [];
  });
}

/** Every processor has at least one thread. */
function fewThreads({ columns, members }: TypeColumns): Implausible[] {
  const column = (name: string) => columns.find(({ field }) => field.join('.') === `architecture.${name}`);
  const [processors, threads] = [column('smp_size'), column('smt_size')];
  if (!processors || !threads) return [];
  const those = new Map<StatedValue, FleetNode[]>();
  for (const [node, { values }] of threads.cells) {
    const [count] = values;
    const [least] = cellAt(processors, node)?.values ?? [];
    if (typeof count !== 'number' || typeof least !== 'number') continue;
    if (count > 0 && count < least) those.set(count, [...(those.get(count) ?? []), itemAt(members, node)]);
  }
  return [...those].map(([value, few]) => implausible(threads.field, few, value, 'fewer-threads'));
}

function implausible(
  field: readonly string[],
  members: readonly FleetNode[],
  value: StatedValue,
  problem: Implausibility,
): Implausible {
  return { check: 'implausible', kind: 'implausible', field, members, problem, ...statedValue(value) };
}
