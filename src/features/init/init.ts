import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { IMPORT } from '../../core/hosts/github-pages.ts';
import { isJsonObject, type JsonObject, parsedObject } from '../../core/model/json.ts';
import { kindNamed } from '../../core/model/kinds.ts';
import { uidProblem } from '../../core/model/uid.ts';
import { FILE_BYTES } from '../../core/platform/limits.ts';
import { modeline } from '../../core/registry/editor-schemas.ts';
import { REGISTRY_FOLDER, SCHEMAS_FOLDER } from '../../core/registry/layout.ts';
import { UID_CODES } from '../../core/registry/rules.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { readPlainFile } from '../../system/files/file-io.ts';
import { listFolder } from '../../system/files/read-folder.ts';
import { replaceFiles } from '../../system/files/replace-file.ts';
import { reading, undefinedOnSystemError } from '../../system/files/system-errors.ts';
import { type Source, siteSources, sourceAt, textsOf } from '../edit/site-sources.ts';
import { record } from '../revisions/record.ts';
import { writeSchemas } from '../sources/editor-schema-files.ts';
import { IGNORED_FILES, withLines } from '../sources/git-files.ts';
import { CI_PACKAGES, type CiService, ciFiles, HOST_OF_SERVICE } from './ci-files.ts';
import { type PackageSource, packageSource } from './package-source.ts';

export interface InitOptions {
  readonly folder: string;
  readonly grid?: string | undefined;
  readonly sites?: readonly string[] | undefined;
  /** Whether to write the example and record its first revision. */
  readonly example?: boolean | undefined;
  readonly ci?: CiService | undefined;
  /** Whether CI imports the registry from the git history of the repository. */
  readonly import?: boolean | undefined;
  /** The source from which npm installs gridpress: a version, a URL or a package file. */
  readonly package?: string | undefined;
}

export interface InitResult {
  readonly folder: string;
  readonly files: readonly string[];
  /** A host that the new CI files need. The user must add it to the existing gridpress.yaml. */
  readonly missingHost: string | undefined;
}

const CONFIGURATION = 'gridpress.yaml';
const CLUSTER = 'main';

/** The host of a new project if the user names no CI service. */
const USUAL_HOST = 'nginx';

const configurationText = (
  host: string,
) => `cluster_uid: ${CLUSTER}          # the uid of the cluster at each bare-metal site; "any" allows every uid
node_uid: uuid             # or name, when nodes are known by names such as rack1-3
${`hosts: [${host}]`.padEnd(26)} # the servers that serve the API; "gridpress hosts" lists all
# base_path: /NAME         # the start of every path, for example when the host serves several projects
`;

/** Creates a project, or extends project files such as `package.json`. Fails if it would overwrite any other file. */
export function init(options: InitOptions): InitResult {
  const { folder, ci } = options;
  const isImported = options.import === true;
  const host = ci === undefined ? USUAL_HOST : HOST_OF_SERVICE[ci];
  const { grid, registry } = newRegistry(options, host);
  const deployment =
    ci === undefined ? new Map<string, string>() : ciFiles(ci, grid, isImported ? 'imported' : 'committed');
  for (const [file, text] of deployment)
    if (existsSync(join(folder, file)) && !hasText(join(folder, file), text))
      fail(finding('file-there', { file: displayPath(join(folder, file)) }));
  const source = packageSource(options.package);
  const packages = ci === undefined ? undefined : CI_PACKAGES[ci];
  const project = projectFiles(folder, { source, packages, ignored: isImported ? IGNORED_REGISTRY : [] });
  const vendored = needsFile(folder, project, source) ? [[source.file.name, source.file.bytes()] as const] : [];
  const schemas = registry.length > 0 ? writeSchemas(join(folder, SCHEMAS_FOLDER)) : [];
  // One call writes all files. The vendored package is written before the `package.json` that names it.
  replaceFiles(folder, new Map<string, string | Uint8Array>([...vendored, ...project, ...registry, ...deployment]));
  const written = [...registry, ...project, ...deployment, ...vendored].map(([file]) => file);
  const files = [...schemas.map((file) => join(SCHEMAS_FOLDER, file)), ...written];
  if (options.example === true) files.push(recordExample(folder));
  return { folder, files, missingHost: isImported || listsHost(folder, host) ? undefined : host };
}

function listsHost(folder: string, host: string): boolean {
  const file = join(folder, CONFIGURATION);
  const text = existsSync(file) ? readPlainFile(file, FILE_BYTES).toString('utf8') : '';
  return text.split('\n').some((line) => line.startsWith('hosts:') && line.includes(host));
}

