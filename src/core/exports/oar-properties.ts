/** Translates a query to OAR properties, which Grid'5000 computes from the fields of a node. */

import { isJsonObject, type Json, type JsonObject, objectsIn } from '../model/json.ts';
import { quantityOf } from '../model/units.ts';
import { getOrCreate, groupBy } from '../platform/lookups.ts';
import { findField, type QueryFleet } from '../query/columns.ts';
import { comparison, nodesOf } from '../query/evaluate.ts';
import type { Condition, Literal, Query } from '../query/query.ts';

type PropertyValue = string | number;
/** Returns the values of a field of one node. */
type ValuesOf = (field: string) => readonly Json[];

interface OarProperty {
  readonly name: string;
  /** The fields in a query that can mean the property. `*` is any name in a map of devices. */
  readonly fields: readonly string[];
  /** The unit of a number, in the base unit of the field. Undefined for a text. */
  readonly unit?: number;
  /** Returns undefined if the value is unknown, and an empty text or `NO` if the node has no such hardware. */
  readonly compute: (valuesOf: ValuesOf) => PropertyValue | undefined;
}

const MiB = 2 ** 20;
const GBPS = 1e9;

/**
 * The rules of Grid'5000 (`oar-properties.rb` in its reference repository). `wattmeter` is missing, because Grid'5000
 * computes it from the metrics of the cluster.
 */
const OAR_PROPERTIES: readonly OarProperty[] = [
  textProperty('cluster', ['cluster'], (valuesOf) => textIn(valuesOf('cluster')[0])),
  textProperty('cpuarch', ['architecture.platform_type'], (valuesOf) =>
    textIn(valuesOf('architecture.platform_type')[0]),
  ),
  numberProperty('cpu_count', ['architecture.nb_procs'], 1),
  numberProperty('core_count', ['architecture.nb_cores'], 1),
  numberProperty('thread_count', ['architecture.nb_threads'], 1),
  numberProperty('memnode', ['main_memory.ram_size', 'label.ram'], MiB),
  textProperty('cputype', ['label.cpu', 'processor.model', 'processor.version'], (valuesOf) =>
    joined(' ', [valuesOf('processor.model')[0], valuesOf('processor.version')[0]]),
  ),
  textProperty('gpu_model', ['label.gpu', 'gpu.gpu_model', 'gpu_devices.*.model', 'gpu_devices.model'], gpuModelOf),
  numberProperty('gpu_count', ['gpu.gpu_count'], 1, gpuCountOf),
  numberProperty('gpu_mem', ['gpu_devices.*.memory', 'gpu_devices.memory'], MiB, gpuMemoryOf),
  numberProperty('eth_rate', ['network_adapters.rate', 'label.network'], GBPS, (valuesOf) =>
    fastestRate(valuesOf, /^eth\d*$/),
  ),
  textProperty('ib', ['network_adapters.interface', 'network_adapters.rate'], infinibandOf),
  textProperty('disktype', ['storage_devices.storage', 'storage_devices.interface'], (valuesOf) => {
    const [first] = objectsIn([...valuesOf('storage_devices')]);
    return joined('/', [first?.['interface'], first?.['storage']]);
  }),
];

function textProperty(name: string, fields: readonly string[], compute: OarProperty['compute']): OarProperty {
  return { name, fields, compute };
}

/** By default, the value of the property is the value of the first field, converted to the unit and rounded down. */
function numberProperty(
  name: string,
  fields: readonly [string, ...string[]],
  unit: number,
  compute: OarProperty['compute'] = (valuesOf) => inUnit(valuesOf(fields[0])[0], unit),
): OarProperty {
  return { name, fields, unit, compute };
}

function textIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function inUnit(value: Json | undefined, unit: number): number | undefined {
  return typeof value === 'number' ? Math.floor(value / unit) : undefined;
}

function joined(separator: string, values: readonly (Json | undefined)[]): string | undefined {
  const texts = values.flatMap((value) => textIn(value) ?? []);
  return texts.length === values.length ? texts.join(separator) : undefined;
}

/** Grid'5000 treats Nvidia GPUs with a compute capability below 5.2 as missing. */
const UNSUPPORTED_GPUS: readonly (Json | undefined)[] = ['Tesla M2075', 'Tesla K40m', 'Tesla K80'];

/** Returns the GPUs in `gpu_devices`, which is a list or a map. Returns undefined if the node has no such field. */
function gpuDevices(valuesOf: ValuesOf): readonly JsonObject[] | undefined {
  const values = valuesOf('gpu_devices');
  if (values.length === 0) return undefined;
  const devices = values.filter(isJsonObject).flatMap((value) => {
    const inMap = Object.values(value).filter(isJsonObject);
    return inMap.length > 0 ? inMap : [value];
  });
  return UNSUPPORTED_GPUS.includes(devices[0]?.['model']) ? [] : devices;
}

