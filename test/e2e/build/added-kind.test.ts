/**
 * Compiles the program with two more kinds, each one row and one schema: one with child collections, one two levels
 * down. All commands and documents must support both.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress, type Run, startServer } from '../../support/processes/cli.ts';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import { BASE, GRID, SITE } from '../../support/registries/imported.ts';
import { httpClient } from '../../support/services/http.ts';

const ROOT = join(import.meta.dirname, '../../..');

const KINDS = `
  { name: 'rack', collection: 'racks', parents: ['site'], about: 'hardware', onlyIfAny: true },
  { name: 'sensor', collection: 'sensors', parents: ['grid', 'rack'], about: 'hardware', linksLegacyParent: false },
];

const ROWS`;

const SCHEMAS = `
  const rack = z.looseObject({ ...identity('rack'), units: z.number() });
  const sensor = z.looseObject({ ...identity('sensor'), measures: text });
  return { rack, sensor, `;

const RACK = `${SITE}/racks/r1`;
const SENSOR = `${RACK}/sensors/heat`;

let program: string;
let cwd: string;
let first: string;
let second: string;

function replaceIn(file: string, before: string, after: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text.split(before)).toHaveLength(2);
  writeFileSync(
    file,
    text.replace(before, () => after),
  );
}

async function run(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await gridpress(args, { cwd, program });
  return `${status} ${stdout}${stderr}`;
}

/** Returns the folder of the program with the added kinds. */
function withKinds(): string {
  const folder = newFolder();
  for (const each of ['src', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, each), join(folder, each), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  replaceIn(join(folder, 'src/core/model/kinds.ts'), '\n];\n\nconst ROWS', KINDS);
  replaceIn(join(folder, 'src/core/model/schemas.ts'), '\n  return { ', SCHEMAS);
  execFileSync(join(folder, 'node_modules/.bin/tsc'), ['-p', 'src'], { cwd: folder, stdio: 'pipe' });
  return join(folder, 'lib/cli.js');
}

beforeAll(async () => {
  program = withKinds();
  cwd = newFolder();
  const { folder, commit } = gitRepository(newFolder());
  const others = commit({ files: BASE });
  const ordinary = (...args: string[]): Promise<Run> => gridpress(args, { cwd });
  expect(await ordinary('import', folder, '-o', 'registry-data')).toMatchObject({ status: 0 });
  expect(await ordinary('lock', 'n1', '-o', 'n1.lock.json')).toMatchObject({ status: 0 });
  first = commit({
    files: {
      [`${GRID}/${RACK}/r1.json`]: json({ type: 'rack', uid: 'r1', units: 42 }),
      [`${GRID}/${RACK}/sensors.json`]: json({ heat: { measures: 'temperature' } }),
      [`${GRID}/sensors/door.json`]: json({ type: 'sensor', uid: 'door' }),
    },
  });
  expect(first).not.toBe(others);
  expect(await run('import', folder, '-o', 'registry-data')).toMatch(/^0 /);
  replaceIn(join(cwd, 'registry-data', RACK, 'rack.yaml'), '42', '48');
  const printed = await gridpress(['record', '-m', 'Raise the rack', '--author', 'Ada Brown', '--json'], {
    cwd,
    program,
  });
  second = JSON.parse(printed.stdout).id;
});

test('check, log, diff and show support them', async () => {
  expect(await run('check')).toBe('0 No errors: 7 resources, 3 revisions.\n');
  expect(await run('log', RACK)).toContain('Raise the rack');
  expect(await run('diff', first, second, RACK)).toContain('units  42 -> 48');
  expect(await run('show', SENSOR, '--at', first)).toContain('measures: temperature');
  const file = join(cwd, 'registry-data', RACK, 'rack.yaml');
  replaceIn(file, '48', 'many');
  expect(await run('check')).toContain('"units": expected a number');
  replaceIn(file, 'many', '48');
});

test('schemas writes their schemas', async () => {
  expect(await run('schemas', 'out')).toMatch(/^0 /);
  const schema = JSON.parse(readFileSync(join(cwd, 'out/rack.schema.json'), 'utf8'));
  expect(schema.properties).toMatchObject({ type: { const: 'rack' }, units: { type: 'number' } });
});

describe.each(['current', 'legacy'])('the %s tree', (dialect) => {
  test('contains their documents, links, histories, snapshots and host rules, and passes verify and crawl', async () => {
    const out = join(cwd, dialect);
    expect(await run('build', '--dialect', dialect, '--host', 'nginx,cloudflare-pages', '--out', out)).toMatch(/^0 /);
    expect(await run('verify', out)).toMatch(/^0 /);
    expect(readFileSync(join(out, '_hosts/nginx/server.conf'), 'utf8')).toContain('sensors');
    const server = await startServer(['serve', out], { cwd, program });
    try {
      const crawled = await run('crawl', `http://127.0.0.1:${server.port}/`, '--json');
      expect(JSON.parse(crawled.slice(2))).toMatchObject({
        ok: true,
        findings: [],
        endpoints: {
          '/sensors': 1,
          '/sites/{site_uid}/racks/{rack_uid}': 1,
          '/sites/{site_uid}/racks/{rack_uid}/sensors/{sensor_uid}/versions': 1,
          '/snapshots/{version_id}/sites/{site_uid}/racks': 2,
        },
      });
      const client = httpClient(server.port);
      const get = async (url: string) => {
        const { body, headers } = await client.get(url);
        return { type: headers['content-type'], ...JSON.parse(body) };
      };
      const hrefs = async (url: string) => (await get(url)).links.map(({ href }: { href: string }) => href);
      expect(await hrefs('/')).toContain('/sensors');
      expect(await hrefs(`/${SITE}`)).toContain(`/${SITE}/racks`);
      expect(await hrefs(`/${RACK}`)).toContain(`/${RACK}/sensors`);
      expect((await get(`/${RACK}`)).units).toBe(48);
      expect((await get(`/snapshots/${first}/${RACK}`)).units).toBe(42);
      expect((await get(`/${RACK}/versions/${second}`)).changes).toMatchObject([{ action: 'updated' }]);
      const sensors = await client.get(`/${RACK}/sensors`);
      expect(sensors.headers['content-type']).toBe(
        dialect === 'current' ? 'application/json' : 'application/vnd.gridpress.collection+json; charset=utf-8',
      );
      client.close();
    } finally {
      await server.stop();
    }
  });

  test('satisfies a lock file that is older than the kinds', async () => {
    expect(await run('verify-lock', 'n1.lock.json', '--against', join(cwd, dialect))).toMatch(/^0 same /);
  });
});
