/** Opens the explorer in the installed Chromium. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../folders.ts';
import { startServer } from '../processes/cli.ts';
import { needs } from '../processes/programs.ts';

const CHROMIUM = '/usr/bin/chromium';
export const inChromium = needs(CHROMIUM);

/** Without the sandbox, which root cannot use. The browser opens only pages of this project. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

export interface ServedExplorer {
  /** The folder of the tree. */
  readonly tree: string;
  /** The address of the page on the server and in the folder. */
  readonly base: string;
  readonly local: string;
  readonly stop: () => Promise<unknown>;
}

/** Builds a registry's tree without snapshots, and serves it below its configured base path. */
export async function servedExplorer(registry: string, basePath = ''): Promise<ServedExplorer> {
  const tree = join(newFolder(), 'dist');
  await build({ registry, snapshots: 'none', showsProgress: false, out: tree });
  const { port, stop } = await startServer(['serve', tree, '--registry', registry]);
  return { tree, base: `http://127.0.0.1:${port}${basePath}${PAGE}`, local: localExplorer(tree), stop };
}

/** The address of the page of a tree in a folder. */
export function localExplorer(tree: string): string {
  return String(pathToFileURL(join(tree, PAGE)));
}

const PAGE = '/explorer/index.htm';

export interface OpenedPage {
  readonly page: Page;
  /** Errors of scripts, and violations of the page's policy. */
  readonly complaints: string[];
  /** The origins of all requests. */
  readonly origins: Set<string>;
}

export interface PageOptions {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
}

/** Opens a URL and waits for its view. */
export async function openPage(
  browser: Browser,
  url: string,
  { width = 1280, theme = 'light' }: PageOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: theme });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const opened: OpenedPage = { page, complaints: [], origins: new Set() };
  page.on('console', (message) => {
    if (message.type() === 'error') opened.complaints.push(message.text());
  });
  page.on('pageerror', (error) => opened.complaints.push(String(error)));
  page.on('request', (request) => opened.origins.add(new URL(request.url()).origin));
  await page.goto(url);
  await page.waitForSelector('h1');
  await settled(page);
  return opened;
}

/** Opens the view of another fragment on the same page. */
export async function goTo(page: Page, fragment: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
  await settled(page);
}

/** Measures the layout shifts of the documents that the page loads from now on. The returned function returns their sum. */
export async function layoutShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(`
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  return () => page.evaluate<number>('window.shift');
}

/** Waits until all requests are done. The page's policy forbids waiting with evaluated text. */
export async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.loading').count(), { timeout: 60_000 }).toBe(0);
}
