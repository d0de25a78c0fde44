/** Altered queries, tables of new nodes, and names of nodes and revisions, for a registry and a tree. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../../../src/features/build/build.ts';
import { addNodes } from '../../../src/features/edit/add-nodes.ts';
import { retire } from '../../../src/features/edit/retire.ts';
import { find } from '../../../src/features/find/find.ts';
import { diff } from '../../../src/features/revisions/diff.ts';
import { show } from '../../../src/features/revisions/show.ts';
import { loadSources } from '../../../src/features/sources/load-sources.ts';
import type { Random } from '../../support/values/random.ts';
import { alteredBytes } from '../mutate.ts';
import { smallRegistry } from '../small-registry.ts';
import { Broken, type Surface } from '../surface.ts';

const QUERIES = [
  "bios.version LIKE '1.%' AND main_memory.ram_size >= 192GiB",
  "NOT (label.ram = 256GiB OR site IN ('lyra', 'vega')) AND note IS NOT NULL",
  `CASEI("note") = CASEI('ONE') OR node_name BETWEEN 'a' AND 'z'`,
  'lyra-1',
];
const TABLE = 'node_name,uid,site,chassis.serial,network_adapters.0.mac\nlyra-2,,lyra,"A ""1""",\nlyra-3,,,=2,x\n';
const MOMENTS = ['head', 'head~1', 'worktree', '2026-01-02', '2026-01-02T12:00:00Z', '0123456'];

export async function questions(folder: string): Promise<Surface> {
  const { folder: whole, registry } = smallRegistry(folder);
  const tree = join(folder, 'tree');
  await build({ registry, out: tree, snapshots: 'none', showsProgress: false });
  return {
    name: 'questions',
    run: async (chance, { input }) => {
      const odd = (text: string) => alteredBytes(Buffer.from(text), chance).toString('utf8');
      const kind = chance.below(4);
      if (kind < 2) {
        const from = chance.pick([registry, tree]);
        const query = odd(chance.pick(QUERIES));
        const sort = chance.chance(0.2) ? odd('-main_memory.ram_size') : undefined;
        await find({ query, from, sort, timeout: 1, maxRequests: 1 }, 'all', async ({ rows }) => rows);
      } else if (kind === 2) {
        cpSync(whole, input, { recursive: true });
        edited(join(input, 'registry-data'), chance, odd);
      } else {
        const [before, after] = [chance.pick(MOMENTS), odd(chance.pick(MOMENTS))];
        show({ registry, resource: odd('lyra-1'), at: chance.pick(MOMENTS) });
        await diff({ registry, from: before, to: after });
      }
    },
  };
}

/** The registry must be valid after `add` and `retire`. */
function edited(registry: string, chance: Random, odd: (text: string) => string): void {
  if (chance.chance(0.3)) retire({ registry, words: [odd('lyra-1')] });
  else {
    const from = join(registry, '..', 'table.csv');
    writeFileSync(from, odd(TABLE));
    addNodes({ registry, from, like: chance.chance(0.5) ? 'lyra-1' : undefined });
  }
  const [first] = loadSources({ registry }).findings;
  if (first) throw new Broken(`it wrote what is not in order: ${first.code}`);
}
