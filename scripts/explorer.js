/**
 * Builds the explorer's page into lib/explorer: a stylesheet and classic scripts, since browsers load no modules from a
 * local folder. The first script shows the first rows and loads the second one (`more.js`), which uses parts of it. The
 * third one (`exports.js`) is loaded if the user exports nodes. It uses no parts of the others, because modules that
 * all scripts share would make the first script larger.
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

/** The code of each esbuild module, by name, and the bundled packages. The modules share code. */
async function modules(entryPoints) {
  const { outputFiles, metafile } = await build({
    ...common,
    metafile: true,
    entryPoints,
    ...{ splitting: true, format: 'esm', chunkNames: '[name]', plugins: [withoutLibraries] },
    ...{ jsx: 'automatic', jsxImportSource: 'preact' },
    define: { LAND_OUTLINE: JSON.stringify(landOutline()) },
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  const names = inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return {
    code: new Map(outputFiles.map(({ path, text }) => [basename(path, '.js'), text.trim()])),
    packages: [...new Set(names)].sort(),
  };
}

/** Wraps a module in a function that takes all defined parts and returns the exports. */
async function asFunction(module) {
  const { code } = await transform(module, { ...minified, format: 'cjs' });
  return `parts=>{"use strict";const module={},require=path=>parts[path.slice(2,-3)];${code.trim()}return module.exports}`;
}

/** The licences of the bundled packages. They require that copies of the code contain them. */
const notices = ({ packages }) => {
  const notice = (name) => {
    const text = readFileSync(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8').trim();
    return `/*\n${name}\n\n${text}\n*/\n`;
  };
  return packages.map(notice).join('');
};

mkdirSync(TARGET, { recursive: true });
const page = await modules({ explorer: join(SOURCE, 'main.tsx'), more: join(SOURCE, 'more.ts') });
const exports = await modules({ exports: join(SOURCE, 'exports.ts') });
const made = new Map([...page.code, ...exports.code]);
const bundled = [...new Set([...page.packages, ...exports.packages])].sort().join();
if (bundled !== BUNDLED.join()) throw new Error(`scripts/bundled.js must list: ${bundled}`);
const part = async (name) => `gridpress.part(${JSON.stringify(name)},${await asFunction(made.get(name))});\n`;
const shared = [...made.keys()].filter((name) => name.startsWith('chunk'));
const { outputFiles: loader } = await build({ ...common, entryPoints: [join(SOURCE, 'loader.ts')], format: 'iife' });
const first = await Promise.all([...shared, 'explorer'].map(part));
const scripts = {
  explorer: loader[0].text + first.join(''),
  more: (await part('more')) + notices(page),
  exports: (await part('exports')) + notices(exports),
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
