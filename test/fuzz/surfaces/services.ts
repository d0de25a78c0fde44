/** Services with altered documents, headers and statuses: locked, verified and crawled. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyTree } from '../../../src/cli/verify-place.ts';
import { failAll } from '../../../src/core/diagnostics/finding.ts';
import { build } from '../../../src/features/build/build.ts';
import { lock } from '../../../src/features/lock/take-lock.ts';
import { crawlUrl } from '../../../src/features/verify/crawl-service.ts';
import { apiOverHttp } from '../../../src/system/client/api-over-http.ts';
import { type Given, serviceOf } from '../../support/services/service.ts';
import { manifestOf } from '../../support/trees/served.ts';
import { type Random, random } from '../../support/values/random.ts';
import { alteredBytes, alteredJson } from '../mutate.ts';
import { smallRegistry } from '../small-registry.ts';
import type { Surface } from '../surface.ts';

const STATUSES = [200, 204, 206, 301, 304, 404, 410, 429, 500, 503];
const LOCATIONS = ['/', '//other.example/', 'ftp://x/', '', '\\', '/sites', 'http://[', '%00', '?'];

export async function services(folder: string): Promise<Surface> {
  const { registry, node } = smallRegistry(folder);
  const tree = join(folder, 'tree');
  await build({ registry, out: tree, snapshots: 'none', showsProgress: false });
  const files = new Map(manifestOf(tree).documents.map(({ path, file }) => [path, file]));
  let chance = random(0);
  const { origin } = await serviceOf((path) => {
    const file = path === '/_manifest.json' ? '_manifest.json' : files.get(path.replace(/\?.*/, ''));
    const plain: Given = file === undefined ? { status: 404 } : { body: readFileSync(join(tree, file), 'utf8') };
    return chance.chance(0.15) ? altered(plain, chance) : plain;
  });
  const bounds = { maxRequests: 150, pauseMs: 1 };
  return {
    name: 'services',
    run: async (given, { target }) => {
      chance = given;
      const kind = chance.below(3);
      if (kind === 0) {
        await lock({ ...bounds, timeout: 5, nodes: [node], from: origin, out: target });
        return;
      }
      if (kind === 1) {
        const more = { ...bounds, timeout: 5, older: true, trust: { minSerial: 1 }, showsProgress: false };
        const { findings } = await verifyTree({ place: origin, ...more });
        if (findings.length > 0) failAll(findings);
        return;
      }
      const site = apiOverHttp({ ...bounds, base: origin, timeoutMs: 5000 });
      try {
        await crawlUrl(site, { fields: 'typed', includesUnlinked: chance.chance(0.3) });
      } finally {
        site.close();
      }
    },
  };
}

function altered({ body = '', ...plain }: Given, chance: Random): Given {
  const text = String(body);
  switch (chance.below(5)) {
    case 0:
      return { ...plain, body: alteredBytes(Buffer.from(text), chance).toString('latin1') };
    case 1:
      return {
        status: chance.pick(STATUSES),
        headers: { Location: chance.pick(LOCATIONS), 'Retry-After': chance.pick(['0', '-1', 'x', '99999999999']) },
        body: '',
      };
    case 2:
      return {
        ...plain,
        headers: { 'Content-Type': chance.pick(['', 'text/html', 'application/json; charset=x', ';']) },
        body,
      };
    default:
      return { ...plain, body: alteredJson(text, chance) };
  }
}
