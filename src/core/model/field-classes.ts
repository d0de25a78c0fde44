/** Lists the class of each field by kind, and the key fields of array items. */

import { getOrCreate } from '../platform/lookups.ts';
import { FIELD_CLASSES, type FieldClass } from './fields/class-names.ts';
import { isJsonObject, type Json } from './json.ts';
import { pointerTokens } from './json-pointer.ts';

export { FIELD_CLASSES, type FieldClass, SAME_HARDWARE } from './fields/class-names.ts';

/** A class also applies to all subfields that have no row of their own. `keys` lists the key fields of array items. */
interface Row {
  readonly class: FieldClass;
  readonly keys?: readonly string[];
}

type Rows = Readonly<Record<string, FieldClass | Row>>;

const NAMES: Rows = { type: 'identity', uid: 'identity', name: 'identity' };

/** The table rows by kind. Fields of a kind without rows have the class of the kind. */
const ROWS: Readonly<Record<string, Rows>> = {
  grid: {},
  site: {
    site_class: 'identity',
    description: 'administrative',
    location: 'placement',
    latitude: 'placement',
    longitude: 'placement',
    web: 'administrative',
    email_contact: 'administrative',
    security_contact: 'administrative',
    sys_admin_contact: 'administrative',
    user_support_contact: 'administrative',
  },
  cluster: { created_at: 'administrative' },
  node: {
    node_name: 'identity',
    node_type: 'identity',
    architecture: 'hardware',
    bios: 'firmware',
    'bios/release_date': 'derived',
    bmc_version: 'firmware',
    boot_mode: 'firmware',
    chassis: 'hardware',
    'chassis/serial': 'component',
    main_memory: 'hardware',
    'main_memory/humanized_ram_size': 'derived',
    memory_devices: { class: 'hardware', keys: ['device', 'locator', 'serial'] },
    processor: 'hardware',
    'processor/microcode': 'firmware',
    gpu: { class: 'hardware', keys: ['device', 'serial', 'uuid'] },
    fpga: 'hardware',
    infiniband: 'hardware',
    network_adapters: { class: 'hardware', keys: ['device', 'mac', 'guid'] },
    'network_adapters/*/device': 'identity',
    'network_adapters/*/name': 'identity',
    'network_adapters/*/mac': 'component',
    'network_adapters/*/guid': 'component',
    'network_adapters/*/driver': 'administrative',
    'network_adapters/*/enabled': 'administrative',
    'network_adapters/*/bridged': 'administrative',
    'network_adapters/*/management': 'administrative',
    'network_adapters/*/mounted': 'administrative',
    'network_adapters/*/switch': 'placement',
    'network_adapters/*/switch_port': 'placement',
    storage_devices: { class: 'hardware', keys: ['device', 'serial', 'wwn'] },
    'storage_devices/*/device': 'identity',
    'storage_devices/*/serial': 'component',
    'storage_devices/*/wwn': 'component',
    'storage_devices/*/driver': 'administrative',
    'storage_devices/*/rev': 'firmware',
    'storage_devices/*/humanized_size': 'derived',
    monitoring: 'administrative',
    operating_system: 'administrative',
    placement: 'placement',
    supported_job_types: 'administrative',
    admin_note: 'administrative',
  },
  flavor: {
    description: 'administrative',
    vcpus: 'hardware',
    ram: 'hardware',
    ram_size: 'hardware',
    disk: 'hardware',
    disk_size: 'hardware',
    gpu: 'hardware',
    openstack_properties: 'administrative',
    su_cost_per_hour: 'administrative',
  },
};

/** Fields that the table does not list, such as custom fields of a registry, get a class by their name. */
const BY_NAME: readonly (readonly [RegExp, FieldClass])[] = [
  [/^(serial(_number)?|mac|wwn|guid|uuid|asset_tag)$/, 'component'],
  [/^humanized_/, 'derived'],
  [/(^|_)firmware(_|$)/, 'firmware'],
];

export interface ClassedKind {
  readonly name: string;
  readonly about: FieldClass;
}

export interface FieldRule {
  readonly class: FieldClass;
  /** The key fields of the array items, best first. */
  readonly keys: readonly string[];
  readonly below: (name: string) => FieldRule;
}

