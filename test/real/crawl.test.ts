/**
 * Imports a real registry, builds it with all features, serves it with the program and with nginx, and crawls it.
 * Skipped unless GRIDPRESS_REAL_REGISTRY names a git bundle.
 */

import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialectOf } from '../../src/core/api/dialect.ts';
import { endpointOf } from '../../src/core/api/endpoints.ts';
import { EXPLORER_PATHS } from '../../src/core/api/explorer/explorer-paths.ts';
import { renderFindings } from '../../src/core/diagnostics/render.ts';
import { planTree } from '../../src/core/tree/plan/plan-tree.ts';
import { withSettings } from '../../src/features/build/build-options.ts';
import { hostingOf } from '../../src/features/build/hosting.ts';
import { publicationOf } from '../../src/features/build/publication-of.ts';
import { loadSources } from '../../src/features/sources/load-sources.ts';
import { publicSources } from '../../src/features/sources/public-sources.ts';
import { crawl } from '../../src/features/verify/crawl.ts';
import { newFolder } from '../support/folders.ts';
import { gridpress, startServer } from '../support/processes/cli.ts';
import { needs } from '../support/processes/programs.ts';
import { NGINX, startServer as startServerOf } from '../support/services/servers.ts';
import { describedTree } from '../support/trees/described-tree.ts';
import { clientOf, closeAtEnd, manifestOf } from '../support/trees/served.ts';

const bundle = process.env['GRIDPRESS_REAL_REGISTRY'];
describe.skipIf(bundle === undefined)('a real registry (GRIDPRESS_REAL_REGISTRY names a git bundle)', () => {
  const folder = newFolder();
  const registry = join(folder, 'registry-data');

  test('can be imported', async () => {
    const { status, stdout } = await gridpress(['import', bundle ?? '', '-o', registry, '--json']);
    expect(status).toBe(0);
    const { added, revisions } = JSON.parse(stdout);
    expect(added).toBe(revisions);
    // The server needs no index files, and they would take disk space.
    appendFileSync(join(folder, 'gridpress.yaml'), 'index_files: false\n');
  });

  // Snapshots in one dialect are enough, because dialects differ only in links and envelopes.
  test.each([
    ['current', 'with'],
    ['legacy', 'without'],
  ] as const)('has no dead link and no wrong response in the %s dialect %s snapshots', async (dialect, which) => {
    const snapshots = which === 'with' ? someRevisions(registry).join(',') : 'none';
    const out = join(folder, dialect);
    const args = ['build', '--registry', registry, '--out', out, '--dialect', dialect, '--snapshots', snapshots];
    const built = await gridpress([...args, '--json']);
    expect({ status: built.status, stderr: built.stderr }).toEqual({ status: 0, stderr: '' });
    expect(describedTree(out).misfits).toEqual([]);

    const server = await startServer(['serve', out, '--registry', registry]);
    closeAtEnd(server.stop);
    await expectWhole(out, dialect, server.port);
  });

  const { isMissing, because } = needs(...NGINX.needs);
  test.skipIf(isMissing)(`has no dead link and no wrong response on nginx, with snapshots${because}`, async () => {
    const out = join(folder, 'current');
    chmodSync(folder, 0o755);
    const { port } = await startServerOf(NGINX, { root: out, tree: await rulesFor(registry), prefix: '' });
    await expectWhole(out, 'current', port);
  });
});

async function expectWhole(out: string, dialect: 'current' | 'legacy', port: number): Promise<void> {
  const client = clientOf(port);
  const asked = new Set<string>();
  const { endpoints, findings } = await crawl({
    fetch: (url) => {
      asked.add(url);
      return client.get(url);
    },
    dialect: dialectOf({ dialect, vendor: 'gridpress', release: '1.0.0' }),
    includesUnlinked: true,
  });
  expect(renderFindings(findings)).toBe('');

  // Documents without links to them are versions off the walk from the head or of collections, documents that clients
  // request by name, schemas for editors, the style of a page, the second and third script of the explorer, and badges.
  const notLedTo = new Set<string | undefined>(['version', 'named-node', 'schema', 'style', 'badge', 'llms']);
  const { documents, counts } = manifestOf(out);
  const missed = documents.filter(({ path }) => !asked.has(path));
  const { more, exports, history, past } = EXPLORER_PATHS;
  const unexpected = missed.filter(({ path }) => ![more, exports, history, past].some((each) => each === path));
  const contents = new Set(unexpected.map(({ path }) => endpointOf(path)?.content));
  expect([...contents].filter((content) => !notLedTo.has(content))).toEqual([]);
  const answered = [...endpoints.values()].reduce((sum, count) => sum + count, 0);
  expect(answered).toBe(counts.documents + counts.aliases - missed.length);
}

/** Revisions from the whole history, with the first and the last one. Each snapshot adds thousands of requests. */
function someRevisions(registry: string): string[] {
  const { revisions } = loadSources({ registry }).history;
  return revisions.filter((_, index) => index % 40 === 0 || index === revisions.length - 1).map(({ id }) => id);
}

/**
 * Writes nginx's rules for a tree without the variants of documents, which would be a million files that no link leads
 * to.
 */
async function rulesFor(registry: string): Promise<string> {
  const sources = withSettings(publicSources(loadSources({ registry }), { registry }), { hosts: ['nginx'] });
  const publication = publicationOf(sources);
  const made = { publication, plan: planTree(publication) };
  const { files } = await hostingOf(sources.configuration, made);
  const folder = newFolder();
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
