/** The schemas of bodies in registry files. They accept unknown fields and different spellings of a value. */
import type { ZodType } from 'zod';
import { zod } from '../platform/modules.ts';
import { lazily } from '../platform/on-demand.ts';
import { FLAVOR_TYPES } from './flavor-types.ts';

export const resourceSchemas = lazily(() => {
  const z = zod();
  const maybe = <T extends ZodType>(schema: T) => schema.nullable().optional();
  const text = maybe(z.string());
  const size = maybe(z.number());
  const textOrNumber = maybe(z.union([z.string(), z.number()]));
  /** Inventory tools sometimes write booleans as text. */
  const flag = maybe(z.union([z.boolean(), z.enum(['true', 'false'])]));
  const humanizedSize = maybe(z.union([z.string(), z.looseObject({ value: z.number(), unit: z.string() })]));

  const identity = <K extends string>(kind: K) => ({ type: z.literal(kind), uid: z.string() });

  const grid = z.looseObject({ ...identity('grid') }).describe('The root of the registry: the testbed as a whole.');

  const site = z
    .looseObject({
      ...identity('site'),
      name: z.string(),
      description: text,
      location: text,
      latitude: z.number().optional(),
      longitude: z.number().optional(),
      web: text,
      email_contact: text,
      security_contact: text,
      sys_admin_contact: text,
      user_support_contact: text,
      site_class: z.string().optional(),
    })
    .describe('A site: a place that hosts clusters or a cloud.');

  const cluster = z
    .looseObject({ ...identity('cluster'), created_at: text })
    .describe('A cluster: a logical group of nodes at a site.');

  const gpu = z.looseObject({
    gpu: z.union([z.boolean(), z.string()]).optional(),
    gpu_count: size,
    gpu_model: text,
    gpu_vendor: text,
    gpu_name: text,
  });

  const networkAdapter = z.looseObject({
    device: text,
    driver: text,
    enabled: flag,
    bridged: flag,
    interface: text,
    mac: text,
    guid: text,
    management: flag,
    mounted: flag,
    model: text,
    name: text,
    rate: size,
    vendor: text,
    version: textOrNumber,
  });

  const storageDevice = z.looseObject({
    device: text,
    driver: text,
    interface: text,
    media_type: text,
    model: text,
    rev: text,
    serial: text,
    wwn: text,
    vendor: text,
    size,
    humanized_size: humanizedSize,
  });

  const node = z
    .looseObject({
      ...identity('node'),
      node_name: text,
      node_type: text,
      architecture: maybe(z.looseObject({ platform_type: text, smp_size: size, smt_size: size })),
      bios: maybe(z.looseObject({ release_date: text, vendor: text, version: textOrNumber })),
      chassis: maybe(z.looseObject({ manufacturer: text, name: text, serial: text })),
      main_memory: maybe(z.looseObject({ ram_size: size, humanized_ram_size: humanizedSize })),
      processor: maybe(
        z.looseObject({
          vendor: text,
          model: text,
          version: textOrNumber,
          instruction_set: text,
          other_description: text,
          clock_speed: size,
          cache_l1: size,
          cache_l1d: size,
          cache_l1i: size,
          cache_l2: size,
          cache_l3: size,
        }),
      ),
      gpu: maybe(z.union([gpu, z.array(gpu)])),
      fpga: maybe(z.looseObject({ board_model: text, board_vendor: text })),
      infiniband: flag,
      monitoring: maybe(z.looseObject({ wattmeter: flag })),
      network_adapters: z.array(networkAdapter).optional(),
      storage_devices: z.array(storageDevice).optional(),
      placement: maybe(z.looseObject({ rack: textOrNumber, node: textOrNumber })),
      supported_job_types: maybe(
        z.looseObject({ besteffort: flag, deploy: flag, virtual: maybe(z.union([z.string(), z.boolean()])) }),
      ),
    })
    .describe('A node: one machine that experimenters can reserve.');

  const flavor = z
    .looseObject({
      ...identity('flavor'),
      type: z.enum(FLAVOR_TYPES),
      name: text,
      description: text,
      vcpus: size,
      ram: size,
      ram_size: size,
      humanized_ram_size: text,
      disk: size,
      disk_size: size,
      humanized_disk_size: text,
      gpu: maybe(z.looseObject({ gpu: flag, gpu_count: size, gpu_allocation: text, gpu_mig_profile: text })),
      openstack_properties: maybe(z.looseObject({})),
      su_cost_per_hour: size,
    })
    .describe('A flavor: a size of virtual machine that a site offers.');

  const model = {
    vendor: text.describe('The manufacturer of the equipment.'),
    model: text.describe('The model name of the manufacturer.'),
  };
  const kindOf = (examples: string) => ({ kind: text.describe(`The type of the equipment: ${examples}.`) });
  const addresses = {
    ip: text.describe('The IP address.'),
    mac: text.describe('The MAC address of the network adapter.'),
  };

  /** Accepts a list, or a mapping from names to items. */
  const several = maybe(z.union([z.array(z.unknown()), z.looseObject({})]));

  const server = z
    .looseObject({
      ...identity('server'),
      ...kindOf('physical or virtual'),
      ...addresses,
      network_adapters: several.describe('The network adapters, as a list or by name.'),
      monitoring: z.unknown().optional().describe('The measurements of the server.'),
    })
    .describe('A server: a machine that runs services of a site. Users cannot reserve it.');

  const pdu = z
    .looseObject({ ...identity('pdu'), ...model, ...addresses })
    .describe('A power distribution unit, which supplies nodes and can measure their power consumption.');

  const networkEquipment = z
    .looseObject({
      ...identity('network_equipment'),
      ...kindOf('a switch, a router'),
      ...model,
      ...addresses,
      linecards: several.describe('The line cards with their ports.'),
    })
    .describe('A piece of network equipment: a switch or a router.');

  const environment = z
    .looseObject({
      ...identity('environment'),
      description: text.describe('The purpose and the contents of the environment.'),
    })
    .describe('An environment: a system image that users can deploy on nodes.');

  const resource = z
    .looseObject({ type: z.string(), uid: z.string() })
    .describe('A resource of a kind that the registry declares.');

  const equipment = { server, pdu, network_equipment: networkEquipment, environment };
  return { grid, site, cluster, node, flavor, ...equipment, resource };
});

export function declaredSchema(name: string): () => ReturnType<typeof declaredResource> {
  return lazily(() => declaredResource(name));
}

function declaredResource(name: string) {
  const z = zod();
  return z.looseObject({ type: z.literal(name), uid: z.string() }).describe(`A resource of the declared kind ${name}.`);
}
