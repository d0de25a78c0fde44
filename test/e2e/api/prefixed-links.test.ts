/**
 * Links that include the base path. Clients resolve them as references; gridpress follows them in trees and services.
 */
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { writeFiles } from '../../support/registries/revisions.ts';
import { nodeUid, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { buildAndServe, type Served } from '../../support/trees/served.ts';

let bed: Testbed;
let served: Served;
let base: string;

beforeAll(async () => {
  bed = writeTestbed(newFolder());
  writeFiles(bed.folder, [
    ['gridpress.yaml', 'cluster_uid: main\nbase_path: /stable\nprefixed_links: true\ndialect: legacy\n'],
  ]);
  served = await buildAndServe(bed.registry, { snapshots: [bed.revisions.grown.id] });
  base = `http://127.0.0.1:${served.port}/stable`;
});

const documentSchema = z.looseObject({ links: z.array(z.looseObject({ rel: z.string(), href: z.string() })) });

test.each([
  ['the root', () => ''],
  ['a snapshot', () => `/snapshots/${bed.revisions.grown.id}`],
])('every link of %s answers, both resolved as a reference and appended', async (_, below) => {
  const { body } = await served.client.get(`/stable${below()}/sites.json`);
  const { links } = documentSchema.parse(JSON.parse(body));
  expect(links.length).toBeGreaterThan(0);
  for (const { href } of links) {
    expect(href).toMatch(/^\/stable(?:\/|$)/);
    for (const path of [href, `/stable${below()}${href}`])
      expect({ path, status: (await served.client.get(path)).status }).toEqual({ path, status: 200 });
  }
});

test('gridpress verifies, crawls and searches trees and services with such links', async () => {
  for (const place of [served.out, `${base}/`]) {
    const { status, stderr } = await gridpress(['verify', place]);
    expect({ place, status, stderr }).toEqual({ place, status: 0, stderr: '' });
  }
  expect((await gridpress(['crawl', `${base}/`])).status).toBe(0);
  const places = [served.out, base, `${base}/snapshots/${bed.revisions.grown.id}`];
  for (const place of places) {
    const { stdout } = await gridpress(['find', '--from', place, '--uids']);
    expect({ place, found: stdout.includes(nodeUid(1)) }).toEqual({ place, found: true });
  }
});
