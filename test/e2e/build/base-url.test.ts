/** A configured base URL: JSON Feeds contain absolute URLs, and commands that read trees and services map them back. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { CONFIGURATION, registryOf } from '../../support/registries/registry.ts';
import { writeFiles } from '../../support/registries/revisions.ts';
import { buildAndServe, type Served } from '../../support/trees/served.ts';

const feedSchema = z.looseObject({
  home_page_url: z.string(),
  feed_url: z.string(),
  items: z.array(z.looseObject({ url: z.string() })).length(2),
});

async function servedWith(configuration: string): Promise<Served> {
  const { registry, write, record } = registryOf({ [CONFIGURATION]: configuration }, newFolder());
  record('First');
  write({ 'sites/lyra/site.yaml': 'type: site\nuid: lyra\nname: Lira\nsite_class: baremetal\n' });
  record('Second');
  return await buildAndServe(registry);
}

const feedAt = (out: string, path: string) =>
  feedSchema.parse(JSON.parse(readFileSync(join(out, `${path}.json`), 'utf8')));

test.each([
  { origin: 'https://api.example.org', path: '', more: '' },
  { origin: 'https://api.example.org:8443', path: '/api/v1', more: 'dialect: legacy\nbase_path: /api/v1\n' },
  { origin: 'http://api.lab.example:8080', path: '', more: '' },
  { origin: 'https://[2001:db8::1]', path: '/v1', more: 'base_path: /v1\nprefixed_links: true\n' },
])(
  'feeds at $origin below "$path" contain absolute URLs, and readers of a mirror follow them on the mirror',
  async ({ origin, path, more }) => {
    const base = origin + path;
    const relative = await servedWith(`cluster_uid: main\n${more}`);
    const served = await servedWith(`cluster_uid: main\n${more}base_url: ${base}\n`);
    for (const feed of ['/changes/feed', '/sites/lyra/changes/feed']) {
      const { feed_url: url, home_page_url: home, items } = feedAt(served.out, feed);
      expect([url, home]).toEqual([base + feed, base + feed.slice(0, -'/feed'.length)]);
      const { feed_url: reference, items: references } = feedAt(relative.out, feed);
      expect(reference).toBe(path + feed);
      expect(items.map((item) => item.url)).toEqual(references.map((item) => origin + item.url));
    }
    const mirror = `http://127.0.0.1:${served.port}${path}/`;
    for (const args of [
      ['verify', served.out],
      ['verify', mirror],
      ['crawl', '--thorough', mirror],
    ]) {
      const { status, stderr } = await gridpress(args);
      expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: '' });
    }
  },
);

test('an external URL in a feed is not a path of the API', async () => {
  const served = await servedWith('cluster_uid: main\nbase_url: https://api.example.org\n');
  const bases = { basePath: '', baseUrl: 'https://other.example' };
  expect(renderFindings((await served.crawl({ bases })).findings)).toContain(
    'error: https://api.example.org/changes, linked from /changes/feed, is not a path of the API.',
  );
});

test('prune deletes outdated feeds with absolute URLs', async () => {
  const { out } = await servedWith('cluster_uid: main\nbase_url: https://api.example.org\n');
  const left = 'sites/nova/changes/feed.json';
  const text = readFileSync(join(out, 'sites/lyra/changes/feed.json'), 'utf8');
  writeFiles(out, [[left, text.replaceAll('/sites/lyra', '/sites/nova')]]);
  const { status, stderr } = await gridpress(['prune', out]);
  expect({ status, stderr, isThere: existsSync(join(out, left)) }).toEqual({ status: 0, stderr: '', isThere: false });
});
