/**
 * Compares the explorer with the command line on random samples: a node at two revisions, a node at a revision, counts
 * of filters. `SEED=n` draws other samples.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertDefined } from '../../src/core/platform/lookups.ts';
import { newFolder } from '../support/folders.ts';
import { gridpress } from '../support/processes/cli.ts';
import { type Commit, commit, type Edits, REGISTRY, writeFiles } from '../support/registries/revisions.ts';
import { clusterFile, nodeFile, nodeText, nodeUid, siteFile, siteText } from '../support/registries/testbed.ts';
import {
  goTo,
  inChromium,
  openBrowser,
  openPage,
  type ServedExplorer,
  servedExplorer,
  settled,
} from '../support/services/browser.ts';
import { random } from '../support/values/random.ts';

const SEED = Number(process.env['SEED'] ?? 535865);
const SITES = ['lyra', 'vega'] as const;
const NODES = 24;
const REVISIONS = 10;
const DRAWN = 5;

const draw = random(SEED);
const siteOf = (n: number) => SITES[n % SITES.length] ?? 'lyra';
const pathOf = (n: number) => nodeFile(siteOf(n), n).replace(/\.yaml$/, '');

/** Every second month has two revisions. */
const monthOf = (revision: number) => 1 + 2 * Math.floor(revision / 2);

/** A node with some fields of each class. */
function anyNode(n: number): string {
  const maybe = (text: string) => (draw.chance(0.7) ? text : '');
  return nodeText(
    n,
    [
      `node_type: ${draw.pick(['compute', 'storage', 'gpu'])}\n`,
      maybe(`bios:\n  version: "1.${draw.below(3)}"\n`),
      maybe(
        `architecture:\n  platform_type: ${draw.pick(['x86_64', 'aarch64'])}\n  smt_size: ${draw.pick([16, 32, 64])}\n`,
      ),
      maybe(`note: ${draw.pick(['spare', 'reserved'])}\n`),
    ].join(''),
  );
}

/** Serials are unique to each node, so no table of all nodes contains them. */
function isTold({ action, fields }: Differing): boolean {
  return !['updated', 'replaced'].includes(action) || fields.some(({ field }) => !field.endsWith('.serial'));
}

function writeAny(folder: string): Commit[] {
  writeFiles(folder, [['gridpress.yaml', 'cluster_uid: main\n']]);
  const all = Array.from({ length: NODES }, (_, n) => n);
  const made: Commit[] = [];
  for (let n = 0; n < REVISIONS; n++) {
    const edits: Record<string, string | null> = {};
    for (const node of n === 0 ? all : all.filter(() => draw.chance(0.3))) {
      const isThere = made.at(-1)?.files.has(nodeFile(siteOf(node), node));
      edits[nodeFile(siteOf(node), node)] = isThere && draw.chance(0.15) ? null : anyNode(node);
    }
    // Every revision changes something.
    edits[nodeFile(siteOf(0), 0)] = `${anyNode(0)}step: ${n}\n`;
    const date = `2026-0${monthOf(n)}-1${n % 2}T00:00:00Z`;
    const first: Edits = n > 0 ? {} : sites();
    made.push(commit(folder, { parents: made.slice(-1), edits: { ...first, ...edits }, message: `Step ${n}`, date }));
  }
  return made;
}

function sites(): Edits {
  return {
    'grid.yaml': 'type: grid\nuid: testgrid\n',
    ...Object.fromEntries(SITES.map((uid) => [siteFile(uid), siteText(uid, 'baremetal')])),
    ...Object.fromEntries(SITES.map((uid) => [clusterFile(uid), 'type: cluster\nuid: main\n'])),
  };
}

