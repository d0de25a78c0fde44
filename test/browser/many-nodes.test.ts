/** Registries with so many nodes that uids, or uids and names, are in pages next to the table, in a real browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../support/folders.ts';
import { REGISTRY } from '../support/registries/revisions.ts';
import { nodeFile, nodeText, nodeUid, writeFirstRevision } from '../support/registries/testbed.ts';
import {
  goTo,
  inChromium,
  openBrowser,
  openPage,
  type ServedExplorer,
  servedExplorer,
  settled,
} from '../support/services/browser.ts';

const pathOf = (n: number) => nodeFile('lyra', n).replace(/\.yaml$/, '');

describe.skipIf(inChromium.isMissing)(`names in pages, in Chromium${inChromium.because}`, () => {
  let browser: Browser;
  let explorer: ServedExplorer;

  beforeAll(async () => {
    const folder = newFolder();
    const nodes = [1, 2, 3].map((n) => nodeText(n));
    writeFirstRevision(folder, 'cluster_uid: main\nsearch:\n  max_nodes: 2\n', nodes);
    explorer = await servedExplorer(join(folder, REGISTRY));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await explorer?.stop();
  });

  test('nodes have names, can be found by name, and are exported with their uids', async () => {
    expect(JSON.parse(readFileSync(join(explorer.tree, 'nodes', 'table.json'), 'utf8'))).not.toHaveProperty('uids');
    const { page, complaints } = await openPage(browser, `${explorer.base}#/nodes?columns=node_name`);
    await expect.poll(() => page.locator('tbody a').allTextContents()).toEqual(['node-1', 'node-2', 'node-3']);
    await goTo(page, '#/nodes?columns=node_name&q=node-2');
    await expect.poll(() => page.locator('tbody a').allTextContents()).toEqual(['node-2']);
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Uids', exact: true }).click();
    expect(readFileSync(await (await saved).path(), 'utf8')).toBe(`${nodeUid(2)}\n`);
    expect(complaints).toEqual([]);
  });

  test('a link to a node and a link to picked nodes work', async () => {
    const { page } = await openPage(browser, `${explorer.base}#/${pathOf(3)}`);
    await expect.poll(() => page.textContent('h1')).toBe('node-3');
    await goTo(page, `#/compare?pick=${nodeUid(1)},${nodeUid(3)}&all=1`);
    await page.waitForSelector('.comparison');
    await settled(page);
    expect(await page.locator('.comparison thead a').allTextContents()).toEqual(['node-1', 'node-3']);
  });

  test('from a folder, the page explains why it is empty', async () => {
    const url = String(pathToFileURL(join(explorer.tree, 'explorer', 'index.htm')));
    const { page } = await openPage(browser, url);
    expect(await page.textContent('.notice div')).toBe(
      'Large trees contain no offline copy. Serve the folder with gridpress serve.',
    );
  });
});

/** The table contains the uids of at most 5,000 nodes. */
const MANY = 5001;
/** The numbers of two nodes with the same name. */
const SAME_NAME = [20, 21];

