/**
 * The OpenAPI document as others use it: a client that openapi-typescript makes walks a served tree, and two linters have
 * nothing to say. Their packages are those of `test/clients`, which `npm ci --prefix test/clients` installs.
 */
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { needs } from '../../support/processes/programs.ts';
import { buildAndServe, type Served } from '../../support/trees/served.ts';

const SAMPLE = join(import.meta.dirname, '../../../registry-data');
const CLIENTS = join(import.meta.dirname, '../../clients');
const PACKAGES = join(CLIENTS, 'node_modules');
const load = createRequire(join(CLIENTS, 'package.json'));
const run = promisify(execFile);
const bin = (of: string, file: string) => join(PACKAGES, of, file);

/** A client by the types alone: what they do not allow, no compiler takes. */
const WALK = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const { GET } = createClient<paths>({ baseUrl: process.argv[2] ?? '' });

function certain<T>({ data, response }: { data?: T; response: Response }): T {
  if (data === undefined) throw new Error(\`\${response.status} \${response.url}\`);
  return data;
}

const grid: components['schemas']['Grid'] = certain(await GET('/'));
const { items: sites, total } = certain(await GET('/sites'));
const site = sites.find(({ uid }) => uid === 'lyra');
const path = { site_uid: site?.uid ?? '', cluster_uid: 'main' };
const nodes = certain(await GET('/sites/{site_uid}/clusters/{cluster_uid}/nodes', { params: { path } }));
const [first] = nodes.items;
const node_uid = first?.uid ?? '';
const node = certain(
  await GET('/sites/{site_uid}/clusters/{cluster_uid}/nodes/{node_uid}', { params: { path: { ...path, node_uid } } }),
);
const { items: versions } = certain(
  await GET('/sites/{site_uid}/clusters/{cluster_uid}/nodes/{node_uid}/versions', { params: { path: { ...path, node_uid } } }),
);
const version = certain(
  await GET('/sites/{site_uid}/clusters/{cluster_uid}/nodes/{node_uid}/versions/{version_id}', {
    params: { path: { ...path, node_uid, version_id: versions[0]?.uid ?? '' } },
  }),
);
const ram: number | null | undefined = node.main_memory?.ram_size;
const missing = await GET('/sites/{site_uid}', { params: { path: { site_uid: 'nowhere' } } });
const status: number | undefined = missing.error?.status;
console.log(JSON.stringify([grid.uid, total, site?.name, nodes.items.length === nodes.total, node.uid === node_uid, typeof ram, version.type, status]));
`;

/** Misuses that strict types refuse, each on a line. */
const MISUSES = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';
const { GET } = createClient<paths>({ baseUrl: '' });
await GET('/nowhere');
await GET('/sites/{site_uid}');
export const uid: number = ({} as components['schemas']['Node']).uid;
`;

const OPTIONS = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck'];

const { isMissing, because } = needs(PACKAGES);
describe.skipIf(isMissing)(`for others' programs${because}`, () => {
  let served: Served;
  beforeAll(async () => {
    served = await buildAndServe(SAMPLE, { snapshots: 'none' });
  }, 120_000);
  const openapi = () => join(served.out, 'openapi.json');

  test('a generated client compiles under strict, walks from the root to a version, and refuses misuse', {
    timeout: 240_000,
  }, async () => {
    const folder = newFolder();
    symlinkSync(PACKAGES, join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'walk.ts'), WALK);
    writeFileSync(join(folder, 'misuses.ts'), MISUSES);
    const here = { cwd: folder };
    await run('node', [bin('openapi-typescript', 'bin/cli.js'), openapi(), '--output', 'api.d.ts'], here);
    const types = join(folder, 'node.d.ts');
    writeFileSync(
      types,
      'declare const process: { argv: string[] };\ndeclare const console: { log(text: string): void };\n',
    );
    const compiled = await run(
      'node',
      [bin('typescript', 'bin/tsc'), ...OPTIONS, 'node.d.ts', 'walk.ts', 'misuses.ts'],
      here,
    ).catch(({ stdout }: { stdout: string }) => ({ stdout }));
    const refused = Array.from(
      compiled.stdout.matchAll(/^(\w+\.ts)\((\d+),.*error (TS\d+)/gm),
      ([, ...where]) => where,
    );
    expect(refused).toEqual([
      ['misuses.ts', '5', 'TS2554'],
      ['misuses.ts', '6', 'TS2554'],
      ['misuses.ts', '7', 'TS2322'],
    ]);
    const { stdout } = await run('node', ['walk.js', `http://127.0.0.1:${served.port}`], here);
    expect(JSON.parse(stdout)).toEqual(['meridian', 7, 'Lyra', true, true, 'number', 'version', 404]);
  });

  test('Redocly has nothing to say but what two rules take amiss', async () => {
    const { createConfig, lint } = load('@redocly/openapi-core');
    // No uid is "versions", "latest" or "timemap"; and no source of a registry states a licence.
    const rules = { 'no-ambiguous-paths': 'off', 'info-license': 'off' };
    const config = await createConfig({ extends: ['recommended'], rules });
    const problems: { ruleId: string; message: string }[] = await lint({ ref: openapi(), config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('Spectral has nothing to say', async () => {
    const { Document, Spectral } = load('@stoplight/spectral-core');
    const { oas } = load('@stoplight/spectral-rulesets');
    const { Json } = load('@stoplight/spectral-parsers');
    const spectral = new Spectral();
    spectral.setRuleset(oas);
    const found: { code: string; path: string[] }[] = await spectral.run(
      new Document(readFileSync(openapi(), 'utf8'), Json, 'openapi.json'),
    );
    expect(found.map(({ code, path }) => `${code}: ${path.join('.')}`)).toEqual([]);
  });
});