describe.skipIf(inChromium.isMissing)(`seed ${SEED}${inChromium.because}`, () => {
  let browser: Browser;
  let explorer: ServedExplorer;
  let base: string;
  let registry: string;
  let revisions: Commit[];

  beforeAll(async () => {
    const folder = newFolder();
    revisions = writeAny(folder);
    registry = join(folder, REGISTRY);
    explorer = await servedExplorer(registry);
    base = explorer.base;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await explorer?.stop();
  });

  const isAt = (n: number, { files }: Commit) => files.has(nodeFile(siteOf(n), n));
  const head = () => revisions.at(-1) ?? draw.pick(revisions);
  /** Draws a node of the head and a revision that contains it. */
  const drawPair = () => {
    const n = draw.pick(Array.from({ length: NODES }, (_, i) => i).filter((i) => isAt(i, head())));
    return { n, revision: draw.pick(revisions.slice(0, -1).filter((each) => isAt(n, each))) };
  };
  const asked = async (...args: readonly string[]): Promise<string> =>
    (await gridpress([...args, args[0] === 'find' ? '--from' : '--registry', registry])).stdout;

  test('a node at two revisions is compared like `gridpress diff`', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    for (let i = 0; i < DRAWN; i++) {
      const { n, revision } = drawPair();
      await goTo(page, `#/compare?pick=${nodeUid(n)}&was=${revision.id}`);
      const { changes } = JSON.parse(await asked('diff', revision.id, 'head', pathOf(n), '--json'));
      const told = differenceRows(changes[0]?.fields ?? []);
      expect(await comparedIn(page), `${pathOf(n)} since ${revision.id}`).toEqual(told);
    }
  });

  test('two nodes are compared like `gridpress diff`', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    for (let i = 0; i < DRAWN; i++) {
      const [first, second] = [drawPair().n, drawPair().n];
      if (first === second) continue;
      const { fields } = JSON.parse(await asked('diff', pathOf(first), nodeUid(second), '--json'));
      await goTo(page, `#/compare?pick=${nodeUid(first)},${nodeUid(second)}`);
      expect(await comparedIn(page), `${pathOf(first)} and ${pathOf(second)}`).toEqual(differenceRows(fields));
    }
  });

  test('additions, removals and changes between two revisions equal `gridpress diff`', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    for (let i = 0; i < DRAWN; i++) {
      const [earlier, later] = [drawPair().revision, draw.chance(0.3) ? head() : drawPair().revision]
        .map((revision) => revisions.indexOf(revision))
        .sort((a, b) => a - b)
        .map((index) => assertDefined(revisions[index]));
      const sides = [assertDefined(earlier).id, assertDefined(later).id] as const;
      const { changes } = JSON.parse(await asked('diff', ...sides, '--json'));
      const nodes: Differing[] = changes.filter(({ resource }: Differing) => resource.includes('/nodes/'));
      // Lists without nodes are not shown.
      const count = (title: string, isMeant: (node: Differing) => boolean) => {
        const { length } = nodes.filter(isMeant);
        return length === 0 ? [] : [`${title} ${length}`];
      };
      await goTo(page, `#/time?at=${sides[1]}&than=${sides[0]}`);
      await expect
        .poll(() => page.locator('section:has(#between) summary').allTextContents(), { message: sides.join(' ') })
        .toEqual([
          ...count('Added', ({ action }) => action === 'added'),
          ...count('Removed', ({ action }) => action === 'removed'),
          ...count('Changed', (node) => ['updated', 'replaced'].includes(node.action) && isTold(node)),
        ]);
    }
  });

  test('the changes by month equal `gridpress diff`, and a month links to its difference', async () => {
    const { page, complaints } = await openPage(browser, `${base}#/time`);
    const counts = new Map<string, number>();
    const count = (month: number, site: string, by: number) =>
      counts.set(`2026-0${month} ${site}`, (counts.get(`2026-0${month} ${site}`) ?? 0) + by);
    for (const site of SITES) count(1, site, NODES / SITES.length);
    for (const [n, { id }] of revisions.entries()) {
      if (n === 0) continue;
      const { changes } = JSON.parse(await asked('diff', assertDefined(revisions[n - 1]).id, id, '--json'));
      for (const change of changes as Differing[]) {
        const site = change.resource.split('/')[2] ?? '';
        if (change.resource.includes('/nodes/') && isTold(change)) count(monthOf(n), site, 1);
      }
    }
    const section = page.locator('section:has(#months)');
    await section.getByText('As a table').click();
    const heads = await section.locator('thead th').allTextContents();
    const rows = await section
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => Array.from(row.children, ({ textContent }) => textContent ?? '')));
    const shown = rows.flatMap(([month, ...cells]) =>
      // The page shows the names of sites.
      cells.map((cell, i) => [`${month} ${heads[i + 1]?.toLowerCase()}`, Number(cell) || 0] as const),
    );
    expect(new Map(shown)).toEqual(counts);
    expect(await section.locator('svg rect').count()).toBe(counts.size);
    await section.locator('tbody a').first().click();
    await expect.poll(() => page.url()).toContain(`than=${assertDefined(revisions[7]).id.slice(0, 8)}`);
    expect(complaints).toEqual([]);
  });

  test('a revision has its message, and the changes of `gridpress diff`', async () => {
    const { page, complaints } = await openPage(browser, `${base}#/changes`);
    const drawn = 1 + draw.below(REVISIONS - 1);
    const [before, { id }] = [assertDefined(revisions[drawn - 1]), assertDefined(revisions[drawn])];
    await page
      .getByRole('link', { name: `Step ${drawn}`, exact: true })
      .first()
      .click();
    await expect.poll(() => page.textContent('h1')).toBe(`Step ${drawn}`);
    expect(page.url()).toContain(id);
    const { changes } = JSON.parse(await asked('diff', before.id, id, '--json'));
    // The heading counts the changes of each action.
    const heading = (await page.textContent('h2')) ?? '';
    const counts = [...heading.matchAll(/(\d+) nodes? (?:added|updated|replaced|removed)/g)].map(([, count]) =>
      Number(count),
    );
    expect(
      counts.reduce((sum, count) => sum + count, 0),
      heading,
    ).toBe(changes.length);
    const shown = await page
      .locator('main .inline a[href*="/nodes/"]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    const named = shown.map((href) => /nodes\/[^?]+/.exec(href)?.[0]).sort();
    expect(named).toEqual(changes.map(({ resource }: Differing) => /nodes\/.+/.exec(resource)?.[0]).sort());
    expect(complaints).toEqual([]);
    await goTo(page, '#/versions/0123456789');
    expect(await page.textContent('.notice')).toContain('This revision is not available.');
  });

  test('a node at a revision equals `gridpress show --at`', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    for (let i = 0; i < DRAWN; i++) {
      const { n, revision } = drawPair();
      await goTo(page, `#/nodes?at=${revision.id}`);
      const line = (await savedNodes(page)).find(({ uid }) => uid === nodeUid(n));
      const { body } = JSON.parse(await asked('show', pathOf(n), '--at', revision.id, '--json'));
      for (const field of ['node_type', 'bios', 'architecture', 'note', 'step', 'main_memory', 'node_name']) {
        expect(line?.[field], `${field} of ${pathOf(n)} at ${revision.id}`).toEqual(body[field]);
      }
    }
  });

  test('filters count the nodes of `gridpress find`', async () => {
    const { page } = await openPage(browser, `${base}#/nodes`);
    const values = {
      site: SITES,
      node_type: ['compute', 'storage', 'gpu'],
      'architecture.smt_size': [16, 32, 64],
      note: ['spare', 'reserved'],
    } as const;
    const fields = ['site', 'node_type', 'architecture.smt_size', 'note'] as const;
    for (let i = 0; i < DRAWN; i++) {
      const chosen = fields
        .filter(() => draw.chance(0.5))
        .map((field) => [field, draw.pick<string | number>(values[field])] as const);
      const counted = draw.pick(['site', 'node_type'] as const);
      await goTo(page, `#/nodes?${chosen.map(([field, value]) => `${field}=${value}`).join('&')}`);
      const others = chosen.filter(([field]) => field !== counted);
      const title = counted === 'site' ? /^Site/ : /^Type/;
      const facet = page.locator('details.facet', { has: page.locator('summary', { hasText: title }) });
      const where = `${JSON.stringify(chosen)}, ${counted}`;
      const all = await asked('find', ...query(chosen), '--uids');
      expect(await page.textContent('.bar .status'), where).toMatch(new RegExp(`^${all.split('\n').length - 1}\\b`));
      if (all === '' && others.length === chosen.length) {
        // A field without a filter has a facet only if a found node has a value of it.
        expect(await facet.count(), where).toBe(0);
        continue;
      }
      if ((await facet.getAttribute('open')) === null) await facet.locator('summary').click();
      const shown = await facet
        .locator('li')
        .evaluateAll((items) =>
          items.map((item) => ['.text', '.count'].map((part) => item.querySelector(part)?.textContent ?? '')),
        );
      const found = new Map<string, number>();
      for (const value of values[counted]) {
        const lines = await asked('find', ...query([...others, [counted, value]]), '--uids');
        found.set(value, lines.split('\n').length - 1);
      }
      for (const [value, count] of shown)
        expect([value, Number(count)], where).toEqual([
          value,
          found.get(counted === 'site' ? (value ?? '').toLowerCase() : (value ?? '')),
        ]);
    }
  });
});

