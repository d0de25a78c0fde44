/** Checks the accessibility of a page with axe. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Injects axe through the debugger, which ignores the page's policy. */
export async function injectAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe.source });
}

/** Returns the findings of axe, and whether the page is wider than the window. */
export async function accessibilityFindings(page: Page): Promise<readonly [unknown, unknown]> {
  const violations: unknown = await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then((r) => r.violations.map((v) => v.id + ' ' + v.nodes[0].html))`,
  );
  return [violations, await page.evaluate('document.documentElement.scrollWidth > innerWidth')];
}
