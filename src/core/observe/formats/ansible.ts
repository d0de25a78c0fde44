/** Reads the facts of the Ansible module `setup`: a file per host, a fact cache, or printed output. */
import { isJsonObject, itemsIn, type Json } from '../../model/json.ts';
import { type Format, type Reading, weak } from '../format.ts';
import { busOfController } from '../observe-machine.ts';
import {
  clockInName,
  entriesAt,
  first,
  number,
  numberAt,
  serial,
  serialAt,
  text,
  textAt,
  textOf,
  valueAt,
  weakly,
} from '../read-values.ts';

const MIB = 2 ** 20;
/** Linux reports disk sizes in units of this number of bytes, whatever the sector size of the disk is. */
const SECTOR = 512;
const MODEL = (facts: Json) => processorsIn(facts).model;

export const ansible: Format = {
  name: 'ansible',
  recognises: (report) => factsIn(report) !== undefined,
  machines: (report) => [factsIn(report) ?? {}],
  uids: [text('product_uuid')],
  serials: [serial('product_serial')],
  names: [text('nodename'), text('hostname')],
  node: {
    'architecture.platform_type': text('architecture'),
    'architecture.smp_size': socketsOf,
    'architecture.smt_size': threadsOf,
    'processor.vendor': (facts) => processorsIn(facts).vendor,
    'processor.model': MODEL,
    'processor.instruction_set': text('architecture'),
    'processor.clock_speed': clockInName(MODEL),
    'main_memory.ram_size': weakly(number('memtotal_mb', MIB), 'kernel'),
    'chassis.manufacturer': text('system_vendor'),
    'chassis.name': text('product_name'),
    'chassis.serial': serial('product_serial'),
    'bios.vendor': text('bios_vendor'),
    'bios.version': text('bios_version'),
    'bios.release_date': text('bios_date'),
  },
  storage_devices: {
    isComplete: true,
    of: (facts) => entriesAt(facts, 'devices')?.map(([device, disk]) => ({ device, disk })),
    fields: {
      device: text('device'),
      size: number('disk.sectors', SECTOR),
      interface: busOf,
      media_type: (part) => ({ '0': false, '1': true })[textAt(part, 'disk.rotational') ?? ''],
      model: text('disk.model'),
      vendor: text('disk.vendor'),
      serial: serialOfDisk,
      wwn: first(serial('disk.wwn'), wwnInLinks),
    },
  },
  network_adapters: {
    isComplete: true,
    of: adaptersIn,
    fields: {
      device: text('name'),
      mac: first(text('port.perm_macaddress'), text('port.macaddress')),
      interface: () => undefined,
      rate: number('port.speed', 1e6),
      driver: text('port.module'),
    },
  },
};

const PREFIX = 'ansible_';

/** Removes the prefix `ansible_` from the names of the facts. Names in a dump of `ansible_facts` have no prefix. */
function factsIn(report: Json): Json | undefined {
  if (!isJsonObject(report)) return undefined;
  for (const facts of [report['ansible_facts'], report]) {
    if (!isJsonObject(facts)) continue;
    if ('architecture' in facts && 'machine' in facts) return facts;
    if (!(`${PREFIX}architecture` in facts && `${PREFIX}machine` in facts)) continue;
    return Object.fromEntries(
      Object.entries(facts).map(([name, fact]) => [name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name, fact]),
    );
  }
  return undefined;
}

interface Processors {
  readonly vendor: string | undefined;
  readonly model: string | undefined;
  readonly threads: number;
}

/**
 * Ansible lists the vendor and the model name of each processor thread. Newer versions also list the thread number.
 * On POWER, the list contains no vendors. On ARM, the list contains only the thread numbers.
 */
function processorsIn(facts: Json): Processors {
  const all = itemsIn(valueAt(facts, 'processor'));
  const numbers = all.filter((each) => /^\d+$/.test(String(unwrapped(each)))).length;
  const threads = numbers > 0 ? numbers : all.length / 2;
  const texts = all
    .slice(numbers > 0 ? 1 : 0, all.length / threads)
    .map((each) => textOf(unwrapped(each), 'processor'));
  const [vendor, model] = texts.length === 1 ? [undefined, ...texts] : texts;
  return { vendor, model, threads };
}

/** Without sockets in the data of the kernel, as on ARM, Ansible counts each thread as a socket. */
function socketsOf(facts: Json): Reading {
  const count = numberAt(facts, 'processor_count');
  const isCountOfThreads = count !== 1 && count === processorsIn(facts).threads;
  return isCountOfThreads || textAt(facts, 'virtualization_role') === 'guest' ? undefined : count;
}

/** Counts the listed threads, because `threads_per_core` can be wrong. Ignores a list of one thread as incomplete. */
function threadsOf(facts: Json): Reading {
  const { threads } = processorsIn(facts);
  if (threads > 1 && Number.isInteger(threads)) return threads;
  const [count, cores, perCore] = ['count', 'cores', 'threads_per_core'].map((name) =>
    numberAt(facts, `processor_${name}`),
  );
  const product = (count ?? 0) * (cores ?? 0) * (perCore ?? 0);
  return product > 0 ? product : weak(numberAt(facts, 'processor_vcpus'));
}

function unwrapped(value: Json): Json {
  return isJsonObject(value) ? (valueAt(value, '__ansible_unsafe') ?? null) : value;
}

/** Derives the bus of a disk from the lspci name of its controller, because Ansible does not report the bus. */
function busOf(part: Json): string | undefined {
  const host = textAt(part, 'disk.host') ?? '';
  if (textAt(part, 'disk.removable') === '1' || /^USB/i.test(host)) return 'usb';
  return busOfController(host);
}

/** Ansible cuts serial numbers at the first hyphen: all disks such as `WD-WCC130J2P3Y9` have the serial number `WD`. */
function serialOfDisk(part: Json): string | undefined {
  const stated = serialAt(part, 'disk.serial');
  return /^[a-z]{1,5}$/i.test(stated ?? '') ? undefined : stated;
}

/** Ansible lists the WWN of an NVMe disk only among the links to the disk, such as `nvme-eui.8ce38ee2077a1b01`. */
function wwnInLinks(part: Json): string | undefined {
  const names = itemsIn(valueAt(part, 'disk.links.ids')).map((each) => textOf(unwrapped(each), 'links.ids'));
  return names.find((name) => /^nvme-(eui|nvme)\./.test(name ?? ''));
}

/** Omits virtual adapters, which have neither a PCI device nor a kernel module. */
function adaptersIn(facts: Json): readonly Json[] | undefined {
  const listed = valueAt(facts, 'interfaces');
  if (listed === undefined) return undefined;
  return itemsIn(listed).flatMap((each) => {
    const name = textOf(unwrapped(each), 'interfaces') ?? '';
    const port = isJsonObject(facts) ? facts[name.replaceAll('-', '_')] : undefined;
    const isReal =
      /^(ether|infiniband)$/.test(textAt(port, 'type') ?? '') && text('pciid', 'module')(port ?? null) !== undefined;
    return isReal && port !== undefined ? [{ name, port }] : [];
  });
}
