/**
 * Measures the explorer with a long history: the bytes and the layout shift before its first rows, its paint on a slow
 * processor, and the delay of the slider. `GRIDPRESS_REAL_REGISTRY` can name a git bundle of a real registry.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { HISTORY_BUDGETS as MOST } from '../test/support/page-budgets.ts';
import { BYTES, CHROMIUM, hit, numberFrom, served, share, WATCH } from './explorer.ts';
import { GRIDPRESS, run } from './measure.ts';
import { makeRepository } from './registries/git-history.ts';
import { aligned } from './report.ts';
import { imported } from './row.ts';
import type { Scratch } from './scratch.ts';

export const EXPLORER_HISTORY = 'explorer-history';

const LOADS = 5;
const SLIDES = 20;
const SLOWER = 4;

/** The layout shift, and the time of the largest paint in milliseconds. */
const OBSERVE = `window.shifted = 0;
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) if (!each.hadRecentInput) window.shifted += each.value;
}).observe({ type: 'layout-shift', buffered: true });
new PerformanceObserver((list) => {
  window.painted = list.getEntries().at(-1).startTime;
}).observe({ type: 'largest-contentful-paint', buffered: true });`;

/** The time from a move of the slider to the paint of another revision, in milliseconds. */
const SLIDE = `(async () => {
  const slider = document.querySelector('input[type=range]');
  const shown = () => document.querySelector('main p code').textContent;
  const before = shown();
  const start = performance.now();
  const step = 1 + Math.floor(Math.random() * (Number(slider.max) - 1));
  slider.value = String((Number(slider.value) + step) % (Number(slider.max) + 1));
  slider.dispatchEvent(new Event('input', { bubbles: true }));
  while (shown() === before) await new Promise((done) => setTimeout(done));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - start;
})()`;

export interface HistorySize {
  readonly commits: number;
  readonly firstNodes: number;
  readonly lastNodes: number;
}

export async function explorerHistoryTimes(size: HistorySize, scratch: Scratch): Promise<string> {
  if (!existsSync(CHROMIUM)) return `explorer: ${CHROMIUM} is not installed\n`;
  const bundle = process.env['GRIDPRESS_REAL_REGISTRY'];
  const registry = await imported(bundle ?? generated(size, scratch), scratch);
  const tree = join(scratch.folder, 'tree');
  const parameters = [GRIDPRESS, 'build', '--registry', registry, '--out', tree, '--snapshots', 'none'];
  await run({ program: 'node', parameters });
  const service = await served(tree, registry);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = `${service.origin}/explorer/index.htm`;
    const [quick, slow] = [await loads(browser, `${page}#/nodes`, 1), await loads(browser, `${page}#/nodes`, SLOWER)];
    const slides = await slideTimes(browser, `${page}#/time`);
    const [rows, bytes, shift] = [share(quick.rows, 0.5), share(quick.bytes, 1), share(quick.shifts, 1)];
    const [slowRows, paint, slide] = [share(slow.rows, 0.5), share(slow.paints, 0.5), share(slides, 0.95)];
    return aligned([
      ['explorer, a long history', 'target', 'measured', ''],
      ['first rows, median', `${MOST.seconds} s`, `${(rows / 1000).toFixed(2)} s`, hit(rows, 1000 * MOST.seconds)],
      [
        `first rows at CPU/${SLOWER}, median`,
        `${MOST.seconds} s`,
        `${(slowRows / 1000).toFixed(2)} s`,
        hit(slowRows, 1000 * MOST.seconds),
      ],
      ['sent before them, gzip', `${MOST.bytes / 1000} kB`, `${(bytes / 1000).toFixed(0)} kB`, hit(bytes, MOST.bytes)],
      ['layout shift, most', `${MOST.shift}`, shift.toFixed(3), hit(shift, MOST.shift)],
      [
        `largest paint at CPU/${SLOWER}, median`,
        `${MOST.paint} s`,
        `${(paint / 1000).toFixed(2)} s`,
        hit(paint, 1000 * MOST.paint),
      ],
      ['slider to any revision, p95', `${MOST.slide} ms`, `${slide.toFixed(0)} ms`, hit(slide, MOST.slide)],
    ]);
  } finally {
    await browser.close();
    service.end();
  }
}

function generated(size: HistorySize, scratch: Scratch): string {
  const repository = join(scratch.folder, 'repository');
  makeRepository(repository, size);
  return repository;
}

/** Loads the page several times with empty caches. */
async function loads(browser: Browser, url: string, slower: number) {
  const found: Record<'rows' | 'bytes' | 'shifts' | 'paints', number[]> = {
    rows: [],
    bytes: [],
    shifts: [],
    paints: [],
  };
  for (let i = 0; i < LOADS; i++) {
    const context = await browser.newContext({ extraHTTPHeaders: { 'Accept-Encoding': 'gzip' } });
    const page = await context.newPage();
    await page.addInitScript(`${WATCH}\n${OBSERVE}`);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
    await opened(page, url, 'tbody a');
    found.rows.push(await numberFrom(page, 'window.firstRows'));
    found.bytes.push(await numberFrom(page, BYTES));
    found.shifts.push(await numberFrom(page, 'window.shifted'));
    found.paints.push(await numberFrom(page, 'window.painted'));
    await context.close();
  }
  return found;
}

async function slideTimes(browser: Browser, url: string): Promise<number[]> {
  const page = await browser.newPage();
  await opened(page, url, 'input[type=range]');
  const times: number[] = [];
  for (let i = 0; i < SLIDES; i++) times.push(await numberFrom(page, SLIDE));
  return times;
}

/** Waits for the element and for the second script. */
async function opened(page: Page, url: string, sign: string): Promise<void> {
  await page.goto(url);
  await page.waitForSelector(sign, { timeout: 120_000 });
  await page.waitForLoadState('networkidle');
}
