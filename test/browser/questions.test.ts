/** Thirty questions have the same answers as text, as CQL2-JSON, on the page and from the MCP server. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../support/folders.ts';
import { CLI, gridpress } from '../support/processes/cli.ts';
import { inChromium, openBrowser, openPage, type ServedExplorer, servedExplorer } from '../support/services/browser.ts';

const SAMPLE = join(import.meta.dirname, '../../registry-data');

const QUESTIONS = [
  "label.gpu = 'A100'",
  "label.gpu IN ('A100', 'MI210') AND gpu.gpu_count >= 3",
  'gpu.gpu_count BETWEEN 2 AND 4',
  'gpu.gpu_model IS NULL AND main_memory.ram_size >= 512GiB',
  "gpu.gpu_model LIKE '%A100%' OR fpga.fpga_vendor = 'Xilinx'",
  'infiniband = TRUE',
  "network_adapters.interface = 'InfiniBand'",
  'network_adapters.rate >= 100Gbps',
  "network_adapters.rate >= 100Gbps AND NOT network_adapters.vendor = 'Intel'",
  "CASEI(processor.vendor) = 'amd'",
  "CASEI(chassis.manufacturer) LIKE 'dell%'",
  "ACCENTI(CASEI(chassis.manufacturer)) = 'supermicro'",
  'processor.clock_speed < 2.4GHz',
  'architecture.smp_size = 1',
  'architecture.smt_size > 100 AND architecture.smp_size = 2',
  "architecture.platform_type <> 'x86_64'",
  "site = 'lyra'",
  "NOT site IN ('lyra', 'aquila')",
  "site = 'lyra' AND (node_type LIKE 'gpu%' OR label.ram >= 1TiB)",
  "bios.release_date < DATE('2024-01-01')",
  "bios.release_date BETWEEN DATE('2023-01-01') AND DATE('2024-12-31')",
  "bios.vendor = 'Dell Inc.' AND bios.version <> '2.0'",
  "placement.rack = '3'",
  'monitoring.wattmeter = true AND gpu.gpu = false',
  'boot_mode IS NOT NULL',
  "node_name IN ('lyra-g01', 'lyra-g02', 'nobody')",
  'label.disk >= 1TB',
  'label.ram = main_memory.ram_size',
  'chassis.manufacturer = bios.vendor',
  'NOT (gpu.gpu = TRUE OR infiniband = TRUE)',
];

describe.skipIf(inChromium.isMissing)(`questions${inChromium.because}`, () => {
  const client = new Client({ name: 'test', version: '1' });
  let browser: Browser;
  let explorer: ServedExplorer;
  let folder: string;

  beforeAll(async () => {
    folder = newFolder();
    const registry = join(folder, 'registry-data');
    cpSync(SAMPLE, registry, { recursive: true });
    writeFileSync(join(folder, 'gridpress.yaml'), 'cluster_uid: main\n');
    explorer = await servedExplorer(registry);
    browser = await openBrowser();
    const args = [CLI, 'mcp', '--from', explorer.tree];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder }));
  });
  afterAll(async () => {
    await client.close();
    await browser?.close();
    await explorer?.stop();
  });

  const find = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await gridpress(['find', ...args], { cwd: folder });
    expect(status, stderr).toBe(0);
    return stdout;
  };

  const counts = new Set<number>();

  test.each(QUESTIONS)('%s', async (question) => {
    const uids = await find(question, '--uids');
    const count = uids.split('\n').length - 1;
    counts.add(count);
    expect(await find(await find(question, '--cql2-json'), '--uids')).toBe(uids);
    const { content } = await client.callTool({ name: 'find', arguments: { query: question, columns: ['uid'] } });
    const [{ text }] = content as [{ text: string }];
    expect(JSON.parse(text).total).toBe(count);
    const { page } = await openPage(browser, `${explorer.base}#/nodes?q=${encodeURIComponent(question)}`);
    if (count === 0) await expect.poll(() => page.textContent('.notice')).toContain('No node');
    else await expect.poll(() => page.textContent('.status')).toMatch(new RegExp(`^${count} (of|nodes)`));
  });

  test.each([
    ['A100 in lyra', "(label.gpu = 'A100' OR gpu.gpu_model LIKE '%A100%') AND site = 'lyra'"],
    ['gpu:A100 -lyra', "label.gpu = 'A100' AND NOT site = 'lyra'"],
    ['-gpu:a100', "label.gpu IS NULL OR NOT label.gpu = 'A100'"],
    ['gpu:A100 OR gpu:mi210', "label.gpu IN ('A100', 'MI210')"],
    ['ram:512GiB..', 'label.ram >= 512GiB'],
    ['type:gpu 100Gbps', "node_type LIKE 'gpu%' AND (label.network = 100Gbps OR network_adapters.rate = 100Gbps)"],
    ['infiniband:true', 'infiniband = TRUE'],
    ['"Instinct MI210"', "gpu.gpu_model LIKE '%Instinct MI210%'"],
    ['bios.vendor:dell', "bios.vendor LIKE 'Dell%'"],
    ['nobody', 'FALSE'],
  ] as const)('the words %s mean %s', async (words, question) => {
    const uids = await find(question, '--uids');
    const count = uids.split('\n').length - 1;
    const { page } = await openPage(browser, `${explorer.base}#/nodes?q=${encodeURIComponent(words)}`);
    await expect.poll(() => page.textContent('.status')).toMatch(new RegExp(`^${count} of`));
    if (count === 0) return;
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'find', exact: true }).click();
    await expect.poll(() => page.textContent('.use pre')).toMatch(/^gridpress find ".*" --from /);
    const command = (await page.textContent('.use pre')) ?? '';
    const { stdout } = spawnSync('bash', ['-c', `gridpress() { printf '%s\\n' "$2"; }\n${command}`], {
      encoding: 'utf8',
    });
    expect(await find(stdout.trimEnd(), '--uids')).toBe(uids);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit as a query' }).click();
    expect(await page.inputValue('#search')).toBe(stdout.trimEnd());
    await expect.poll(() => page.textContent('.status')).toMatch(new RegExp(`^${count} of`));
  });

  test('filters become a query, and a simple query becomes filters', async () => {
    const { page } = await openPage(browser, `${explorer.base}#/nodes?label.ram=512GiB..&site=lyra&site=aquila`);
    const query = "label.ram >= 512GiB AND site IN ('lyra', 'aquila')";
    const uids = await find(query, '--uids');
    const count = uids.split('\n').length - 1;
    await page.getByRole('button', { name: 'Edit as a query' }).click();
    expect(await page.inputValue('#search')).toBe(query);
    await expect.poll(() => page.textContent('.status')).toMatch(new RegExp(`^${count} of`));
    await page.getByRole('button', { name: 'Show as filters' }).click();
    await expect.poll(() => page.url()).toContain('label.ram=549755813888..&site=lyra&site=aquila');
    await expect.poll(() => page.textContent('.status')).toMatch(new RegExp(`^${count} of`));
    expect(await page.getByRole('list', { name: 'Filters in use' }).textContent()).toContain('RAM: at least 512 GiB');
  });

  test('the find command passes a sort order of the URL to a shell as one word', async () => {
    const sort = '-a b;c$(d)"`e`';
    const { page } = await openPage(browser, `${explorer.base}#/nodes?columns=site&sort=${encodeURIComponent(sort)}`);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'find', exact: true }).click();
    await expect.poll(() => page.textContent('.use pre')).toMatch(/^gridpress find --from /);
    const command = (await page.textContent('.use pre')) ?? '';
    const { stdout } = spawnSync('bash', ['-c', `gridpress() { printf '%s\\n' "\${@:4}"; }\n${command}`], {
      encoding: 'utf8',
    });
    expect(stdout).toBe(`--columns\nnode_name,site\n--sort\n${sort}\n`);
  });

  test('a cell of the CSV file has one value for each item of a list, as that of `gridpress find --csv`', async () => {
    const columns = 'uid,site,node_name,storage_devices.device,storage_devices.wwn';
    const { page } = await openPage(browser, `${explorer.base}#/nodes?site=lyra&label.gpu=A100&columns=${columns}`);
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    const lines = readFileSync(await (await saved).path(), 'utf8').split('\n');
    expect(lines[1]).toContain(',"[null,');
    expect(lines.sort()).toEqual((await find("label.gpu = 'A100'", '--csv', '--columns', columns)).split('\n').sort());
  });

  test('a word that names an unknown field is an error', async () => {
    const { page } = await openPage(browser, `${explorer.base}#/nodes?q=gpuu:A100`);
    await expect
      .poll(() => page.textContent('.problem'))
      .toContain('No node has a field gpuu. Did you mean gpu or gpus?');
  });

  test('differ from each other', () => {
    expect(counts.size).toBeGreaterThan(10);
  });
});
