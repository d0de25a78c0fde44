/** The view of nodes: menus, groups, columns and typing, at several widths of the window. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../support/folders.ts';
import { type Commit, commit, REGISTRY } from '../support/registries/revisions.ts';
import { nodeFile, nodeText, writeFirstRevision } from '../support/registries/testbed.ts';
import {
  goTo,
  inChromium,
  openBrowser,
  openPage,
  type ServedExplorer,
  servedExplorer,
  settled,
} from '../support/services/browser.ts';

const NODES = 60;
const A100 = 3;
const gpu = (count: number) =>
  `gpu: { gpu: true, gpu_count: ${count}, gpu_model: "GA100 [A100 PCIe 40GB]", gpu_vendor: NVIDIA }`;
/** Wide values of the nodes that a search for A100 does not find. */
const WIDE = [
  'node_type: compute_with_many_processors',
  'gpu: { gpu: true, gpu_count: 1, gpu_model: "A very large graphics processor 12345", gpu_vendor: NVIDIA }',
].join('\n');
const CPU = [
  'architecture: { smp_size: 2, smt_size: 64 }',
  'processor: { model: "Intel(R) Xeon(R) Platinum 8380 CPU @ 2.30GHz", vendor: Intel }',
].join('\n');
const textOf = (n: number) => nodeText(n, `${CPU}\n${n <= A100 ? `node_type: gpu\n${gpu(n)}` : WIDE}\n`);
const numbers = Array.from({ length: NODES }, (_, i) => i + 1);

