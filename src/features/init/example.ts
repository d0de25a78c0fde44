/** The example that `init --example` makes: an invented site with one node, to look at. */
import { type Source, sourceAt } from '../edit/site-sources.ts';

const NODE = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

export const EXAMPLE: readonly Source[] = [
  sourceAt(
    'sites/first',
    `type: site
uid: first
name: First Site
description: The first site of the testbed
location: Somewhere
latitude: 0
longitude: 0
web: https://testbed.example.org
email_contact: contact@testbed.example.org
security_contact: security@testbed.example.org
sys_admin_contact: admin@testbed.example.org
user_support_contact: help@testbed.example.org
site_class: baremetal
`,
  ),
  sourceAt('sites/first/clusters/main', 'type: cluster\nuid: main\n'),
  sourceAt(
    `sites/first/clusters/main/nodes/${NODE}`,
    `type: node
uid: ${NODE}
node_name: node-1
node_type: compute
architecture:
  platform_type: x86_64
  smp_size: 2              # sockets
  smt_size: 64             # threads
main_memory:
  ram_size: 274877906944   # bytes
  humanized_ram_size: 256 GiB
storage_devices:
  - device: sda
    interface: SATA
    media_type: SSD
    model: EX480
    serial: "0001"
    size: 480000000000
    humanized_size: 480 GB
`,
  ),
];
