/**
 * The schemas of the resources' bodies, as an operator writes them.
 *
 * Known fields are typed, fields that real registries spell in several ways accept all of them, and unknown fields
 * are kept: registries differ. From these definitions come the checks and the editor schemas alike. What the fields say
 * in words stands in fields/field-descriptions.ts.
 */
import { zod } from '../platform/modules.ts';
import { lazily } from '../platform/on-demand.ts';
import { FLAVOR_TYPES } from './flavor-types.ts';

export const resourceSchemas = lazily(() => {
  const z = zod();
  const text = z.string().nullable().optional();
  const size = z.number().nullable().optional();
  const textOrNumber = z.union([z.string(), z.number()]).nullable().optional();
  /** Inventory tools have written booleans as the words `true` and `false`. */
  const flag = z
    .union([z.boolean(), z.enum(['true', 'false'])])
    .nullable()
    .optional();
  /** `192 GiB`, or `{ value: 192, unit: GiB }`. */
  const humanizedSize = z
    .union([z.string(), z.looseObject({ value: z.number(), unit: z.string() })])
    .nullable()
    .optional();

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
    size: size,
    humanized_size: humanizedSize,
  });

  const node = z
    .looseObject({
      ...identity('node'),
      node_name: text,
      node_type: text,
      architecture: z.looseObject({ platform_type: text, smp_size: size, smt_size: size }).nullable().optional(),
      bios: z.looseObject({ release_date: text, vendor: text, version: textOrNumber }).nullable().optional(),
      chassis: z.looseObject({ manufacturer: text, name: text, serial: text }).nullable().optional(),
      main_memory: z.looseObject({ ram_size: size, humanized_ram_size: humanizedSize }).nullable().optional(),
      processor: z
        .looseObject({
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
        })
        .nullable()
        .optional(),
      gpu: z
        .union([gpu, z.array(gpu)])
        .nullable()
        .optional(),
      fpga: z.looseObject({ board_model: text, board_vendor: text }).nullable().optional(),
      infiniband: flag,
      monitoring: z.looseObject({ wattmeter: flag }).nullable().optional(),
      network_adapters: z.array(networkAdapter).optional(),
      storage_devices: z.array(storageDevice).optional(),
      placement: z.looseObject({ rack: textOrNumber, node: textOrNumber }).nullable().optional(),
      supported_job_types: z
        .looseObject({
          besteffort: flag,
          deploy: flag,
          virtual: z.union([z.string(), z.boolean()]).nullable().optional(),
        })
        .nullable()
        .optional(),
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
      gpu: z
        .looseObject({ gpu: flag, gpu_count: size, gpu_allocation: text, gpu_mig_profile: text })
        .nullable()
        .optional(),
      openstack_properties: z.looseObject({}).nullable().optional(),
      su_cost_per_hour: size,
    })
    .describe('A flavor: a size of virtual machine that a site offers.');

  const model = { vendor: text.describe('Its maker.'), model: text.describe('What its maker calls it.') };
  const kindOf = (examples: string) => ({ kind: text.describe(`What it is: ${examples}.`) });
  const addresses = {
    ip: text.describe('Its address in the network.'),
    mac: text.describe('The address of its network adapter.'),
  };

  /** A list, or items by their names. */
  const several = z
    .union([z.array(z.unknown()), z.looseObject({})])
    .nullable()
    .optional();

  const server = z
    .looseObject({
      ...identity('server'),
      ...kindOf('physical or virtual'),
      ...addresses,
      network_adapters: several.describe('Its network adapters, a list or by their names.'),
      monitoring: z.unknown().optional().describe('What measures it.'),
    })
    .describe('A server: a machine that runs services of a site, and cannot be reserved.');

  const pdu = z
    .looseObject({ ...identity('pdu'), ...model, ...addresses })
    .describe('A power distribution unit, which feeds nodes and may measure what they take.');

  const networkEquipment = z
    .looseObject({
      ...identity('network_equipment'),
      ...kindOf('a switch, a router'),
      ...model,
      ...addresses,
      linecards: several.describe('What it is put together of, with the ports.'),
    })
    .describe('A piece of network equipment: a switch or a router.');

  const environment = z
    .looseObject({ ...identity('environment'), description: text.describe('What it is for, and what is in it.') })
    .describe('An environment: a system image that nodes can be deployed with.');

  const resource = z
    .looseObject({ type: z.string(), uid: z.string() })
    .describe('A resource of a kind that only its registry knows.');

  const equipment = { server, pdu, network_equipment: networkEquipment, environment };
  return { grid, site, cluster, node, flavor, ...equipment, resource };
});

export function declaredSchema(name: string): () => ReturnType<typeof declaredResource> {
  return lazily(() => declaredResource(name));
}

function declaredResource(name: string) {
  const z = zod();
  return z
    .looseObject({ type: z.literal(name), uid: z.string() })
    .describe(`A resource of the registry's own kind ${name}.`);
}