describe.skipIf(inChromium.isMissing)(`in Chromium${inChromium.because}`, () => {
  let browser: Browser;
  let explorer: ServedExplorer;
  let base: string;
  let first: Commit;

  beforeAll(async () => {
    const folder = newFolder();
    first = writeFirstRevision(folder, 'cluster_uid: main\n', numbers.map(textOf));
    commit(folder, {
      parents: [first],
      message: 'Remove a node',
      date: '2026-02-10T00:00:00Z',
      edits: { [nodeFile('lyra', NODES)]: null },
    });
    explorer = await servedExplorer(join(folder, REGISTRY));
    base = explorer.base;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await explorer?.stop();
  });

  const names = (page: Page) => page.locator('tbody .name').allTextContents();
  const heads = (page: Page) => page.locator('.nodes thead [aria-sort]').allTextContents();
  const menu = (page: Page, name: string) => page.locator('.menus .menu').getByRole('button', { name });

  test.each([360, 700, 768, 820, 980, 1024, 1280])('menus open inside of the window, %i px wide', async (width) => {
    const { page } = await openPage(browser, `${base}#/nodes`, { width });
    for (const name of ['Columns', 'Export']) {
      await menu(page, name).click();
      const box = await page.locator('.panel').boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      if (width > 640) expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
      await page.keyboard.press('Escape');
    }
    await page.locator('tbody input').first().click();
    await page.locator('.picked-bar').getByRole('button', { name: 'Export' }).click();
    const box = await page.locator('.picked-bar .panel').boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  });

  test.each([
    [1280, ''],
    [768, ''],
    [1280, '?q=A100'],
    [768, '?q=A100'],
    [1280, '?group=hardware'],
    [320, '?q=nothing'],
    [320, '?node_type=gpu'],
    [1280, '?node_type=gpu'],
    [1280, '?q=nothing'],
    [1280, '?q=2%20A100'],
    [320, '?q=label.rem%20%3E%201'],
    [1280, '?q=label.rem%20%3E%201'],
  ])('nothing moves while the page loads, %i px wide, %s', async (width, params) => {
    const { page } = await openPage(browser, `${base}#/nodes${params}`, { width });
    // The second script arrives after the first rows.
    await page.route('**/more.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await page.reload();
    await expect.poll(() => page.textContent('.status')).toMatch(/hardware profile|^0 of|^No result/);
    await settled(page);
    const shift: number = await page.evaluate(`new Promise((resolve) => {
      const shifts = [];
      new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve(shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0)), 300);
    })`);
    expect(shift).toBe(0);
  });

  test.each([1280, 900, 400])('a chosen value of a facet keeps its place, %i px wide', async (width) => {
    const { page } = await openPage(browser, `${base}#/nodes`, { width });
    if (width < 960) await page.getByText('Filters', { exact: true }).click();
    await page.locator('.facet summary', { hasText: 'Type' }).click();
    const box = page.locator('.facet', { hasText: 'Type' }).getByRole('checkbox', { name: /^gpu/ });
    const top = async () => (await box.boundingBox())?.y ?? 0;
    await box.scrollIntoViewIfNeeded();
    for (const isChosen of [true, false]) {
      const before = await top();
      await box.click();
      await expect.poll(() => page.url().includes('node_type=gpu')).toBe(isChosen);
      expect(Math.abs((await top()) - before)).toBeLessThan(2);
    }
  });

  test('nodes of a link are grouped from the start', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    let send = () => {};
    const isSent = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route('**/more.js', async (route) => {
      await isSent;
      await route.continue();
    });
    await page.goto(`${base}#/nodes?group=hardware`);
    await page.reload();
    await page.waitForSelector('.results .loading');
    expect(await page.locator('tbody tr').count()).toBe(0);
    send();
    await expect.poll(() => page.locator('tbody .name').allTextContents()).toContain(`${NODES - 1 - A100} nodes ▸`);
  });

  test('Shift-click in an open group picks only the nodes of the range', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?group=hardware`);
    await page.getByRole('button', { name: `${NODES - 1 - A100} nodes` }).click();
    const pick = (name: string) => page.getByRole('checkbox', { name: `Pick ${name}`, exact: true });
    await pick('node-4').click();
    await pick('node-5').click({ modifiers: ['Shift'] });
    await expect.poll(() => page.textContent('.picked-bar')).toContain('2 nodes picked');
  });

  test('groups show hardware on a small window, and their nodes stand out', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?group=hardware`, { width: 768 });
    expect((await heads(page)).slice(0, 4)).toEqual(['Name', 'Type', 'CPU', 'RAM']);
    await page.getByRole('button', { name: `${NODES - 1 - A100} nodes` }).click();
    const colour = (row: string) =>
      page
        .locator(row)
        .first()
        .evaluate((each) => each.ownerDocument.defaultView?.getComputedStyle(each).backgroundColor);
    await page.mouse.move(0, 0);
    expect(await colour('tr.member')).not.toBe(await colour('tbody tr:not(.member)'));
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await page.getByLabel('Sort by').locator('option').first().textContent()).toBe('Number of nodes');
  });

  test('the boxes and the names stay in sight when the table is scrolled sideways', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`, { width: 700 });
    await page.getByRole('button', { name: /^\+\d+ columns/ }).click();
    const region = page.getByRole('region', { name: 'Table of nodes' });
    const places = () =>
      page
        .locator('tr:nth-child(3) :is(.pick, .name)')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
    const before = await places();
    await region.evaluate((element) => element.scrollTo(200, 0));
    expect(await region.evaluate((element) => element.scrollLeft)).toBe(200);
    expect(await places()).toEqual(before);
  });

  test('columns are as wide as the found nodes need, and the columns of the query are shown', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`, { width: 900 });
    const all = (await heads(page)).length;
    await goTo(page, '#/nodes?q=A100');
    await expect.poll(async () => (await heads(page)).length).toBeGreaterThan(all);
    await page.setViewportSize({ width: 660, height: 800 });
    await goTo(page, '#/nodes');
    expect(await heads(page)).not.toContain('Threads');
    await goTo(page, `#/nodes?q=${encodeURIComponent('architecture.smt_size = 64')}`);
    await expect.poll(() => heads(page)).toContain('Threads');
  });

  test('a notice does not make the page scroll', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?at=zzz`);
    await page.waitForSelector('.notice');
    await page.waitForSelector('.facet li');
    await page.setViewportSize({ width: 1280, height: 520 });
    await page.evaluate("for (const each of document.querySelectorAll('.facets details')) each.open = true");
    const excess = () => page.locator('.facets').evaluate((each) => each.scrollHeight - each.clientHeight);
    await expect.poll(excess).toBeGreaterThan(0);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(520);
  });

  test('the box in the head picks all found nodes', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?q=A100`);
    const box = page.getByRole('checkbox', { name: `Pick all ${A100} found nodes` });
    await box.check();
    await expect.poll(() => page.textContent('.picked-bar')).toContain(`${A100} nodes picked`);
    await page.locator('tbody input').first().uncheck();
    expect(await box.evaluate((each) => each.matches(':indeterminate'))).toBe(true);
    await box.check();
    await box.uncheck();
    await expect.poll(() => page.url()).not.toContain('pick=');
  });

  test('while the reader types, the last result stays, and the problem comes after a pause or with Enter', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?q=A100`);
    await page.clock.install({ time: 0 });
    await page.reload();
    await page.waitForSelector('tbody a');
    await page.clock.pauseAt(600_000);
    const status = await page.textContent('.status');
    const found = await names(page);
    const search = page.locator('#search');
    const problem = page.locator('.problem');
    // Timers that a render starts run in a later step.
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 20) await page.clock.runFor(20);
    };
    for (const text of ['A100 nothing', 'label.ram >= 256GiB AND site']) {
      await search.fill(text);
      await pass(400);
      expect([await page.locator('.stale').count(), await problem.count()]).toEqual([1, 0]);
      expect([await page.textContent('.status'), await names(page)]).toEqual([status, found]);
    }
    await pass(400);
    expect(await problem.textContent()).toContain("Put text in single quotes: site = 'uc'.");
    expect(await problem.textContent()).not.toContain('gridpress');
    expect([await names(page), await page.textContent('.status')]).toEqual([[], 'No result']);
    await search.fill('label.ram >=');
    await pass(20);
    expect([await page.locator('.stale').count(), await names(page)]).toEqual([1, found]);
    await search.fill('label.ram >= ');
    await search.press('Enter');
    await pass(40);
    expect(await problem.count()).toBe(1);
  });

  test('a suggestion corrects the query', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?q=${encodeURIComponent('label.rem >= 1GiB')}`);
    await page.getByRole('button', { name: 'label.ram', exact: true }).click();
    await expect.poll(() => page.inputValue('#search')).toBe('label.ram >= 1GiB');
    expect(await page.locator('.problem, .stale').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.id')).toBe('search');
  });

  test('without a match, the page shows one notice, no query, and only facets with a chosen value', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?q=nothing&node_type=gpu`);
    await expect
      .poll(() => page.locator('.notice').allTextContents())
      .toEqual([expect.stringMatching(/^No matching nodes\.No node has “nothing”\.Remove the search \d+ nodes/)]);
    await expect.poll(() => page.locator('.facets summary').allTextContents()).toEqual(['Type1']);
    expect(await page.textContent('.forms')).not.toContain('FALSE');
  });

  test('without a match, the page offers to drop a part of the search, and counts with the filters', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?q=A100%20compute_with_many_processors&node_type=gpu`);
    const drops = page.locator('.notice li');
    await expect.poll(() => drops.allTextContents()).toContain(`Remove “compute_with_many_processors” ${A100} nodes`);
    await drops.getByRole('button', { name: 'compute_with_many_processors' }).click();
    await expect.poll(() => names(page)).toHaveLength(A100);
  });

  test('the page offers to drop a condition on an unknown field', async () => {
    const asked = encodeURIComponent("foo = 1 AND label.gpu = 'A100'");
    const { page } = await openPage(browser, `${base}#/nodes?q=${asked}`);
    await page.getByRole('button', { name: 'Remove foo = 1' }).click();
    await expect.poll(() => page.inputValue('#search')).toBe("label.gpu = 'A100'");
    await expect.poll(() => names(page)).toHaveLength(A100);
  });

  test('a text that the page can cut has a tooltip with the whole text', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?node_type=gpu`);
    await page.locator('.forms code').waitFor();
    const cut = await page.locator('main *').evaluateAll((all) =>
      all.flatMap((each) =>
        each.ownerDocument.defaultView?.getComputedStyle(each).textOverflow === 'ellipsis' &&
        each.clientWidth > 0 &&
        // Buttons and boxes keep their width.
        !each.matches('.forms button, .pick') &&
        each.closest('[title]') === null &&
        each.querySelector('[title]') === null
          ? [each.outerHTML]
          : [],
      ),
    );
    expect(cut).toEqual([]);
  });

  test('the search is placed before the filters', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    await page.locator('h1').focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('search');
    const [search, facets] = [await page.locator('#search').boundingBox(), await page.locator('.facets').boundingBox()];
    expect([search?.y, (search?.x ?? 0) > (facets?.x ?? 0) + (facets?.width ?? 0)]).toEqual([facets?.y, true]);
  });

  test('an older revision offers no lock file', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?at=${first.id}`);
    await menu(page, 'Export').click();
    expect(await page.getByRole('button', { name: 'Lock file' }).isDisabled()).toBe(true);
    expect(await page.textContent('.panel')).toContain('A lock file needs the latest revision.');
    expect(await page.locator('.use legend').allTextContents()).toEqual(['Reserve', 'Connect', 'Analyse', 'Cite']);
  });
});