describe.skipIf(inChromium.isMissing)(`names in the table, in Chromium${inChromium.because}`, () => {
  let browser: Browser;
  let explorer: ServedExplorer;

  beforeAll(async () => {
    const folder = newFolder();
    const nodes = Array.from({ length: MANY }, (_, i) => nodeText(i + 1));
    for (const n of SAME_NAME) nodes[n - 1] = nodeText(n, 'node_type: other\n').replace(/node-\d+/, 'node-20');
    writeFirstRevision(folder, 'cluster_uid: main\nmax_files: 100000\nexports: false\n', nodes);
    explorer = await servedExplorer(join(folder, REGISTRY));
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await explorer?.stop();
  });

  /** Opens a page whose uids arrive only after `arrive` is called. */
  async function openedWithoutUids(fragment: string) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    let arrive = () => {};
    const isWanted = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/nodes/table/rows/*', async (route) => {
      await isWanted;
      await route.continue();
    });
    await page.goto(`${explorer.base}${fragment}`);
    return { page, arrive };
  }
  const firstLink = (page: Page) => page.locator('tbody a').first();

  test('the first rows and the filters do not wait for the uids', async () => {
    const { page, arrive } = await openedWithoutUids('#/nodes?columns=node_name,site');
    await expect.poll(() => firstLink(page).textContent()).toBe('node-1');
    const box = page.getByRole('checkbox', { name: 'Pick node-1', exact: true });
    expect(await box.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Export' }).isDisabled()).toBe(true);
    await page.locator('thead button', { hasText: 'Name' }).click();
    await page.locator('thead button', { hasText: 'Name' }).click();
    await expect.poll(() => firstLink(page).textContent()).toBe(`node-${MANY}`);
    arrive();
    await expect.poll(() => firstLink(page).getAttribute('href')).toContain(`#/${pathOf(MANY)}`);
    await page.getByRole('checkbox', { name: `Pick node-${MANY}`, exact: true }).click();
    await expect.poll(() => page.url()).toContain(`pick=${nodeUid(MANY)}`);
  });

  test.each(['a click', 'the key Enter', 'a new tab'])('%s on the name of a node opens the node', async (kind) => {
    const { page, arrive } = await openedWithoutUids('#/nodes?columns=node_name,site');
    const link = firstLink(page);
    await expect.poll(() => link.textContent()).toBe('node-1');
    if (kind === 'a click') await link.click();
    else if (kind === 'the key Enter') await link.press('Enter');
    else {
      const href = await link.getAttribute('href');
      await page.goto('about:blank');
      await page.goto(`${explorer.base}${href}`);
    }
    await page.waitForSelector('.loading');
    arrive();
    await expect.poll(() => page.textContent('h1')).toBe('node-1');
    expect(page.url()).toContain(`#/${pathOf(1)}`);
  });

  test('before the uids arrive, a name that two nodes have leads to both nodes', async () => {
    const { page } = await openedWithoutUids('#/nodes?columns=node_name&node_type=other');
    await expect.poll(() => page.locator('tbody a').allTextContents()).toEqual(['node-20', 'node-20']);
    await firstLink(page).click();
    await expect.poll(() => page.url()).toContain('#/nodes?node_name=node-20');
    expect(await page.locator('tbody a').allTextContents()).toEqual(['node-20', 'node-20']);
  });

  test('a search, a link to picked nodes and a link to a node wait for the uids', async () => {
    const searched = await openedWithoutUids(`#/nodes?q=${nodeUid(4000)}&pick=${nodeUid(7)}`);
    await expect.poll(() => searched.page.textContent('.status')).toBe('Searching…');
    searched.arrive();
    await expect.poll(() => firstLink(searched.page).textContent()).toBe('node-4000');
    await expect.poll(() => searched.page.textContent('.picked-bar')).toContain('node-7');
    expect(await searched.page.locator('.notice').count()).toBe(0);

    const filtered = await openedWithoutUids(`#/nodes?uid=${nodeUid(4000)}`);
    await expect.poll(() => filtered.page.textContent('.status')).toBe('Searching…');
    expect(await filtered.page.locator('.notice').count()).toBe(0);
    filtered.arrive();
    await expect.poll(() => firstLink(filtered.page).textContent()).toBe('node-4000');

    const compared = await openedWithoutUids(`#/compare?pick=${nodeUid(1)},${nodeUid(5001)}&all=1`);
    compared.arrive();
    await expect
      .poll(() => compared.page.locator('.comparison thead a').allTextContents())
      .toEqual(['node-1', 'node-5001']);

    const linked = await openedWithoutUids(`#/${pathOf(3)}`);
    await linked.page.waitForSelector('.loading');
    expect(await linked.page.locator('h1').count()).toBe(0);
    linked.arrive();
    await expect.poll(() => linked.page.textContent('h1')).toBe('node-3');
  });

  test('if the uids belong to another revision, the page reloads once', async () => {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    let reads = 0;
    await page.route('**/nodes/table/rows/1.json', async (route) => {
      if (reads++ > 0) return route.continue();
      const response = await route.fetch();
      return route.fulfill({ response, json: { ...(await response.json()), version: '0'.repeat(40) } });
    });
    await page.goto(`${explorer.base}#/nodes`);
    await expect.poll(() => firstLink(page).getAttribute('href')).toContain(`#/${pathOf(1)}`);
    expect(reads).toBe(2);
  });

  test('from a folder, links, picks and exports work', async () => {
    const { page, complaints } = await openPage(browser, `${explorer.local}#/nodes?q=node-4321&columns=node_name`);
    await expect.poll(() => page.locator('tbody a').allTextContents()).toEqual(['node-4321']);
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Uids', exact: true }).click();
    expect(readFileSync(await (await saved).path(), 'utf8')).toBe(`${nodeUid(4321)}\n`);
    await firstLink(page).click();
    await expect.poll(() => page.textContent('h1')).toBe('node-4321');
    expect(complaints).toEqual([]);
  });
});
