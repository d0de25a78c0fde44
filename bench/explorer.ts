/**
 * Measures the explorer in a real browser: its first rows and a click on a filter, compared with an empty page, and its
 * memory and number of elements.
 */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { NodesBudgets } from '../test/support/page-budgets.ts';
import { GRIDPRESS, run } from './measure.ts';
import { makeRegistry } from './registries/registry.ts';
import { aligned } from './report.ts';
import type { Scratch } from './scratch.ts';

export const EXPLORER = 'explorer';
export const EXPLORER_LARGE = 'explorer-20000';

export const CHROMIUM = '/usr/bin/chromium';
const LOADS = 5;
const CLICKS = 60;

/** The time of the first row, in milliseconds after navigation. */
export const WATCH = `new MutationObserver((_, all) => {
  if (!document.querySelector('tbody a')) return;
  window.firstRows = performance.now();
  all.disconnect();
}).observe(document, { childList: true, subtree: true });`;

/** The bytes on the wire before the first row. */
export const BYTES = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter((each) => each.startTime < window.firstRows && each.responseEnd <= window.firstRows)
  .reduce((sum, each) => sum + each.transferSize, 0)`;

/** The time from a click on a filter to the next paint, in milliseconds. */
const CLICK = `(async () => {
  const boxes = [...document.querySelectorAll('.facet li input')];
  const start = performance.now();
  boxes[Math.floor(Math.random() * boxes.length)].click();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - start;
})()`;

export async function explorerTimes(nodes: number, most: NodesBudgets, scratch: Scratch): Promise<string> {
  if (!existsSync(CHROMIUM)) return `explorer: ${CHROMIUM} is not installed\n`;
  const registry = await makeRegistry(scratch.folder, nodes);
  const tree = join(scratch.folder, 'tree');
  const parameters = [GRIDPRESS, 'build', '--registry', registry, '--out', tree, '--snapshots', 'none'];
  await run({ program: 'node', parameters });
  const service = await served(tree, registry);
  const empty = join(scratch.folder, 'empty.htm');
  writeFileSync(empty, '<!doctype html><title>empty</title>');
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const [rows, nothing, sent]: [number[], number[], number[]] = [[], [], []];
    let page = await emptyPage(browser, most.slower);
    for (let i = 0; i < LOADS; i++) {
      await page.context().close();
      page = await emptyPage(browser, most.slower);
      await page.goto(`file://${empty}`);
      nothing.push(await numberFrom(page, "performance.getEntriesByType('navigation')[0].duration"));
      await page.goto(`${service.origin}/explorer/index.htm#/nodes`);
      await page.waitForSelector('tbody a', { timeout: 120_000 });
      rows.push(await numberFrom(page, 'window.firstRows'));
      sent.push(await numberFrom(page, BYTES));
    }
    // Filters appear after the first rows.
    await page.waitForSelector('.facet li input');
    const clicks: number[] = [];
    for (let i = 0; i < CLICKS; i++) clicks.push(await numberFrom(page, CLICK));
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const elements = await numberFrom(page, "document.querySelectorAll('*').length");
    const [first, blank, click, heap] = [share(rows, 0.5), share(nothing, 0.5), share(clicks, 0.95), usedSize / 1e6];
    const bytes = share(sent, 1);
    return aligned([
      [`explorer, ${nodes.toLocaleString('en-US')} nodes at CPU/${most.slower}`, 'target', 'measured', ''],
      [
        'first rows, median',
        `${most.seconds} s`,
        `${(first / 1000).toFixed(2)} s, ${(first / blank).toFixed(0)} x an empty page`,
        hit(first, 1000 * most.seconds),
      ],
      ...(most.bytes === undefined
        ? []
        : [
            [
              'sent before them, gzip',
              `${most.bytes / 1000} kB`,
              `${(bytes / 1000).toFixed(0)} kB`,
              hit(bytes, most.bytes),
            ],
          ]),
      [
        'click on a filter to paint, p95',
        `${most.click} s`,
        `${(click / 1000).toFixed(2)} s`,
        hit(click, 1000 * most.click),
      ],
      ['heap', `${most.heap} MB`, `${heap.toFixed(1)} MB`, hit(heap, most.heap)],
      ['elements', `${most.elements}`, `${elements}`, hit(elements, most.elements)],
    ]);
  } finally {
    await browser.close();
    service.end();
  }
}

/** Opens an empty page without a cache. */
async function emptyPage(browser: Browser, slower: number): Promise<Page> {
  const context = await browser.newContext({ extraHTTPHeaders: { 'Accept-Encoding': 'gzip' } });
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  return page;
}

export function hit(value: number, most: number): string {
  return value <= most ? 'hit' : 'missed';
}

export function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
}

export async function numberFrom(page: Page, expression: string): Promise<number> {
  return Number(await page.evaluate(expression));
}

export async function served(tree: string, registry: string) {
  const child = spawn('node', [GRIDPRESS, 'serve', tree, '--registry', registry, '--port', '0', '--json']);
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk)));
    child.once('exit', () => reject(new Error('gridpress serve ended')));
  });
  const { url } = JSON.parse(said);
  return { origin: new URL(url).origin, end: () => child.kill() };
}
