/** Altered hardware reports of machines, altered files of hosts, and altered queries in CQL2-JSON. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { find } from '../../../src/features/find/find.ts';
import { type HostFiles, readHosts } from '../../../src/features/lock/host-files.ts';
import { lock } from '../../../src/features/lock/take-lock.ts';
import { observe } from '../../../src/features/observe/observe.ts';
import { loadSources } from '../../../src/features/sources/load-sources.ts';
import {
  ansibleReport,
  g5kNode,
  ironicReport,
  lshwReport,
  redfishReport,
  slurmNode,
  slurmReport,
} from '../../support/reports/reports.ts';
import { alteredBytes, alteredJson } from '../mutate.ts';
import { smallRegistry } from '../small-registry.ts';
import { Broken, type Surface } from '../surface.ts';

const REPORTS = [
  ironicReport(1),
  redfishReport(1),
  slurmReport([slurmNode(1), slurmNode(2)]),
  lshwReport(1),
  g5kNode(1),
  ansibleReport(1),
].map((report) => JSON.stringify(report));

const NAME = 'lyra-1';
const URN = `urn:publicid:IDN+lyra+node+${NAME}`;
const MANIFEST = `<?xml version="1.0"?><rspec xmlns="http://www.geni.net/resources/rspec/3" type="manifest" expires="2026-03-01T00:00:00Z"><!-- a --><node client_id="a" component_id="${URN}"><sliver_type name="raw"/></node></rspec>`;
const OAR = JSON.stringify({ 1: { assigned_network_address: [NAME, 'other'], startTime: 1_770_000_000 } });
const LEASE = JSON.stringify({
  lease: { id: 'L', start_date: '2026-03-01', reservations: [{ id: 'R', allocations: [{ id: '1' }] }] },
  hosts: [{ id: '1', hypervisor_hostname: NAME }],
  allocations: [{ resource_id: '1', reservations: [{ lease_id: 'L' }] }],
});
const HOSTS = `${NAME} # one\nlyra-[1-3,07],gpu5\n`;

const QUERIES = [
  { op: 'and', args: [{ op: 'like', args: [{ property: 'bios.version' }, '1.%'] }, true] },
  { op: 'not', args: [{ op: 'in', args: [{ property: 'site' }, ['lyra', 'vega']] }] },
  { op: '>=', args: [{ property: 'main_memory.ram_size' }, 1e11] },
  {
    op: '=',
    args: [
      { op: 'casei', args: [{ property: 'note' }] },
      { op: 'casei', args: ['ONE'] },
    ],
  },
  { op: 'between', args: [{ property: 'node_name' }, 'a', 'z'] },
].map((query) => JSON.stringify(query));

export async function reports(folder: string): Promise<Surface> {
  const { folder: whole, registry } = smallRegistry(folder);
  return {
    name: 'reports',
    run: async (chance, { input }) => {
      const kind = chance.below(4);
      if (kind === 0) {
        await find(
          { query: alteredJson(chance.pick(QUERIES), chance), from: registry, timeout: 1, maxRequests: 1 },
          'all',
          ({ rows }) => Promise.resolve(rows),
        );
        return;
      }
      mkdirSync(input);
      const file = join(input, 'report');
      const text = (given: string) => alteredBytes(Buffer.from(given), chance);
      if (kind === 1) {
        const [option, content] = chance.pick<readonly [keyof HostFiles, string | Uint8Array]>([
          ['fromOar', alteredJson(OAR, chance)],
          ['fromLease', alteredJson(LEASE, chance)],
          ['fromManifest', text(MANIFEST)],
          ['hosts', text(HOSTS)],
        ]);
        writeFileSync(file, content);
        const hosts = readHosts({ [option]: [file] });
        for (const { place } of hosts.slice(0, 10)) place();
        await lock({ nodes: [], hosts, skipUnknown: true, from: registry, timeout: 1, maxRequests: 1 });
        return;
      }
      cpSync(whole, input, { recursive: true });
      writeFileSync(file, alteredJson(chance.pick(REPORTS), chance));
      const copy = join(input, 'registry-data');
      await observe({ registry: copy, places: [file], urls: [], timeout: 1, add: chance.chance(0.7), accept: false });
      const [first] = loadSources({ registry: copy }).findings;
      if (first) throw new Broken(`it wrote what is not in order: ${first.code}`);
    },
  };
}
