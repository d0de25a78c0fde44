/** The most common tasks in the explorer, in Firefox, over HTTP and from a folder. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../support/folders.ts';
import { MINUTES } from '../support/limits.ts';
import { nodeFile, writeTestbed } from '../support/registries/testbed.ts';
import { type ServedExplorer, servedExplorer } from '../support/services/browser.ts';
import { type Firefox, inFirefox, openFirefox } from '../support/services/firefox.ts';

const NODE = nodeFile('lyra', 2).replace(/\.yaml$/, '');
const SETTLED = "!document.querySelector('.loading')";

describe.skipIf(inFirefox.isMissing)(`in Firefox${inFirefox.because}`, () => {
  let firefox: Firefox;
  let explorer: ServedExplorer;

  beforeAll(async () => {
    explorer = await servedExplorer(writeTestbed(newFolder()).registry);
    firefox = await openFirefox();
  });
  afterAll(async () => {
    await firefox?.close();
    await explorer?.stop();
  });

  const show = async (fragment: string, sign: string) => {
    await firefox.run(`location.hash = ${JSON.stringify(fragment)}`);
    await firefox.until(`document.querySelector(${JSON.stringify(sign)}) && ${SETTLED}`);
  };
  const texts = (selector: string) =>
    firefox.run(`return Array.from(document.querySelectorAll('${selector}'), (each) => each.textContent)`);

  test('a user can filter, pick two nodes, compare them and save the result', async () => {
    await firefox.goTo(`${explorer.base}#/nodes`);
    await firefox.until("document.querySelector('tbody a')");
    await firefox.type('/main_memory.ram_size >= 256GiB');
    await firefox.until("location.hash.includes('q=') && document.querySelectorAll('tbody tr').length > 1");
    for (const place of [0, 1]) {
      await firefox.run(`document.querySelectorAll('tbody input')[${place}].click()`);
      await firefox.until(`document.querySelectorAll('tr.picked').length > ${place}`);
    }
    await firefox.run("document.querySelector('.picked-bar a').click()");
    await firefox.until(`document.querySelector('.comparison tbody th, .notice') && ${SETTLED}`);
    expect(await texts('h1')).toEqual(['Compare']);
    await show('#/nodes', 'tbody a');
    await firefox.run(
      "[...document.querySelectorAll('.bar button')].find((each) => each.textContent.includes('Export')).click()",
    );
    await firefox.until("document.querySelector('.panel .buttons button')");
    await firefox.run("document.querySelector('.panel .buttons button').click()");
    const saved = () => readdirSync(firefox.downloads).find((name) => name.endsWith('.csv'));
    await expect.poll(saved, { timeout: MINUTES }).toMatch(/^nodes-[0-9a-f]{8}\.csv$/);
    const uids: string[] = JSON.parse(readFileSync(join(explorer.tree, 'nodes', 'table.json'), 'utf8')).uids;
    const lines = () =>
      readFileSync(join(firefox.downloads, saved() ?? ''), 'utf8')
        .split('\n')
        .slice(1, -1);
    await expect.poll(() => lines().map((line) => line.split(',')[0])).toEqual(uids);
  });

  test('a node, the table over time and all other views open without errors', async () => {
    await firefox.goTo(`${explorer.base}#/nodes`);
    await firefox.until("document.querySelector('tbody a')");
    await show(`#/${NODE}`, '.cards-of-node');
    expect(String(await texts('.cards-of-node'))).toContain('256');
    await show('#/time', 'svg polygon');
    await show('#/', '.tiles li');
    for (const view of ['compare', 'changes', 'sites', 'statistics', 'experiment', 'fields']) {
      await show(`#/${view}`, 'main h1');
    }
    expect(await firefox.complaints()).toEqual([]);
  });

  test.each(['', 'changes', NODE])('Back returns to the same place of a long view: %s', async (view) => {
    await firefox.goTo(`${explorer.base}#/${view}`);
    await firefox.until(`document.querySelector('main a[href^="#/versions/"]') && ${SETTLED}`);
    await firefox.run('scrollTo(0, document.documentElement.scrollHeight)');
    await firefox.until('scrollY > 0');
    const top = await firefox.run('return scrollY');
    await firefox.run(`document.querySelector('main a[href^="#/versions/"]').click()`);
    await firefox.until(`location.hash.startsWith('#/versions/') && scrollY === 0 && ${SETTLED}`);
    await firefox.run('history.back()');
    await firefox.until(`scrollY === ${top} && document.querySelector('main a[href^="#/versions/"]')`);
  });

  test('the page works from a folder', async () => {
    await firefox.goTo(`${explorer.local}#/nodes`);
    await firefox.until("document.querySelector('tbody a')");
    await show(`#/${NODE}`, '.cards-of-node');
    expect(String(await texts('.cards-of-node'))).toContain('256');
    await firefox.until("document.querySelector('.timeline li')");
    await show('#/time', 'svg polygon');
    await show('#/changes', '.revisions li');
    expect(await firefox.complaints()).toEqual([]);
  });

  // This test is last, because reported violations stay in the log.
  test('a violation of the policy would be reported', async () => {
    await firefox.goTo(explorer.base);
    await firefox.run("document.body.append(Object.assign(new Image(), { src: 'data:image/png,' }))");
    await expect.poll(() => firefox.complaints()).toEqual([expect.stringContaining('img-src')]);
  });
});
