/**
 * Builds the explorer's page into lib/explorer: a stylesheet and classic scripts, since browsers load no modules from a
 * local folder. The first script shows the first rows and loads the second one (`more.js`). The third one
 * (`exports.js`) is loaded if the user exports nodes. Each script uses parts of the scripts before it.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';
import { BUNDLED } from './bundled.js';
import { landOutline } from './land.js';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src', 'explorer');
const TARGET = join(ROOT, 'lib', 'explorer');

/** Leaves out libraries for registry files. */
const withoutLibraries = {
  name: 'without-libraries',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/modules\.ts$|\/model\/schemas\.ts$|^\.\/schemas\.ts$/ }, () => ({
      path: join(SOURCE, 'data', 'no-libraries.ts'),
    })),
};

/** Identifies the explorer's files: see core/api/raw-forms.ts. */
const mark = (path) => `/* ${path}: shows the registry. */\n`;

const minified = { minify: true, platform: 'browser', target: 'es2023', charset: 'utf8', legalComments: 'none' };
const common = { ...minified, outdir: TARGET, write: false, bundle: true };

/** The scripts, in the order in which the page loads them, with their entry points. */
const SCRIPTS = { explorer: 'main.tsx', more: 'more.ts', exports: 'exports.ts' };

/**
 * Bundles the scripts as modules. esbuild writes code that several scripts share as further modules. The result has the
 * code and the imports of each module, by name, and the bundled packages.
 */
async function bundledModules() {
  const land = landOutline();
  const { outputFiles, metafile } = await build({
    ...common,
    metafile: true,
    entryPoints: Object.fromEntries(Object.entries(SCRIPTS).map(([name, file]) => [name, join(SOURCE, file)])),
    ...{ splitting: true, format: 'esm', chunkNames: '[hash]', plugins: [withoutLibraries] },
    ...{ jsx: 'automatic', jsxImportSource: 'preact' },
    define: { LAND_PATH: JSON.stringify(land.path), LAND_STEP: `${land.step}` },
  });
  const nameOf = (path) => basename(path, '.js');
  const outputs = Object.entries(metafile.outputs).map(([path, output]) => [nameOf(path), output]);
  const inputs = outputs.flatMap(([, output]) => Object.keys(output.inputs));
  const packages = inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return {
    code: new Map(outputFiles.map(({ path, text }) => [nameOf(path), text.trim()])),
    imports: new Map(outputs.map(([name, output]) => [name, output.imports.map(({ path }) => nameOf(path))])),
    packages: [...new Set(packages)].sort(),
  };
}

/** Wraps a module in a function that takes all defined parts and returns the exports. */
async function asFunction(module) {
  const { code } = await transform(module, { ...minified, format: 'cjs' });
  return `parts=>{"use strict";const module={},require=path=>parts[path.slice(2,-3)];${code.trim()}return module.exports}`;
}

/** The licences of the bundled packages. They require that copies of the code contain them. */
const notices = (packages) => {
  const notice = (name) => {
    const text = readFileSync(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8').trim();
    return `/*\n${name}\n\n${text}\n*/\n`;
  };
  return packages.map(notice).join('');
};

mkdirSync(TARGET, { recursive: true });
const { code, imports, packages } = await bundledModules();
if (packages.join() !== BUNDLED.join()) throw new Error(`scripts/bundled.js must list: ${packages}`);
const defined = new Set();

/** The code of a module and of all modules that it imports, without the modules that are defined already. */
async function definition(name) {
  if (defined.has(name)) return '';
  defined.add(name);
  let text = '';
  for (const imported of imports.get(name)) text += await definition(imported);
  return `${text}gridpress.part(${JSON.stringify(name)},${await asFunction(code.get(name))});\n`;
}

const { outputFiles: loader } = await build({ ...common, entryPoints: [join(SOURCE, 'loader.ts')], format: 'iife' });
const scripts = {
  explorer: loader[0].text + (await definition('explorer')),
  more: (await definition('more')) + notices(packages),
  exports: await definition('exports'),
};
for (const [name, text] of Object.entries(scripts)) {
  writeFileSync(join(TARGET, `${name}.js`), mark(`/explorer/${name}.js`) + text);
}
await build({
  ...common,
  write: true,
  entryPoints: [join(SOURCE, 'page', 'explorer.css')],
  banner: { css: mark('/explorer/explorer.css').trim() },
});
for (const file of ['index.html', 'icon.svg']) copyFileSync(join(SOURCE, 'page', file), join(TARGET, file));