function gpuModelOf(valuesOf: ValuesOf): string | undefined {
  const devices = gpuDevices(valuesOf);
  if (devices === undefined) return textIn(valuesOf('gpu.gpu_model')[0]) ?? '';
  const models = new Set(devices.map((device) => device['model']));
  const [only] = models;
  return models.size > 1 ? undefined : devices.length === 0 ? '' : textIn(only);
}

function gpuCountOf(valuesOf: ValuesOf): number | undefined {
  const devices = gpuDevices(valuesOf);
  return devices ? devices.length : inUnit(valuesOf('gpu.gpu_count')[0] ?? 0, 1);
}

function gpuMemoryOf(valuesOf: ValuesOf): number | undefined {
  const devices = gpuDevices(valuesOf);
  if (devices === undefined) return valuesOf('gpu').length === 0 ? 0 : undefined;
  return devices.length === 0 ? 0 : inUnit(devices[0]?.['memory'], MiB);
}

/** Returns the rate in Gbit/s of the fastest adapter that a job can use. Returns undefined if there is none. */
function fastestRate(valuesOf: ValuesOf, device: RegExp, technology?: string): number | undefined {
  const usable = objectsIn([...valuesOf('network_adapters')]).filter(
    (each) =>
      device.test(textIn(each['device']) ?? '') &&
      each['enabled'] === true &&
      (each['mounted'] === true || each['mountable'] === true) &&
      (technology === undefined || each['interface'] === technology),
  );
  const rates = usable.map(({ rate }) => (typeof rate === 'number' ? rate : 0));
  return rates.length === 0 ? undefined : Math.floor(Math.max(...rates) / GBPS);
}

const INFINIBAND: Readonly<Record<number, string>> = {
  10: 'SDR',
  20: 'DDR',
  40: 'QDR',
  56: 'FDR',
  100: 'EDR',
  200: 'HDR',
};

function infinibandOf(valuesOf: ValuesOf): string | undefined {
  if (valuesOf('network_adapters').length === 0) return undefined;
  const rate = fastestRate(valuesOf, /^ib\d*(?:\.\d*)?$/, 'InfiniBand');
  return rate === undefined ? 'NO' : INFINIBAND[rate];
}

/** A condition in SQL, and the rows of the site that match it. */
interface SqlCondition {
  readonly sql: string;
  readonly rows: ReadonlySet<number>;
  /** True if the condition needs parentheses next to other conditions. */
  readonly isJoined?: boolean;
}

interface SiteNodes {
  readonly fleet: QueryFleet;
  /** All nodes of the site. */
  readonly rows: readonly number[];
  /** Returns the matching nodes of all sites. */
  readonly matching: (condition: Condition) => ReadonlySet<number>;
}

export interface AskedQuery {
  readonly query: Query;
  readonly text: string;
}

/**
 * Returns a function that returns an SQL condition on OAR properties that selects exactly the chosen nodes of a site.
 * The function returns undefined if a part of the query has no property, or if the condition selects other nodes.
 * `chosen` are the row numbers of the chosen nodes of all sites.
 */
export function oarProperties(
  { query, text }: AskedQuery,
  fleet: QueryFleet,
  chosen: readonly number[],
): (site: string) => string | undefined {
  const { valuesOf } = findField('site', fleet);
  const siteOf = (row: number) => valuesOf(row)[0];
  const all = Array.from({ length: fleet.total }, (_, row) => row);
  const [rowsBySite, chosenBySite] = [groupBy(all, siteOf), groupBy(chosen, siteOf)];
  const known = new Map<Condition, ReadonlySet<number>>();
  const matching = (condition: Condition) =>
    getOrCreate(known, condition, () => new Set(nodesOf(condition, fleet, text)));
  return (site) => {
    const found = translated(query, { fleet, rows: rowsBySite.get(site) ?? [], matching });
    return found && found.sql !== '' && isSameSet(found.rows, chosenBySite.get(site) ?? []) ? found.sql : undefined;
  };
}

function isSameSet(rows: ReadonlySet<number>, others: readonly number[]): boolean {
  return rows.size === others.length && others.every((row) => rows.has(row));
}

function translated(query: Query, nodes: SiteNodes): SqlCondition | undefined {
  switch (query.kind) {
    case 'condition':
      return query.field.name === 'site' ? siteCondition(query, nodes) : propertyCondition(query, nodes);
    case 'and':
    case 'or': {
      const parts = query.parts.map((part) => translated(part, nodes));
      const known = parts.filter((part) => part !== undefined);
      if (known.length < parts.length) return undefined;
      return query.kind === 'and' ? conjunction(known, nodes) : disjunction(known);
    }
    case 'not': {
      const part = translated(query.part, nodes);
      if (!part || part.sql === '') return undefined;
      return { sql: `NOT (${part.sql})`, rows: new Set(nodes.rows.filter((row) => !part.rows.has(row))) };
    }
    case 'constant':
      return query.value ? { sql: '', rows: new Set(nodes.rows) } : undefined;
    default:
      return query satisfies never;
  }
}

