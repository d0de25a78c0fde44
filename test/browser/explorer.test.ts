/** The explorer in a real browser: views, keyboard, files and links. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { build } from '../../src/features/build/build.ts';
import { newFolder } from '../support/folders.ts';
import { gridpress } from '../support/processes/cli.ts';
import { type Commit, commit, REGISTRY, writeFiles } from '../support/registries/revisions.ts';
import {
  nodeFile,
  nodeText,
  nodeUid,
  siteFile,
  siteText,
  type Testbed,
  writeTestbed,
} from '../support/registries/testbed.ts';
import { accessibilityFindings, injectAxe } from '../support/services/accessibility.ts';
import {
  goTo,
  inChromium,
  layoutShift,
  localExplorer,
  openBrowser,
  openPage,
  type ServedExplorer,
  servedExplorer,
  settled,
} from '../support/services/browser.ts';
import { verdictsIn } from '../support/services/verdicts.ts';

/** The path of the node, in the fragment and in the API. */
const NODE = nodeFile('lyra', 2).replace(/\.yaml$/, '');
const MENUS = [/^(Columns|View)$/, 'Export'];
/** Longer than the page is wide, without a place to break. */
const LONG = 'x'.repeat(10_000);
/** A name that would run as markup. */
const HOSTILE = `<img src=x onerror=document.title='taken'>"'&`;

/** Returns the address of a page whose registry has additional nodes at the site lyra. */
async function treeWith(numbers: readonly number[], text = (number: number) => nodeText(number)): Promise<string> {
  const { registry } = writeTestbed(newFolder());
  const files = numbers.map((number) => [nodeFile('lyra', number), text(number)] as const);
  writeFiles(registry, files);
  const out = join(newFolder(), 'dist');
  await build({ registry, snapshots: 'none', showsProgress: false, out, isPreview: true });
  return localExplorer(out);
}

/** Returns the address of a page whose registry has another display name of the site lyra. */
async function siteNamed(name: string): Promise<string> {
  const { registry } = writeTestbed(newFolder());
  writeFiles(registry, [[siteFile('lyra'), `type: site\nuid: lyra\nname: ${name}\n`]]);
  const out = join(newFolder(), 'dist');
  await build({ registry, snapshots: 'none', showsProgress: false, out, isPreview: true });
  return localExplorer(out);
}

/** The share of the page that moved without an input. The browser reports no entry if nothing moved. */
const SHIFT = `new Promise((done) => {
  new PerformanceObserver((list) =>
    done(list.getEntries().reduce((sum, each) => sum + (each.hadRecentInput ? 0 : each.value), 0)),
  ).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => done(0), 500);
})`;

