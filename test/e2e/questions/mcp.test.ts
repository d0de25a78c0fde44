/** `gridpress mcp`: the answers of each tool equal those of its command, from a registry, a tree and a service. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../../support/folders.ts';
import { MINUTES } from '../../support/limits.ts';
import { CLI, gridpress } from '../../support/processes/cli.ts';
import { serviceOf } from '../../support/services/service.ts';
import { buildAndServe } from '../../support/trees/served.ts';

const SAMPLE = join(import.meta.dirname, '../../../registry-data');
const QUERIES = [
  "label.gpu = 'A100'",
  'main_memory.ram_size >= 512GiB',
  "site IN ('aquila', 'lyra') AND NOT label.network < 100Gbps",
  "CASEI(processor.vendor) = 'amd'",
  'gpu.gpu_model IS NULL',
];

let folder = '';
let url = '';

beforeAll(async () => {
  folder = newFolder();
  const registry = join(folder, 'registry-data');
  cpSync(SAMPLE, registry, { recursive: true });
  writeFileSync(join(folder, 'gridpress.yaml'), 'cluster_uid: main\n');
  await build({ registry, out: join(folder, 'dist'), snapshots: 'none', showsProgress: false });
  url = `http://127.0.0.1:${(await buildAndServe(registry)).port}/`;
});

describe.each(['registry', 'tree', 'url'] as const)('from a %s', (kind) => {
  const place = () => ({ registry: 'registry-data', tree: 'dist', url })[kind];
  const placed = () => (kind === 'registry' ? ['--registry', place()] : ['--from', place()]);
  const client = new Client({ name: 'test', version: '1' });

  beforeAll(async () => {
    const args = [CLI, 'mcp', '--from', place()];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder }));
  });
  afterAll(() => client.close());

  async function call(name: string, input: Record<string, unknown>) {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [{ text }] = content as [{ text: string }];
    return { isError, text };
  }
  const printed = async (...args: readonly string[]) =>
    JSON.parse((await gridpress([...args, '--json'], { cwd: folder })).stdout);

  test('the tools are read-only and have strict inputs', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['find', 'describe_fields', 'show', 'diff', 'log', 'verify_lock']);
    for (const { inputSchema, annotations } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(annotations).toEqual({ readOnlyHint: true });
    }
  });

  test.each(QUERIES)('find answers %s as the command does', async (query) => {
    const { text, isError } = await call('find', { query, columns: ['uid', 'node_name'] });
    const expected = await printed('find', query, '--columns', 'uid,node_name', '--limit', '50', '--from', place());
    expect([JSON.parse(text), isError]).toEqual([expected, false]);
  });

  test('show, diff, log, fields and groups return the output of the commands', async () => {
    const answers: [string, Record<string, unknown>, string[]][] = [
      ['show', { resource: 'lyra-g01' }, ['show', 'lyra-g01', ...placed()]],
      ['log', { resource: 'lyra-g01', limit: 3 }, ['log', 'lyra-g01', '-n', '3', ...placed()]],
      ['diff', { from: 'lyra-g01', to: 'lyra-g02' }, ['diff', 'lyra-g01', 'lyra-g02', ...placed()]],
      [
        'describe_fields',
        { query: "site = 'lyra'" },
        ['find', "site = 'lyra'", '--fields', '--values', '3', '--limit', '100', '--from', place()],
      ],
      [
        'describe_fields',
        { under: 'network_adapters', search: 'RATE', values: 200 },
        ['find', '--fields', '--under', 'network_adapters', '--search', 'rate', '--values', '200', '--from', place()],
      ],
      ['find', { group_by: ['site', 'node_type'] }, ['find', '--group-by', 'site,node_type', '--from', place()]],
    ];
    for (const [name, input, command] of answers) {
      const { text, isError } = await call(name, input);
      expect([name, JSON.parse(text), isError]).toEqual([name, await printed(...command), false]);
    }
  });

  test('describe_fields lists few values, and names the omitted fields', async () => {
    const { text } = await call('describe_fields', { limit: 5 });
    const { fields, omitted } = JSON.parse(text);
    expect(fields).toHaveLength(5);
    for (const { values = [] } of fields) expect(values.length).toBeLessThanOrEqual(3);
    expect(omitted).toContainEqual({ under: 'label', fields: 5 });
    const names = omitted.map(({ under }: { under: string }) => under);
    for (const under of names) {
      const below = JSON.parse((await call('describe_fields', { under })).text);
      expect(below.fields.length, under).toBeGreaterThan(0);
    }
    const unknown = await call('describe_fields', { under: 'network_adapter' });
    expect(JSON.parse(unknown.text).findings).toMatchObject([{ code: 'query-field' }]);
  }, 60_000);

  test('a lock file is verified', async () => {
    const { stdout } = await gridpress(['lock', 'lyra-g01', '--from', place()], { cwd: folder });
    // The answer has counts in place of all nodes, because a lock file can have thousands of nodes.
    const summary = { ok: true, nodes: { total: 1, same: 1 }, changed: [] };
    expect(JSON.parse((await call('verify_lock', { lock: stdout })).text)).toMatchObject(summary);
    const lock = JSON.parse(stdout);
    lock.nodes[0].digest = '0'.repeat(64);
    lock.nodes[0].classes.hardware = '0'.repeat(64);
    const { text, isError } = await call('verify_lock', { lock: JSON.stringify(lock) });
    expect([text.includes('lock-contradiction'), isError]).toEqual([true, true]);
  });

  test.each([
    ['find', { query: 'xyzzy = 1' }, 'query-field', 'Call describe_fields for the fields.'],
    ['find', { query: 'gpu.gpu_cout = 1' }, 'query-field', 'Did you mean gpu.gpu_count?'],
    [
      'find',
      { query: "processor.vendor = 'xyzzy'" },
      'query-value',
      'Call describe_fields for the fields and their values.',
    ],
    [
      'find',
      { query: 'gpu.gpu_count >' },
      'query-expected',
      'Call describe_fields for the fields. Write a condition such as gpu.gpu_count >= 2.',
    ],
    [
      'find',
      { query: 'main_memory.ram_size = processor.clock_speed' },
      'query-units',
      'Compare fields that have the same unit. Call describe_fields for the units.',
    ],
    [
      'diff',
      { from: 'lyra-g01', to: '2026-03-01' },
      'moment-or-resource',
      'To compare a node with its earlier state, call diff with NODE@DATE as from and NODE as to. To list its changes, call diff with a date as from and with the node as resource.',
    ],
    [
      'verify_lock',
      { lock: '{"421": {"assigned_nodes": ["lyra-g01"]}}' },
      'lock-other-file',
      'Pass the whole text of a lock file.',
    ],
  ])('the remedy of %s %j names no command', async (name, input, code, fix) => {
    const { text } = await call(name, input);
    expect(JSON.parse(text).findings).toMatchObject([{ code, fix }]);
    expect(text).not.toMatch(/gridpress|--[a-z]/);
  });

  test('an unknown revision and a revision without a snapshot have remedies without commands', async () => {
    const unknown = await call('show', { resource: 'lyra-g01', at: 'xyzzy' });
    expect(unknown.text).toContain('"fix":"Write a date as 2026-03-31, or ');
    expect(unknown.text).not.toMatch(/gridpress|--[a-z]/);
    const { text } = await call('find', { at: '2025-03-01' });
    // Only the tree has no snapshots. A registry needs none.
    const fix =
      'Call show, diff or log instead, because only find and describe_fields need a snapshot. Or ask the operator for a snapshot of this revision.';
    expect(JSON.parse(text).findings).toMatchObject(kind === 'tree' ? [{ code: 'no-snapshot', fix }] : []);
    expect((await call('show', { resource: 'lyra-g01', at: '2025-03-01' })).isError).toBe(false);
  });

  test.each([
    ['find', { query: 'gpu.gpu_cout > 1' }, 'query-field'],
    ['find', { query: '--lock=written' }, 'query-field'],
    ['find', { columns: ['--lock=written'] }, 'query-field'],
    ['find', { limit: 1001 }, 'limit'],
    ['find', { lock: 'written' }, 'lock'],
    ['find', { query: 'x'.repeat(200_000) }, 'more than 40,000 characters'],
    ['find', { columns: ['x'.repeat(30_000), 'y'.repeat(30_000)] }, 'more than 40,000 characters'],
    ['show', { resource: 'a\0b' }, 'a NUL character'],
    ['show', { resource: '../../../etc/passwd' }, 'findings'],
    ['verify_lock', { lock: '{}' }, '"lock.json is not a lock file.'],
    ['verify_lock', { lock: '{}', class: ['hardwar'] }, 'expected one of "hardware"|"firmware"'],
    ['record', {}, 'no tool'],
  ])('%s %j is an error that says why', async (name, input, reason) => {
    const { text, isError } = await call(name, input);
    expect([text, isError]).toEqual([expect.stringContaining(reason), true]);
    expect(existsSync(join(folder, 'written'))).toBe(false);
  });
});

test.skipIf(!existsSync('/proc/self/task'))('at most four commands run at the same time (needs /proc)', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], cwd: folder });
  await client.connect(transport);
  let [most, isDone] = [0, false];
  const calls = Array.from({ length: 12 }, () => client.callTool({ name: 'find', arguments: { limit: 1 } }));
  const all = Promise.all(calls).finally(() => (isDone = true));
  for (; !isDone; await new Promise((resolve) => setTimeout(resolve, 5))) {
    const children = readFileSync(`/proc/${transport.pid}/task/${transport.pid}/children`, 'utf8');
    most = Math.max(most, children.split(' ').length - 1);
  }
  expect((await all).every(({ isError }) => isError === false)).toBe(true);
  expect(most).toBe(4);
  await client.close();
});

test('a cancelled call makes room for the next one', async () => {
  // A busy service keeps a command for 90 seconds. The MCP client waits for an answer for one minute.
  const busy = { status: 503, headers: { 'Retry-After': '30' } };
  const { origin, asked } = await serviceOf((_, __, n) => (n === 5 ? { status: 404 } : busy));
  const client = new Client({ name: 'test', version: '1' });
  const args = [CLI, 'mcp', '--from', origin];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder }));
  const cancel = new AbortController();
  const call = (options = {}) => client.callTool({ name: 'log', arguments: {} }, undefined, options);
  const cancelled = Promise.allSettled([1, 2, 3, 4].map(() => call({ signal: cancel.signal })));
  await expect.poll(() => asked.length, { timeout: MINUTES }).toBe(4);
  cancel.abort();
  await cancelled;
  expect(await call()).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('no-api') }] });
  await client.close();
});

test('find has default columns if no node has a type', async () => {
  const project = newFolder();
  const uid = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  await gridpress(['init', '--grid', 'meridian', '--site', 'lyra'], { cwd: project });
  mkdirSync(join(project, 'registry-data/sites/lyra/clusters/main/nodes'));
  writeFileSync(
    join(project, `registry-data/sites/lyra/clusters/main/nodes/${uid}.yaml`),
    `type: node\nuid: ${uid}\nchassis: { serial: SX1, manufacturer: Dell }\n`,
  );
  await gridpress(['record', '-m', 'First', '--author', 'Ada Brown'], { cwd: project });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], cwd: project }));
  const { content } = await client.callTool({ name: 'find', arguments: { query: "chassis.serial = 'SX1'" } });
  await client.close();
  const [{ text }] = content as [{ text: string }];
  expect(JSON.parse(text).items).toEqual([{ site: 'lyra', 'chassis.serial': 'SX1', uid }]);
});

test('a message that is too long ends the server with an error', () => {
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'mcp'], {
    ...{ cwd: folder, encoding: 'utf8', input: Buffer.alloc(11 * 2 ** 20, ' ') },
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining('[mcp-too-long]')]);
});

test('a place that does not exist is reported before the first message', async () => {
  const { status, stderr } = await gridpress(['mcp', '--from', 'nowhere'], { cwd: folder });
  expect([status, stderr]).toEqual([2, expect.stringContaining('[no-source]')]);
});

test('llms.txt has at most two kilobytes, and its links lead to documents', () => {
  const text = readFileSync(join(folder, 'dist/llms.txt'), 'utf8');
  expect(text.length).toBeLessThanOrEqual(2048);
  const links = Array.from(text.matchAll(/\]\(([^)]*)\)/g), ([, path = '']) => path);
  expect(links.length).toBeGreaterThan(6);
  for (const path of links) expect(existsSync(join(folder, 'dist', path)), path).toBe(true);
});
