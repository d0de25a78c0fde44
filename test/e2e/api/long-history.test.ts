/** Tests a resource with more versions than one page holds. Every reader follows all pages of its history. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyTree } from '../../../src/cli/verify-place.ts';
import { versionsPageUrl, versionsUrl, versionUrl } from '../../../src/core/api/urls.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { build } from '../../../src/features/build/build.ts';
import { importRegistry } from '../../../src/features/import/import.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { json } from '../../support/registries/git-repository.ts';
import { BASE, NODE, NODE_BODY, NODE_FILE } from '../../support/registries/imported.ts';
import { git } from '../../support/registries/random-repository.ts';
import { buildAndServe, type Served } from '../../support/trees/served.ts';

const COMMITS = 1005;
/** Newest first, like `git log`. */
let ids: string[];
let folder: string;
let served: Served;

beforeAll(async () => {
  const repository = newFolder();
  git(repository, ['init', '--quiet', '--initial-branch=main']);
  const commits = Array.from({ length: COMMITS }, (_, n) => commitText(n));
  git(repository, ['fast-import', '--quiet'], commits.join(''));
  ids = git(repository, ['log', '--format=%H', 'main']).trim().split('\n');
  folder = newFolder();
  const out = join(folder, 'registry-data');
  mkdirSync(folder, { recursive: true });
  await importRegistry({ repository, ref: 'main', firstParent: false, out, showsProgress: false });
  served = await buildAndServe(out, { snapshots: 'none', versionLinks: 'none' });
});

/** The first commit adds everything; each later one changes the node. */
function commitText(n: number): string {
  const date = `${1_700_000_000 + n * 60} +0000`;
  const files = n === 0 ? BASE : { [NODE_FILE]: json({ ...NODE_BODY, cores: n }) };
  const texts = Object.entries(files).map(
    ([path, text]) => `M 100644 inline ${path}\ndata ${String(text).length}\n${text}\n`,
  );
  return `commit refs/heads/main\nmark :${n + 1}\ncommitter Ada Brown <ada@example.org> ${date}\ndata 1\nx\n${
    n === 0 ? '' : `from :${n}\n`
  }${texts.join('')}\n`;
}

async function list(url: string) {
  const { total, items, version, links } = JSON.parse((await served.client.get(url)).body);
  const rels = Object.fromEntries(links.map(({ rel, href }: Record<string, string>) => [rel, href]));
  return { total, ids: items.map(({ uid }: { uid: string }) => uid), version, rels };
}

describe('a history of 1,005 versions', () => {
  test.each(['', NODE, `${NODE.slice(0, NODE.lastIndexOf('/'))}`])(
    'of %j lists its older half on a second page',
    async (path) => {
      const newest = await list(versionsUrl(path));
      expect([newest.total, newest.ids]).toEqual([COMMITS, ids.slice(0, 505)]);
      expect(newest.rels).toMatchObject({ next: versionsPageUrl(path, 1), last: versionsPageUrl(path, 1) });
      const page = await list(versionsPageUrl(path, 1));
      expect([page.total, page.version, page.ids]).toEqual([500, ids[505], ids.slice(505)]);
      expect(page.rels).toEqual({
        self: versionsPageUrl(path, 1),
        parent: versionsUrl(path),
        first: versionsUrl(path),
        last: versionsPageUrl(path, 1),
        prev: versionsUrl(path),
      });
    },
  );

  test('has no third page', async () => {
    expect((await served.client.get(versionsPageUrl('', 2))).status).toBe(404);
  });

  test('passes a crawl', async () => {
    const seen: string[] = [];
    const { findings } = await served.crawl({
      follows: (url) => !/versions\/[0-9a-f]{40}$/.test(url),
      onBody: (url) => seen.push(url),
    });
    expect(renderFindings(findings)).toBe('');
    expect(seen).toContain(versionsPageUrl(NODE, 1));
  });

  test('is read completely by commands, from a folder and over HTTP', async () => {
    const first = ids.at(-1) ?? '';
    const lock = join(folder, 'first.lock');
    const then = join(newFolder(), 'dist');
    await build({ registry: join(folder, 'registry-data'), out: then, at: first, showsProgress: false });
    expect((await gridpress(['lock', 'n1', '--from', then, '-o', lock])).status).toBe(0);
    for (const place of [served.out, `http://127.0.0.1:${served.port}/`]) {
      const { stdout } = await gridpress(['verify-lock', lock, '--against', place, '--class', 'unknown']);
      expect(stdout).toContain('1004');
    }
    const asked = ['find', 'cores = 3', '--from', served.out, '--at', '2023-11-14T22:30:00Z'];
    expect((await gridpress(asked)).stderr).toContain(`/snapshots/${ids.at(-17)}`);
    expect((await served.client.get(versionUrl(NODE, first))).status).toBe(200);
  });

  test('passes verify', async () => {
    const asked = { timeout: 10, maxRequests: 100, older: false, trust: {}, showsProgress: false };
    expect(renderFindings((await verifyTree({ place: served.out, ...asked })).findings)).toBe('');
  });
});
