/** The order and the layout of views: narrow screens, moving content, and plots. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../support/folders.ts';
import { gridpress } from '../support/processes/cli.ts';
import { type Commit, commit, REGISTRY } from '../support/registries/revisions.ts';
import { nodeFile, nodeText, nodeUid, siteFile, siteText, writeFirstRevision } from '../support/registries/testbed.ts';
import {
  inChromium,
  layoutShift,
  openBrowser,
  openPage,
  type ServedExplorer,
  servedExplorer,
  settled,
} from '../support/services/browser.ts';

const TYPE = 'compute_cascadelake_with_two_processors';
const SAME =
  'architecture:\n  platform_type: x86_64\nadmin_note: Ask first\nplacement:\n  rack: ""\nfpga:\n  fpga_vendor: Xilinx\n';
const textOf = (n: number, more = '') => nodeText(n, `${SAME}node_type: ${TYPE}\nbios:\n  version: "1.${n}"\n${more}`);
const withDisks = (n: number, ...names: readonly string[]) =>
  textOf(n)
    .replace('Xilinx', 'Intel')
    .replace(/serial: .*\n/, (serial) => serial + names.map((name) => `  - device: ${name}\n`).join(''));
const NODE = nodeFile('lyra', 1).replace(/\.yaml$/, '');
const PICKED = [1, 2, 3, 4].map(nodeUid).join();

describe.skipIf(inChromium.isMissing)(`in Chromium${inChromium.because}`, () => {
  let browser: Browser;
  let explorer: ServedExplorer;
  let base: string;
  let registry: string;
  let revisions: readonly Commit[];

  beforeAll(async () => {
    const folder = newFolder();
    const nodes = Array.from({ length: 40 }, (_, i) => textOf(i + 1));
    const first = writeFirstRevision(folder, 'cluster_uid: main\n', nodes);
    const second = commit(folder, {
      parents: [first],
      message: 'Add sites',
      date: '2026-02-01T00:00:00Z',
      edits: {
        ...Object.fromEntries(['site-10', 'site-2', 'alpha'].map((uid) => [siteFile(uid), siteText(uid, 'edge')])),
        [nodeFile('lyra', 2)]: textOf(2).replace(
          'serial: "0002"\n',
          'serial: "0002"\n  - device: sdb\n    interface: SATA\n    model: null\n    size: 480000000000\n',
        ),
        [nodeFile('lyra', 1)]: textOf(1, 'gpu:\n  gpu: true\n'),
        [nodeFile('lyra', 5)]: withDisks(5, 'sdb', 'sdc'),
        [nodeFile('lyra', 6)]: withDisks(6, 'sdc', 'sdb'),
      },
    });
    const third = commit(folder, {
      parents: [second],
      message: 'Remove many nodes',
      date: '2026-04-01T00:00:00Z',
      edits: {
        ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [nodeFile('lyra', i + 11), null])),
        [nodeFile('lyra', 1)]: textOf(1).replace('274877906944', '1099511627776'),
      },
    });
    revisions = [first, second, third];
    registry = join(folder, REGISTRY);
    explorer = await servedExplorer(registry);
    base = explorer.base;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await explorer?.stop();
  });

  test.each([2, 4])('at 320 pixels, only the table of a comparison of %i nodes scrolls', async (count) => {
    const pick = PICKED.split(',').slice(0, count).join();
    const { page } = await openPage(browser, `${base}#/compare?pick=${pick}`, { width: 320 });
    await page.waitForSelector('.comparison');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    const excess = await page.locator('.scroll').evaluate((region) => region.scrollWidth - region.clientWidth);
    const hints = await page.locator('.sideways').allTextContents();
    expect([excess > 0, hints]).toEqual(count === 2 ? [false, []] : [true, ['Scroll sideways to see more.']]);
  });

  test('the hint to scroll disappears when the window becomes wide enough', async () => {
    const { page } = await openPage(browser, `${base}#/compare?pick=${PICKED}`, { width: 320 });
    const hint = page.locator('.sideways');
    await hint.waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(() => hint.count()).toBe(0);
  });

  test('a print has no hints and buttons that only a screen needs', async () => {
    const { page } = await openPage(browser, `${base}#/compare?pick=${PICKED}`, { width: 320 });
    await page.locator('.sideways').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.sideways:visible').count()).toBe(0);
    await page.goto(`${base}#/nodes?q=node-1`);
    await page.locator('.forms code').waitFor();
    expect(await page.locator(':is(.forms, header) button:visible').count()).toBe(0);
  });

  test('a print keeps the background of badges, whose text is white', async () => {
    const { page } = await openPage(browser, `${base}#/time`);
    const badge = page.locator('.badge').first();
    await badge.waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(
      await badge.evaluate((each) => each.ownerDocument.defaultView?.getComputedStyle(each).printColorAdjust),
    ).toBe('exact');
  });

  test('a table of one row has no empty space below', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?q=node-2`);
    const heightOf = async (part: string) => (await page.locator(part).boundingBox())?.height ?? 0;
    await page.locator('tbody .name').waitFor();
    expect((await heightOf('.results .scroll')) - (await heightOf('.nodes'))).toBeLessThan(4);
  });

  test('at 768 pixels, the table of fields does not scroll sideways', async () => {
    const { page } = await openPage(browser, `${base}#/fields`, { width: 768 });
    const excess = await page.locator('.scroll').evaluate((region) => region.scrollWidth - region.clientWidth);
    expect(excess).toBe(0);
  });

  test.each([
    ['compare', 1280],
    ['compare', 1920],
    ['changes', 320],
    ['revision', 320],
    ['revision', 1280],
  ])('nothing moves while the view %s loads, %i px wide', async (view, width) => {
    const path = { compare: `compare?pick=${PICKED}`, revision: `versions/${revisions[2]?.id}` }[view] ?? view;
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const shift = await layoutShift(page);
    await page.goto(`${base}#/${path}`);
    await page.waitForSelector('.comparison, .changes a, .revisions li');
    await settled(page);
    await page.waitForTimeout(100);
    expect(await shift()).toBe(0);
  });

  test('the table of sites is sorted by name, with numbers by value', async () => {
    const { page } = await openPage(browser, `${base}#/sites`);
    await expect
      .poll(() => page.locator('.sites tbody th a').allTextContents())
      .toEqual(['ALPHA', 'LYRA', 'SITE-2', 'SITE-10']);
  });

  test('the list of versions begins with the newest one, and the line above it with the oldest one', async () => {
    const { page } = await openPage(browser, `${base}#/${NODE}`);
    await expect
      .poll(() => page.locator('.timeline time').allTextContents())
      .toEqual(['2026-04-01', '2026-02-01', '2026-01-01']);
    const marks = await page.locator('.strip a').all();
    const lefts = await Promise.all(marks.map(async (mark) => (await mark.boundingBox())?.x ?? 0));
    expect(lefts).toEqual(lefts.toSorted((a, b) => b - a));
    expect(await page.locator('.strip > span').allTextContents()).toEqual(['2026-01-01', '2026-04-01']);
  });

  test('the date of a version opens the node at this version', async () => {
    const { page } = await openPage(browser, `${base}#/${NODE}`);
    await page.locator('.timeline').getByRole('link', { name: 'The node at 2026-02-01' }).click();
    await expect
      .poll(() => page.textContent('.notice'))
      .toContain(`As of 2026-02-01, revision ${revisions[1]?.id.slice(0, 8)}.`);
  });

  test('the summary of a node omits empty values', async () => {
    const { page } = await openPage(browser, `${base}#/${NODE}`);
    expect(await page.textContent('.facts')).toBe(`${TYPE}, 1 TiB RAM`);
  });

  test('a list of nodes names each site once', async () => {
    const { page } = await openPage(browser, `${base}#/time?than=${revisions[1]?.id}`);
    const removed = page.locator('details', { hasText: 'Removed' }).locator('li');
    await expect.poll(async () => (await removed.allTextContents()).slice(0, 2)).toEqual(['LYRA: node-11', 'node-12']);
  });

  test('nodes with the same differences share a row, although their disks are in different orders', async () => {
    const lock = join(newFolder(), 'gridpress.lock');
    const paths = [5, 6].map((n) => nodeFile('lyra', n).replace(/\.yaml$/, ''));
    await gridpress(['lock', ...paths, '--from', registry, '--at', revisions[0]?.id ?? '', '-o', lock]);
    const { page } = await openPage(browser, `${base}#/experiment`);
    await page.setInputFiles('input[type=file]', [lock]);
    await expect.poll(() => page.locator('.verdicts tbody th').allTextContents()).toEqual(['2 nodesnode-5node-6']);
    expect(await page.locator('.verdicts tbody .rows li').allTextContents()).toEqual([
      'Disk sdb, sdc: added',
      'FPGA vendor: Xilinx → Intel',
    ]);
  });

  test('a part of one node lists its values, without empty ones', async () => {
    const { page } = await openPage(browser, `${base}#/compare?pick=${PICKED}`);
    const row = page.locator('.comparison tr', { hasText: 'Disk sdb' });
    await expect
      .poll(() => row.locator('td').allTextContents())
      .toEqual([...['none', 'SATA, 480 GB (differs)', 'none', 'none']]);
  });

  test('at 320 pixels, only the first column of statistics stays in sight', async () => {
    const { page } = await openPage(browser, `${base}#/statistics`, { width: 320 });
    const cells = await page.locator('.totals tbody tr').first().locator('th, td').all();
    const positions = await Promise.all(
      [cells[0], cells.at(-1)].map((cell) =>
        cell?.evaluate((each) => each.ownerDocument.defaultView?.getComputedStyle(each).position),
      ),
    );
    expect(positions).toEqual(['sticky', 'static']);
  });

  test('at 320 pixels, the overview shows the author of the last change', async () => {
    const { page } = await openPage(browser, `${base}#/`, { width: 320 });
    const author = page.locator('.stats div');
    await expect.poll(() => author.textContent()).toMatch(/^last change by \S/);
    expect(
      await author.evaluate((box) => [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight]),
    ).toEqual([0, 0]);
  });

  test('the old and the new size in a revision have one unit', async () => {
    const { page } = await openPage(browser, `${base}#/versions/${revisions[2]?.id}`);
    await expect.poll(() => page.locator('.changes dd').allTextContents()).toContain('256 GiB → 1024 GiB');
  });

  test('a node has one row for its type', async () => {
    const { page } = await openPage(browser, `${base}#/${NODE}`);
    const rows = page.locator('dt', { hasText: /type/i });
    await expect.poll(() => rows.allTextContents()).toEqual(['Node type']);
  });

  test('plots scale with the page, and their labels are inside', async () => {
    const { page } = await openPage(browser, `${base}#/time`);
    await page.waitForSelector('.heat svg');
    const plots = await page.locator('.growth svg, .heat svg').evaluateAll((all) =>
      all.map((svg) => {
        const [width, height] = [Number(svg.getAttribute('width')), Number(svg.getAttribute('height'))];
        const outside = [...svg.querySelectorAll('text')].filter((text) => {
          const { x, y, width: length } = text.getBBox();
          return x < 0 || y < 0 || x + length > width || y > height;
        });
        return [svg.getAttribute('viewBox') === `0 0 ${width} ${height}`, outside.length];
      }),
    );
    expect(plots).toEqual([
      [true, 0],
      [true, 0],
    ]);
    const plot = page.locator('.growth svg');
    await plot.evaluate((svg) => svg.setAttribute('width', '4000'));
    expect((await plot.boundingBox())?.width).toBeLessThan(1280);
  });

  test('in the table of nodes, a number keeps a distance from the text after it', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?columns=node_name,label.ram,node_type`);
    const cells = await page.locator('tbody tr').first().locator('td').all();
    const padding = (i: number) =>
      cells[i]?.evaluate((each) => {
        const { paddingLeft, paddingRight } = each.ownerDocument.defaultView?.getComputedStyle(each) ?? {};
        return [paddingLeft, paddingRight].map((text) => Number.parseFloat(text ?? ''));
      });
    const [[, end] = [], [start] = []] = [await padding(2), await padding(3)];
    expect((end ?? 0) + (start ?? 0)).toBeGreaterThan(24);
  });

  test.each([320, 400])('at %i px, all links of the navigation are visible', async (width) => {
    const { page } = await openPage(browser, `${base}#/nodes`, { width });
    const ends: number[] = await page.evaluate(
      `[...document.querySelectorAll('header nav li')].map((item) => item.getBoundingClientRect().right)`,
    );
    expect(ends.length).toBeGreaterThan(6);
    expect(Math.max(...ends)).toBeLessThanOrEqual(width);
  });
});
