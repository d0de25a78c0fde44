/** The explorer with the keyboard alone, and with reduced motion. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../support/folders.ts';
import { writeGenerated } from '../support/registries/generated.ts';
import {
  goTo,
  inChromium,
  openBrowser,
  openPage,
  type ServedExplorer,
  servedExplorer,
} from '../support/services/browser.ts';

const NODES = 250;
/** More key presses than focusable elements between any two elements of these tests. */
const MOST_PRESSES = 120;

describe.skipIf(inChromium.isMissing)(`in Chromium${inChromium.because}`, () => {
  let browser: Browser;
  let explorer: ServedExplorer;

  beforeAll(async () => {
    const { registry } = writeGenerated(newFolder(), NODES, 2);
    explorer = await servedExplorer(registry);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await explorer?.stop();
  });

  test('Tab and Enter lead from the search field to the first node, and a date keeps the node', async () => {
    const { page } = await openPage(browser, `${explorer.base}#/nodes`);
    await page.waitForSelector('tbody a');
    await page.waitForSelector('.asked .skip', { state: 'attached' });
    await page.keyboard.press('/');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator('tbody a:focus').count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toMatch(/\/nodes\/[^/?]+$/);
    await page.keyboard.press('Control+k');
    await page.fill('#palette', '2999-01-01');
    await expect.poll(() => page.textContent('.palette .entry')).toContain('This node at 2999-01-01');
    await page.close();
  });

  test('a user can filter, pick two nodes, compare them, clear and export, and the focus is never lost', async () => {
    const { page } = await openPage(browser, `${explorer.base}#/nodes`);
    await page.waitForSelector('tbody a');
    await page.keyboard.press('/');
    await page.keyboard.type('bios.version IS NOT NULL');
    await expect.poll(() => page.textContent('.status')).toContain(`25 of ${NODES} nodes`);
    await tabTo(page, 'tbody tr:nth-child(1) input');
    await page.keyboard.press('Space');
    await tabTo(page, 'tbody tr:nth-child(2) input');
    await page.keyboard.press('Space');
    await tabTo(page, '.picked-bar a');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.comparison');
    await expect.poll(() => focused(page)).toBe('Compare');
    await page.goBack();
    await page.waitForSelector('.picked-bar');
    await tabTo(page, '.picked-bar > button');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.picked-bar').count()).toBe(0);
    await expect.poll(() => focused(page)).toBe('Nodes');
    await tabTo(page, '.bar .menu:last-child button');
    await page.keyboard.press('Enter');
    await tabTo(page, '.panel .buttons button');
    const saved = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    const lines = readFileSync(await (await saved).path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(1 + 25);
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toContain('Export');
  });

  test('the focus stays in the page when its filter is cleared or its row is scrolled away', async () => {
    const { page } = await openPage(browser, `${explorer.base}#/nodes?bios.version=1.1.10`);
    await tabTo(page, '.chip');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.chip').count()).toBe(0);
    await expect.poll(() => focused(page)).toBe('Nodes');
    await tabTo(page, 'tbody input');
    await page.evaluate("document.querySelector('.scroll').scrollTop = 5000");
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Table of nodes');
  });

  test('Back from a node returns to the same place of the table', async () => {
    const { page } = await openPage(browser, `${explorer.base}#/nodes`);
    const region = page.getByRole('region', { name: 'Table of nodes' });
    await region.evaluate((element) => element.scrollTo(0, 1600));
    await page.locator('tbody a').nth(15).click();
    await page.waitForSelector('article.node');
    await page.goBack();
    await expect.poll(() => region.evaluate((element) => element.scrollTop)).toBe(1600);
  });

  test('pages of 100 rows contain all their rows', async () => {
    const { page } = await openPage(browser, `${explorer.base}#/nodes?pages=100&page=3`);
    await page.waitForSelector('tbody a');
    const { uids } = JSON.parse(readFileSync(join(explorer.tree, 'nodes', 'table.json'), 'utf8'));
    const links = await page.locator('tbody a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links.map((href) => href?.split('/').at(-1)?.split('?')[0])).toEqual(uids.slice(200));
    await goTo(page, '#/nodes');
    expect(await page.locator('tbody a').count()).toBeLessThan(100);
  });

  test('nothing moves with reduced motion', async () => {
    const { page } = await openPage(browser, `${explorer.base}#/nodes`);
    const duration = () => page.evaluate("getComputedStyle(document.querySelector('.menu button')).transitionDuration");
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await duration()).toBe('0.1s');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await duration()).toBe('0s');
  });
});

/** Presses Tab until a matching element has the focus. Some element must always have it. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < MOST_PRESSES; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`no way to ${selector} by the keyboard`);
}

function focused(page: Page): Promise<unknown> {
  return page.evaluate("document.activeElement === document.body ? 'nothing' : document.activeElement.textContent");
}
