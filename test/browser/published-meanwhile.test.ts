/** Another revision is published while the explorer reads: it reloads once, and never combines two revisions. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../src/features/build/build.ts';
import { newFolder } from '../support/folders.ts';
import { MINUTES } from '../support/limits.ts';
import { nodeFile, writeTestbed } from '../support/registries/testbed.ts';
import { goTo, inChromium, openBrowser, openPage, settled } from '../support/services/browser.ts';
import { swapping } from '../support/trees/swapping.ts';

const PAGE = '/explorer/index.htm#/nodes';
const NODE = nodeFile('lyra', 2).replace(/\.yaml$/, '');

describe.skipIf(inChromium.isMissing)(`in Chromium${inChromium.because}`, () => {
  let browser: Browser;
  let trees: readonly [older: string, newer: string];
  let newest: string;

  beforeAll(async () => {
    const bed = writeTestbed(newFolder());
    const config = join(bed.folder, 'gridpress.yaml');
    const built = async (at: string) => {
      const out = join(newFolder(), 'dist');
      await build({ registry: bed.registry, config, out, at, snapshots: 'none', showsProgress: false });
      return out;
    };
    newest = bed.revisions.joined.id;
    trees = [await built(bed.revisions.flavored.id), await built(newest)];
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  const namesIn = (tree: string): string[] => {
    const { columns } = JSON.parse(readFileSync(join(tree, 'nodes', 'table.json'), 'utf8'));
    return columns.find(({ name }: { name: string }) => name === 'node_name').values;
  };

  test('between the first documents', async () => {
    const [others, last] = [['/index.json', '/nodes/table.json'], '/nodes/facets.json'];
    const { origin, asked, answered, swaps } = await swapping(trees, async (path) => {
      if (path !== last || swaps() > 0) return false;
      // They are requested in parallel and arrive in any order.
      await expect.poll(() => others.every((other) => answered.includes(other))).toBe(true);
      return true;
    });
    const { page, complaints } = await openPage(browser, origin + PAGE);
    await page.waitForSelector('tbody a');
    expect(await page.textContent('.revision')).toBe(newest.slice(0, 8));
    expect((await page.locator('tbody a').allTextContents()).sort()).toEqual(namesIn(trees[1]).sort());
    const times = [...others, last].map((path) => asked.filter((each) => each === path).length);
    expect([times, swaps(), complaints]).toEqual([[2, 2, 2], 1, []]);
  });

  test('before a node is read', async () => {
    const { origin, asked, swaps } = await swapping(trees, (path) => path === `/${NODE}.json` && swaps() === 0);
    const { page } = await openPage(browser, origin + PAGE);
    await page.waitForSelector('tbody a');
    expect(await page.textContent('.revision')).not.toBe(newest.slice(0, 8));
    await page.evaluate(`location.hash = '#/${NODE}'`);
    await expect
      .poll(() => page.textContent('.revision').catch(() => ''), { timeout: MINUTES / 2 })
      .toBe(newest.slice(0, 8));
    await page.waitForSelector('dl.fields');
    await settled(page);
    expect(asked.filter((path) => path === `/${NODE}.json`)).toHaveLength(2);
    await goTo(page, '#/nodes');
    expect((await page.locator('tbody a').allTextContents()).sort()).toEqual(namesIn(trees[1]).sort());
  });
});
