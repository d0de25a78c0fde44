/**
 * The explorer from a folder: every view equals that over HTTP, for a history with all kinds of events. Views without
 * offline data show a note.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../src/features/build/build.ts';
import { newFolder } from '../support/folders.ts';
import { gridpress, startServer } from '../support/processes/cli.ts';
import { writeFiles } from '../support/registries/revisions.ts';
import { nodeFile, nodeUid, type Testbed, writeTestbed } from '../support/registries/testbed.ts';
import {
  goTo,
  inChromium,
  localExplorer,
  openBrowser,
  openPage,
  type ServedExplorer,
  servedExplorer,
  settled,
} from '../support/services/browser.ts';
import { verdictsIn } from '../support/services/verdicts.ts';

const pathOf = (site: string, n: number) => nodeFile(site, n).replace(/\.yaml$/, '');
const NODE = pathOf('lyra', 2);

describe.skipIf(inChromium.isMissing)(`in Chromium${inChromium.because}`, () => {
  let browser: Browser;
  let bed: Testbed;
  let explorer: ServedExplorer;

  beforeAll(async () => {
    bed = writeTestbed(newFolder());
    explorer = await servedExplorer(bed.registry);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await explorer?.stop();
  });

  /** Returns all text of a view, with all sections unfolded. Changes stay folded, since the copy lacks their fields. */
  async function said(page: Page, view: string): Promise<string> {
    await goTo(page, `#/${view}`);
    const folded = page.locator('main details:not(.revisions *, [open]) > summary');
    // Sections can appear late, and unfolded sections start to load shortly after the click.
    let text = '';
    const holdsStill = async () => {
      await settled(page);
      while ((await folded.count()) > 0) await folded.first().click();
      const before = text;
      text = await page.innerText('main');
      return text === before;
    };
    await expect.poll(holdsStill, { interval: 200 }).toBe(true);
    return text;
  }

  const views = () => [
    ...['', 'nodes', NODE, 'time', 'changes', 'sites', 'sites/lyra', 'hardware', 'statistics', 'fields'],
    // A node of a side branch.
    pathOf('lyra', 3),
    `compare?pick=${nodeUid(1)},${nodeUid(2)}`,
    `compare?pick=${nodeUid(2)}&was=${bed.revisions.first.id.slice(0, 8)}`,
    `nodes?at=${bed.revisions.grown.id}`,
  ];

  test('every view equals that over HTTP, except for earlier values of fields that are unique to each node', async () => {
    const [here, there] = [await openPage(browser, explorer.local), await openPage(browser, explorer.base)];
    for (const view of views()) {
      const [local, served] = [await said(here.page, view), await said(there.page, view)];
      expect(comparable(local), view).toBe(comparable(served));
    }
    const gone = await said(here.page, pathOf('vega', 4));
    expect(gone).toMatch(/RAM size\t\d+ GiB\t–/);
    expect(gone).toContain(`${LEFT_OUT_FIELDS}: storage_devices.serial.`);
    expect(await said(here.page, `versions/${bed.revisions.closed.id}`)).toMatch(
      /node-4 removed hardware\nvega\nnode-4/,
    );
    // Changes are listed along first parents, where a merge contains the changes of its side branch.
    expect(await said(here.page, pathOf('lyra', 1))).toContain('Merge the firmware update firmware');
    expect([here.complaints, [...here.origins]]).toEqual([[], ['null']]);
  });

  test('a limited history is the same in both', async () => {
    const tree = join(newFolder(), 'dist');
    await build({ registry: bed.registry, snapshots: 'none', showsProgress: false, out: tree, since: '2026-01-06' });
    const { port, stop } = await startServer(['serve', tree, '--registry', bed.registry]);
    const [here, there] = [
      await openPage(browser, localExplorer(tree)),
      await openPage(browser, `http://127.0.0.1:${port}/explorer/index.htm`),
    ];
    const merged = bed.revisions.merged.id.slice(0, 8);
    const leftOut = 'Earlier revisions are not included';
    for (const [view, isLeftOut] of [
      [NODE, true],
      [pathOf('lyra', 1), true],
      [pathOf('vega', 4), true],
      ['changes', true],
      ['time', false],
      [`time?at=${merged}`, true],
      [`nodes?at=${merged}`, false],
    ] as const) {
      const [local, served] = [await said(here.page, view), await said(there.page, view)];
      expect([local.includes(leftOut), served.includes(leftOut)], view).toEqual([isLeftOut, isLeftOut]);
      if (!view.startsWith('sites/')) expect(comparable(local), view).toBe(comparable(served));
    }
    expect([here.complaints, there.complaints]).toEqual([[], []]);
    await stop();
  });

  test('a lock file gets the verdict of `gridpress verify-lock`, and can be saved', async () => {
    const [old, taken] = [join(newFolder(), 'old.lock'), join(newFolder(), 'taken.lock')];
    const first = join(newFolder(), 'first');
    await build({
      registry: bed.registry,
      snapshots: 'none',
      showsProgress: false,
      at: bed.revisions.first.id,
      out: first,
    });
    await gridpress(['lock', NODE, pathOf('lyra', 1), '--from', first, '-o', old]);
    const { stdout } = await gridpress(['verify-lock', old, '--against', bed.registry, '--json']);
    const { nodes } = JSON.parse(stdout);
    const { page } = await openPage(browser, `${explorer.local}#/experiment`);
    await page.setInputFiles('input[type=file]', old);
    await page.waitForSelector('.drop ~ [role=status] table');
    const statuses = await verdictsIn(page);
    expect(statuses.sort()).toEqual(nodes.map(({ status }: { status: string }) => status).sort());

    await goTo(page, '#/nodes');
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Lock file' }).click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    const uids = JSON.parse(readFileSync(join(explorer.tree, 'nodes', 'table.json'), 'utf8')).uids;
    await gridpress(['lock', ...uids, '--from', explorer.tree, '-o', taken]);
    const [ours, { from, ...theirs }] = [text, readFileSync(taken, 'utf8')].map((each) => JSON.parse(each));
    expect(ours).toEqual({ ...theirs, from: { ...from, place: `${explorer.tree}/` } });
  });

  test('long histories without offline data give a message', async () => {
    writeFiles(bed.folder, [['gridpress.yaml', 'cluster_uid: main\nexplorer:\n  max_history: 500\n']]);
    const tree = join(newFolder(), 'dist');
    await build({ registry: bed.registry, snapshots: 'none', showsProgress: false, out: tree });
    const { page, complaints } = await openPage(browser, localExplorer(tree));
    for (const [view, words] of [
      [NODE, 'Not included in the offline copy, because it is too long. Serve the folder with gridpress serve.'],
      [
        'time',
        'The offline copy does not include it, because it is too long, or an older release built the tree. Serve the folder',
      ],
      ['changes', 'Not included in the offline copy, because it is too long.'],
      [
        `compare?pick=${nodeUid(2)}&was=0123456`,
        'the offline copy does not include the history, because it is too long. Serve the folder',
      ],
      [`nodes?at=${bed.revisions.grown.id}`, `Revision ${bed.revisions.grown.id} is not available.`],
    ] as const) {
      expect(await said(page, view), view).toContain(words);
    }
    expect(await page.locator('tbody a').count()).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });
});

const LEFT_OUT_FIELDS = 'Not compared, because nearly every node has a different value';

/** Removes addresses, the badge, which exists only on a host, and the note about values from the table. */
function comparable(text: string): string {
  return text
    .replace(/(?:file|http):\/\/\S*/g, 'URL')
    .replace(/\nbadge$/m, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(LEFT_OUT_FIELDS))
    .join('\n');
}
