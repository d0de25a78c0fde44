/** The npm package: its contents, and that it runs outside this repository. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { S3_CLIENT } from '../../../src/features/publish/bucket/bucket-client.ts';
import { newFolder } from '../../support/folders.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const packedSchema = z.array(z.object({ files: z.array(z.object({ path: z.string() })) })).length(1);
const packageSchema = z.object({
  scripts: z.record(z.string(), z.string()),
  peerDependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});

const componentSchema = z.object({ 'bom-ref': z.string(), version: z.string() });
const sbomSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.object({ component: componentSchema }),
  components: z.array(componentSchema.extend({ purl: z.string().startsWith('pkg:npm/') })).min(20),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

let files: string[];
beforeAll(() => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const packed = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  files = packedSchema.parse(JSON.parse(packed)).flatMap((each) => each.files.map(({ path }) => path));
});

test('contains every file that its README links to', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((link) => link === undefined || !files.includes(link))).toEqual([]);
});

test('runs no install scripts, and names the tested version of the S3 client', () => {
  const { scripts, peerDependencies, devDependencies } = packageSchema.parse(
    JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
  );
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  const version = devDependencies['@aws-sdk/client-s3'];
  expect([S3_CLIENT, peerDependencies['@aws-sdk/client-s3']]).toEqual([
    ...[`@aws-sdk/client-s3@${version}`, `^${version}`],
  ]);
});

test('has a bill of materials with all installed and bundled packages and no others', () => {
  const made = () => execFileSync('node', ['scripts/sbom.mjs'], { cwd: ROOT, encoding: 'utf8' });
  const { metadata, components, dependencies } = sbomSchema.parse(JSON.parse(made()));
  const installed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--json', '--package-lock-only'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const versions = new Set([...installed.matchAll(/"version": "(.*)"/g)].map(([, version]) => version));
  for (const { name, version } of bundledPackages()) {
    versions.add(version);
    expect(components.map(({ purl }) => decodeURIComponent(purl))).toContain(`pkg:npm/${name}@${version}`);
  }
  expect(new Set([metadata.component.version, ...components.map(({ version }) => version)])).toEqual(versions);
  const refs = [metadata.component, ...components].map((each) => each['bom-ref']);
  expect(dependencies.map(({ ref }) => ref).sort()).toEqual(refs.toSorted());
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))).toEqual([]);
  expect(made()).toBe(made());
});

/** The packages in the explorer's scripts. */
const bundledPackages = () =>
  ['@noble/hashes', 'preact'].map((name) => {
    const folder = join(ROOT, 'node_modules', name);
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    return { name, version, license: readFileSync(join(folder, 'LICENSE'), 'utf8').trim() };
  });

test('contains the licences of the packages in its scripts', () => {
  const script = readFileSync(join(ROOT, 'lib', 'explorer', 'more.js'), 'utf8');
  for (const { name, license } of bundledPackages()) expect(script).toContain(`/*\n${name}\n\n${license}\n*/`);
});

test('runs without the S3 client, and publishing to a bucket names the missing package', () => {
  const folder = newFolder();
  const modules = join(folder, 'node_modules');
  for (const file of files) {
    mkdirSync(dirname(join(modules, 'gridpress', file)), { recursive: true });
    cpSync(join(ROOT, file), join(modules, 'gridpress', file));
  }
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!['gridpress', '@aws-sdk', '@smithy'].includes(name) && !name.startsWith('.'))
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [join(modules, 'gridpress/lib/cli.js'), ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  run('init', '--grid', 'meridian', '--site', 'lyra');
  run('add', 'node', '--names', 'lyra-{1..3}', '-m', 'First revision', '--author', 'Ada Brown');
  expect(run('build')).toMatch(/^Built dist at revision /);
  expect(run('verify')).toContain('dist is complete and unaltered: ');
  expect(() => run('publish', 's3://bucket')).toThrow(
    `error: Publishing to a bucket needs the S3 client, which is not installed. [bucket-no-client]
  Install it in the same place as gridpress: npm install ${S3_CLIENT}.
`,
  );
});