/** Returns the rule of the whole body. The class of this rule also applies to added and removed resources. */
export function fieldRules(kind: ClassedKind): FieldRule {
  return getOrCreate(rules, kind, () => kindRule(kind));
}

const rules = new WeakMap<ClassedKind, FieldRule>();

/** A bit set of classes. The bits have the order of `FIELD_CLASSES`. */
export type ClassSet = number;

/** The pointer "" is the whole body. */
export function classesAt(kind: ClassedKind, pointers: Iterable<string>): ClassSet {
  let set: ClassSet = 0;
  for (const pointer of pointers) set |= classAt(kind, pointer);
  return set;
}

const knownClasses = new WeakMap<ClassedKind, Map<string, ClassSet>>();
const MOST_KNOWN = 10_000;

function classAt(kind: ClassedKind, pointer: string): ClassSet {
  const known = getOrCreate(knownClasses, kind, () => new Map<string, ClassSet>());
  const found = known.get(pointer) ?? 1 << FIELD_CLASSES.indexOf(ruleAt(kind, pointer).class);
  if (known.size < MOST_KNOWN) known.set(pointer, found);
  return found;
}

export function classesBelow(value: Json, rule: FieldRule): ClassSet {
  const held: (readonly [string, Json])[] = Array.isArray(value)
    ? value.map((item) => ['0', item])
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  return held.reduce((set, [name, field]) => set | classesBelow(field, rule.below(name)), classSet([rule.class]));
}

export function ruleAt(kind: ClassedKind, pointer: string): FieldRule {
  return (pointerTokens(pointer) ?? []).reduce((rule, token) => rule.below(token), fieldRules(kind));
}

/** `path` contains no array positions. If a field can be a list or a mapping, the function assumes a list. */
export function ruleOfField(kind: ClassedKind, path: readonly string[]): FieldRule {
  return path.reduce(ruleBelow, fieldRules(kind));
}

export function ruleBelow(rule: FieldRule, name: string): FieldRule {
  return (rule.keys.length > 0 ? rule.below('0') : rule).below(name);
}

export function classSet(names: Iterable<FieldClass>): ClassSet {
  let set: ClassSet = 0;
  for (const name of names) set |= 1 << FIELD_CLASSES.indexOf(name);
  return set;
}

export function classNames(set: ClassSet): FieldClass[] {
  return FIELD_CLASSES.filter((_, i) => (set & (1 << i)) !== 0);
}

export function writtenRules({ name, about }: ClassedKind): string {
  return JSON.stringify([about, rowsOf(name), BY_NAME.map(([pattern, each]) => [pattern.source, each])]);
}

function rowsOf(name: string): Rows {
  return { ...NAMES, ...(Object.hasOwn(ROWS, name) ? ROWS[name] : {}) };
}

interface Branch {
  row: Row | undefined;
  readonly below: Map<string, Branch>;
}

function branchOf(rows: Rows): Branch {
  const root: Branch = { row: undefined, below: new Map() };
  for (const [path, row] of Object.entries(rows)) {
    let here = root;
    for (const name of path.split('/')) {
      here = getOrCreate<string, Branch>(here.below, name, () => ({ row: undefined, below: new Map() }));
    }
    here.row = typeof row === 'string' ? { class: row } : row;
  }
  return root;
}

function ruleOf(branch: Branch | undefined, inherited: FieldClass): FieldRule {
  const own = branch?.row?.class ?? inherited;
  const known = new Map<string, FieldRule>();
  return {
    class: own,
    keys: branch?.row?.keys ?? [],
    below: (name) => {
      const token = branch?.below.has(name) ? name : '*';
      const next = branch?.below.get(token);
      const byName = next ? undefined : BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
      const id = byName === undefined ? token : name;
      return getOrCreate(known, id, () => ruleOf(next, byName ?? own));
    },
  };
}

function kindRule({ name, about }: ClassedKind): FieldRule {
  const others = Object.hasOwn(ROWS, name) ? 'unknown' : about;
  return { ...ruleOf(branchOf(rowsOf(name)), others), class: about };
}
