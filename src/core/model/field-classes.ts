/**
 * What the fields of resources are about, by kind: the class of each, and by which fields the items of an array are
 * told apart. The schemas carry the same classes for editors; differences are compared and classed by this table.
 */
import { FIELD_CLASSES, type FieldClass } from './fields/class-names.ts';
import { isJsonObject, type Json, pointerTokens } from './json.ts';

export { FIELD_CLASSES, type FieldClass, SAME_HARDWARE } from './fields/class-names.ts';

/** The class of a field and of all below it that have no row of their own; the items' keys, where it is an array. */
interface Row {
  readonly class: FieldClass;
  readonly keys?: readonly string[];
}

/** Rows by the way to the field; `*` is any item of an array. */
type Rows = Readonly<Record<string, FieldClass | Row>>;

const NAMES: Rows = { type: 'identity', uid: 'identity', name: 'identity' };

/** By the names of kinds. Of a kind that is not here, every field is about what the kind is. */
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

/** What a field's name says wherever it stands, when no row knows the field itself. Registries differ. */
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
  /** By which fields the items are told apart, the best first; empty where the table knows none. */
  readonly keys: readonly string[];
  readonly below: (name: string) => FieldRule;
}

/** The rule of a kind's whole body. Its class says what it means that a resource comes or goes. */
export function fieldRules(kind: ClassedKind): FieldRule {
  const known = rules.get(kind) ?? kindRule(kind);
  rules.set(kind, known);
  return known;
}

const rules = new WeakMap<ClassedKind, FieldRule>();

/** A set of classes: one bit for each, in the order of `FIELD_CLASSES`. */
export type ClassSet = number;

/** The classes of the fields that JSON pointers name, where "" is the whole body. */
export function classesAt(kind: ClassedKind, pointers: Iterable<string>): ClassSet {
  let set: ClassSet = 0;
  for (const pointer of pointers) set |= classAt(kind, pointer);
  return set;
}

/** By kinds and by pointers, which changes name again and again. */
const knownClasses = new WeakMap<ClassedKind, Map<string, ClassSet>>();
const MOST_KNOWN = 10_000;

function classAt(kind: ClassedKind, pointer: string): ClassSet {
  const known = knownClasses.get(kind) ?? new Map<string, ClassSet>();
  knownClasses.set(kind, known);
  const found = known.get(pointer) ?? 1 << FIELD_CLASSES.indexOf(ruleAt(kind, pointer).class);
  if (known.size < MOST_KNOWN) known.set(pointer, found);
  return found;
}

/** The classes of a value that a rule is about, and of all below it. */
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

/** The rule of the field that names lead to, whatever the positions in arrays: a field that can be one mapping or a list is a list. */
export function ruleOfField(kind: ClassedKind, way: readonly string[]): FieldRule {
  return way.reduce(ruleBelow, fieldRules(kind));
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
  for (const [way, row] of Object.entries(rows)) {
    let here = root;
    for (const name of way.split('/')) {
      const next = here.below.get(name) ?? { row: undefined, below: new Map<string, Branch>() };
      here.below.set(name, next);
      here = next;
    }
    here.row = typeof row === 'string' ? { class: row } : row;
  }
  return root;
}

/** `inherited` is the class of the field that holds this one. */
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
      const rule = known.get(id) ?? ruleOf(next, byName ?? own);
      known.set(id, rule);
      return rule;
    },
  };
}

function kindRule({ name, about }: ClassedKind): FieldRule {
  const others = Object.hasOwn(ROWS, name) ? 'unknown' : about;
  return { ...ruleOf(branchOf(rowsOf(name)), others), class: about };
}
