/** Prints the dependencies of the package, and the packages in the explorer's scripts, as CycloneDX 1.5. It reads only package-lock.json, so the result is reproducible. */
import { readFileSync } from 'node:fs';
import { BUNDLED } from './bundled.js';

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { packages } = read('package-lock.json');
const { name, version, description, license, dependencies } = read('package.json');

const MODULES = 'node_modules/';
const nameOf = (path) => path.slice(path.lastIndexOf(MODULES) + MODULES.length);
/** The package URL specification escapes the @ of a scope. */
const purlOf = (called, of) => `pkg:npm/${called.replace('@', '%40')}@${of}`;

/** Finds a dependency in package-lock.json as Node.js does: in the package's folder, then upwards. */
function placeOf(path, dependency) {
  for (let from = path; ; from = from.slice(0, Math.max(0, from.lastIndexOf(MODULES) - 1))) {
    const place = `${from === '' ? '' : `${from}/`}${MODULES}${dependency}`;
    if (packages[place] !== undefined) return place;
    if (from === '') throw new Error(`package-lock.json lacks ${dependency}`);
  }
}

const installed = new Map();
function install(path, needs = {}) {
  const places = Object.keys(needs).map((dependency) => placeOf(path, dependency));
  installed.set(path, places);
  for (const place of places) if (!installed.has(place)) install(place, packages[place].dependencies);
}
install('', { ...dependencies, ...Object.fromEntries(BUNDLED.map((name) => [name, ''])) });

const refOf = (path) => (path === '' ? purlOf(name, version) : purlOf(nameOf(path), packages[path].version));
const components = [...installed.keys()]
  .filter((path) => path !== '')
  .sort()
  .map((path) => {
    const { version: of, integrity = '', license: under } = packages[path];
    const [algorithm, digest = ''] = integrity.split('-', 2);
    const content = Buffer.from(digest, 'base64').toString('hex');
    return {
      type: 'library',
      'bom-ref': refOf(path),
      name: nameOf(path),
      version: of,
      ...(algorithm === 'sha512' ? { hashes: [{ alg: 'SHA-512', content }] } : {}),
      ...(under === undefined ? {} : { licenses: [{ license: { id: under } }] }),
      purl: refOf(path),
    };
  });

const document = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    component: {
      ...{ type: 'application', 'bom-ref': refOf(''), name, version, description },
      ...{ licenses: [{ license: { id: license } }], purl: refOf('') },
    },
  },
  components,
  dependencies: [...installed].map(([path, places]) => ({ ref: refOf(path), dependsOn: places.map(refOf).sort() })),
};
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
