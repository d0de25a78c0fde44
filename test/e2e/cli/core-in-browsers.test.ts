/** Core runs in browsers: it compiles without the types of Node.js, and a browser bundle gives the same results. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { difference } from '../../../src/core/model/differences/difference.ts';
import { bodyDigest, sha1, sha256 } from '../../../src/core/model/digest.ts';
import { fieldRules } from '../../../src/core/model/field-classes.ts';
import { NODE } from '../../../src/core/model/kinds.ts';
import { readYaml } from '../../../src/core/registry/yaml/read-yaml.ts';
import { aliasOf, lineOf, manifestBytes, manifestIn } from '../../support/values/listed-tree.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

test('core compiles with browser types alone', () => {
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const compile = () => execFileSync(process.execPath, [compiler, '-p', 'src/core'], { cwd: ROOT, encoding: 'utf8' });
  expect(compile()).toBe('');
});

test('a browser bundle gives the same digests, differences and YAML values as the program', async () => {
  const entry = `
    export * from './src/core/model/digest.ts';
    export { difference } from './src/core/model/differences/difference.ts';
    export { fieldRules } from './src/core/model/field-classes.ts';
    export { NODE } from './src/core/model/kinds.ts';
    export { bytesSource } from './src/core/tree/manifest/manifest-frame.ts';
    export { readManifest } from './src/core/tree/manifest/read-manifest.ts';
    export { readYaml } from './src/core/registry/yaml/read-yaml.ts';`;
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'core',
    write: false,
  });
  // A bare context has only ECMAScript globals; these two come from the Web platform.
  const page = createContext({ TextEncoder, TextDecoder });
  const run = (expression: string): unknown => JSON.parse(String(runInContext(`JSON.stringify(${expression})`, page)));
  runInContext(outputFiles[0]?.text ?? '', page);

  const texts = ['', 'abc', 'Grüße ☃', 'x'.repeat(100_000)];
  for (const text of texts) {
    const literal = JSON.stringify(text);
    expect(run(`core.sha256(${literal})`)).toBe(sha256(text));
    expect(run(`core.sha1(${literal})`)).toBe(sha1(text));
  }
  const lines = [lineOf('/', '{}'), lineOf('/sites', '[]'), aliasOf('/versions/latest', '/sites')];
  const bytes = manifestBytes(lines, { revision: 'a'.repeat(40) });
  const source = `core.bytesSource(new TextEncoder().encode(${JSON.stringify(bytes.toString())}))`;
  const { findings, entries, sha256: digest } = manifestIn(bytes);
  const { endpoint: _, ...sites } = entries.get('/sites') ?? {};
  expect(findings).toEqual([]);
  expect(
    run(`(({ findings, entries, sha256 }) => [findings, { ...entries.get('/sites'), endpoint: undefined }, sha256])(
      core.readManifest(${source}))`),
  ).toEqual([findings, sites, digest]);

  const before = { ram: 1, disks: [{ device: 'sda', size: 1 }], name: 'ü' };
  const after = {
    ram: 2,
    disks: [
      { device: 'sdb', size: 3 },
      { device: 'sda', size: 1 },
    ],
  };
  expect(run(`core.bodyDigest(${JSON.stringify(before)})`)).toBe(bodyDigest(before));
  const sides = `${JSON.stringify(before)}, ${JSON.stringify(after)}, core.fieldRules(core.NODE)`;
  expect(run(`core.difference(${sides})`)).toEqual(difference(before, after, fieldRules(NODE)));

  const yaml = 'serial: 22227146E059\nversion: 1.10\nlist: &a [1, {b: "\\u00fc"}]\nagain: *a\n';
  expect(run(`core.readYaml('a.yaml', ${JSON.stringify(yaml)})`)).toEqual(
    JSON.parse(JSON.stringify(readYaml('a.yaml', yaml))),
  );
});