describe.skipIf(inChromium.isMissing)(`in Chromium${inChromium.because}`, () => {
  let browser: Browser;
  let explorer: ServedExplorer;
  let tree: string;
  let bed: Testbed;
  let base: string;

  beforeAll(async () => {
    bed = writeTestbed(newFolder());
    explorer = await servedExplorer(bed.registry);
    ({ tree, base } = explorer);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await explorer?.stop();
  });

  const VIEWS = [
    '',
    'nodes',
    'nodes?group=hardware',
    NODE,
    'compare',
    'time',
    'experiment',
    'changes',
    'versions/first',
    'sites',
    'sites/lyra',
    'hardware',
    'statistics',
    'fields',
    'nowhere',
    // Views without results.
    'nodes?q=nothing',
    'nodes?at=0123456',
    // Another revision, at which nodes had other fields.
    'time?at=first',
  ];

  for (const theme of ['light', 'dark'] as const) {
    for (const width of [1920, 1280, 768, 400, 320]) {
      test(`every view is accessible, ${theme}, ${width} px wide`, async () => {
        const { page, complaints } = await openPage(browser, `${base}#/nodes`, { theme, width });
        await injectAxe(page);
        const found: unknown[] = [];
        for (const view of VIEWS) {
          await goTo(page, `#/${view.replace('first', bed.revisions.first.id)}`);
          found.push([view, ...(await accessibilityFindings(page))]);
        }
        await goTo(page, '#/nodes');
        for (const menu of MENUS) {
          await page.getByRole('button', { name: menu }).click();
          await page.waitForSelector('.panel');
          found.push([String(menu), ...(await accessibilityFindings(page))]);
          await page.keyboard.press('Escape');
        }
        expect(found).toEqual([...VIEWS, ...MENUS.map(String)].map((shown) => [shown, [], false]));
        expect(complaints).toEqual([]);
      });
    }
  }

  test('the page sends requests only to its own origin', async () => {
    const { page, origins } = await openPage(browser, `${base}#/sites`);
    await page.waitForSelector('table');
    expect([...origins]).toEqual([new URL(base).origin]);
  });

  test('the keyboard alone is enough to filter, pick two nodes and compare them, and the page announces the result', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    await page.keyboard.press('/');
    await page.keyboard.type('main_memory.ram_size >= 256GiB');
    await expect.poll(() => page.url()).toContain('q=');
    await expect.poll(() => page.textContent('[role=status]')).toContain('node');
    const boxes = page.locator('tbody input[type=checkbox]');
    for (const place of [0, 1]) {
      await boxes.nth(place).focus();
      await page.keyboard.press('Space');
    }
    await page.getByRole('link', { name: 'Compare' }).last().focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('h1:focus')).toBe('Compare');
  });

  test('the counts on the overview equal the results of their links, also for example queries', async () => {
    const { page, complaints } = await openPage(browser, base);
    const links = page.locator('.stats li:first-child a, .tiles p a, .tiles .rows a, .ask + ul a');
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    const counts = await links.evaluateAll((all) =>
      all.map((link) =>
        Number.parseInt((link.querySelector('b, .absent') ?? link.nextElementSibling)?.textContent ?? '', 10),
      ),
    );
    expect(hrefs.length).toBeGreaterThan(1);
    for (const [i, href] of hrefs.entries()) {
      await goTo(page, href);
      await expect.poll(() => page.textContent('.status'), href).toMatch(new RegExp(`^${counts[i]} (of|nodes)`));
    }
    await goTo(page, '#/');
    expect(await page.locator('.revisions li').count()).toBeGreaterThan(1);
    expect(await page.locator('.growth polygon').count()).toBeGreaterThan(0);
    await page.keyboard.press('/');
    await page.keyboard.type('node-1');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('#/nodes?q=node-1');
    expect(complaints).toEqual([]);
  });

  test('the latest changes are those until the shown revision, and a merge is listed without its branch', async () => {
    const { page } = await openPage(browser, base);
    const entries = () => page.locator('.revisions .what a').allTextContents();
    await expect
      .poll(entries)
      .toEqual([
        ...['Describe lyra', 'Close vega', 'Start the cloud anew', 'Stop the cloud', 'Bring node-2 back, with a GPU'],
        'Merge the firmware update',
      ]);
    await goTo(page, `#/?at=${bed.revisions.merged.id.slice(0, 8)}`);
    await expect
      .poll(entries)
      .toEqual([
        ...['Merge the firmware update', 'Replace the disk of node-4', 'Remove node-2', 'Add "vega" & the cloud'],
        'First revision',
      ]);
  });

  test('the overview asks what some nodes answer and shows links of the operator, and nodes are in the order of names', async () => {
    const folder = newFolder();
    const own = writeTestbed(folder);
    const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>';
    const links = '[{title: "The manual", url: "https://example.org/manual"}]';
    const configuration = `cluster_uid: main\nexplorer: {links: ${links}, logo: '${logo}'}\n`;
    // The order of the uids is the reverse of the order of the names.
    const named = (number: number, name: string) => nodeText(number).replace(/^node_name: .*$/m, `node_name: ${name}`);
    const large = named(9, 'node-10').replace('274877906944', '549755813888').replace('256 GiB', '512 GiB');
    writeFiles(folder, [['gridpress.yaml', configuration]]);
    writeFiles(own.registry, [
      [nodeFile('lyra', 9), large],
      [nodeFile('lyra', 10), named(10, 'node-9')],
    ]);
    const out = join(newFolder(), 'dist');
    await build({ registry: own.registry, snapshots: 'none', showsProgress: false, out, isPreview: true });
    const { page } = await openPage(browser, localExplorer(out));
    expect(await page.locator('.ask + ul li').allTextContents()).toEqual(['512 GiB of RAM or more 1']);
    expect(await page.getByRole('link', { name: 'The manual' }).getAttribute('href')).toBe(
      'https://example.org/manual',
    );
    const shown = page.locator('.brand img');
    expect([await shown.getAttribute('src'), await shown.evaluate((image) => image.clientWidth)]).toEqual([
      'icon.svg',
      40,
    ]);
    await page.getByRole('link', { name: '512 GiB of RAM or more' }).click();
    await expect.poll(() => page.locator('tbody a').allTextContents()).toEqual(['node-10']);
    await goTo(page, '#/nodes?site=lyra');
    const names = await page.locator('tbody a').allTextContents();
    expect(names.slice(-2)).toEqual(['node-9', 'node-10']);
  });

  test('the menu "More" opens other views, and closes with Escape and with the view', async () => {
    const { page } = await openPage(browser, `${base}#/sites`);
    const menu = page.getByRole('button', { name: 'More' });
    const statistics = page.getByRole('link', { name: 'Statistics' });
    expect(await statistics.count()).toBe(0);
    await menu.click();
    await page.keyboard.press('Escape');
    await expect.poll(() => statistics.count()).toBe(0);
    await page.keyboard.press('Enter');
    await statistics.click();
    await page.waitForSelector('h1:text("Statistics")');
    expect(await statistics.count()).toBe(0);
    expect(await menu.getAttribute('aria-current')).toBe('true');
  });

  test('without a match, the page offers to drop the filter that excludes all nodes', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?site=lyra&bios.version=nothing`);
    const drop = page.locator('.notice li button');
    await expect.poll(() => drop.allTextContents()).toEqual(['Remove bios.version']);
    const said = await page.textContent('.notice li');
    await drop.click();
    const count = /(\d+) nodes/.exec(said ?? '')?.[1];
    await expect.poll(() => page.textContent('.status')).toMatch(new RegExp(`^${count} (of|nodes)`));
  });

  test('the view of the hardware counts by site, names differing firmware, and shows racks', async () => {
    const own = writeTestbed(newFolder());
    const text = (number: number, rack: number, version: string) =>
      nodeText(
        number,
        `node_type: alike\nplacement:\n  rack: ${rack}\nbios:\n  version: '${version}'\narchitecture:\n  smt_size: ${number}\n`,
      );
    const nodes = [
      [11, 7, '1.1'],
      [12, 7, '1.2'],
      [13, 10, '1.1'],
    ] as const;
    writeFiles(
      own.registry,
      new Map(nodes.map(([number, rack, version]) => [nodeFile('lyra', number), text(number, rack, version)])),
    );
    const out = join(newFolder(), 'dist');
    await build({ registry: own.registry, snapshots: 'none', showsProgress: false, out, isPreview: true });
    const { page, complaints } = await openPage(browser, `${localExplorer(out)}#/hardware?colour=bios.version`);
    const drift = page.locator('section', { has: page.locator('#firmware') });
    expect(await drift.locator('tbody tr').allTextContents()).toEqual(['alike31.1 21.2 1']);
    expect(await page.locator('.racks > li > a').allTextContents()).toEqual(['Rack 7', 'Rack 10']);
    const site = page.getByRole('region', { name: 'Racks at LYRA' });
    expect(await site.locator('p').textContent()).toBe('2 nodes without a known rack');
    const slots = page.locator('.slots a');
    expect(await slots.count()).toBe(3);
    const colours = await slots.evaluateAll((all) => all.map((slot) => slot.style.background));
    expect(new Set(colours).size).toBe(2);
    await drift.getByRole('link', { name: '1.2' }).click();
    await expect.poll(() => page.textContent('.status')).toContain('1 of ');
    await goTo(page, '#/hardware?rows=architecture.smt_size');
    const bars = page.locator('.bars li');
    expect(await bars.allTextContents()).toEqual([11, 12, 13].map((n) => `${n}${n}, LYRA: 1 node1`));
    const centreOf = async (row: number) => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await bars.nth(row).boundingBox()) ?? {};
      return [x + width / 2, y + height / 2] as const;
    };
    await page.mouse.move(...(await centreOf(2)));
    await page.mouse.down();
    await page.mouse.move(...(await centreOf(1)), { steps: 3 });
    expect(await page.locator('.bars .brushed').count()).toBe(2);
    await page.mouse.up();
    await expect.poll(() => page.url()).toContain('nodes?architecture.smt_size=12..13');
    await expect.poll(() => page.textContent('.status')).toContain('2 of ');
    await goTo(page, '#/hardware?rows=architecture.smt_size');
    await page.getByRole('combobox', { name: 'to', exact: true }).selectOption('12');
    await page.getByRole('button', { name: 'Show nodes in this range' }).press('Enter');
    await expect.poll(() => page.url()).toContain('nodes?architecture.smt_size=11..12');
    expect(complaints).toEqual([]);
  });

  test('racks can show the month in which each node last changed', async () => {
    const text = (number: number, version: string) =>
      nodeText(number, `placement:\n  rack: 7\nbios:\n  version: '${version}'\n`);
    const folder = newFolder();
    const { joined } = writeTestbed(folder).revisions;
    const added = commit(folder, {
      parents: [joined],
      edits: { [nodeFile('lyra', 11)]: text(11, '1'), [nodeFile('lyra', 12)]: text(12, '1') },
      message: 'Add nodes',
      date: '2026-05-01T00:00:00Z',
    });
    commit(folder, {
      parents: [added],
      edits: { [nodeFile('lyra', 12)]: text(12, '2') },
      message: 'Update node-12',
      date: '2026-06-01T00:00:00Z',
    });
    const out = join(newFolder(), 'dist');
    await build({ registry: join(folder, REGISTRY), snapshots: 'none', showsProgress: false, out });
    const { page, complaints } = await openPage(browser, `${localExplorer(out)}#/hardware`);
    await page.getByLabel('Colour by').selectOption('Month of the last change');
    const racks = page.locator('section[aria-labelledby=racks]');
    const months = async () => [
      (await racks.locator('.legend li').allTextContents()).map((entry) => entry.trim()),
      await racks.locator('.slots a').allTextContents(),
    ];
    await expect.poll(months).toEqual([
      ['2026-06', '2026-05'],
      ['node-11: 2026-05', 'node-12: 2026-06'],
    ]);
    await goTo(page, `#/hardware?colour=last_change&at=${added.id.slice(0, 8)}`);
    await expect.poll(months).toEqual([['2026-05'], ['node-11: 2026-05', 'node-12: 2026-05']]);
    expect(complaints).toEqual([]);
  });

  test('the plot of growth shows counts at the pointer, and its drag is the slider', async () => {
    const { page } = await openPage(browser, `${base}#/time`);
    const box = await page.locator('.growth').boundingBox();
    if (!box) throw new Error('there is no plot');
    await page.mouse.move(box.x + box.width / 2, box.y + 80);
    expect(await page.textContent('.tip')).toMatch(/^\d{4}-\d{2}-\d{2}.*\d/);
    await page.mouse.down();
    await page.mouse.move(box.x + 1, box.y + 80, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => page.url()).toContain(`at=${bed.revisions.first.id.slice(0, 8)}`);
    await page.goBack();
    await expect.poll(() => page.url()).not.toContain('at=');
    expect(await page.locator('table.counts tbody tr').count()).toBeGreaterThan(0);
  });

  test('a node has a line of facts, cards of its hardware, and a strip of its history', async () => {
    const { page, complaints } = await openPage(browser, `${base}#/${NODE}`);
    expect(await page.textContent('.facts')).toMatch(/\d GiB/);
    expect(await page.getByRole('region', { name: 'Memory' }).textContent()).toBe('Memory 256 GiB');
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link');
    expect(await crumbs.allTextContents()).toEqual(['Nodes', 'LYRA']);
    await page.locator('.strip a').last().click();
    await expect.poll(() => page.url()).toContain(`at=${bed.revisions.first.id.slice(0, 8)}`);
    expect(await page.textContent('h1')).toBe('node-2');
    expect(complaints).toEqual([]);
  });

  test.each([1280, 400])('the page of a node does not move while it loads, %i px wide', async (width) => {
    const { page } = await openPage(browser, `${base}#/${NODE}`, { width });
    await expect.poll(() => page.textContent('.use pre')).toContain('lease');
    expect(await page.evaluate(SHIFT)).toBe(0);
  });

  test('cards of a node leave out empty values and repeated names, and its serials are visible', async () => {
    const more =
      'node_type: solo\ngpu:\n  gpu: false\nprocessor:\n  cache_l2: 1048576\n  cache_l1: null\n  vendor: Intel\n';
    const tree = await treeWith([11], (number) => nodeText(number, more));
    const { page } = await openPage(browser, `${tree}#/${nodeFile('lyra', 11).replace(/\.yaml$/, '')}`);
    expect(await page.getByRole('region', { name: 'GPU' }).textContent()).toBe('GPU none');
    const names = page.getByRole('region', { name: 'CPU' }).locator('dt');
    expect(await names.allTextContents()).toEqual(['Cache L2', 'Vendor']);
    expect(await names.first().getAttribute('title')).toMatch(/^processor\.cache_l2: The size/);
    expect(await page.getByText('00011', { exact: true }).isVisible()).toBe(true);
    await page.getByText('Identity').click();
    expect(await page.locator('dt[title^="node_name:"]').isVisible()).toBe(true);
    // A type with one node has no typical node.
    expect(await page.getByRole('link', { name: 'solo', exact: true }).count()).toBe(1);
    expect(await page.getByRole('link', { name: 'Compare with a typical' }).count()).toBe(0);
    expect(await page.locator('dt', { hasText: 'device' }).count()).toBe(0);
  });

  test('a revision names its nodes, and links a removed node to the revision before', async () => {
    const { closed, flavored, first } = bed.revisions;
    const { page } = await openPage(browser, `${base}#/versions/${closed.id}`);
    await expect.poll(() => page.locator('summary').allTextContents()).toContain('node-4 removed hardware');
    const link = page.getByRole('link', { name: 'node-4' });
    expect(await link.getAttribute('href')).toContain(`at=${flavored.id.slice(0, 8)}`);
    await link.click();
    await expect.poll(() => page.textContent('h1')).toBe('node-4');
    await goTo(page, `#/versions/${closed.id.slice(0, 8)}`);
    await expect.poll(() => page.url()).toContain(`#/versions/${closed.id}`);
    await page.getByRole('link', { name: 'Earlier' }).click();
    await expect.poll(() => page.url()).not.toContain(closed.id);
    await page.getByRole('link', { name: 'Later' }).click();
    await expect.poll(() => page.url()).toContain(`#/versions/${closed.id}`);
    await page.setViewportSize({ width: 320, height: 800 });
    await goTo(page, `#/versions/${first.id}`);
    const message = page.locator('pre');
    await message.evaluate((element) => element.replaceChildren('long '.repeat(100)));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  test('the revision of a merge is compared with its first parent', async () => {
    const { merged, replaced } = bed.revisions;
    const { page } = await openPage(browser, `${base}#/versions/${merged.id}`);
    await page.getByRole('link', { name: 'Compare with another revision' }).click();
    const chosen = page.getByRole('combobox', { name: 'Compare with' }).locator('option:checked');
    await expect.poll(() => chosen.textContent()).toBe(`2026-01-03 ${replaced.id.slice(0, 8)}`);
    expect(await page.locator('section[aria-labelledby=between] summary').allTextContents()).toEqual(['Changed 1']);
  });

  test('the rows and the columns of the statistics add up to all nodes', async () => {
    const { page } = await openPage(browser, `${base}#/statistics?rows=bios.version`);
    const rows = await page.locator('tbody tr td:last-child, tfoot td:last-child').allTextContents();
    const [total = 0, ...parts] = rows.map(Number).reverse();
    expect(parts.reduce((sum, nodes) => sum + nodes, 0)).toBe(total);
    const none = page.locator('tbody tr', { hasText: 'none' }).locator('td').last();
    const count = await none.textContent();
    await none.getByRole('link').click();
    await expect.poll(() => page.textContent('.status')).toMatch(new RegExp(`^${count} of `));
    expect(page.url()).toContain('bios.version+IS+NULL');
  });

  test('filters by number ask for a unit, and the choice of a value does not move it', async () => {
    const sizes = Array.from({ length: 12 }, (_, i) => 11 + i);
    const tree = await treeWith(sizes, (number) =>
      nodeText(number).replace('274877906944', String((number < 17 ? 8 : number) * 2 ** 30)),
    );
    const { page } = await openPage(browser, `${tree}#/nodes`);
    const facet = page.locator('.facet', { has: page.getByText('RAM', { exact: true }) });
    const from = facet.getByLabel('RAM from');
    expect(await from.getAttribute('placeholder')).toBe('from 8 GiB');
    const names = facet.locator('li .text');
    const before = await names.allTextContents();
    expect(before).toEqual(['8 GiB', '17 GiB', '18 GiB', '19 GiB', '20 GiB', '21 GiB', '22 GiB', '256 GiB']);
    await facet.getByLabel('20 GiB').check();
    await expect.poll(() => page.textContent('.status')).toMatch(/^1 of /);
    expect(await names.allTextContents()).toEqual(before);
    await facet.getByLabel('20 GiB').uncheck();
    await from.fill('20');
    await from.press('Enter');
    expect(await facet.getByRole('alert').textContent()).toBe('Add a unit, such as 20 GiB.');
    expect(await from.inputValue()).toBe('20');
    await from.fill('20 GiB');
    await from.press('Enter');
    await expect.poll(() => page.textContent('.status')).toMatch(/^5 of /);
    expect(await facet.getByRole('alert').count()).toBe(0);
    await goTo(page, '#/nodes');
    const bins = facet.locator('.histogram .space');
    await bins.nth(2).click();
    await expect.poll(() => page.url()).toContain('label.ram=18GiB..18GiB');
    await bins.nth(4).hover();
    await page.mouse.down();
    await bins.nth(2).hover();
    await page.mouse.up();
    await expect.poll(() => page.url()).toContain('label.ram=18GiB..20GiB');
    await expect.poll(() => page.textContent('.status')).toMatch(/^3 of /);
    await goTo(page, '#/nodes');
    await page.getByText('Firmware', { exact: true }).click();
    await page.getByText('bios.version', { exact: true }).click();
    await page.getByRole('link', { name: 'no value' }).click();
    await expect.poll(() => page.url()).toContain('bios.version+IS+NULL');
  });

  test('the heads of a long table stay in sight', async () => {
    const { page } = await openPage(browser, `${base}#/fields`);
    await page.setViewportSize({ width: 1280, height: 300 });
    const region = page.getByRole('region', { name: 'Table of fields' });
    await region.evaluate((element) => element.scrollTo(0, 200));
    const [outer, head] = [await region.boundingBox(), await region.locator('th').first().boundingBox()];
    expect(Math.abs((head?.y ?? 0) - (outer?.y ?? 0))).toBeLessThan(3);
    expect(await region.evaluate((element) => element.scrollTop)).toBe(200);
  });

  test('a site has one colour in all plots', async () => {
    const { page } = await openPage(browser, `${base}#/time`);
    const colours = async () =>
      page
        .locator('.legend')
        .first()
        .locator('li:has(.swatch)')
        .evaluateAll((all) =>
          all.flatMap((each) => {
            const name = /^\w+/.exec(each.textContent.trim())?.[0] ?? '';
            return [[name, each.querySelector('span')?.style.background]];
          }),
        );
    const inTime = await colours();
    // Current sites come before a site that has no nodes any more.
    expect(inTime.map(([name]) => name)).toEqual(['LYRA', 'vega']);
    await goTo(page, '#/hardware');
    expect(await colours()).toEqual(inTime.slice(0, 1));
    await goTo(page, '#/');
    expect(await colours()).toEqual(inTime);
    await page.emulateMedia({ forcedColors: 'active' });
    expect(
      await page
        .locator('.swatch')
        .first()
        .evaluate((each) => each.ownerDocument.defaultView?.getComputedStyle(each).backgroundColor),
    ).toBe('rgb(0, 114, 178)');
  });

  test('the view of time names the nodes that differ, and the marks of the plot', async () => {
    const numbers = Array.from({ length: 70 }, (_, i) => 11 + i);
    const { page } = await openPage(browser, `${await treeWith(numbers)}#/time`);
    await page.locator('summary', { hasText: 'Added' }).click();
    await page.getByRole('button', { name: 'and 10 more' }).click();
    expect(await page.getByRole('link', { name: /^node-/ }).count()).toBe(70);
    expect(await page.locator('summary', { hasText: 'Removed' }).count()).toBe(0);
    expect(await page.locator('.legend').first().textContent()).toContain('▼ revision that changed many nodes');
  });

  test('the differences of two revisions are listed by field class, and can be filtered by class', async () => {
    const text = (number: number, version: number, note = '') =>
      nodeText(number, `bios:\n  version: '${version}'\n${note}`);
    const edits = (version: number, note = '') => ({
      [nodeFile('lyra', 10)]: text(10, version),
      [nodeFile('lyra', 9)]: text(9, version, note),
    });
    const folder = newFolder();
    const { joined } = writeTestbed(folder).revisions;
    const added = { parents: [joined], edits: edits(1), message: 'Add nodes', date: '2026-05-01T00:00:00Z' };
    const updated = { edits: edits(2, 'admin_note: moved\n'), message: 'Update nodes', date: '2026-05-02T00:00:00Z' };
    commit(folder, { parents: [commit(folder, added)], ...updated });
    const registry = join(folder, REGISTRY);
    const out = join(newFolder(), 'dist');
    await build({ registry, snapshots: 'none', showsProgress: false, out });
    const { page } = await openPage(browser, `${localExplorer(out)}#/time`);
    const lists = async () => {
      const rows = await page.locator('section:has(#between) dl > div').all();
      return Promise.all(
        rows.map(async (row) => [
          await row.locator('.tag').allTextContents(),
          await row.getByRole('link').allTextContents(),
        ]),
      );
    };
    expect(await lists()).toEqual([
      [['firmware', 'administrative'], ['node-9']],
      [['firmware'], ['node-10']],
    ]);
    const choice = page.locator('section:has(#between)').getByRole('combobox', { name: 'Changes' });
    expect(await choice.locator('option').allTextContents()).toEqual([
      'all classes',
      'firmware (2)',
      'administrative (1)',
    ]);
    await choice.selectOption('administrative');
    await expect.poll(lists).toEqual([[['firmware', 'administrative'], ['node-9']]]);
    // The changes by month show the same class.
    expect(await page.locator('.heat a').count()).toBe(1);
  });

  test('a revision groups the nodes whose same fields changed, if each has its own values', async () => {
    const numbers = Array.from({ length: 10 }, (_, i) => 5 + i);
    const edits = (version: (number: number) => string) =>
      Object.fromEntries(
        numbers.map((number) => [
          nodeFile('lyra', number),
          nodeText(number, `bios:\n  version: '${version(number)}'\n`),
        ]),
      );
    const folder = newFolder();
    const { joined } = writeTestbed(folder).revisions;
    const added = { parents: [joined], edits: edits(() => '1'), message: 'Add', date: '2026-05-01T00:00:00Z' };
    const updated = { edits: edits((number) => `2.${number}`), message: 'Update', date: '2026-05-02T00:00:00Z' };
    const { id } = commit(folder, { parents: [commit(folder, added)], ...updated });
    const { base, stop } = await servedExplorer(join(folder, REGISTRY));
    onTestFinished(async () => void (await stop()));
    const { page } = await openPage(browser, `${base}#/versions/${id}`);
    await expect.poll(() => page.textContent('h2')).toBe('10 nodes updated: BIOS version firmware');
    expect(await page.locator('dl.changes dt').allTextContents()).toEqual(['bios.version', 'LYRA']);
    expect(await page.locator('dl.changes dd').first().textContent()).toBe('different values');
    expect(await page.locator('dl.changes a').count()).toBe(10);
    await goTo(page, '#/statistics?rows=site&columns=bios.version');
    const heads = await page.locator('thead th').allTextContents();
    expect(heads.slice(1, -2)).toEqual(['1.10', ...numbers.map((number) => `2.${number}`)]);
  });

  test('groups that look equal are listed with the fields that differ', async () => {
    const makerOf = (number: number) => `chassis:\n  manufacturer: ${number === 13 ? 'Acme' : 'Bolt'}\n`;
    const tree = await treeWith([11, 12, 13], (number) => nodeText(number, makerOf(number)));
    const { page } = await openPage(browser, `${tree}#/nodes?group=hardware&q=chassis.manufacturer%20IS%20NOT%20NULL`);
    await page.getByText('What splits groups that look equal').click();
    const line = page.locator('.results .rows li');
    expect(await line.allTextContents()).toEqual(['2 and 1 nodes like node-11: Chassis manufacturer. Compare']);
    await line.getByRole('link').click();
    await expect.poll(() => page.locator('.comparison tbody th[title]').allTextContents()).toEqual(['Manufacturer']);
  });

  test('at 320 px, no button of the picked bar breaks, and the tools of an export stand side by side', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`, { width: 320 });
    for (const place of [0, 1]) {
      await page.locator('tbody input[type=checkbox]').nth(place).click();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    }
    const heights = await page
      .locator('.picked-bar > :is(span:not(.names), .button), .picked-bar button')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThan(40);
    await page.locator('.bar').getByRole('button', { name: 'Export' }).click();
    const tops = await page
      .locator('.use .tabs')
      .first()
      .locator('button')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    expect(new Set(tops).size).toBeLessThan(tops.length);
  });

  test('the legend does not link a value without nodes at the revision', async () => {
    const { page } = await openPage(browser, `${base}#/time`);
    const entry = page.locator('.legend li', { hasText: 'vega' });
    expect(await entry.textContent()).toContain('0');
    expect(await entry.getByRole('link').count()).toBe(0);
  });

  test('the explorer reserves the same nodes as `gridpress find --reserve`', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'openstack' }).click();
    const reserved = async (...args: readonly string[]) =>
      (await gridpress(['find', '--from', bed.registry, '--snippet', 'openstack', '--reserve', ...args])).stdout;
    await expect.poll(() => page.textContent('.use pre')).toBe(await reserved('all'));
    await page.getByLabel(/^Use/).fill('2');
    await page.getByLabel('taken').selectOption('site');
    await expect.poll(() => page.textContent('.use pre')).toBe(await reserved('2', '--spread', 'site'));
    await page.getByLabel('Same hardware').check();
    await expect
      .poll(() => page.textContent('.use .notice'))
      .toMatch(/^2 nodes were requested, but 2 nodes match, 1 of them with the same hardware\./);
    await page.getByLabel(/^Use/).fill('1');
    await expect.poll(() => page.textContent('.use pre')).toBe(await reserved('1', '--same-hardware'));
  });

  test('Ctrl-K goes to a node, a view, a field or a date', async () => {
    const { page, complaints } = await openPage(browser, `${base}#/nodes`);
    const open = async (text: string) => {
      await page.keyboard.press('Control+k');
      await page.waitForSelector('.palette');
      await page.keyboard.type(text);
      await expect.poll(() => page.locator('.palette a').last().textContent()).toBe(text);
    };
    await open('node-2');
    await injectAxe(page);
    expect(await accessibilityFindings(page)).toEqual([[], false]);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('h1')).toBe('node-2');
    await open('stati');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('h1')).toBe('Statistics');
    await open('memory.ram_size');
    const active = async () => {
      const id = await page.locator('#palette').getAttribute('aria-activedescendant');
      return page.locator(`.palette [id="${id}"]`).getAttribute('aria-label');
    };
    expect(await active()).toBe('main_memory.ram_size, field');
    // The last entry, below the visible ones of a low window.
    await page.setViewportSize({ width: 1280, height: 100 });
    await page.keyboard.press('ArrowUp');
    await expect.poll(active).toBe('memory.ram_size, search nodes');
    const isVisible = `{
      const [list, entry] = ['#entries', '[aria-selected=true]'].map((each) =>
        document.querySelector(each).getBoundingClientRect());
      entry.bottom <= list.bottom + 1 && entry.top >= list.top - 1;
    }`;
    expect(await page.evaluate(isVisible)).toBe(true);
    expect(await page.evaluate('document.activeElement.id')).toBe('palette');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('h1')).toBe('Fields');
    expect(await page.locator('tbody code').first().textContent()).toBe('main_memory.ram_size');
    await open('2026-01-01');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('at=2026-01-01');
    await page.keyboard.press('Control+k');
    await page.waitForSelector('.palette');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.palette').count()).toBe(0);
    // A phone has no key Escape.
    await page.keyboard.press('Control+k');
    await page.waitForSelector('.palette');
    await page.mouse.click(5, 5);
    await expect.poll(() => page.locator('.palette').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('the map shows the coast, so that a wrong sign of a coordinate stands out', async () => {
    const own = writeTestbed(newFolder());
    const text = (name: string, longitude: number) =>
      `type: site\nuid: ${name}\nname: ${name}\nlatitude: 41.79\nlongitude: ${longitude}\n`;
    writeFiles(own.registry, [
      [siteFile('chicago'), text('chicago', -87.6)],
      [siteFile('xinjiang'), text('xinjiang', 87.6)],
      [siteFile('atlantic'), text('atlantic', -40)],
    ]);
    const out = join(newFolder(), 'dist');
    await build({ registry: own.registry, snapshots: 'none', showsProgress: false, out, isPreview: true });
    const { page } = await openPage(browser, `${localExplorer(out)}#/sites`);
    const isOnLand: boolean[] = await page.evaluate(`{
      const land = document.querySelector('.map .land');
      const dots = Array.from(document.querySelectorAll('.map circle'), (dot) => [dot.cx.baseVal.value, dot.cy.baseVal.value]);
      const toLand = land.transform.baseVal.consolidate().matrix.inverse();
      dots.sort(([a], [b]) => a - b).map(([x, y]) => land.isPointInFill(new DOMPoint(x, y).matrixTransform(toLand)));
    }`);
    // From west to east: Chicago, the Atlantic, the sites of the testbed.
    expect(isOnLand.slice(0, 3)).toEqual([true, false, true]);
    expect(await page.textContent('.map + p')).toBe(
      'Not on the map, because they are far from all other sites (check the coordinates): xinjiang (41.8°N, 87.6°E).',
    );
    // No line of a coast crosses half of the world.
    const longest: number = await page.evaluate(`{
      const land = document.querySelector('.map .land');
      const lines = land.getAttribute('d').matchAll(/l([^z]*)/g);
      const steps = [...lines].flatMap(([, line]) => line.match(/-?[0-9]+/g).filter((_, i) => i % 2 === 0));
      Math.max(...steps.map(Math.abs)) / land.getBBox().width;
    }`);
    expect(longest).toBeLessThan(0.5);
  });

  test('a revision of a merged branch shows its own counts', async () => {
    const { page } = await openPage(browser, `${base}#/time?at=${bed.revisions.side.id.slice(0, 8)}`);
    const shown = page.locator('p.choosers', { hasText: 'All views show this revision.' });
    await expect.poll(() => shown.textContent()).toContain('2026-01-04, revision');
    expect(await shown.textContent()).toContain(', on a branch that was merged later.');
    const entries = page.locator('.legend').first().locator('li:has(.swatch)');
    expect((await entries.allTextContents()).map((entry) => entry.trim())).toEqual(['LYRA 1', 'vega 1']);
  });

  test('a second slider compares two revisions, and the plot shows the time between them', async () => {
    const { page } = await openPage(browser, `${base}#/time`);
    await page.getByRole('slider', { name: 'Compared revision' }).fill('0');
    await expect.poll(() => page.url()).toContain(`than=${bed.revisions.first.id.slice(0, 8)}`);
    const box = await page.locator('.growth .between').boundingBox();
    expect(box?.width).toBeGreaterThan(300);
    expect(await page.getByRole('combobox', { name: 'Compare with' }).inputValue()).toBe('0');
  });

  test('the address can name a compared revision by its date, and the slider is below the plot', async () => {
    const { page } = await openPage(browser, `${base}#/time?than=2026-01-02`);
    await expect.poll(() => page.locator('.growth .between').count()).toBe(1);
    expect(await page.locator('.notice').count()).toBe(0);
    const [plot, slider] = [page.locator('.growth .now'), page.getByRole('slider', { name: 'Revision', exact: true })];
    const [line, thumbs] = [await plot.boundingBox(), await slider.boundingBox()];
    // The shown revision is the last one, so its line is at the centre of the thumb on the right.
    expect(Math.abs((line?.x ?? 0) - ((thumbs?.x ?? 0) + (thumbs?.width ?? 0) - 8))).toBeLessThan(2);
    await slider.press('ArrowLeft');
    await expect.poll(() => page.url()).toContain('at=');
    expect(await page.locator('.notice').count()).toBe(0);
    await page.getByRole('link', { name: 'Show latest' }).click();
    await expect.poll(() => page.url()).not.toContain('at=');
  });

  test.each([1280, 375])('at %i px, the names of the heat map fit beside the plot', async (width) => {
    const { page } = await openPage(browser, `${base}#/time`, { width });
    const headings = await page.locator('h2').allTextContents();
    expect(headings).toEqual(['Changes over time', 'Compare with another revision']);
    const edges = await page.evaluate(`{
      const box = (selector) => [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
      ({
        names: Math.max(...box('.heat g > text:first-child').map(({ right }) => right)),
        squares: Math.min(...box('.heat rect').map(({ left }) => left)),
        areas: Math.min(...box('.growth .outline').map(({ left }) => left)),
      });
    }`);
    const { names, squares, areas } = z
      .object({ names: z.number(), squares: z.number(), areas: z.number() })
      .parse(edges);
    expect(squares - names).toBeGreaterThan(4);
    expect(squares - names).toBeLessThan(30);
    expect(Math.abs(squares - areas)).toBeLessThan(2);
  });

  test('every colour of the plots has an entry in their legends', async () => {
    // The nodes of the testbed have no type at any revision.
    const { page } = await openPage(browser, `${base}#/time?rows=node_type`);
    const entries = page.locator('.legend').first().locator('li:has(.swatch)');
    expect((await entries.allTextContents()).map((text) => text.trim())).toEqual(['no Type 2']);
  });

  test('each site has a view, and the list of sites links to it', async () => {
    const { page, complaints } = await openPage(browser, `${base}#/sites`);
    await page.getByRole('table').getByRole('link', { name: 'LYRA', exact: true }).click();
    await expect.poll(() => page.textContent('h1:focus')).toBe('LYRA');
    await expect.poll(() => page.locator('.revisions li').count()).toBeGreaterThan(1);
    await page.getByRole('link', { name: '2 nodes', exact: true }).click();
    await expect.poll(() => page.url()).toContain('#/nodes?site=lyra');
    expect(complaints).toEqual([]);
  });

  test.each([1280, 400])('the overview does not shift while it loads, %i px wide', async (width) => {
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    const page = await context.newPage();
    const shift = await layoutShift(page);
    await page.goto(base);
    await page.waitForSelector('.growth');
    await page.waitForSelector('.revisions li');
    await settled(page);
    await expect
      .poll(() => page.textContent('.stats li:last-child'))
      .toMatch(/^\d{4}-\d\d-\d\d last change by Ada Brown$/);
    expect(await shift()).toBe(0);
    await context.close();
  });

  test('typing continues while results are loading', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    await page.waitForSelector('tbody a');
    const query = "bios.version = '1'";
    // Slower than the pause after which the query runs, so that results change after each letter.
    await page.locator('#search').pressSequentially(query, { delay: 230 });
    expect(await page.evaluate('document.activeElement.id')).toBe('search');
    expect(await page.inputValue('#search')).toBe(query);
    await goTo(page, '#/nodes?q=node-1');
    expect(await page.inputValue('#search')).toBe('node-1');
  });

  test('each row links to its node for any selected columns', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?columns=site`);
    expect(await page.locator('thead th').allTextContents()).toEqual(['Picked', 'Name', 'Site']);
    await page.locator('tbody a').first().click();
    await expect.poll(() => page.textContent('h1')).toBe('node-1');
  });

  test('an invalid query gives the message of the command line', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?q=${encodeURIComponent('main_memory.ram_sise > 1')}`);
    expect(await page.textContent('.problem')).toBe(
      'At character 1: No node has a field main_memory.ram_sise. Did you mean main_memory.ram_size?',
    );
    expect(await page.locator('.notice strong').allTextContents()).toEqual([
      'The query is wrong, so no nodes are shown.',
    ]);
    expect([await page.locator('.nodes, .facet').count(), await page.textContent('.status')]).toEqual([0, 'No result']);
    expect(await page.getByRole('button', { name: 'Export' }).isDisabled()).toBe(true);
  });

  test.each(['CHI@LYRA', '"chi@lyra" node-1', 'site:CHI@lyra'])(
    'the name of a site finds its nodes: %s',
    async (words) => {
      const page = await siteNamed('CHI@LYRA');
      const { page: shown, complaints } = await openPage(browser, `${page}#/nodes?q=${encodeURIComponent(words)}`);
      await expect.poll(() => shown.textContent('.forms code')).toMatch(/^site = 'lyra'/);
      await shown.getByRole('button', { name: 'Export' }).click();
      await shown.getByRole('button', { name: 'find', exact: true }).click();
      await expect.poll(() => shown.textContent('.use pre')).toContain(`gridpress find "site = 'lyra'`);
      expect(complaints).toEqual([]);
    },
  );

  test('a permalink contains the shown revision, and an unknown revision gives a message', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?at=0123456`);
    expect(await page.textContent('.notice strong')).toMatch(
      /^Revision 0123456 is not available\. The page shows revision /,
    );
  });

  test('a selection is saved as CSV with the uids of its nodes', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    const uids: string[] = JSON.parse(readFileSync(join(tree, 'nodes', 'table.json'), 'utf8')).uids;
    expect(
      text
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]),
    ).toEqual(uids);
  });

  test.each([
    ['Markdown', '--markdown', '', []],
    ['LaTeX', '--latex', '&sort=-main_memory.ram_size', ['--sort', '-main_memory.ram_size']],
  ])('the %s table equals `gridpress find %s`, and its script loads only then', async (label, option, sort, sorted) => {
    const query = "site = 'lyra'";
    const { page } = await openPage(browser, `${base}#/nodes?q=${encodeURIComponent(query)}${sort}`);
    const loaded = 'performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/exports.js")).length';
    expect(await page.evaluate(loaded)).toBe(0);
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: label, exact: true }).click();
    const { stdout } = await gridpress(['find', query, option, ...sorted, '--from', tree]);
    expect(readFileSync(await (await saved).path(), 'utf8')).toBe(stdout);
  });

  test('a table that cannot be loaded is reported', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    await page.route('**/exports.js', (route) => route.abort());
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'LaTeX', exact: true }).click();
    await expect
      .poll(() => page.textContent('.panel [role=alert]'))
      .toBe('A part of the page could not be loaded. Try again.');
  });

  test('while a revision loads, the page names the shown revision', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    let arrive = () => {};
    const isWanted = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/history*', async (route) => {
      await isWanted;
      await route.continue();
    });
    const { grown } = bed.revisions;
    await page.evaluate(`location.hash = '#/nodes?at=${grown.id}'`);
    const notice = () => page.textContent('main > .notice');
    const start = `Loading revision ${grown.id}. The page still shows revision `;
    await expect.poll(notice).toMatch(new RegExp(`^${start}[0-9a-f]{8}\\.$`));
    arrive();
    await expect.poll(notice).toContain('As of ');
  });

  test('at any revision, the nodes equal those of `gridpress show`', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    for (const { id } of [bed.revisions.grown, bed.revisions.merged]) {
      await goTo(page, `#/nodes?at=${id}`);
      await page.getByRole('button', { name: 'Export' }).click();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'NDJSON', exact: true }).click();
      const lines = readFileSync(await (await saved).path(), 'utf8')
        .trimEnd()
        .split('\n');
      const shown = lines.map((line) => JSON.parse(line));
      expect(shown.map(({ node_name }) => node_name)).toEqual(
        id === bed.revisions.grown.id ? ['node-1', 'node-2', 'node-4'] : ['node-1', 'node-4'],
      );
      for (const { site, cluster, uid, main_memory, bios } of shown) {
        const path = `sites/${site}/clusters/${cluster}/nodes/${uid}`;
        const { stdout } = await gridpress(['show', path, '--at', id, '--json', '--registry', bed.registry]);
        const { body } = JSON.parse(stdout);
        expect([main_memory, bios]).toEqual([body.main_memory, body.bios]);
      }
      await page.keyboard.press('Escape');
    }
  });

  test('the difference of two versions equals `gridpress diff`', async () => {
    const path = nodeFile('lyra', 1).replace(/\.yaml$/, '');
    const { page } = await openPage(browser, `${base}#/${path}`);
    await page.getByText('Differences between').click();
    const field = page.locator('.comparison th[scope=row]').first();
    const shown = ((await field.getAttribute('title')) ?? '').split('.')[0];
    const { stdout } = await gridpress([
      ...['diff', bed.revisions.first.id, bed.revisions.joined.id, path, '--registry', bed.registry],
    ]);
    expect([shown, stdout]).toEqual(['bios', expect.stringContaining('bios')]);
  });

  test('the search completes fields, operators and values, and each completed query is valid', async () => {
    const { page, complaints } = await openPage(browser, `${base}#/nodes`);
    const search = page.locator('#search');
    const offered = () =>
      page.locator('#completions option').evaluateAll((all) => all.map((each) => each.getAttribute('value')));
    await search.fill('ram_s');
    await expect.poll(offered).toContain('main_memory.ram_size');
    await search.fill('main_memory.ram_size >');
    await expect.poll(offered).toEqual(['main_memory.ram_size >=']);
    await search.fill('main_memory.ram_size >= ');
    await expect.poll(offered).toContain('main_memory.ram_size >= 256GiB');
    for (const start of ['main_memory.ram_size >= ', 'gpu.gpu = ', 'site = ly', "site = 'lyra' AND bios.version = "]) {
      await search.fill(start);
      await expect.poll(async () => (await offered()).length).toBeGreaterThan(0);
      const all = await offered();
      for (const query of all) {
        expect(query?.startsWith(start.slice(0, start.indexOf('=') + 2))).toBe(true);
        await search.fill(query ?? '');
        await search.press('Enter');
        await expect.poll(() => page.locator('#search-problem').count()).toBe(0);
        expect(await page.textContent('p.status')).not.toMatch(/^0 of/);
      }
    }
    expect(complaints).toEqual([]);
  });

  test('a query finds the nodes of `gridpress find`', async () => {
    const query = "bios.version = '1.10' AND main_memory.ram_size >= 256GiB";
    const { page } = await openPage(browser, `${base}#/nodes?q=${encodeURIComponent(query)}`);
    const { stdout } = await gridpress(['find', query, '--uids', '--from', bed.registry]);
    const links = await page.locator('tbody a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links.map((href) => href?.split('/').at(-1)?.split('?')[0])).toEqual(stdout.trimEnd().split('\n'));
  });

  test('the check of a lock file shows values in words, folds equal differences, and fits the window', async () => {
    const adapters = (rate: number) => ['eth0', 'eth1'].map((device) => ({ device, rate, model: LONG.slice(0, 300) }));
    const fieldsOf = (fields: object) =>
      Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
    const node = (fields: object) =>
      `type: node\nuid: ${nodeUid(10)}\nnode_name: node-10\n${fieldsOf(fields).join('')}`;
    const folder = newFolder();
    const { joined } = writeTestbed(folder).revisions;
    const registry = join(folder, REGISTRY);
    const step = (parent: Commit, day: string, fields: object) =>
      commit(folder, {
        parents: [parent],
        edits: { [nodeFile('lyra', 10)]: node(fields) },
        message: `Update of ${day}`,
        date: `${day}T00:00:00Z`,
      });
    const old = step(joined, '2026-05-01', {
      network_adapters: adapters(10_000_000_000),
      supported_job_types: { deploy: true },
      main_memory: { ram_size: 274_877_906_944, is_ecc: true },
    });
    const lock = join(folder, 'old.lock');
    await gridpress(['lock', nodeFile('lyra', 10).replace(/\.yaml$/, ''), '--from', registry, '-o', lock]);
    step(old, '2026-05-02', {
      network_adapters: adapters(25_000_000_000),
      supported_job_types: { deploy: 'true', queues: ['a', 'b'] },
    });
    const { base, stop } = await servedExplorer(registry);
    onTestFinished(async () => void (await stop()));
    for (const width of [1280, 375]) {
      const { page } = await openPage(browser, `${base}#/experiment`, { width });
      await page.setInputFiles('input[type=file]', lock);
      const differences = page.locator('td[data-title=Differences] li');
      await expect
        .poll(() => differences.allTextContents())
        .toEqual([
          'Adapter eth0, eth1 rate: 10 Gbps → 25 Gbps',
          'Supported job types deploy: yes → "true"',
          'Supported job types queues: nothing → a, b',
          'Main memory: RAM size 256 GiB, is ecc yes → nothing',
        ]);
      const widths =
        'const { scrollWidth, clientWidth } = document.querySelector(".scroll"); scrollWidth - clientWidth';
      expect(await page.evaluate(widths)).toBe(0);
    }
  });

  test('a lock file with 1,500 nodes is checked, although Chromium rejects many requests at the same time', async () => {
    const { page } = await openPage(browser, `${base}#/experiment`);
    const nodes = Array.from({ length: 1500 }, (_, n) => ({
      path: `sites/lyra/clusters/main/nodes/n${n}`,
      uid: `n${n}`,
      digest: '',
      classes: {},
    }));
    const file = join(newFolder(), 'many.lock');
    writeFileSync(file, JSON.stringify({ gridpress_lock: 1, from: {}, revision: {}, class_rules: '', nodes }));
    await page.setInputFiles('input[type=file]', file);
    const summary = page.getByText('1500 of 1500 nodes differ');
    await expect.poll(() => summary.count(), { timeout: 60_000 }).toBe(1);
  });

  test('a lock file gets the verdict of `gridpress verify-lock`', async () => {
    const folder = newFolder();
    const [old, now] = [join(folder, 'old.lock'), join(folder, 'now.lock')];
    const uids = [1, 2].map((n) => nodeFile('lyra', n).replace(/\.yaml$/, ''));
    const first = join(folder, 'first');
    await build({
      registry: bed.registry,
      snapshots: 'none',
      showsProgress: false,
      at: bed.revisions.first.id,
      out: first,
    });
    await gridpress(['lock', ...uids, '--from', first, '-o', old]);
    await gridpress(['lock', ...uids, '--from', bed.registry, '-o', now]);
    const { stdout } = await gridpress(['verify-lock', old, '--against', bed.registry, '--json']);
    const { nodes } = JSON.parse(stdout);
    const { page } = await openPage(browser, `${base}#/experiment`);
    const verdicts = async (files: readonly string[]) => {
      await page.setInputFiles('input[type=file]', [...files]);
      await page.waitForSelector('.drop ~ [role=status] table');
      await settled(page);
      return verdictsIn(page);
    };
    expect((await verdicts([old])).sort()).toEqual(nodes.map(({ status }: { status: string }) => status).sort());
    expect(await verdicts([old, now])).toEqual(['different', 'different']);

    await injectAxe(page);
    for (const [width, colorScheme] of [
      [1280, 'dark'],
      [320, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      for (const files of [[old], [old, now]]) {
        await verdicts(files);
        expect([width, files.length, ...(await accessibilityFindings(page))]).toEqual([width, files.length, [], false]);
      }
    }
  });

  test('the page works from a folder', async () => {
    const { page, complaints, origins } = await openPage(browser, `${explorer.local}#/nodes`);
    await page.waitForSelector('tbody a');
    await goTo(page, `#/${NODE}`);
    expect(await page.textContent('.cards-of-node')).toContain('256');
    expect([complaints, [...origins]]).toEqual([[], ['null']]);
  });

  test('columns are as wide as their widest value', async () => {
    const bed = writeTestbed(newFolder());
    const wide = nodeText(9).replace(/^node_name: .*$/m, 'node_name: WWW-MMMM-09\nnode_type: mammoth');
    writeFiles(bed.registry, new Map([[nodeFile('lyra', 9), wide]]));
    const out = join(newFolder(), 'dist');
    await build({ registry: bed.registry, snapshots: 'none', showsProgress: false, out, isPreview: true });
    // Enough columns to fill the page.
    const more = 'main_memory.ram_size,storage_devices.device,storage_devices.serial,bios.version,site';
    const { page } = await openPage(browser, `${localExplorer(out)}#/nodes?columns=node_name,node_type,${more}`, {
      width: 660,
    });
    await page.waitForSelector('tbody a');
    const cells = page.locator('.nodes :is(th, td)');
    expect(await cells.allTextContents()).toEqual(expect.arrayContaining(['WWW-MMMM-09', 'mammoth']));
    const cut = cells.evaluateAll((all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
    expect(await cut).toBe(0);
  });

  test('the default columns fit the window, and a button shows the others', async () => {
    const bed = writeTestbed(newFolder());
    const more = [
      'node_type: compute_with_many_processors',
      'architecture: { smp_size: 2, smt_size: 64 }',
      'gpu: { gpu: true, gpu_count: 4, gpu_model: "GA100 [A100 PCIe 40GB]", gpu_vendor: NVIDIA }',
      'processor: { model: "Intel(R) Xeon(R) Platinum 8380 CPU @ 2.30GHz", vendor: Intel }',
    ];
    const wide = nodeText(9).replace(/^node_name: .*$/m, `node_name: gpu-with-a-long-name-09\n${more.join('\n')}`);
    writeFiles(bed.registry, new Map([[nodeFile('lyra', 9), wide]]));
    const out = join(newFolder(), 'dist');
    await build({ registry: bed.registry, snapshots: 'none', showsProgress: false, out, isPreview: true });
    const shownAt = async (width: number, params = '') => {
      const { page } = await openPage(browser, `${localExplorer(out)}#/nodes${params}`, { width });
      await page.waitForSelector('tbody a');
      const excess = await page.locator('section.scroll').evaluate((region) => region.scrollWidth - region.clientWidth);
      expect([width, excess]).toEqual([width, 0]);
      const heads = page.locator('.nodes thead [aria-sort]');
      const button = page.getByRole('button', { name: /^\+\d+ column/ });
      return { page, heads: () => heads.allTextContents(), button };
    };
    const all = await shownAt(1920);
    const names = await all.heads();
    expect([names.slice(0, 3), await all.button.count()]).toEqual([['Name', 'Site', 'Type'], 0]);
    const some = await shownAt(660);
    const shown = await some.heads();
    expect(shown).toEqual(names.slice(0, shown.length));
    expect(await some.button.textContent()).toBe(
      `+${names.length - shown.length} columns: ${names.slice(shown.length).join(', ')}`,
    );
    // The printed page also names the missing columns.
    await some.page.emulateMedia({ media: 'print' });
    expect(await some.button.isVisible()).toBe(true);
    await some.page.emulateMedia({ media: 'screen' });
    const last = ['GPUs', 'Threads'];
    expect(shown.filter((name) => last.includes(name))).toEqual([]);
    const used = await shownAt(660, '?sort=gpu.gpu_count&architecture.smt_size=1..');
    expect((await used.heads()).slice(-2)).toEqual(['GPUs▲', 'Threads']);
    await some.button.click();
    await expect.poll(some.heads).toEqual(names);
    expect(await some.button.count()).toBe(0);
  });

  test('a print has all rows and columns', async () => {
    const numbers = Array.from({ length: 100 }, (_, i) => 11 + i);
    const { page } = await openPage(browser, `${await treeWith(numbers)}#/nodes`, { width: 660 });
    const rows = page.locator('tbody tr:not(.gap)');
    await expect.poll(() => rows.count()).toBeLessThan(100);
    const print = (type: string) => page.evaluate(`void dispatchEvent(new Event('${type}'))`);
    await print('beforeprint');
    await expect.poll(() => rows.count()).toBe(102);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('tbody a').last().isVisible()).toBe(true);
    expect(await page.locator('.pick:visible, .search:visible').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await print('afterprint');
    await expect.poll(() => rows.count()).toBeLessThan(100);
  });

  test.each(['', 'changes', NODE])('Back and a reload return to the same place of a long view: %s', async (view) => {
    const { page } = await openPage(browser, `${base}#/${view}`);
    await page.setViewportSize({ width: 1280, height: 250 });
    const link = page.locator('main a[href^="#/versions/"]').last();
    await link.scrollIntoViewIfNeeded();
    const top = () => page.evaluate('scrollY');
    await expect.poll(() => page.evaluate('scrollY > 0 && history.state.top === scrollY')).toBe(true);
    const before = await top();
    await page.reload();
    await expect.poll(top).toBe(before);
    await link.click();
    await page.waitForURL(/versions/);
    await expect.poll(top).toBe(0);
    await page.goBack();
    await expect.poll(top).toBe(before);
  });

  test('Back from a node returns to the same card on a phone, with open filters and after a reload', async () => {
    const numbers = Array.from({ length: 60 }, (_, i) => 11 + i);
    const { page } = await openPage(browser, `${await treeWith(numbers)}#/nodes`, { width: 375 });
    await page.locator('details.facets summary').first().click();
    // On a busy machine, the page scrolls back to the top while it still grows.
    await expect.poll(() => page.evaluate('scrollTo(0, 3000), history.state.top')).toBe(3000);
    const link = page.getByRole('link', { name: 'node-50', exact: true });
    const before = await link.boundingBox();
    for (const isReloaded of [false, true]) {
      await link.dispatchEvent('click');
      await page.waitForSelector('.crumbs');
      if (isReloaded) await page.reload();
      await page.goBack();
      // After a reload, the filters are closed again.
      if (isReloaded) await expect.poll(() => page.evaluate('scrollY')).toBe(3000);
      else await expect.poll(() => link.boundingBox()).toEqual(before);
    }
  });

  test('a link that is followed right after the first view appears opens its view', async () => {
    const { page } = await openPage(browser, `${base}#/sites`);
    await page.addInitScript(`new MutationObserver((_, all) => {
      if (!document.querySelector('header nav')) return;
      all.disconnect();
      location.hash = '#/fields';
    }).observe(document, { childList: true, subtree: true });`);
    await page.reload();
    await expect.poll(() => page.textContent('h1')).toBe('Fields');
  });

  test('Back returns to the view before a choice, a pick and a sort', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    await page.waitForSelector('tbody a');
    const addresses = [page.url()];
    const steps = [
      () => page.getByLabel('Group by hardware').check(),
      () => page.locator('tbody input[type=checkbox]').first().check(),
      () => page.getByRole('button', { name: 'Site' }).click(),
    ];
    for (const step of steps) {
      await step();
      await expect.poll(() => page.url()).not.toBe(addresses.at(-1));
      addresses.push(page.url());
    }
    for (const address of addresses.slice(0, -1).reverse()) {
      await page.goBack();
      await expect.poll(() => page.url()).toBe(address);
    }
  });

  test('typing and dragging add one entry each to the history', async () => {
    const { page } = await openPage(browser, `${base}#/time`);
    const slider = page.getByRole('slider', { name: 'Revision', exact: true });
    await slider.waitFor();
    const before = await page.evaluate('history.length');
    await page.evaluate(`{
      const slider = document.querySelector('input[type=range]');
      for (const value of [0, 1, 0]) {
        slider.value = value;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }
      slider.dispatchEvent(new Event('change', { bubbles: true }));
    }`);
    await expect.poll(() => page.url()).toContain('at=');
    await goTo(page, '#/nodes');
    await page.locator('#search').pressSequentially('node', { delay: 230 });
    await expect.poll(() => page.url()).toContain('q=node');
    expect(await page.evaluate('history.length')).toBe(Number(before) + 3);
  });

  test('a drag changes the address at most 100 times in ten seconds, and ends at its last revision', async () => {
    const { page } = await openPage(browser, `${base}#/time`);
    const slider = page.getByRole('slider', { name: 'Revision', exact: true });
    await slider.waitFor();
    const { calls, seconds } = await page.evaluate<{ calls: number; seconds: number }>(`(async () => {
      const replace = History.prototype.replaceState;
      let calls = 0;
      history.replaceState = (...args) => {
        calls++;
        replace.apply(history, args);
      };
      const slider = document.querySelector('input[type=range]');
      const start = performance.now();
      for (let i = 0; i < 100; i++) {
        slider.value = i % 2 === 0 ? slider.max : 0;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((done) => setTimeout(done, 5));
      }
      slider.dispatchEvent(new Event('change', { bubbles: true }));
      return { calls, seconds: (performance.now() - start) / 1000 };
    })()`);
    expect(calls).toBeLessThanOrEqual(seconds * 10 + 2);
    await expect.poll(() => page.url()).toContain(`at=${bed.revisions.first.id.slice(0, 8)}`);
    await expect.poll(() => slider.inputValue()).toBe('0');
  });

  test('an arrow key that is held down adds one entry to the history', async () => {
    const { page } = await openPage(browser, `${base}#/time`);
    await page.getByRole('slider', { name: 'Revision', exact: true }).focus();
    const before = await page.evaluate('history.length');
    await page.keyboard.down('ArrowLeft');
    await page.waitForTimeout(300);
    await page.keyboard.down('ArrowLeft');
    await page.keyboard.up('ArrowLeft');
    expect(await page.evaluate('history.length')).toBe(Number(before) + 1);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.evaluate('history.length')).toBe(Number(before) + 2);
  });

  test('a group can be picked and opened', async () => {
    const { page } = await openPage(browser, `${await treeWith([11, 12, 13])}#/nodes?group=hardware`);
    const groups = page.locator('tbody tr:has([aria-expanded])');
    const group = groups.first();
    await group.getByRole('checkbox').check();
    expect(await group.getByRole('checkbox').isChecked()).toBe(true);
    const size = Number.parseInt((await group.getByRole('button').textContent()) ?? '', 10);
    const lines = await page.locator('tbody tr:not(.gap)').count();
    await group.getByRole('button').click();
    await expect.poll(() => page.locator('tbody tr:not(.gap)').count()).toBe(lines + size);
    await group.getByRole('checkbox').uncheck();
    await expect.poll(() => page.url()).not.toContain('pick=');
  });

  test('a group is named by the number of its nodes, and its nodes have names', async () => {
    const { page } = await openPage(browser, `${await treeWith([11, 12, 13])}#/nodes?group=hardware`);
    await page.waitForSelector('tbody [aria-expanded]');
    const names = () => page.locator('tbody .name').allTextContents();
    expect(await names()).toEqual(['4 nodes ▸', 'node-2']);
    await page.getByRole('button', { name: '4 nodes' }).click();
    await expect.poll(names).toEqual(['4 nodes ▾', 'node-1', 'node-11', 'node-12', 'node-13', 'node-2']);
    const [group, member] = await page.locator('tbody tr').evaluateAll((rows) =>
      rows.map((row) => {
        const name = row.querySelector('.name');
        const style = name?.ownerDocument.defaultView?.getComputedStyle(name);
        return Number.parseFloat(style?.paddingLeft ?? '');
      }),
    );
    expect(member).toBeGreaterThan(group ?? 0);
  });

  test('fields that are not in the table are loaded for a query that names them, or at a click', async () => {
    // The serial of the disk of node 2.
    const serial = '0002';
    const { page } = await openPage(
      browser,
      `${base}#/nodes?q=${encodeURIComponent(`storage_devices.serial = '${serial}'`)}`,
    );
    await expect.poll(() => page.textContent('.status')).toMatch(/^1 of /);
    expect(await page.textContent('tbody a')).toBe('node-2');
    await goTo(page, '#/nodes');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Load all fields' }).click();
    await expect.poll(() => page.url()).toContain('fields=all');
    await goTo(page, `#/nodes?fields=all&q=${serial}`);
    await expect.poll(() => page.textContent('.status')).toMatch(/^1 of /);
  });

  test('odd addresses show a view or a message', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?columns=__proto__`);
    await page.waitForSelector('thead');
    await expect.poll(() => page.textContent('.notice')).toBe('No node has the field __proto__.');
    const names = Array.from({ length: 1000 }, (_, i) => `f${i}`);
    await goTo(page, `#/nodes?columns=${names}`);
    await expect
      .poll(() => page.textContent('.notice'))
      .toBe(`No node has the fields ${names.slice(0, 12).join(', ')} and 988 more.`);
    await goTo(page, '#/nodes?q=%20%20');
    await expect.poll(() => page.textContent('.status')).toMatch(/^\d+ nodes/);
    const long = 'x'.repeat(10_000);
    for (const fragment of [`#/hardware?colour=${long}&rows=${long}&firmware=${long}`, `#/time?rows=${long}`]) {
      await goTo(page, fragment);
      await page.waitForSelector('select');
      const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(excess).toBe(0);
    }
    await goTo(page, '#/sites/lyra/clusters/main');
    await expect.poll(() => page.textContent('h1')).toBe('LYRA');
    await goTo(page, '#/sites/vega');
    await expect.poll(() => page.textContent('.notice strong')).toBe('The site vega does not exist at this revision.');
    await page.getByRole('link', { name: 'Show its last state' }).click();
    await expect.poll(() => page.getByRole('link', { name: '1 node', exact: true }).count()).toBe(1);
    await goTo(page, '#/sites/nowhere');
    await expect.poll(() => page.textContent('.notice')).toBe('There is no site nowhere at this revision.');
    await goTo(page, '#/time?than=nowhere');
    await expect.poll(() => page.textContent('.notice strong')).toBe('Revision nowhere is not available.');
    // The day of the first revision.
    const day = '2026-01-01';
    await goTo(page, `#/nodes?at=${day}`);
    await page.waitForSelector('tbody a');
    expect(await page.locator('.notice.info').count()).toBe(0);
    await goTo(page, '#/nodes?at=1999-01-01');
    await expect.poll(() => page.textContent('.notice.info')).toContain(`The registry begins on ${day}.`);
    await goTo(page, `#/${NODE}`);
    await expect.poll(() => page.title()).toMatch(/^node-/);
  });

  test('characters that change the direction of text are visible in every view', async () => {
    const sign = '\u202e';
    const folder = newFolder();
    const { joined } = writeTestbed(folder).revisions;
    const fields = [
      `node_type: "ty${sign}pe"`,
      `"od${sign}d": "va${sign}lue"`,
      `bios: { version: "1${sign}2" }`,
      `placement: { rack: "ra${sign}ck" }`,
      `gpu: { gpu: true, gpu_model: "mo${sign}del" }`,
    ];
    const named = (number: number) =>
      nodeText(number, `${fields.join('\n')}\n`).replace(/^node_name: .*$/m, `node_name: "na${sign}me-${number}"`);
    const site = siteText('lyra', 'baremetal').replace(/^name: .*$/m, `name: "si${sign}te"\nlocation: "pla${sign}ce"`);
    const { id } = commit(folder, {
      parents: [joined],
      edits: {
        'grid.yaml': `type: grid\nuid: testgrid\nname: "gr${sign}id"\n`,
        [siteFile('lyra')]: site,
        ...Object.fromEntries([8, 9].map((number) => [nodeFile('lyra', number), named(number)])),
      },
      message: `mes${sign}sage`,
      date: '2026-05-01T00:00:00Z',
    });
    const out = join(newFolder(), 'dist');
    await build({ registry: join(folder, REGISTRY), snapshots: 'none', showsProgress: false, out });
    const { page, complaints } = await openPage(browser, `${localExplorer(out)}#/`);
    const parameters = `q=na${sign}me&columns=node_name,od${sign}d`;
    for (const view of [
      ...['', 'nodes?group=hardware', `nodes?${parameters}`, nodeFile('lyra', 9).replace(/\.yaml$/, '')],
      ...[`compare?pick=${nodeUid(8)},${nodeUid(9)}&all=1`, 'time', 'time?rows=node_type&by=node', 'changes'],
      ...['sites', 'sites/lyra', 'hardware', 'hardware?colour=bios.version', 'statistics?rows=node_type', 'fields'],
      ...['nodes', `versions/${id}`, `nodes?at=${sign}`, 'changes?class=unknown', 'experiment', `wrong/${sign}`],
      ...[`nodes?pick=${nodeUid(8)}`, `nodes?node_type=ty${sign}pe`, `nodes?q=nothing${sign}`, `sites/${sign}`],
    ]) {
      await goTo(page, `#/${encodeURI(view)}`);
      const { texts, title } = z.object({ texts: z.array(z.string()), title: z.string() }).parse(
        // The page needs the attribute "value" of an option as it is in the registry. Browsers do not show it.
        await page.evaluate(`({
            title: document.title,
            texts: Array.from(document.querySelectorAll('body, body *:not(script)'), (each) =>
              [each.textContent, ...Array.from(each.attributes).filter(({ name }) => name !== 'value').map(({ value }) => value)].join(' '))
              .filter((text) => text.includes('${sign}')),
          })`),
      );
      expect.soft([view, texts.slice(-1), title.includes(sign)]).toEqual([view, [], false]);
    }
    await goTo(page, '#/nodes');
    expect(await page.textContent('tbody')).toContain('na⟨U+202E⟩me-8');
    expect(complaints).toEqual([]);
  });

  test('similar nodes are in the order of their names, and c9 comes before c10', async () => {
    const named = (number: number) => nodeText(number).replace(/^node_name: .*$/m, `node_name: c${20 - number}`);
    const local = await treeWith([8, 9, 10, 11], named);
    const { page } = await openPage(browser, `${local}#/${nodeFile('lyra', 8).replace(/\.yaml$/, '')}`);
    const names = page.locator('h2:text("Similar nodes") ~ ul.inline').first().getByRole('link');
    await expect.poll(async () => (await names.allTextContents()).slice(0, 3)).toEqual(['c9', 'c10', 'c11']);
  });

  test('an error in a view leaves the rest of the page usable', async () => {
    const { page, complaints } = await openPage(browser, `${base}#/sites`);
    await page.route('**/more.js', async (route) => {
      const broken = "Statistics() { throw new Error('broken view'); }";
      const script = `${await (await route.fetch()).text()}gridpress.part('more', (parts) => ({ ...parts.more, ${broken} }));`;
      await route.fulfill({ body: script, contentType: 'text/javascript' });
    });
    await page.reload();
    await goTo(page, '#/statistics');
    await expect.poll(() => page.textContent('h1')).toBe('This view cannot be shown');
    expect(complaints).toEqual([expect.stringContaining('broken view')]);
    await page.getByRole('link', { name: 'Show all nodes' }).click();
    await expect.poll(() => page.locator('tbody a').count()).toBeGreaterThan(0);
  });

  test('values of a registry are text, never markup', async () => {
    const folder = newFolder();
    const bed = writeTestbed(folder);
    writeFiles(
      bed.registry,
      new Map([
        [nodeFile('lyra', 9), nodeText(9, `hostile: ${JSON.stringify(HOSTILE)}\nnode_type: ${LONG}\nlong: ${LONG}\n`)],
      ]),
    );
    const out = join(newFolder(), 'dist');
    await build({ registry: bed.registry, snapshots: 'none', showsProgress: false, out, isPreview: true });
    const url = localExplorer(out);
    const { page, complaints } = await openPage(browser, `${url}#/nodes?columns=node_name,hostile`);
    await page.waitForSelector('tbody a');
    expect(await page.locator('tbody').textContent()).toContain(HOSTILE);
    expect([await page.locator('main img').count(), await page.title(), complaints]).toEqual([
      0,
      expect.not.stringContaining('taken'),
      [],
    ]);
    const node = nodeFile('lyra', 9).replace(/\.yaml$/, '');
    for (const view of [
      'nodes?columns=node_name,long',
      `nodes?long=${LONG}`,
      node,
      'time',
      'fields',
      'statistics',
      'sites',
      'sites/lyra',
      'hardware',
      '',
    ]) {
      await goTo(page, `#/${view}`);
      await settled(page);
      expect
        .soft([view.slice(0, 20), await page.evaluate('document.documentElement.scrollWidth')])
        .toEqual([view.slice(0, 20), 1280]);
    }
  });
});
