/** Comparisons, and changes by type, in a real browser. They must equal the output of the command line. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../support/folders.ts';
import { gridpress } from '../support/processes/cli.ts';
import { type Commit, commit, REGISTRY } from '../support/registries/revisions.ts';
import { nodeFile, nodeText, nodeUid, writeFirstRevision } from '../support/registries/testbed.ts';
import { accessibilityFindings, injectAxe } from '../support/services/accessibility.ts';
import {
  goTo,
  inChromium,
  openBrowser,
  openPage,
  type ServedExplorer,
  servedExplorer,
  settled,
} from '../support/services/browser.ts';

const GIB = 1024 ** 3;
const withRam = (n: number, gib: number, more: string) => nodeText(n, more).replace('274877906944', String(gib * GIB));
const alpha = (n: number, gib: number, bios = '1.0') =>
  withRam(n, gib, `node_type: alpha\nbios:\n  version: "${bios}"\n`);
const pathOf = (n: number) => nodeFile('lyra', n).replace(/\.yaml$/, '');

describe.skipIf(inChromium.isMissing)(`in Chromium${inChromium.because}`, () => {
  let browser: Browser;
  let explorer: ServedExplorer;
  let registry: string;
  let base: string;
  let revisions: readonly [Commit, Commit];

  beforeAll(async () => {
    const folder = newFolder();
    const nodes = [1, 2, 3].map((n) => alpha(n, 256));
    const first = writeFirstRevision(folder, 'cluster_uid: main\n', [
      ...[...nodes, alpha(4, 128)],
      nodeText(5, 'node_type: beta\n'),
    ]);
    const second = commit(folder, {
      parents: [first],
      message: 'More memory, no beta',
      date: '2026-01-02T00:00:00Z',
      edits: { [nodeFile('lyra', 1)]: alpha(1, 512, '1.1'), [nodeFile('lyra', 5)]: null },
    });
    revisions = [first, second];
    registry = join(folder, REGISTRY);
    explorer = await servedExplorer(registry);
    base = explorer.base;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await explorer?.stop();
  });

  /** The rows of the comparison: the path of the field, and the text of each column. */
  async function compared(page: Page): Promise<string[][]> {
    await page.waitForSelector('.comparison');
    await settled(page);
    const rows = await page.locator('.comparison tbody tr:not(.section)').all();
    return Promise.all(
      rows.map(async (row) => [
        (await row.locator('th').getAttribute('title')) ?? '',
        ...(await row.locator('td').allTextContents()),
      ]),
    );
  }
  const names = (rows: readonly string[][]) => rows.map(([name = '']) => name.split(' ')[0] ?? '');

  test('a node at two revisions is compared like `gridpress diff`, at a permalink', async () => {
    const [first, second] = revisions;
    const { page } = await openPage(browser, `${base}#/${pathOf(1)}`);
    await page.getByRole('link', { name: 'Compare with the current state' }).click();
    const shown = await compared(page);
    expect(page.url()).toContain(`was=${first.id.slice(0, 8)}`);
    const { stdout } = await gridpress(['diff', first.id, second.id, pathOf(1), '--registry', registry]);
    expect(names(shown)).toEqual(['main_memory.ram_size', 'bios.version']);
    for (const name of names(shown)) expect(stdout).toContain(name);
    expect(shown.map((cells) => cells.slice(1))).toEqual([
      ['256 GiB', '512 GiB (differs)'],
      ['1.0', '1.1 (differs)'],
    ]);
    expect(await page.locator('.comparison tbody th').allTextContents()).toEqual([
      ...['Memory', 'RAM size', 'Firmware', 'BIOS version'],
    ]);
    const heads = await page.locator('.comparison thead th').allTextContents();
    expect(heads[1]).toContain(`as of 2026-01-01 ${first.id.slice(0, 8)}`);
  });

  test('a node is compared with the majority of its type like `gridpress check --fleet`', async () => {
    const { page } = await openPage(browser, `${base}#/${pathOf(4)}`);
    await page.getByRole('link', { name: 'Compare with a typical alpha' }).click();
    const shown = await compared(page);
    expect(names(shown)).toEqual(['main_memory.ram_size']);
    expect(shown[0]?.slice(1)).toEqual(['256 GiB', '128 GiB (differs)']);
    expect(await page.locator('.comparison thead th').nth(1).textContent()).toBe('Typical alpha 4 nodes');
    const { stdout, stderr } = await gridpress(['check', '--fleet', '--registry', registry]);
    expect(stdout + stderr).toContain(`${nodeUid(4)}.yaml`);
  });

  test('at an earlier revision, the comparison uses that revision', async () => {
    const [first] = revisions;
    const { page } = await openPage(browser, `${base}#/compare?pick=${nodeUid(1)},${nodeUid(4)}&at=${first.id}`);
    expect((await compared(page)).map((cells) => cells.slice(1))).toEqual([['256 GiB', '128 GiB (differs)']]);
  });

  test('a comparison with the table over time, which has no serials, shows no difference in serials', async () => {
    const [first] = revisions;
    const { page } = await openPage(
      browser,
      `${base}#/compare?pick=${nodeUid(1)}&majority=1&was=${first.id.slice(0, 8)}`,
    );
    const shown = await compared(page);
    expect(shown.map((cells) => cells.slice(1))).toEqual([
      ['256 GiB', '256 GiB', '512 GiB (differs)'],
      ['1.0', '1.0', '1.1 (differs)'],
    ]);
    expect(await page.textContent('fieldset.classes')).not.toContain('component');
    expect(await page.textContent('main > p.absent')).toContain('storage_devices.serial');
  });

  test('without picks, the view offers a search and examples, and a pick can be removed', async () => {
    const { page, complaints } = await openPage(browser, `${base}#/compare?pick=${nodeUid(1)},${nodeUid(4)}`);
    await page.waitForSelector('.comparison');
    expect(await page.locator('.section td').allTextContents()).toEqual([
      expect.stringMatching(/^alpha, .*512 GiB RAM/),
      expect.stringMatching(/^alpha, .*128 GiB RAM/),
    ]);
    await page.getByRole('button', { name: 'Remove node-4' }).click();
    await expect.poll(() => page.textContent('.notice strong')).toBe('Pick two to six nodes to compare.');
    await goTo(page, '#/compare');
    await page.getByRole('searchbox', { name: 'Words or a query' }).fill('node-3');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('.status')).toMatch(/^1 of /);
    expect(complaints).toEqual([]);
  });

  test('equal nodes are named, and can be removed', async () => {
    const { page } = await openPage(browser, `${base}#/compare?pick=${nodeUid(2)},${nodeUid(3)}`);
    await expect.poll(() => page.textContent('.notice strong')).toBe('No differences in the selected classes.');
    expect(await page.locator('.comparison thead a').allTextContents()).toEqual(['node-2', 'node-3']);
    await page.getByRole('button', { name: 'Remove node-3' }).click();
    await expect.poll(() => page.textContent('.notice strong')).toBe('Pick two to six nodes to compare.');
  });

  test('the names of the fields stay in sight while a narrow comparison scrolls', async () => {
    const pick = [1, 2, 3, 4].map(nodeUid).join();
    const { page } = await openPage(browser, `${base}#/compare?pick=${pick}`, { width: 400 });
    const name = page.locator('.comparison tbody tr:not(.section) th').first();
    const before = await name.boundingBox();
    await page.locator('.scroll').evaluate((element) => element.scrollBy(200, 0));
    expect((await name.boundingBox())?.x).toBe(before?.x);
  });

  test('an unknown revision gives a message', async () => {
    const { page } = await openPage(browser, `${base}#/compare?pick=${nodeUid(1)}&was=0123456`);
    await expect
      .poll(() => page.locator('.notice.wrong strong').textContent())
      .toBe('The page cannot show revision 0123456: no revision of the registry starts with this id, or several do.');
  });

  test('the badge of a node can be copied as Markdown', async () => {
    const { page, complaints } = await openPage(browser, `${base}#/${pathOf(1)}`);
    await page.getByRole('button', { name: 'badge' }).click();
    await expect
      .poll(() => page.locator('.use img').evaluateAll((all) => Reflect.get(all[0] ?? {}, 'naturalHeight')))
      .toBe(20);
    const url = `${new URL(base).origin}/${pathOf(1)}/badge.svg`;
    await expect
      .poll(() => page.textContent('.use pre'))
      .toBe(`[![Hardware unchanged since](${url})](${base}#/${pathOf(1)})\n`);
    expect(complaints).toEqual([]);
    const body = readFileSync(join(explorer.tree, pathOf(1), 'badge.svg'), 'utf8');
    expect(body).toContain('aria-label="hardware unchanged since: 2026-01-02"');
  });

  test.each([
    [1280, 'light'],
    [400, 'dark'],
    [320, 'dark'],
  ] as const)('comparisons and changes by type are accessible, %i px wide, %s', async (width, theme) => {
    const { page, complaints } = await openPage(browser, `${base}#/nodes`, { width, theme });
    await injectAxe(page);
    const views = [
      `compare?pick=${nodeUid(1)}&majority=1&was=${revisions[0].id.slice(0, 8)}`,
      `compare?pick=${[1, 2, 3, 4].map(nodeUid).join()}&all=1`,
      'changes?type=beta',
      pathOf(1),
    ];
    const found: unknown[] = [];
    for (const view of views) {
      await goTo(page, `#/${view}`);
      found.push([view, ...(await accessibilityFindings(page))]);
    }
    expect(found).toEqual(views.map((view) => [view, [], false]));
    expect(complaints).toEqual([]);
  });

  test('changes by type include all nodes that have or had the type', async () => {
    const { page } = await openPage(browser, `${base}#/changes?type=beta`);
    // The page reads the changes of a revision when it is opened, and loads older revisions after the first ones.
    const shown = async () => {
      const revisions = page.locator('.revisions details:not([open]) summary');
      while ((await revisions.count()) > 0) await revisions.first().click();
      const links = page.locator('.revisions .changes a');
      return links.evaluateAll((all) => all.map((link) => link.getAttribute('href')?.replace(/\?.*/, '')));
    };
    await expect.poll(shown).toEqual([`#/${pathOf(5)}`, `#/${pathOf(5)}`]);
    const { items }: { items: { resource: string }[] } = JSON.parse(
      readFileSync(join(explorer.tree, 'changes.json'), 'utf8'),
    );
    expect(items.filter(({ resource }) => resource === `/${pathOf(5)}`)).toHaveLength(2);
    await goTo(page, '#/changes?type=omega');
    expect(await page.textContent('.notice strong')).toBe('No matching changes.');
  });
});
