/**
 * Synthetic resources that resemble real ones: a node has about 1.8 KB of YAML, with serials, addresses and dates that a
 * naive YAML parser reads as numbers.
 */
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import type { Random } from './random.ts';

export const CLUSTER_UID = 'main';

export function grid(uid: string): JsonObject {
  return { type: 'grid', uid };
}

export function site(uid: string): JsonObject {
  return {
    type: 'site',
    uid,
    name: `Site ${uid}`,
    description: `The machines at ${uid}`,
    location: 'Somewhere, with a comma',
    latitude: 48.1,
    longitude: -1.6,
    web: `https://${uid}.example.org/`,
    email_contact: `help@${uid}.example.org`,
    security_contact: `security@${uid}.example.org`,
    sys_admin_contact: `root@${uid}.example.org`,
    user_support_contact: `help@${uid}.example.org`,
    site_class: 'baremetal',
  };
}

export function cluster(): JsonObject {
  return { type: 'cluster', uid: CLUSTER_UID, created_at: 'Mon, 15 Jun 2020 16:00:00 GMT', model: 'Model 630' };
}

export function node(uid: string, random: Random, number: number): JsonObject {
  const type = random.pick(['compute', 'compute', 'compute', 'storage', 'gpu', 'fpga']);
  return {
    uid,
    type: 'node',
    node_name: `machine-${number}`,
    node_type: type,
    architecture: { platform_type: 'x86_64', smp_size: 2, smt_size: 48 },
    bios: { release_date: `2019-0${1 + random.whole(9)}-14`, vendor: 'Vendor Inc.', version: biosVersion(random) },
    chassis: { manufacturer: 'Vendor Inc.', name: 'Model 630', serial: serial(random) },
    main_memory: { humanized_ram_size: '128 GiB', ram_size: 137_438_953_472 },
    monitoring: { wattmeter: false },
    network_adapters: [0, 1, 2].map((slot) => adapter(random, slot)),
    placement: { rack: random.whole(40), node: number % 42 },
    processor: {
      cache_l1: null,
      cache_l1d: 32_768,
      cache_l1i: 32_768,
      cache_l2: 262_144,
      cache_l3: 31_457_280,
      clock_speed: 2_300_000_000,
      instruction_set: 'x86-64',
      model: 'Vendor Twelve',
      vendor: 'Vendor',
      version: '2670 v3',
    },
    storage_devices: [0, 1].map((slot) => disk(random, slot)),
    supported_job_types: { besteffort: false, deploy: true, virtual: 'ivt' },
    ...(type === 'gpu' ? { gpu: { gpu: true, gpu_count: 4, gpu_model: 'G100', gpu_vendor: 'Vendor' } } : {}),
    ...(type === 'fpga' ? { fpga: { board_model: 'F385', board_vendor: 'Vendor' } } : {}),
  };
}

export function biosVersion(random: Random): string {
  return `${1 + random.whole(3)}.${random.whole(20)}.${random.whole(10)}`;
}

/** Serials. Some look like numbers: digits only, with leading zeros or with an exponent. */
export function serial(random: Random): string {
  const digits = String(10_000_000 + random.whole(80_000_000));
  return random.pick([random.hex(7).toUpperCase(), digits, `00${digits}`, `${digits}E068`, `S${digits}`]);
}

export function mac(random: Random): string {
  return Array.from({ length: 6 }, () => random.hex(2)).join(':');
}

function adapter(random: Random, slot: number): Json {
  return {
    device: `eno${slot + 1}`,
    driver: 'ixgbe',
    interface: 'Ethernet',
    mac: mac(random),
    management: false,
    model: 'Ethernet Controller 10-Gigabit, 2 ports',
    mounted: slot === 0,
    rate: 10_000_000_000,
    vendor: 'Vendor Corporation',
  };
}

function disk(random: Random, slot: number): Json {
  return {
    device: `sd${slot === 0 ? 'a' : 'b'}`,
    humanized_size: '250 GB',
    interface: 'SATA',
    model: 'ST9250610NS',
    rev: `AA${random.whole(90) + 10}`,
    serial: serial(random),
    size: 250_059_350_016,
    vendor: 'Vendor',
    wwn: `0x5002538c${random.hex(8)}`,
  };
}
