import type { Page } from 'playwright-core';

/** The verdict of each node in the view that checks lock files. Nodes with equal verdicts share a line. */
export async function verdictsIn(page: Page): Promise<string[]> {
  const groups = await page
    .locator('tr:has(td[data-title=Verdict])')
    .evaluateAll((rows) =>
      rows.map((row) => ({
        verdict: row.querySelector('td[data-title=Verdict]')?.textContent ?? '',
        nodes: row.querySelectorAll('th a').length,
      })),
    );
  return groups.flatMap(({ verdict, nodes }) => Array.from({ length: nodes }, () => verdict));
}
