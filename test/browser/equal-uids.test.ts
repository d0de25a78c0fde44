/** Nodes of several sites and clusters with equal uids, in a real browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../support/folders.ts';
import { commit, type Edits, REGISTRY, writeFiles } from '../support/registries/revisions.ts';
import { siteText } from '../support/registries/testbed.ts';
import {
  goTo,
  inChromium,
  openBrowser,
  openPage,
  type ServedExplorer,
  servedExplorer,
  settled,
} from '../support/services/browser.ts';

const CLUSTERS = ['lyra/alpha', 'lyra/beta', 'vega/alpha'];
const folderOf = (cluster: string) => `sites/${cluster.replace('/', '/clusters/')}`;
const pathOf = (cluster: string) => `${folderOf(cluster)}/nodes/rack1-node-1`;
const node = (gib: number, bios = '1.0') =>
  `type: node\nuid: rack1-node-1\nmain_memory:\n  ram_size: ${gib * 1024 ** 3}\nbios:\n  version: "${bios}"\n`;

describe.skipIf(inChromium.isMissing)(`in Chromium${inChromium.because}`, () => {
  let browser: Browser;
  let explorer: ServedExplorer;
  let base: string;

  beforeAll(async () => {
    const folder = newFolder();
    writeFiles(folder, [['gridpress.yaml', 'cluster_uid: any\nnode_uid: name\n']]);
    const files = CLUSTERS.flatMap((cluster, i): [string, string][] => [
      [`${folderOf(cluster)}/cluster.yaml`, `type: cluster\nuid: ${cluster.split('/')[1]}\n`],
      [`${pathOf(cluster)}.yaml`, node(64 * (i + 1))],
    ]);
    const edits: Edits = {
      'grid.yaml': 'type: grid\nuid: testgrid\n',
      'sites/lyra/site.yaml': siteText('lyra', 'baremetal'),
      'sites/vega/site.yaml': siteText('vega', 'baremetal'),
      ...Object.fromEntries(files),
    };
    const first = commit(folder, { parents: [], message: 'First', date: '2026-01-01T00:00:00Z', edits });
    commit(folder, {
      parents: [first],
      message: 'Second',
      date: '2026-01-02T00:00:00Z',
      edits: { [`${pathOf('vega/alpha')}.yaml`]: `${node(192, '2.0')}node_name: renamed\n` },
    });
    explorer = await servedExplorer(join(folder, REGISTRY));
    base = explorer.base;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await explorer?.stop();
  });

  const heads = (page: Page) => page.locator('.comparison thead th').allTextContents();

  test('the table picks exactly the chosen nodes, and the comparison shows them', async () => {
    const { page, complaints } = await openPage(browser, `${base}#/nodes`);
    await page.locator('tbody input').nth(1).click();
    await page.locator('tbody input').nth(2).click();
    await expect.poll(() => page.url()).toContain('pick=lyra/beta/rack1-node-1,vega/alpha/rack1-node-1');
    expect(await page.locator('tbody tr.picked').count()).toBe(2);
    await page.locator('.picked-bar').getByRole('link', { name: 'Compare' }).click();
    await page.waitForSelector('.comparison');
    await settled(page);
    expect((await heads(page)).slice(1)).toEqual(['rack1-node-1 LYRA beta ×', 'renamed VEGA ×']);
    expect(await page.textContent('.comparison')).toContain('128 GiB192 GiB');
    expect(complaints).toEqual([]);
  });

  test('links to comparisons lead to the node of the link', async () => {
    const { page } = await openPage(browser, `${base}#/${pathOf('vega/alpha')}`);
    const link = page.getByRole('link', { name: 'Compare with the current state' });
    expect(await link.getAttribute('href')).toMatch(/pick=vega\/alpha\/rack1-node-1&was=/);
    const other = page.getByRole('link', { name: 'compare', exact: true }).first();
    expect(await other.getAttribute('href')).toMatch(
      /pick=vega\/alpha\/rack1-node-1,lyra\/(alpha|beta)\/rack1-node-1$/,
    );
    await goTo(page, '#/time');
    expect(await page.locator('.changes a').getAttribute('href')).toContain('pick=vega/alpha/rack1-node-1');
  });

  test('uids and commands name exactly the picked nodes', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?pick=vega/alpha/rack1-node-1`);
    await page.locator('.picked-bar').getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Uids', exact: true }).click();
    expect(readFileSync(await (await saved).path(), 'utf8')).toBe(`${pathOf('vega/alpha')}\n`);
    const table = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    expect(readFileSync(await (await table).path(), 'utf8')).toMatch(
      /^uid,site,cluster,node_name,.*\nrack1-node-1,vega,alpha,renamed,/,
    );
    const code = page.locator('.use pre');
    await page.getByRole('button', { name: 'lock', exact: true }).click();
    await expect.poll(() => code.textContent()).toContain(`-o gridpress.lock ${pathOf('vega/alpha')}\n`);
    await page.getByRole('button', { name: 'find', exact: true }).click();
    const query = `"site = 'vega' AND cluster = 'alpha' AND uid = 'rack1-node-1'"`;
    await expect.poll(() => code.textContent()).toContain(query);
    await goTo(page, '#/nodes?pick=lyra/alpha/rack1-node-1,lyra/beta/rack1-node-1');
    await expect.poll(() => code.textContent()).toContain(`AND cluster = 'alpha' AND uid = 'rack1-node-1') OR (`);
  });

  test('the check of a lock file shows the paths of nodes with equal names', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Lock file', exact: true }).click();
    const lock = await (await saved).path();
    await goTo(page, '#/experiment');
    await page.setInputFiles('input[type=file]', lock);
    await page.locator('.verdicts summary').click();
    expect(await page.locator('.verdicts th a').allTextContents()).toEqual([
      'renamed',
      pathOf('lyra/alpha'),
      pathOf('lyra/beta'),
    ]);
  });

  test('changes by node have one row for each node, with its newest name', async () => {
    const { page } = await openPage(browser, `${base}#/time?by=node`);
    const rows = await page.locator('.heat g text title').allTextContents();
    expect(rows).toEqual(['renamed', 'lyra/alpha/rack1-node-1', 'lyra/beta/rack1-node-1']);
  });

  test('the palette and the names of missing nodes contain the cluster', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?pick=lyra/gamma/rack1-node-1`);
    expect(await page.textContent('.notice div')).toContain('Not found: lyra/gamma/rack1-node-1.');
    await page.keyboard.press('Control+k');
    await page.locator('dialog input').fill('rack1-node-1');
    await expect
      .poll(async () => (await page.locator('.entry').allInnerTexts()).slice(0, 3).map((text) => text.split('\n')[1]))
      .toEqual(['LYRA alpha', 'LYRA beta', 'VEGA']);
  });
});