interface NewRegistry {
  readonly grid: string;
  /** The names and texts of its files and of the configuration. */
  readonly registry: readonly (readonly [string, string])[];
}

/** Returns no files if a registry exists and only CI files are requested. */
function newRegistry(options: InitOptions, host: string): NewRegistry {
  const { folder, grid, sites = [], example = false, ci } = options;
  const isWanted = grid !== undefined || sites.length > 0 || example;
  const existing = existingFiles(folder);
  const exists = existing.length > 0;
  const place = existing[0] === CONFIGURATION ? folder : join(folder, REGISTRY_FOLDER);
  if (exists && !isWanted && ci !== undefined) return { grid: uidOfGrid(folder), registry: [] };
  if (!exists && options.import === true) return { grid: 'testbed', registry: [] };
  if (grid === undefined && !example)
    return fail(exists ? finding('not-empty', { folder: place }) : finding('init-of-what', {}));
  const uid = grid ?? 'mygrid';
  for (const [kind, name] of [['grid', uid], ...sites.map((site) => ['site', site] as const)] as const) {
    const problem = uidProblem(name, kindNamed(kind), 'name');
    if (problem) fail(finding(UID_CODES[problem], { uid: name }));
  }
  for (const [i, site] of sites.entries()) {
    const other = sites.slice(0, i).find((each) => each !== site && each.toLowerCase() === site.toLowerCase());
    if (other !== undefined) fail(finding('uid-case-collision', { uid: site, other }));
  }
  const added = sites.flatMap((site) => siteSources({ uid: site, siteClass: 'baremetal', cluster: CLUSTER }));
  const root = sourceAt('', encodeYaml({ type: 'grid', uid }));
  const registry = registryTexts([root, ...(example ? EXAMPLE : []), ...added], host);
  // An interrupted `init` wrote some of these files, and a repetition completes them.
  const texts = new Map(registry);
  const isPart = existing.every((file) => hasText(join(folder, file), texts.get(file)));
  const isWhole = existing.length === texts.size && !example;
  if (exists && (!isPart || isWhole)) fail(finding('not-empty', { folder: place }));
  return { grid: uid, registry };
}

/** Returns the files of the registry, and then the configuration. */
function existingFiles(folder: string): string[] {
  const registry = join(folder, REGISTRY_FOLDER);
  const files = existsSync(registry) ? listFolder(registry, displayPath(registry)).files : [];
  return [
    ...files.map((file) => join(REGISTRY_FOLDER, file)),
    ...(existsSync(join(folder, CONFIGURATION)) ? [CONFIGURATION] : []),
  ];
}

function hasText(file: string, text: string | undefined): boolean {
  if (text === undefined) return false;
  const status = lstatSync(file, { throwIfNoEntry: false });
  const isAsLong = status?.isFile() === true && status.size === Buffer.byteLength(text);
  return isAsLong && undefinedOnSystemError(() => readFileSync(file, 'utf8')) === text;
}

/** Returns the uid in the file of the grid. Returns `testbed` if the file has no readable uid. */
function uidOfGrid(folder: string): string {
  const file = join(folder, REGISTRY_FOLDER, 'grid.yaml');
  return (existsSync(file) && /^uid: *"?([^"\s]+)/m.exec(readFileSync(file, 'utf8'))?.[1]) || 'testbed';
}

function registryTexts(sources: readonly Source[], host: string): NewRegistry['registry'] {
  const registry = [...textsOf(sources, true)];
  const configuration = modeline(`./${SCHEMAS_FOLDER}`, 'gridpress') + configurationText(host);
  return [
    [CONFIGURATION, configuration],
    ...registry.map(([file, text]): [string, string] => [join(REGISTRY_FOLDER, file), text]),
  ];
}

/** The author of the example is `gridpress` and not the user, because the testbed is invented. */
function recordExample(folder: string): string {
  const registry = join(folder, REGISTRY_FOLDER);
  const { file } = record({ registry, message: 'The example of gridpress', author: 'gridpress' });
  return relative(folder, file);
}

