/** The explorer of a tree below `/a/b/`: all its requests and links stay below this path. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../support/folders.ts';
import { nodeFile, nodeUid, type Testbed, writeTestbed } from '../support/registries/testbed.ts';
import {
  goTo,
  inChromium,
  openBrowser,
  openPage,
  type ServedExplorer,
  servedExplorer,
} from '../support/services/browser.ts';
import { verdictsIn } from '../support/services/verdicts.ts';

const BELOW = '/a/b';
const NODE = nodeFile('lyra', 1).replace(/\.yaml$/, '');
const VIEWS = ['', 'nodes', NODE, 'time', 'changes', 'sites', 'statistics', 'fields', 'experiment'];

describe.skipIf(inChromium.isMissing)(`in Chromium${inChromium.because}`, () => {
  let browser: Browser;
  let bed: Testbed;
  let explorer: ServedExplorer;

  beforeAll(async () => {
    bed = writeTestbed(newFolder());
    appendFileSync(join(bed.folder, 'gridpress.yaml'), `base_path: ${BELOW}\nprefixed_links: true\n`);
    explorer = await servedExplorer(bed.registry, BELOW);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await explorer?.stop();
  });

  test('every view requests documents below the path, and its links work', async () => {
    const { page, complaints } = await openPage(browser, explorer.base);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const links = new Set<string>();
    for (const view of VIEWS) {
      await goTo(page, `#/${view}`);
      expect(await page.locator('.notice').count(), view).toBe(0);
      for (const link of await page.locator('a[href]').evaluateAll((all) => all.map((a) => String(a))))
        links.add(link.split('#')[0] ?? '');
    }
    expect(complaints).toEqual([]);
    expect(asked.filter((path) => !path.startsWith(`${BELOW}/`))).toEqual([]);
    const { origin } = new URL(explorer.base);
    const own = [...links].filter((link) => link.startsWith(`${origin}/`));
    const answers = await Promise.all(
      own.map(async (link) => [link, link.startsWith(`${origin}${BELOW}/`), (await fetch(link)).status]),
    );
    expect(answers).toEqual(own.map((link) => [link, true, 200]));
    // This includes the feeds and the documents of a node and a site.
    for (const path of ['changes/feed.atom', `${NODE}.json`, 'sites/lyra.json'])
      expect(own).toContainEqual(`${origin}${BELOW}/${path}`);
  });

  test('a permalink contains the path and the revision', async () => {
    const { page } = await openPage(browser, `${explorer.base}#/nodes?at=${bed.revisions.grown.id}`);
    const count = '3 nodes';
    await expect.poll(() => page.textContent('.status')).toContain(count);
    await page.getByRole('button', { name: 'Export' }).click();
    const link = String(await page.getByRole('link', { name: 'Permalink' }).getAttribute('href'));
    const other = await openPage(browser, new URL(link, page.url()).href);
    expect(new URL(other.page.url()).pathname).toBe(new URL(explorer.base).pathname);
    await expect.poll(() => other.page.textContent('.status')).toContain(count);
  });

  test('a lock file names the API below the path, and the page verifies it', async () => {
    const { page } = await openPage(browser, `${explorer.base}#/nodes`);
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Lock file' }).click();
    const file = await (await saved).path();
    expect(readFileSync(file, 'utf8')).toContain(`"${new URL(explorer.base).origin}${BELOW}/"`);
    await goTo(page, '#/experiment');
    await page.setInputFiles('input[type=file]', file);
    await expect.poll(() => verdictsIn(page)).toEqual(['same', 'same']);
  });

  test('two nodes, and a node at two revisions, can be compared', async () => {
    const { page } = await openPage(browser, `${explorer.base}#/compare?pick=${nodeUid(1)},${nodeUid(2)}`);
    const firstCell = () => page.locator('.comparison tr:not(.section) th[scope=row]').first().getAttribute('title');
    await expect.poll(firstCell).toContain('gpu');
    await goTo(page, `#/compare?pick=${nodeUid(1)}&was=${bed.revisions.first.id}`);
    await expect.poll(firstCell).toContain('bios');
  });
});
