/** What a first-time user does on the page: search, sort, pick, export, go to dates and removed nodes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { build } from '../../src/features/build/build.ts';
import { newFolder } from '../support/folders.ts';
import { gridpress, startServer } from '../support/processes/cli.ts';
import { type Commit, commit, type Edits, REGISTRY } from '../support/registries/revisions.ts';
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

/** More changes than the page loads at once. */
const NODES = 250;
const REMOVED = 250;
const A100 = 'gpu:\n  gpu: true\n  gpu_count: 2\n  gpu_model: "GA100 [A100 PCIe 40GB]"\n  gpu_vendor: NVIDIA\n';
const textOf = (n: number, bios: string) =>
  nodeText(n, `node_type: ${n % 2 === 0 ? 'even' : 'odd'}\nbios:\n  version: "${bios}"\n${n <= 3 ? A100 : ''}`);
const pathOf = (n: number) => nodeFile('lyra', n).replace(/\.yaml$/, '');
const numbers = Array.from({ length: NODES }, (_, i) => i + 1);

describe.skipIf(inChromium.isMissing)(`in Chromium${inChromium.because}`, () => {
  let browser: Browser;
  let explorer: ServedExplorer;
  let registry: string;
  let base: string;
  let revisions: readonly [Commit, Commit, Commit];

  beforeAll(async () => {
    const folder = newFolder();
    const first = writeFirstRevision(
      folder,
      'cluster_uid: main\n',
      numbers.map((n) => textOf(n, '1.0')),
    );
    const updates: Edits = Object.fromEntries(numbers.map((n) => [nodeFile('lyra', n), textOf(n, '1.1')]));
    const second = commit(folder, {
      parents: [first],
      message: 'Update the firmware',
      date: '2026-02-10T00:00:00Z',
      edits: updates,
    });
    const third = commit(folder, {
      parents: [second],
      // The page lists it by its title.
      message: 'Merge pull request #7 from lyra/remove\n\nRemove a node',
      date: '2026-03-05T00:00:00Z',
      edits: { [nodeFile('lyra', REMOVED)]: null, [nodeFile('lyra', 1)]: textOf(1, '1.2') },
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

  const names = (page: Page) => page.locator('tbody a').allTextContents();
  const heads = (page: Page) => page.locator('.comparison thead th').allTextContents();
  const saved = async (page: Page, label: string) => {
    await page.locator('.bar').getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: label, exact: true }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    await page.keyboard.press('Escape');
    return text.trimEnd().split('\n');
  };
  const entriesFor = async (page: Page, text: string) => {
    await page.keyboard.press('Control+k');
    await page.waitForSelector('.palette');
    await page.locator('#palette').fill(text);
    await expect.poll(() => page.locator('.palette a').last().textContent()).toBe(text);
    return page.locator('.palette .entry').allTextContents();
  };

  const isInSight = async (page: Page, id: string) => {
    const { y = -1 } = (await page.locator(`#${id}`).boundingBox()) ?? {};
    return y >= 0 && y < 300;
  };

  test('the view of changes shows a revision only with all its changes', async () => {
    const { page } = await openPage(browser, `${base}#/changes`);
    const summaries = page.locator('.revisions summary');
    const older = page.getByRole('button', { name: 'Load older changes' });
    const expected = [
      '1 node removed, 1 node updated: BIOS version',
      `${NODES} nodes updated: BIOS version`,
      `${NODES + 3} resources added`,
    ];
    const shown = async () =>
      (await summaries.allTextContents()).map((text) => expected.find((start) => text.startsWith(start)) ?? text);
    await expect.poll(async () => (await shown()).length).toBeGreaterThan(1);
    expect(await shown()).toEqual(expected.slice(0, (await shown()).length));
    while ((await older.count()) > 0) {
      await older.click();
      await settled(page);
      expect(await shown()).toEqual(expected.slice(0, (await shown()).length));
    }
    expect(await shown()).toEqual(expected);
  });

  test('the URL in a citation opens the view of its revision', async () => {
    const [, second] = revisions;
    const { page } = await openPage(browser, `${base}?revision=${second.id}`);
    await expect.poll(() => page.textContent('p.under code')).toBe(second.id);
  });

  test('a comparison shows all picked nodes with past versions and the typical node, or names the others', async () => {
    const was = revisions[0].id.slice(0, 8);
    const pick = (count: number) => numbers.slice(0, count).map(nodeUid).join();
    const { page } = await openPage(browser, `${base}#/compare?pick=${pick(6)}&majority=1&was=${was}`);
    await page.waitForSelector('.comparison');
    const shown = (await heads(page)).map((head) => /node-\d|Typical/.exec(head)?.[0]);
    expect(shown.slice(1)).toEqual(['Typical', ...[1, 2, 3, 4, 5, 6].flatMap((n) => [`node-${n}`, `node-${n}`])]);
    await goTo(page, `#/compare?pick=${pick(8)}`);
    await expect.poll(() => page.textContent('.notice')).toContain('The first 6 of 8 picked nodes are compared.');
    expect(await page.textContent('.notice')).toContain('Not compared: node-7, node-8.');
  });

  test('an address that names a field outside of the table loads all fields', async () => {
    const { page, complaints } = await openPage(browser, `${base}#/nodes?columns=storage_devices.serial&site=lyra`);
    await expect.poll(() => page.locator('tbody tr:not(.gap) td:nth-child(3)').first().textContent()).toBe('0001');
    expect((await saved(page, 'CSV'))[1]).toBe(`${nodeUid(1)},lyra,node-1,"[""0001""]"`);
    await goTo(page, '#/nodes?storage_devices.serial=0007');
    await expect.poll(() => names(page)).toEqual(['node-7']);
    await goTo(page, `#/nodes?q=${encodeURIComponent("storage_devices.serial = '0008'")}`);
    await expect.poll(() => names(page)).toEqual(['node-8']);
    await goTo(page, '#/nodes?sort=-storage_devices.serial');
    await expect.poll(async () => (await names(page))[0]).toBe('node-249');
    expect(complaints).toEqual([]);
  });

  test('a serial number is searched in the fields outside of the table, another word only on request', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?q=000249`);
    await expect.poll(() => names(page)).toEqual(['node-249']);
    expect(page.url()).not.toContain('fields=');
    await page.goto('about:blank');
    await page.goto(`${base}#/nodes?q=serial`);
    const notices = page.locator('.notice');
    await expect
      .poll(() => notices.allTextContents())
      .toEqual([expect.stringMatching(/^No matching nodes\.No node has “serial”\./)]);
    expect(await page.getByRole('button', { name: 'Export' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Search these fields too' }).click();
    await expect.poll(() => page.url()).toContain('fields=all');
  });

  test('code names all of more than 200 nodes, or as many as the reader types', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    await page.getByRole('button', { name: 'Export' }).click();
    const code = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      await expect.poll(() => page.textContent('.use pre')).toContain(name);
      return (await page.textContent('.use pre')) ?? '';
    };
    expect((await code('curl')).match(/^sites\//gm)).toHaveLength(249);
    expect((await code('lock')).match(/ [0-9a-f]{8}-\S+/g)).toHaveLength(249);
    await page.getByRole('spinbutton').fill('240');
    expect(await page.getByRole('spinbutton').inputValue()).toBe('240');
    await expect.poll(() => page.textContent('.use pre')).not.toContain(nodeUid(249));
    expect((await code('pandas')).match(/"sites\//g)).toHaveLength(240);
  });

  test('code for reservations needs the latest revision', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?at=2026-02`);
    await expect.poll(() => page.textContent('.notice')).toMatch(/^As of 2026-02-10,/);
    await page.getByRole('button', { name: 'Export' }).click();
    for (const name of ['python-chi', 'openstack', 'oar', 'slurm', 'ansible']) {
      await page.getByRole('button', { name, exact: true }).click();
      await expect
        .poll(() => page.textContent('.use .notice'))
        .toBe(
          'This needs the latest revision. The nodes are shown as of 2026-02-10, and some can have changed or been removed since. Show latest',
        );
    }
    await page.locator('.use').getByRole('link', { name: 'Show latest' }).click();
    await expect.poll(() => page.url()).not.toContain('at=');
    await expect.poll(() => page.textContent('.use pre')).toContain('all:\n  children:');
  });

  test('commands and code that read nodes read the shown revision', async () => {
    const [, { id }] = revisions;
    const tree = join(newFolder(), 'dist');
    await build({ registry, snapshots: 'all', showsProgress: false, out: tree });
    const { port, stop } = await startServer(['serve', tree, '--registry', registry]);
    onTestFinished(async () => void (await stop()));
    const textsAt = async (page: string) => {
      const { page: shown } = await openPage(browser, `${page}#/nodes?at=2026-02&q=node-249`);
      await shown.getByRole('button', { name: 'Export' }).click();
      const texts: string[] = [];
      for (const name of ['find', 'lock', 'curl']) {
        await shown.getByRole('button', { name, exact: true }).click();
        await expect.poll(() => shown.textContent('.use :is(pre, .notice)')).not.toMatch(/^…?$/);
        texts.push(((await shown.textContent('.use :is(pre, .notice)')) ?? '').split('\n').slice(0, 1).join());
      }
      return texts;
    };
    const snapshot = `http://127.0.0.1:${port}/snapshots/${id}`;
    expect(await textsAt(`http://127.0.0.1:${port}/explorer/index.htm`)).toEqual([
      expect.stringContaining(` --from ${snapshot} `),
      `gridpress lock --from ${snapshot} -o gridpress.lock ${nodeUid(249)}`,
      `BASE='${snapshot}'`,
    ]);
    const missing = `This needs a snapshot of revision ${id.slice(0, 8)}, which the tree does not contain. Show latest`;
    expect(await textsAt(base)).toEqual([missing, missing, missing]);
    const at = `--from FOLDER --at ${id.slice(0, 8)}`;
    expect(await textsAt(explorer.local)).toEqual([
      expect.stringContaining(` ${at} `),
      `gridpress lock ${at} -o gridpress.lock ${nodeUid(249)}`,
      'This needs the URL of a snapshot. Use “find” or “lock”, or serve the folder with gridpress serve. Show latest',
    ]);
  });

  test('notes below the search field name likely mistakes', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?q=${encodeURIComponent('ram >= 256')}`);
    await expect
      .poll(() => page.textContent('.notice'))
      .toBe('label.ram is in B, so 256 means 256 B. Add a unit, such as 256GiB.');
    expect(await page.textContent('.forms code')).toBe('label.ram >= 256');
    await injectAxe(page);
    expect(await accessibilityFindings(page)).toEqual([[], false]);
    await page.locator('#search').fill('2 A100 LYRA.');
    await expect
      .poll(() => page.locator('.notice').allTextContents())
      .toEqual([
        'No matching nodes.No node has “LYRA.”. Did you mean lyra?“2 A100” means exactly 2. For 2 or more, write “gpus:2.. A100”.Remove “LYRA.” 3 nodesShow all nodesThese fields are not loaded: storage_devices.serial. Search these fields too',
      ]);
  });

  test('only facets with values of the found nodes are shown', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    const titles = () => page.locator('.facets > .facet > summary').allTextContents();
    await expect.poll(titles).toContain('GPU');
    await goTo(page, `#/nodes?q=${encodeURIComponent('label.gpu IS NULL')}`);
    await expect.poll(async () => (await titles()).length).toBeGreaterThan(0);
    await expect.poll(titles).not.toContain('GPU');
    expect(await titles()).toContain('Type');
  });

  test('Back after a search returns to the step before it', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    await page.getByLabel('Group by hardware').check();
    await expect.poll(() => page.url()).toContain('group=');
    const grouped = page.url();
    const before = Number(await page.evaluate('history.length'));
    await page.locator('#search').pressSequentially('node-17', { delay: 230 });
    await expect.poll(() => page.url()).toContain('q=node-17');
    expect(await page.evaluate('history.length')).toBe(before + 1);
    await page.goBack();
    await expect.poll(() => page.url()).toBe(grouped);
    await page.locator('#search').fill('node-18');
    await expect.poll(() => page.url()).toContain('q=node-18');
    await page.goBack();
    await expect.poll(() => page.url()).toBe(grouped);
  });

  test('a day before the first revision, and a day outside of the calendar, give a message', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?at=2020-01-01`);
    await expect.poll(() => page.textContent('.notice strong')).toBe('The registry begins on 2026-01-01.');
    expect(await entriesFor(page, '2020-01-01')).toEqual([
      'The registry begins on 2026-01-01 date',
      '2020-01-01 search nodes',
    ]);
    await page.keyboard.press('Escape');
    expect(await entriesFor(page, '2026-13-45')).toEqual(['2026-13-45 search nodes']);
    await page.keyboard.press('Escape');
    await goTo(page, '#/nodes?at=2026-02-30');
    await expect.poll(() => page.textContent('.notice strong')).toMatch(/^Revision 2026-02-30 is not available\./);
    expect(await page.textContent('.notice div')).toBe('Write a date as 2023-05-31. Show latest');
    await goTo(page, '#/nodes?at=2026-01-15');
    await expect.poll(() => page.textContent('.notice strong')).toMatch(/^As of 2026-01-01,/);
  });

  test('with picks, files and code contain the picked nodes, in the order of the table', async () => {
    const pick = [2, 9, 5].map(nodeUid).join();
    const { page } = await openPage(browser, `${base}#/nodes?pick=${pick}&sort=-node_name`);
    const uids = [9, 5, 2].map(nodeUid);
    expect((await saved(page, 'CSV')).slice(1).map((line) => line.split(',')[0])).toEqual(uids);
    expect((await saved(page, 'NDJSON')).map((line) => JSON.parse(line).uid)).toEqual(uids);
    const lock = JSON.parse((await saved(page, 'Lock file')).join('\n'));
    expect(lock.nodes.map(({ uid }: { uid: string }) => uid)).toEqual([2, 5, 9].map(nodeUid));
    await page.locator('.bar').getByRole('button', { name: 'Export' }).click();
    expect(await page.textContent('.panel > p')).toBe('3 picked nodes as a file:');
    await page.getByRole('button', { name: 'find', exact: true }).click();
    await expect.poll(() => page.textContent('.use pre')).toMatch(/^gridpress find "uid IN \('/);
    const [, query = ''] = /"(.*)"/.exec((await page.textContent('.use pre')) ?? '') ?? [];
    const { stdout } = await gridpress(['find', query, '--uids', '--from', registry]);
    expect(stdout.trimEnd().split('\n')).toEqual([2, 5, 9].map(nodeUid));
    await page.keyboard.press('Escape');
    await page.goto(`${base}#/nodes?sort=-node_name`);
    await page.waitForSelector('tbody a');
    expect((await saved(page, 'CSV')).slice(1, 3).map((line) => line.split(',')[2])).toEqual(['node-249', 'node-248']);
  });

  test('Shift-click picks a range of rows, and the bar counts the others and exports them', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    const boxes = page.locator('tbody input[type=checkbox]');
    await boxes.nth(1).click();
    await boxes.nth(8).click({ modifiers: ['Shift'] });
    const bar = page.getByRole('region', { name: 'Picked nodes' });
    await expect.poll(() => bar.textContent()).toContain('8 nodes picked');
    expect(await bar.locator('.names').textContent()).toBe('node-2, node-3, node-4, node-5, node-6, node-7 and 2 more');
    await bar.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await bar.getByRole('button', { name: 'Uids' }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toBe(
      [2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${nodeUid(n)}\n`).join(''),
    );
    await injectAxe(page);
    expect(await accessibilityFindings(page)).toEqual([[], false]);
    await page.keyboard.press('Escape');
    await boxes.nth(4).click({ modifiers: ['Shift'] });
    await expect.poll(() => bar.textContent()).toContain('3 nodes picked');
  });

  test('Shift-click on the head of a column sorts by it too', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?columns=node_type`);
    await page.getByRole('button', { name: 'Type' }).click();
    await page.getByRole('button', { name: 'Type' }).click();
    await expect.poll(() => page.url()).toContain('sort=-node_type');
    for (const order of ['node_name', '-node_name']) {
      await page
        .locator('thead')
        .getByRole('button', { name: 'Name' })
        .click({ modifiers: ['Shift'] });
      await expect.poll(() => page.url()).toContain(`sort=-node_type,${order}`);
    }
    await expect.poll(async () => (await names(page)).slice(0, 2)).toEqual(['node-249', 'node-247']);
    await page.locator('thead').getByRole('button', { name: 'Name' }).click();
    await expect.poll(() => page.url()).not.toContain('sort=');
  });

  test.each([1280, 320])(
    'a button opens the palette, and Escape closes it with a text in it, %i px wide',
    async (width) => {
      const { page } = await openPage(browser, `${base}#/nodes`, { width });
      const button = page.getByRole('button', { name: 'Go to…' });
      expect(await button.getAttribute('title')).toContain('Ctrl-K');
      await button.click();
      await page.locator('#palette').fill('node');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('.palette').count()).toBe(0);
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Go to…');
    },
  );

  test('the palette finds types, GPUs, revisions, months, removed nodes and the start of a uid', async () => {
    const { page, complaints } = await openPage(browser, `${base}#/`);
    await settled(page);
    const first = async (text: string) => {
      const [entry] = await entriesFor(page, text);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('.palette').count()).toBe(0);
      return entry;
    };
    const [, second] = revisions;
    expect(await first('even')).toBe('even Type, 124 nodes');
    expect(await first('a100')).toBe('A100 GPU, 3 nodes');
    expect(await first('2026-02')).toBe('The nodes at the end of 2026-02 date');
    expect(await first('Feb 2026')).toBe('The nodes at the end of 2026-02 date');
    expect(await first('2026')).toBe('The nodes at the end of 2026 date');
    expect(await first(second.id.slice(0, 7))).toBe(`${second.id.slice(0, 8)} revision of 2026-02-10`);
    expect(await first(`node-${REMOVED}`)).toBe(`node-${REMOVED} LYRA, removed on 2026-03-05`);
    expect(await first(nodeUid(7))).toBe('node-7 LYRA');
    expect(await first('lyra')).toMatch(/^LYRA Site, \d+ nodes$/);
    expect(await first('drift')).toBe('Firmware that differs (drift) in Hardware');
    expect(await first('0000007')).toBe('0000007 search nodes');
    expect(complaints).toEqual([]);
  });

  test.each([
    ['drift', 'firmware'],
    ['heat', 'months'],
    ['another revision', 'between'],
  ])('the entry “%s” of the palette scrolls to its section', async (text, id) => {
    const { page } = await openPage(browser, `${base}#/`);
    await page.setViewportSize({ width: 1280, height: 300 });
    await page.keyboard.press('Control+k');
    await page.locator('#palette').fill(text);
    await page.keyboard.press('Enter');
    await page.waitForSelector(`#${id}`);
    await settled(page);
    await expect.poll(() => isInSight(page, id)).toBe(true);
  });

  test('a click on a month scrolls to its changes', async () => {
    const { page } = await openPage(browser, `${base}#/time`);
    await page.setViewportSize({ width: 1280, height: 300 });
    await page.locator('.heat a').first().click();
    await expect.poll(() => page.url()).toContain('than=start');
    await expect.poll(() => isInSight(page, 'between')).toBe(true);
  });

  test('a date of the palette, and the link to the nodes, keep the filters', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?node_type=even`);
    await page.waitForSelector('tbody a');
    await entriesFor(page, '2026-01-20');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('#/nodes?node_type=even&at=2026-01-20');
    await page.getByRole('link', { name: 'Time', exact: true }).click();
    await page.waitForSelector('h1:text("Time")');
    await page.getByRole('link', { name: 'Nodes', exact: true }).click();
    await expect.poll(() => page.url()).toContain('#/nodes?node_type=even&at=2026-01-20');
  });

  test('the view of a removed node shows its name and when it existed', async () => {
    const { page, complaints } = await openPage(browser, `${base}#/${pathOf(REMOVED)}`);
    await expect.poll(() => page.textContent('h1')).toBe(`node-${REMOVED}`);
    expect(await page.textContent('.notice')).toBe(
      `node-${REMOVED} was removed on 2026-03-05.It existed from 2026-01-01 to 2026-03-05. Show its last state · All nodes`,
    );
    await page.getByRole('link', { name: 'Show its last state' }).click();
    await expect.poll(() => page.url()).toContain(`at=${revisions[1].id.slice(0, 8)}`);
    await expect.poll(() => page.textContent('.facts')).toContain('256 GiB');
    expect(complaints).toEqual([]);
  });

  test('the check of a lock file explains a change without a class, shows changed values, and rejects an empty file', async () => {
    const folder = newFolder();
    const file = join(folder, 'gridpress.lock');
    await gridpress(['lock', pathOf(1), '--from', registry, '-o', file]);
    const lock = JSON.parse(readFileSync(file, 'utf8'));
    const { page } = await openPage(browser, `${base}#/experiment`);
    const check = async (name: string, content: object) => {
      const checked = join(folder, name);
      writeFileSync(checked, JSON.stringify(content));
      await page.setInputFiles('input[type=file]', checked);
      await settled(page);
      return checked;
    };
    const altered = await check('altered.lock', { ...lock, nodes: [{ ...lock.nodes[0], digest: '0'.repeat(64) }] });
    const differences = page.locator('td[data-title=Differences]');
    await expect.poll(() => differences.textContent()).toContain('The lock file contradicts the history.');
    const { stderr } = await gridpress(['verify-lock', altered, '--against', registry]);
    expect(stderr).toContain('[lock-contradiction]');
    await check('empty.lock', { ...lock, nodes: [] });
    await expect
      .poll(() => page.textContent('.notice.wrong'))
      .toBe('empty.lock contains no nodes. A lock file has at least one node.');
    const past = join(folder, 'past.lock');
    await gridpress([
      'build',
      '--registry',
      registry,
      '--at',
      revisions[1].id,
      '--snapshots',
      'none',
      '--out',
      join(folder, 'past'),
    ]);
    await gridpress(['lock', pathOf(1), '--from', join(folder, 'past'), '-o', past]);
    await check('checked.lock', JSON.parse(readFileSync(past, 'utf8')));
    await expect.poll(() => differences.textContent()).toContain('BIOS version: 1.1 → 1.2');
    const since = `since revision ${revisions[1].id.slice(0, 8)} of 2026-02-10`;
    expect(await page.textContent('[role=status] h2')).toBe(`1 of 1 node differs ${since}: 1 in firmware.`);
  });

  test('at an earlier revision, the view of changes lists the changes until then', async () => {
    const { page } = await openPage(browser, `${base}#/changes?at=2026-02`);
    const entries = () => page.locator('.revisions .what').allTextContents();
    await expect.poll(entries).toEqual(['Update the firmware', 'First revision']);
    const [summary] = await page.locator('.revisions summary').allTextContents();
    expect(summary).toContain(`${NODES} nodes updated: BIOS version`);
    await page.getByRole('link', { name: 'Show latest' }).click();
    await expect.poll(entries).toEqual(['Remove a node', 'Update the firmware', 'First revision']);
  });

  test('a node opened from a search result links to the next and the previous result, also by keyboard', async () => {
    const { page } = await openPage(browser, `${base}#/nodes?q=A100&sort=-node_name`);
    const shown = async () => [await page.locator('h1').textContent(), await page.locator('.paging').textContent()];
    await page.getByRole('link', { name: 'node-3', exact: true }).click();
    await expect.poll(shown).toEqual(['node-3', 'Previous1 of 3 found nodesNext']);
    expect(await page.getByRole('link', { name: 'Previous' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Next' }).click();
    await expect.poll(shown).toEqual(['node-2', 'Previous2 of 3 found nodesNext']);
    await page.keyboard.press('ArrowRight');
    await expect.poll(shown).toEqual(['node-1', 'Previous3 of 3 found nodesNext']);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(shown).toEqual(['node-2', 'Previous2 of 3 found nodesNext']);
    expect(page.url()).toContain(`${pathOf(2)}?q=A100&sort=-node_name`);
    await page.locator('.crumbs').getByRole('link', { name: 'Nodes' }).click();
    await expect.poll(() => names(page)).toEqual(['node-3', 'node-2', 'node-1']);
    await goTo(page, `#/${pathOf(2)}`);
    expect(await page.locator('.paging').count()).toBe(0);
  });

  test('a month in the view of time links to its changes, and each changed node shows its changes', async () => {
    const { page } = await openPage(browser, `${base}#/time?by=node_type&class=firmware`);
    const short = ({ id }: Commit) => id.slice(0, 8);
    const badges = () => page.locator('section[aria-labelledby=between] summary').allTextContents();
    await page.getByText('As a table').last().click();
    await page.getByRole('link', { name: '2026-02', exact: true }).click();
    await expect.poll(() => page.url()).toContain(`at=${short(revisions[1])}&than=${short(revisions[0])}`);
    expect(page.url()).toContain('by=node_type&class=firmware');
    await expect.poll(badges).toEqual([`Changed ${NODES}`]);
    await page.getByRole('link', { name: 'node-2', exact: true }).click();
    await expect
      .poll(() => heads(page))
      .toEqual(['Field', expect.stringContaining('as of 2026-01-01'), 'node-2 LYRA ×']);
    await expect.poll(() => page.locator('.comparison tbody').textContent()).toMatch(/1\.0.*1\.1/);
    await goTo(page, '#/time?class=presence');
    await page.locator('.heat a').first().click();
    await expect.poll(() => page.url()).toContain('than=start');
    await expect.poll(badges).toEqual([`Added ${NODES}`]);
  });

  test('a click on a mark of the plot shows its revision, left and right of its middle', async () => {
    const { page } = await openPage(browser, `${base}#/time`);
    const box = await page.locator('.mark').first().boundingBox();
    const { x = 0, y = 0, width = 0 } = box ?? {};
    for (const left of [x + 1, x + width - 1]) {
      await goTo(page, '#/time');
      await page.mouse.click(left, y + 2);
      await expect.poll(() => page.url()).toContain(`at=${revisions[1].id.slice(0, 8)}`);
    }
  });

  test('without the second script, a notice says that an earlier revision cannot be shown', async () => {
    const { page } = await openPage(browser, base);
    await page.route('**/more.js', (route) => route.abort());
    await page.goto('about:blank');
    await page.goto(`${base}#/nodes?at=2026-01-15`);
    await expect.poll(() => page.textContent('.notice strong')).toBe('Revision 2026-01-15 cannot be shown.');
  });

  test('after a failed request, a notice names the reason, and the revision can be shown later', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    const path = '**/nodes/history.json';
    await page.route(path, (route) => route.abort());
    await goTo(page, '#/nodes?at=2026-01-15');
    await expect.poll(() => page.textContent('.notice strong')).toBe('Revision 2026-01-15 cannot be shown.');
    expect(await page.textContent('.notice div')).toContain('There is no connection to the host');
    await page.unroute(path);
    await goTo(page, '#/nodes');
    await goTo(page, '#/nodes?at=2026-01-15');
    await expect.poll(() => page.textContent('.notice')).toContain('As of 2026-01-01');
  });

  test('a notice says that fields of the address could not be loaded', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    await page.route('**/nodes.json', (route) => route.abort());
    await goTo(page, '#/nodes?columns=storage_devices.serial');
    await expect.poll(() => page.locator('.notice strong').allTextContents()).toEqual(['Some fields cannot be shown.']);
  });

  test('after a search could not load further fields, no notice appears, also in other views', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    const path = '**/nodes.json';
    await page.route(path, (route) => route.abort());
    const failed = page.waitForEvent('requestfailed');
    await goTo(page, '#/nodes?q=9999');
    await failed;
    await expect.poll(() => page.locator('main').textContent()).toContain('These fields are not loaded');
    await goTo(page, '#/hardware');
    await settled(page);
    expect(await page.locator('.notice.wrong').count()).toBe(0);
  });

  test('the overview links to the changes of the last month', async () => {
    const { page } = await openPage(browser, base);
    await page.getByRole('link', { name: 'What changed in 2026-03' }).click();
    await expect.poll(() => page.url()).toMatch(/#\/time\?than=2026-02$/);
    const changes = page.locator('section[aria-labelledby=between]');
    await expect.poll(() => changes.locator('summary').allTextContents()).toEqual(['Removed 1', 'Changed 1']);
    await goTo(page, '#/?at=2026-01');
    expect(await page.locator('.growth').count()).toBe(1);
    expect(await page.getByRole('link', { name: 'What changed in' }).count()).toBe(0);
  });

  test('the number of nodes with GPUs on the overview links to these nodes', async () => {
    const { page } = await openPage(browser, base);
    await page.getByRole('link', { name: '3 nodes with GPUs' }).click();
    await expect.poll(() => page.textContent('.status')).toMatch(/^3 of /);
    expect(await names(page)).toEqual(['node-1', 'node-2', 'node-3']);
  });
});