interface Differing {
  readonly resource: string;
  readonly action: string;
  readonly fields: readonly Told[];
}

interface Told {
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly order?: unknown;
}

/** The fields of a difference as rows of the page's table; new orders of parts are listed below it. */
function differenceRows(fields: readonly Told[]): string[][] {
  return fields
    .filter(({ order }) => order === undefined)
    .flatMap(({ field, from, to }) => leaves(field, from, to))
    .sort();
}

/** The page shows a row for each leaf of a value. */
function leaves(field: string, from: unknown, to: unknown): string[][] {
  const mappings = [from, to].filter((value) => typeof value === 'object' && value !== null);
  if (mappings.length === 0) return [[field, ...[from, to].map((value) => String(value ?? '–'))]];
  const member = (value: unknown, key: string) => (value as Readonly<Record<string, unknown>> | undefined)?.[key];
  const keys = new Set(mappings.flatMap((value) => Object.keys(value ?? {})));
  return [...keys].flatMap((key) => leaves(`${field}.${key}`, member(from, key), member(to, key)));
}

function query(filters: readonly (readonly [field: string, value: string | number])[]): string[] {
  const all = filters.map(([field, value]) => `${field} = ${typeof value === 'number' ? value : `'${value}'`}`);
  return all.length === 0 ? [] : [all.join(' AND ')];
}

/** The rows of the comparison, for all classes: the path of the field, the old and the new value. */
async function comparedIn(page: Page): Promise<unknown> {
  await page.waitForSelector('.comparison, .notice');
  await settled(page);
  const folded = page.locator('.classes input:not(:checked)');
  while ((await folded.count()) > 0) await folded.first().check();
  const rows: string[][] = await page.evaluate(COMPARED);
  return rows.sort();
}

const COMPARED = `Array.from(document.querySelectorAll('.comparison tbody tr:not(.section)'), (row) => [
  row.querySelector('th').title,
  ...Array.from(row.querySelectorAll('td'), (cell) =>
    cell.querySelector('data')?.value ?? cell.firstChild.textContent),
])`;

async function savedNodes(page: Page): Promise<Record<string, unknown>[]> {
  await page.getByRole('button', { name: 'Export' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'NDJSON', exact: true }).click();
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trimEnd()
    .split('\n');
  await page.keyboard.press('Escape');
  return lines.map((line) => JSON.parse(line));
}