/** The text is empty if all nodes of the site match, because OAR requests only concern nodes of one site. */
function siteCondition(condition: Condition, { rows, matching }: SiteNodes): SqlCondition | undefined {
  const found = matching(condition);
  return rows.every((row) => found.has(row)) ? { sql: '', rows: new Set(rows) } : undefined;
}

function conjunction(parts: readonly SqlCondition[], { rows }: SiteNodes): SqlCondition {
  const shared = new Set(rows.filter((row) => parts.every((part) => part.rows.has(row))));
  const needed = parts.filter(({ sql }) => sql !== '');
  const texts = needed.map(({ sql, isJoined }) => (isJoined && needed.length > 1 ? `(${sql})` : sql));
  return { sql: texts.join(' AND '), rows: shared, isJoined: needed.some(({ isJoined }) => isJoined) };
}

function disjunction(parts: readonly SqlCondition[]): SqlCondition | undefined {
  if (parts.some(({ sql }) => sql === '')) return undefined;
  const texts = parts.map(({ sql }) => sql);
  return { sql: texts.join(' OR '), rows: new Set(parts.flatMap(({ rows }) => [...rows])), isJoined: true };
}

/** Uses the first property whose condition matches the same nodes of the site as the condition of the query. */
function propertyCondition(condition: Condition, nodes: SiteNodes): SqlCondition | undefined {
  const found = nodes.matching(condition);
  const matching = nodes.rows.filter((row) => found.has(row));
  for (const property of OAR_PROPERTIES) {
    if (!property.fields.some((field) => isField(condition.field.path, field))) continue;
    const values = propertyValues(property, nodes);
    if (values === undefined) continue;
    const test = property.unit === undefined ? listTest(values, matching) : numberTest(condition, property.unit);
    if (test === undefined) continue;
    const rows = nodes.rows.filter((row) => test.holds(values.get(row) ?? ''));
    if (isSameSet(new Set(rows), matching)) return { sql: `${property.name}${test.sql}`, rows: new Set(rows) };
  }
  return undefined;
}

function isField(path: readonly string[], field: string): boolean {
  const parts = field.split('.');
  return path.length === parts.length && parts.every((part, i) => part === '*' || part === path[i]);
}

/** Returns the value of each node of the site. Returns undefined if a value is unknown. */
function propertyValues({ compute }: OarProperty, { fleet, rows }: SiteNodes): Map<number, PropertyValue> | undefined {
  const values = new Map<number, PropertyValue>();
  for (const row of rows) {
    const value = compute((field) => findField(field, fleet).valuesOf(row));
    if (value === undefined) return undefined;
    values.set(row, value);
  }
  return values;
}

interface SqlTest {
  readonly sql: string;
  readonly holds: (value: PropertyValue) => boolean;
}

/** The maximum number of texts in a list, so that users can read the list. */
const MOST_LISTED = 10;
/** These texts need no quotes in SQL and in the double quotes of a shell. */
const PLAIN_TEXT = /^[A-Za-z0-9 .,:+@()[\]/_-]+$/;

function listTest(values: ReadonlyMap<number, PropertyValue>, matching: readonly number[]): SqlTest | undefined {
  const listed = [...new Set(matching.map((row) => String(values.get(row))))];
  const isListable = listed.every((value) => PLAIN_TEXT.test(value) && value !== 'NO');
  if (!isListable || listed.length === 0 || listed.length > MOST_LISTED) return undefined;
  const quoted = listed.map((value) => `'${value}'`);
  const sql = quoted.length === 1 ? ` = ${quoted[0]}` : ` IN (${quoted.join(', ')})`;
  return { sql, holds: (value) => listed.includes(String(value)) };
}

function numberTest({ test }: Condition, unit: number): SqlTest | undefined {
  switch (test.kind) {
    case 'compare': {
      const other = numberOf(test.literal, unit);
      if (other === undefined) return undefined;
      return { sql: ` ${test.operator} ${other}`, holds: comparison(test.operator, other) };
    }
    case 'in': {
      const numbers = test.literals.map((literal) => numberOf(literal, unit));
      if (numbers.includes(undefined)) return undefined;
      return { sql: ` IN (${numbers.join(', ')})`, holds: (value) => numbers.includes(Number(value)) };
    }
    case 'between': {
      const [low, high] = [numberOf(test.low, unit), numberOf(test.high, unit)];
      if (low === undefined || high === undefined) return undefined;
      const isBetween = (value: PropertyValue) => low <= Number(value) && Number(value) <= high;
      return { sql: ` BETWEEN ${low} AND ${high}`, holds: isBetween };
    }
    case 'compare-field':
    case 'like':
    case 'null':
      return undefined;
    default:
      return test satisfies never;
  }
}

/** Returns a number in the unit of the property. Returns undefined if SQL would need an exponent. */
function numberOf({ value }: Literal, unit: number): number | undefined {
  const base = typeof value === 'string' ? quantityOf(value)?.value : value;
  if (typeof base !== 'number') return undefined;
  const number = base / unit;
  return /^-?[\d.]+$/.test(String(number)) ? number : undefined;
}
