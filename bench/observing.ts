/** Observes hardware reports. The baseline reads the files and parses the JSON. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, GRIDPRESS } from './measure.ts';
import { program } from './row.ts';

/** About 130 kB per report, most of it values that no field needs, as in real ones. */
const UNUSED_DEVICES = 900;

/** Writes one inventory of ironic-python-agent per machine; returns their folder. */
export function makeReports(root: string, count: number): string {
  const folder = join(root, 'reports');
  mkdirSync(folder);
  const devices = Array.from({ length: UNUSED_DEVICES }, (_, i) => ({
    vendor_id: '8086',
    product_id: (0x20_00 + i).toString(16),
    class: '088000',
    bus: `0000:${(i >> 3).toString(16).padStart(2, '0')}:00.${i % 8}`,
    numa_node_id: i % 2,
    description: 'System peripheral without a driver',
  }));
  for (let n = 0; n < count; n++) {
    const digits = n.toString(16).padStart(4, '0');
    const mac = `02:5a:10:00:${digits.slice(0, 2)}:${digits.slice(2)}`;
    const report = {
      inventory: {
        cpu: { model_name: 'AMD EPYC 7543P', count: 64, architecture: 'x86_64', socket_count: 1 },
        memory: { physical_mb: 262_144 },
        disks: [
          { name: '/dev/nvme0n1', model: 'KCD6XLUL1T92', size: 1_920_383_410_176, serial: `Y${n}`, tran: 'nvme' },
        ],
        interfaces: [{ name: 'eno1np0', mac_address: mac, speed_mbps: 25_000, driver: 'bnxt_en' }],
        system_vendor: { manufacturer: 'Dell Inc.', product_name: 'PowerEdge R7515', serial_number: `SX${n}` },
      },
      plugin_data: { pci_devices: devices },
    };
    writeFileSync(join(folder, `lyra-c${n}.json`), JSON.stringify(report));
  }
  return folder;
}

export function observing(registry: string, reports: string): Command {
  return program(
    'node',
    GRIDPRESS,
    'observe',
    reports,
    '--registry',
    registry,
    '--add',
    '--site',
    'site-000',
    '--dry-run',
    '--json',
  );
}

const PARSE = `
  const { readdirSync, readFileSync } = require('node:fs');
  const folder = process.argv[1];
  for (const file of readdirSync(folder)) JSON.parse(readFileSync(folder + '/' + file, 'utf8'));`;

export function parsing(reports: string): Command {
  return program('node', '-e', PARSE, reports);
}
