/** A registry with so many nodes that uids and names are in pages next to the table, in a real browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe.skipIf(inChromium.isMissing)(`in Chromium${inChromium.because}`, () => {
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
