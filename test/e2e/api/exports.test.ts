/** External programs read the exports of a tree and get every value unchanged. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../../support/folders.ts';
import { needs } from '../../support/processes/programs.ts';
import { NODE, registryOf } from '../../support/registries/registry.ts';
import { nodeFile, nodeUid } from '../../support/registries/testbed.ts';

/** Texts that programs misread as other types. */
const TEXTS = ['007', '1.10', '22223884E068', 'b4:2e:99:3d:1e:ac', '2020-01-01', '=cmd()', '', 'a,"b"\n;c', '\u202e1'];

function node(n: number, serial: string): string {
  const disks = `[{ device: sda, size: 960197124096, serial: ${JSON.stringify(serial)} }, { device: sdb }]`;
  return `type: node\nuid: ${nodeUid(n)}\nnode_name: "{{ x }}"\nserial: ${JSON.stringify(serial)}\nstorage_devices: ${disks}\n`;
}

let folder = '';

/** Returns the folder with the exports of these node files. */
async function exportsOf(files: Readonly<Record<string, string>>): Promise<string> {
  const { registry, record } = registryOf({ [NODE]: null, ...files }, newFolder());
  record('First');
  const out = join(newFolder(), 'dist');
  await build({ registry, out, showsProgress: false });
  return join(out, 'exports');
}

beforeAll(async () => {
  const files = TEXTS.map((text, n) => [nodeFile('lyra', n), node(n, text)] as const);
  folder = await exportsOf(Object.fromEntries(files));
});

function run(command: string, ...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const GUARDED = TEXTS.map((text) => {
  if (text.startsWith('\u202e')) return `'"\\u202e1"`;
  return text === '' || text.startsWith('=') ? `'${text}` : text;
});
const { isMissing, because } = needs('python3');

describe.skipIf(isMissing)(`the exports in Python${because}`, () => {
  test('the table contains every text unchanged, escaped where a spreadsheet would run it', () => {
    const script = `
import csv, json
rows = list(csv.DictReader(open('nodes.csv', encoding='utf-8', newline='')))
print(json.dumps([[row['serial'], json.loads(row['storage_devices.serial']), json.loads(row['storage_devices.size'])] for row in rows]))`;
    expect(JSON.parse(run('python3', '-c', script))).toEqual(
      TEXTS.map((text, n) => [GUARDED[n], [text, null], [960197124096, null]]),
    );
  });

  test('the NDJSON file has one line for each node', () => {
    const script = `
import json
print(json.dumps([json.loads(line)['serial'] for line in open('nodes.ndjson', encoding='utf-8').read().splitlines()]))`;
    expect(JSON.parse(run('python3', '-c', script))).toEqual(TEXTS);
  });

  test('the data package lists the columns of the tables in order', () => {
    const script = `
import csv, json
package = json.load(open('datapackage.json'))
tables = [each for each in package['resources'] if each['format'] == 'csv']
print(json.dumps([[each['name'], [field['name'] for field in each['schema']['fields']] == next(csv.reader(open(each['path'], newline='')))] for each in tables]))`;
    expect(JSON.parse(run('python3', '-c', script))).toEqual([
      ['nodes', true],
      ['changes', true],
    ]);
  });

  test('the table of changes contains every change', () => {
    const script = `
import csv, json
print(json.dumps([[row['action'], row['kind']] for row in csv.DictReader(open('changes.csv', newline=''))]))`;
    expect(JSON.parse(run('python3', '-c', script))).toEqual([
      ...['grid', 'site', 'cluster'].map((kind) => ['added', kind]),
      ...TEXTS.map(() => ['added', 'node']),
    ]);
  });
});

const jq = needs('jq');
test.skipIf(jq.isMissing)(`jq reads every text of the NDJSON file unchanged${jq.because}`, () => {
  expect(JSON.parse(run('jq', '-cs', 'map(.serial)', 'nodes.ndjson'))).toEqual(TEXTS);
});

const sqlite = needs('sqlite3');
test.skipIf(sqlite.isMissing)(`sqlite3 imports every text of the table${sqlite.because}`, () => {
  const args = ['-json', '-cmd', '.import --csv nodes.csv nodes', ':memory:', 'select serial from nodes'];
  const rows: { serial: string }[] = JSON.parse(run('sqlite3', ...args));
  expect(rows.map(({ serial }) => serial)).toEqual(GUARDED);
});

test('the inventory marks texts that Ansible would run as a template', () => {
  const text = readFileSync(join(folder, 'inventory.yaml'), 'utf8');
  expect(text.match(/: !unsafe "\{\{ x \}\}"/g)).toHaveLength(TEXTS.length);
});

test('a node field with the name of an API field appears in the table but not in the NDJSON file', async () => {
  const own = `type: node\nuid: ${nodeUid(0)}\nversion: "9"\n`;
  const exported = await exportsOf({ [nodeFile('lyra', 0)]: own });
  const [head = '', cells = ''] = readFileSync(join(exported, 'nodes.csv'), 'utf8').split('\n');
  expect(cells.split(',')[head.split(',').indexOf('version')]).toBe('9');
  expect(JSON.parse(readFileSync(join(exported, 'nodes.ndjson'), 'utf8'))).not.toHaveProperty('version');
});
