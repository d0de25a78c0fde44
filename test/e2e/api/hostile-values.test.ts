/**
 * Tests names and values that programs misread, in every document of a tree. External readers get them unchanged, no
 * text runs or reverses its direction, and a missing field differs from an empty value.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JSON_SCHEMA, load, Type } from 'js-yaml';
import { beforeAll, describe, expect, test } from 'vitest';
import { rawFormOf } from '../../../src/core/api/endpoints.ts';
import { pathOfField } from '../../../src/core/model/fields/field-name.ts';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import { CONTROL_CHARACTERS } from '../../../src/core/platform/text.ts';
import { build } from '../../../src/features/build/build.ts';
import { find } from '../../../src/features/find/find.ts';
import { pastFleets, withoutOwnColumns } from '../../real/past-fleets.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { needs } from '../../support/processes/programs.ts';
import { NODE, registryOf } from '../../support/registries/registry.ts';
import { nodeFile, nodeUid } from '../../support/registries/testbed.ts';
import { manifestOf } from '../../support/trees/served.ts';
import { countedFields } from '../../support/values/counted-fields.ts';
import { textOfCell } from '../../support/values/read-csv.ts';

const TEXTS = [
  "__proto__ constructor toString hasOwnProperty \" ' '=1 '\" , ; \\ \\n # ~ &amp; ]]>".split(' '),
  '2 007 1.10 22223884E068 b4:2e:99:3d:1e:ac 2020-01-01 12:30:45 0x10 1_000 null yes'.split(' '),
  ['', ' ', '=cmd()', '+1', '-1', '@x', '\t=1', '＝1', '</script><img src=x onerror=y>', '{{ x }}', '{% x %}'],
  ['a\nb', 'a\r\nb', 'a\rb', 'a\u0007b\0c', '\u202e1\u2066', '\u2028', '\u0085', '\u001b[2J', '\ufeffx', '漢字😀'],
].flat();
const LONG = 'x'.repeat(2 ** 20);
const NUMBERS = [0, -1, 0.1, -2.5e-7, 1e-300, Number.MAX_SAFE_INTEGER];
const MESSAGE = 'First </title>]]>&\u202e<img src=x>\n\n=cmd()\u0007\u2066';

/** A node with this serial, which also has another of the texts as a field name. */
function body(n: number, serial: string): JsonObject {
  const name = TEXTS[n] ?? 'long';
  const held = { [`${name}.`]: [serial.slice(0, 99), null, n % 2 === 0 ? { [name]: '' } : 5] };
  return {
    type: 'node',
    uid: nodeUid(n),
    node_name: name,
    node_type: name,
    serial,
    number: NUMBERS[n % 6] ?? 0,
    ...(n % 3 === 0 ? { note: '' } : n % 3 === 1 ? { note: null } : {}),
    held,
    ...JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(name)}}`),
  };
}

const SERIALS = [...TEXTS, LONG];
const bodies = (shift: number) => SERIALS.map((_, n) => body(n, SERIALS[(n + shift) % SERIALS.length] ?? ''));
const filesOf = (nodes: readonly JsonObject[]) =>
  Object.fromEntries(nodes.map((node, n) => [nodeFile('lyra', n), asciiJson(node)]));

/** YAML allows no raw control characters. */
function asciiJson(value: Json): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

let tree = '';
const BODIES = bodies(1);

beforeAll(async () => {
  const { registry, record, write } = registryOf({ [NODE]: null, ...filesOf(bodies(0)) }, newFolder());
  record(MESSAGE);
  write(filesOf(BODIES));
  record('Second');
  tree = join(newFolder(), 'dist');
  await build({ registry, out: tree, snapshots: 'none', showsProgress: false });
});

const text = (file: string) => readFileSync(join(tree, file), 'utf8');
const documentAt = (path: string) => JSON.parse(text(`${path}.json`));

function run(command: string, ...args: readonly string[]): string {
  const options = { cwd: join(tree, 'exports'), encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  const { stdout, stderr, status } = spawnSync(command, args, options);
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const serials = BODIES.map(({ serial }) => serial);
const sorted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).sort();

test('documents other than JSON contain no control or executable characters', () => {
  const raw = manifestOf(tree).documents.filter(
    ({ path }) => rawFormOf(path) !== undefined || /^\/(?:exports\/|openapi$)/.test(path),
  );
  expect(raw.length).toBeGreaterThan(SERIALS.length);
  for (const { path, file } of raw) {
    const said = text(file);
    expect([path, said.search(CONTROL_CHARACTERS)]).toEqual([path, -1]);
    if (/html?$|atom$|svg$/.test(file)) expect([path, said.includes('<img')]).toEqual([path, false]);
  }
});

test('verify finds nothing', async () => {
  expect(await gridpress(['verify', tree])).toMatchObject({ status: 0 });
});

describe('the tables', () => {
  const python = needs('python3');
  test.skipIf(python.isMissing)(`have the same values in Python${python.because}`, () => {
    const script = `