export function describeInit({ folder, files, missingHost }: InitResult, options: InitOptions): string {
  const [site] = options.sites ?? [];
  const steps = folder === '.' ? ['npm install'] : [`cd ${folder}`, 'npm install'];
  if (missingHost !== undefined) steps.push(`Add ${missingHost} to hosts in ${CONFIGURATION}.`);
  if (options.import === true) steps.push(IMPORT, 'npx gridpress check');
  if (options.example === true) steps.push('npx gridpress dev');
  else if (options.grid !== undefined) {
    if (site === undefined) steps.push('npx gridpress add site NAME');
    steps.push(
      `npx gridpress add node --site ${site ?? 'NAME'} --names 'c-{01..20}'`,
      'npx gridpress record -m "First revision"',
      'npm start',
    );
  }
  return `Wrote${files.map((file) => `\n  ${file}`).join('')}\nNext:${steps.map((step) => `\n  ${step}`).join('')}\n`;
}

const NODE = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

const EXAMPLE: readonly Source[] = [
  sourceAt(
    'sites/first',
    `type: site
uid: first
name: First Site
description: The first site of the testbed
location: Somewhere
latitude: 0
longitude: 0
web: https://testbed.example.org
email_contact: contact@testbed.example.org
security_contact: security@testbed.example.org
sys_admin_contact: admin@testbed.example.org
user_support_contact: help@testbed.example.org
site_class: baremetal
`,
  ),
  sourceAt('sites/first/clusters/main', 'type: cluster\nuid: main\n'),
  sourceAt(
    `sites/first/clusters/main/nodes/${NODE}`,
    `type: node
uid: ${NODE}
node_name: node-1
node_type: compute
architecture:
  platform_type: x86_64
  smp_size: 2              # sockets
  smt_size: 64             # threads
main_memory:
  ram_size: 274877906944   # bytes
  humanized_ram_size: 256 GiB
storage_devices:
  - device: sda
    interface: SATA
    media_type: SSD
    model: EX480
    serial: "0001"
    size: 480000000000
    humanized_size: 480 GB
`,
  ),
];

const SCRIPTS = {
  check: 'gridpress check --fleet',
  dev: 'gridpress dev',
  build: 'gridpress build',
  start: 'gridpress build && gridpress serve',
};

const IGNORED_REGISTRY = [
  '# The registry, which is imported from the history of this repository',
  `${REGISTRY_FOLDER}/`,
];

/** The bytes of checkouts and archives must not depend on git's setting `core.autocrlf`. */
const ATTRIBUTES = ['*.yaml text eol=lf'];

interface ProjectOptions {
  readonly source: PackageSource;
  readonly packages: JsonObject | undefined;
  readonly ignored: readonly string[];
}

/** Maps names of project files to texts. Keeps existing contents, and omits files that need no change. */
function projectFiles(folder: string, { ignored, ...options }: ProjectOptions): ReadonlyMap<string, string> {
  const files = [
    ['package.json', packageFile(folder, options)],
    ['.gitignore', withLines(join(folder, '.gitignore'), [...IGNORED_FILES, ...ignored])],
    ['.gitattributes', withLines(join(folder, '.gitattributes'), ATTRIBUTES)],
  ] as const;
  return new Map(files.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
}

function needsFile(
  folder: string,
  project: ReadonlyMap<string, string>,
  source: PackageSource,
): source is Required<PackageSource> {
  if (!source.file || existsSync(join(folder, source.file.name))) return false;
  return project.get('package.json')?.includes(JSON.stringify(source.spec)) === true;
}

/** Adds missing scripts and dependencies to `package.json`. Returns undefined if nothing is missing. */
function packageFile(
  folder: string,
  { source, packages = {} }: Pick<ProjectOptions, 'source' | 'packages'>,
): string | undefined {
  const before = readPackage(join(folder, 'package.json'));
  const held = (name: string): JsonObject => {
    const value = before[name];
    return isJsonObject(value) ? value : {};
  };
  const hasGridpress = 'gridpress' in held('dependencies') || 'gridpress' in held('devDependencies');
  const after = {
    ...(Object.keys(before).length === 0 ? { private: true } : before),
    scripts: { ...SCRIPTS, ...held('scripts') },
    ...(hasGridpress ? {} : { dependencies: { ...held('dependencies'), gridpress: source.spec } }),
    ...(Object.keys(packages).length === 0 ? {} : { devDependencies: { ...packages, ...held('devDependencies') } }),
  };
  return JSON.stringify(before) === JSON.stringify(after) ? undefined : `${JSON.stringify(after, null, 2)}\n`;
}

function readPackage(file: string): JsonObject {
  if (!existsSync(file)) return {};
  const shown = displayPath(file);
  const text = reading(shown, () => readPlainFile(file, FILE_BYTES, shown).toString('utf8'));
  return parsedObject(text) ?? fail(finding('package-broken', { file: shown }));
}
