/** `gridpress init`: an empty registry to fill, or an example to look at; and what makes its folder a project. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { kindNamed } from '../../core/model/kinds.ts';
import { uidProblem } from '../../core/model/uid.ts';
import { modeline } from '../../core/registry/editor-schemas.ts';
import { UID_CODES } from '../../core/registry/rules.ts';
import { SCHEMAS_FOLDER } from '../../core/registry/schema-files.ts';
import { replaceFile } from '../../system/files/replace-file.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { type Source, siteSources, sourceAt } from '../edit/site-sources.ts';
import { writeSources } from '../edit/write-sources.ts';
import { record } from '../revisions/record.ts';
import { type CiService, ciFiles } from './ci-files.ts';
import { writeSchemas } from './editor-schema-files.ts';
import { EXAMPLE } from './example.ts';
import { projectFiles } from './project-files.ts';

export interface InitOptions {
  readonly folder: string;
  readonly grid?: string | undefined;
  readonly sites?: readonly string[] | undefined;
  /** Whether it is the example, with its first revision recorded. */
  readonly example?: boolean | undefined;
  readonly ci?: CiService | undefined;
}

export interface InitResult {
  readonly folder: string;
  readonly files: readonly string[];
}

const REGISTRY = 'registry-data';
const CONFIGURATION = 'gridpress.yaml';
/** The uid of the cluster of every site. */
const CLUSTER = 'main';

const CONFIGURATION_TEXT = `cluster_uid: ${CLUSTER}          # the one uid that the cluster of every bare-metal site has, or any
node_uid: uuid             # or name, when nodes are known by names such as rack1-3
snapshots: all             # or none, or a list of revisions
# base_path: /NAME         # what stands before every path on the host, such as the site of a project
`;

/** Nothing is written over: what makes a project is added to what there is, and all else must not be there. */
export function init(options: InitOptions): InitResult {
  const { folder, ci } = options;
  const { grid, sources } = newRegistry(options);
  const deployment = ci === undefined ? new Map<string, string>() : ciFiles(ci, grid);
  for (const file of deployment.keys())
    if (existsSync(join(folder, file))) fail(finding('file-there', { file: shownPath(join(folder, file)) }));
  const project = projectFiles(folder);
  const files = sources.length > 0 ? writeRegistry(folder, sources) : [];
  if (options.example === true) files.push(recordExample(folder));
  for (const [file, text] of [...project, ...deployment]) {
    replaceFile(folder, file, text);
    files.push(file);
  }
  return { folder, files };
}

/** What is to be written of a registry: nothing where there is one already, and only a service is to be set up. */
function newRegistry(options: InitOptions): { readonly grid: string; readonly sources: readonly Source[] } {
  const { folder, grid, sites = [], example = false, ci } = options;
  const isWanted = grid !== undefined || sites.length > 0 || example;
  const there = whatIsThere(folder);
  if (there !== undefined && (isWanted || ci === undefined)) fail(finding('not-empty', { folder: there }));
  if (there !== undefined) return { grid: uidOfGrid(folder), sources: [] };
  if (grid === undefined && !example) return fail(finding('init-of-what', {}));
  const uid = grid ?? 'mygrid';
  for (const [kind, name] of [['grid', uid], ...sites.map((site) => ['site', site] as const)] as const) {
    const problem = uidProblem(name, kindNamed(kind), 'name');
    if (problem) fail(finding(UID_CODES[problem], { uid: name }));
  }
  const added = sites.flatMap((site) => siteSources({ uid: site, siteClass: 'baremetal', cluster: CLUSTER }));
  const root = sourceAt('', `type: grid\nuid: ${uid}\n`);
  return { grid: uid, sources: [root, ...(example ? EXAMPLE : []), ...added] };
}

/** The folder or file for which no registry can be made here. */
function whatIsThere(folder: string): string | undefined {
  const registry = join(folder, REGISTRY);
  if (existsSync(registry) && readdirSync(registry).length > 0) return registry;
  return existsSync(join(folder, CONFIGURATION)) ? folder : undefined;
}

/** As the registry states it; one that cannot be read is nothing to stop for here. */
function uidOfGrid(folder: string): string {
  const file = join(folder, REGISTRY, 'grid.yaml');
  return (existsSync(file) && /^uid: *"?([^"\s]+)/m.exec(readFileSync(file, 'utf8'))?.[1]) || 'testbed';
}

function writeRegistry(folder: string, sources: readonly Source[]): string[] {
  const schemas = writeSchemas(join(folder, SCHEMAS_FOLDER)).map((file) => join(SCHEMAS_FOLDER, file));
  replaceFile(folder, CONFIGURATION, modeline(`./${SCHEMAS_FOLDER}`, 'gridpress') + CONFIGURATION_TEXT);
  writeSources(join(folder, REGISTRY), sources);
  return [...schemas, CONFIGURATION, ...sources.map(({ file }) => join(REGISTRY, file))];
}

/** The example is nobody's registry, so that its revision bears nobody's name. */
function recordExample(folder: string): string {
  const registry = join(folder, REGISTRY);
  const { file } = record({ registry, message: 'The example of gridpress', author: 'gridpress' });
  return relative(folder, file);
}

export function describeInit({ folder, files }: InitResult, options: InitOptions): string {
  const [site] = options.sites ?? [];
  const steps = folder === '.' ? ['npm install'] : [`cd ${folder}`, 'npm install'];
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
