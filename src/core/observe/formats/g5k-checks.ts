/** Reads YAML reports of g5k-checks (Grid'5000). A report describes one node, or maps the names of nodes to nodes. */
import { isJsonObject, type Json } from '../../model/json.ts';
import { isPlaceholder } from '../../registry/fleet/placeholders.ts';
import { type Format, weak } from '../format.ts';
import { busInPath } from '../observe-machine.ts';
import { entriesAt, flagAt, number, text, textAt, valueAt } from '../read-values.ts';

const SERIAL = (machine: Json) => {
  const serial = written('node.chassis.serial')(machine);
  return isPlaceholder(serial, true) ? undefined : serial;
};

export const g5kChecks: Format = {
  name: 'g5k-checks',
  recognises: (report) =>
    isNode(report) || (isJsonObject(report) && Object.keys(report).length > 0 && Object.values(report).every(isNode)),
  // The raw output of a single node does not contain the name of the node.
  machines: (report) =>
    isNode(report) || !isJsonObject(report)
      ? [{ node: report }]
      : Object.entries(report).map(([name, node]) => ({ name, node })),
  serials: [SERIAL],
  names: [text('name')],
  node: {
    'architecture.platform_type': text('node.architecture.platform_type'),
    'architecture.smp_size': number('node.architecture.nb_procs'),
    'architecture.smt_size': number('node.architecture.nb_threads'),
    'processor.vendor': text('node.processor.vendor'),
    'processor.model': text('node.processor.other_description'),
    'processor.instruction_set': text('node.processor.instruction_set'),
    'processor.clock_speed': number('node.processor.clock_speed'),
    'processor.cache_l1d': number('node.processor.cache_l1d'),
    'processor.cache_l1i': number('node.processor.cache_l1i'),
    'processor.cache_l2': number('node.processor.cache_l2'),
    'processor.cache_l3': number('node.processor.cache_l3'),
    'main_memory.ram_size': number('node.main_memory.ram_size'),
    'chassis.manufacturer': text('node.chassis.manufacturer'),
    'chassis.name': written('node.chassis.name'),
    'chassis.serial': SERIAL,
    'bios.vendor': text('node.bios.vendor'),
    'bios.version': written('node.bios.version'),
    'bios.release_date': text('node.bios.release_date'),
    bmc_version: written('node.bmc_version'),
  },
  // g5k-checks omits the mapping if a machine has no GPUs.
  gpus: (machine) =>
    (partsIn(machine, 'gpu_devices') ?? []).map((gpu) => ({
      vendor: textAt(gpu, 'part.vendor'),
      model: written('part.model')(gpu),
    })),
  storage_devices: {
    isComplete: true,
    of: (machine) => partsIn(machine, 'storage_devices'),
    fields: {
      // The report does not contain the device name. The path serves as the name of new disks.
      device: text('key'),
      size: number('part.size'),
      interface: (disk) => textAt(disk, 'part.interface') ?? busInPath(text('part.by_path', 'key')(disk)),
      media_type: text('part.storage'),
      model: written('part.model'),
      vendor: text('part.vendor'),
      wwn: (disk) => /^.*\/((?:wwn-|nvme-eui\.).*)$/.exec(textAt(disk, 'part.by_id') ?? '')?.[1],
      rev: written('part.firmware_version'),
    },
  },
  network_adapters: {
    isComplete: true,
    of: (machine) => partsIn(machine, 'network_adapters'),
    fields: {
      device: text('key'),
      name: text('part.name'),
      mac: text('part.mac'),
      guid: text('part.guid'),
      interface: text('part.interface'),
      rate: number('part.rate'),
      vendor: text('part.vendor'),
      model: written('part.model'),
      driver: text('part.driver'),
      firmware_version: written('part.firmware_version'),
      management: (adapter) => flagAt(adapter, 'part.management') || weak(flagAt(adapter, 'part.management')),
    },
  },
};

function isNode(value: Json): boolean {
  return isJsonObject(value) && isJsonObject(value['architecture']) && 'nb_procs' in value['architecture'];
}

/** Keeps all digits of versions and serial numbers, which can look like numbers in YAML without quotes. */
function written(path: string): (part: Json) => string | undefined {
  return (part) => {
    const value = valueAt(part, path);
    return typeof value === 'number' ? String(value) : textAt(part, path);
  };
}

function partsIn(machine: Json, list: string) {
  return entriesAt(machine, `node.${list}`)?.map(([key, part]) => ({ key, part }));
}
