/**
 * Bundles zod into lib/vendor. The installed package is larger than everything else together.
 * core/platform/modules.ts loads them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { VENDORED } from './bundled.js';

const ROOT = join(import.meta.dirname, '..');
const TARGET = join(ROOT, 'lib', 'vendor');

/** Messages of zod in other languages than English. */
const withoutLocales = {
  name: 'without-locales',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /locales\/index\.js$/ }, () => ({ path: 'locales', namespace: 'empty' }));
    onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export {};' }));
  },
};

await build({
  entryPoints: { zod: 'src/core/platform/zod.ts' },
  outdir: TARGET,
  ...{ bundle: true, minify: true, platform: 'node', target: 'node20', format: 'cjs', outExtension: { '.js': '.cjs' } },
  ...{ absWorkingDir: ROOT, legalComments: 'none', plugins: [withoutLocales] },
});

const licenses = VENDORED.map((name) => {
  const folder = join(ROOT, 'node_modules', name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
});
writeFileSync(join(TARGET, 'LICENSES.txt'), licenses.join(`\n${'-'.repeat(80)}\n\n`));