import csv, json
csv.field_size_limit(1 << 24)
rows = list(csv.DictReader(open('nodes.csv', encoding='utf-8', newline='')))
changes = list(csv.DictReader(open('changes.csv', encoding='utf-8', newline='')))
package = json.load(open('datapackage.json'))
names = [field['name'] for field in package['resources'][0]['schema']['fields']]
print(json.dumps([rows, [[row['from'], row['to']] for row in changes if row['field'] == '/serial'], names == list(rows[0])]))`;
    const [rows, changes, areNamed]: [Record<string, string>[], [string, string][], boolean] = JSON.parse(
      run('python3', '-c', script),
    );
    expect(areNamed).toBe(true);
    const cellOf = (row: Record<string, string>, column: string) => textOfCell(row[column] ?? '');
    expect(rows.map((row) => cellOf(row, 'serial'))).toEqual(serials);
    expect(rows.map((row) => cellOf(row, 'node_type'))).toEqual(BODIES.map(({ node_type }) => node_type));
    expect(rows.map((row) => Number(row['number']))).toEqual(BODIES.map(({ number }) => number));
    // Null and a missing value give an empty cell; an empty text gives quotes.
    expect(rows.map((row) => row['note'])).toEqual(BODIES.map(({ note }) => (note === '' ? "'" : '')));
    expect(changes.map((sides) => sides.map(textOfCell))).toEqual(
      bodies(0).map(({ serial }, n) => [serial, serials[n]]),
    );
    for (const cell of rows.flatMap((row) => [...Object.keys(row), ...Object.values(row)]))
      expect(cell).not.toMatch(/^[\s\0]*(?:[=+@＝]|-(?!\d))/u);
    // Each node has a column for its unusual field, empty for all other nodes.
    const columns = new Map(
      Object.keys(rows[0] ?? {}).map((column) => [JSON.stringify(pathOfField(textOfCell(column) ?? '')), column]),
    );
    for (const [n, { node_name: name }] of BODIES.entries()) {
      const column = columns.get(JSON.stringify([name])) ?? '';
      const cells = rows.map((row) => cellOf(row, column));
      expect([name, cells.flatMap((cell, i) => (cell === undefined ? [] : [[i, cell]]))]).toEqual([name, [[n, name]]]);
    }
  });

  const sqlite = needs('sqlite3');
  test.skipIf(sqlite.isMissing)(`have the same values in sqlite3${sqlite.because}`, () => {
    const args = ['-json', '-cmd', '.import --csv nodes.csv nodes', ':memory:', 'select serial, note from nodes'];
    const rows: { serial: string; note: string }[] = JSON.parse(run('sqlite3', ...args));
    expect(rows.map(({ serial }) => textOfCell(serial))).toEqual(serials);
    expect(rows.filter(({ note }) => note !== '')).toHaveLength(BODIES.filter(({ note }) => note === '').length);
  });
});

const jq = needs('jq');
test.skipIf(jq.isMissing)(`jq reads the same values from the NDJSON file${jq.because}`, () => {
  const lines = run('jq', '-c', 'del(.site, .cluster, .label)', 'nodes.ndjson').split('\n').slice(0, -1);
  expect(lines.map((line) => JSON.parse(line))).toEqual(BODIES);
});

test('the inventory contains all values and marks texts that Ansible would run as a template', () => {
  const unsafe = new Type('!unsafe', { kind: 'scalar', construct: (value) => ({ unsafe: value }) });
  const { all } = Object(load(text('exports/inventory.yaml'), { schema: JSON_SCHEMA.extend([unsafe]) }));
  const found: JsonObject[] = Object.values(all.hosts);
  // An empty name counts as missing.
  const named = found.flatMap(({ gridpress_node_name: name }) => (name === undefined ? [] : [name]));
  const names = BODIES.map(({ node_name: name }) => (/\{[{%]/.test(String(name)) ? { unsafe: name } : name));
  expect(sorted(named)).toEqual(sorted(names.filter((name) => name !== '')));
  expect(Object.keys(all.children).filter((name) => !/^[a-z]+_\w*$/.test(name))).toEqual([]);
});

test('the Prometheus targets contain all values under valid host names', () => {
  const groups: { targets: [string]; labels: Record<string, string> }[] = documentAt('exports/prometheus');
  expect(sorted(groups.map(({ labels }) => labels['__meta_gridpress_node_type']))).toEqual(
    sorted(BODIES.map(({ node_type: type }) => type)),
  );
  expect(groups.filter(({ targets: [name] }) => !/^[\w.-]+$/.test(name))).toEqual([]);
});

test('facets equal a simple count over all bodies', () => {
  const { fields } = documentAt('nodes/facets');
  const counted = countedFields(BODIES);
  for (const facet of fields) {
    // These fields are not part of the bodies.
    if (/^(?:site|cluster|label\..*)$/.test(facet.name)) continue;
    const way = JSON.stringify(pathOfField(facet.name));
    const field = counted.get(way);
    counted.delete(way);
    expect([facet.name, facet.nodes, facet.types]).toEqual([facet.name, field?.nodes, field?.types]);
    for (const { value, nodes } of facet.values ?? [])
      expect([facet.name, value, nodes]).toEqual([facet.name, value, field?.values.get(JSON.stringify(value))]);
  }
  expect([...counted.keys()]).toEqual([]);
});

test('the table over time contains both fleets', () => {
  const document = documentAt('nodes/history');
  const fleetAt = pastFleets(document);
  for (const index of [0, 1]) {
    const expected = bodies(index).map((node) => withoutOwnColumns(JSON.stringify(node), document.left_out));
    expect([...fleetAt(index).values()].sort()).toEqual(expected.sort());
  }
});

test('a query for a text finds exactly the nodes with that text', async () => {
  for (const [n, value] of TEXTS.entries()) {
    // A backslash at the end of a text would escape the closing quote.
    const query = value === '\\' ? "serial LIKE '\\\\'" : `serial = '${value.replaceAll("'", "''")}'`;
    const found = await find({ from: tree, query, timeout: 30, maxRequests: 1000 }, [], async ({ rows, fleet }) => {
      const column = fleet.column('field', 'uid');
      return rows.map((row) => column?.values[column.rows[row] ?? -1]);
    });
    expect([value, found]).toEqual([value, [nodeUid((n + SERIALS.length - 1) % SERIALS.length)]]);
  }
});

const python = needs('python3');
test.skipIf(python.isMissing)(`feeds and badges are XML, and the reference page shows JSON${python.because}`, () => {
  const script = `
import glob, html.parser, json, xml.etree.ElementTree as xml
class Examples(html.parser.HTMLParser):
    here = None
    found = []
    def handle_starttag(self, tag, attributes):
        if tag == 'pre': self.here = ''
    def handle_data(self, data):
        if self.here is not None: self.here += data
    def handle_endtag(self, tag):
        if tag == 'pre':
            self.found.append(json.loads(self.here))
            self.here = None
Examples().feed(open('../docs/index.htm', encoding='utf-8').read())
names = [each['node_name'] for each in Examples.found if isinstance(each, dict) and each.get('type') == 'node']
badges = [xml.parse(file).getroot().tag for file in glob.glob('../**/badge.svg', recursive=True)]
title = xml.parse('../changes/feed.atom').findall('.//{*}entry/{*}title')[-1].text
print(json.dumps([names, len(badges), title]))`;
  const [names, badges, title] = JSON.parse(run('python3', '-c', script));
  expect([names, badges, title]).toEqual([...[['__proto__'], SERIALS.length, 'First </title>]]>&\u202e<img src=x>']]);
});
