import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CiService } from '../features/init/ci-files.ts';
import { addCommand, addRegistryCommand, type CommonOptions, collectNames, parseNonEmpty } from './options.ts';
import { printDone, printReport, type ReportOptions } from './results.ts';

interface InitFlags {
  readonly json?: boolean;
  readonly grid?: string;
  readonly site?: string[];
  readonly example: boolean;
  readonly ci?: CiService;
  readonly import: boolean;
  readonly package?: string;
}

export function defineRegistryCommands(program: Command): void {
  defineInit(program);
  defineImport(program);
  defineCheck(program);
  defineSchemas(program);
}

function defineInit(program: Command): void {
  const defined = addCommand(program, 'init', 'Create an empty registry with its project files, or an example.', [
    'init my-testbed --grid meridian --site lyra',
    'init --grid meridian --ci github',
    'init --ci gitlab',
    'init --ci github --import',
    'init sample --example',
  ])
    .argument('[folder]', 'the folder of the project', parseNonEmpty, '.')
    .option('--grid <name>', 'the uid of the grid', parseNonEmpty)
    .option('--site <name>', 'the uid of a first site; repeat it for more', collectNames)
    .option('--example', 'create an invented site with a node, and a first revision', false)
    .addOption(
      new Option('--ci <service>', 'let this service check pull requests and deploy the main branch').choices([
        'github',
        'gitlab',
        'netlify',
        'cloudflare',
      ]),
    )
    .addOption(
      new Option('--import', 'with --ci: import the registry from the commits of this repository at each push')
        .default(false)
        .conflicts(['grid', 'site', 'example']),
    )
    .option(
      '--package <spec>',
      'the source of gridpress in package.json: a version, a URL or a package file (default: this version)',
      parseNonEmpty,
    )
    .action(async (folder: string, { site: sites, ...flags }: InitFlags) => {
      if (flags.import && flags.ci === undefined) defined.error('error: --import needs --ci.');
      const { describeInit, init } = await import('../features/init/init.ts');
      const options = { ...flags, folder, sites };
      const result = init(options);
      const { missingHost, ...record } = result;
      await printDone(flags, { ...record, missing_host: missingHost }, () => describeInit(result, options));
    });
}

interface ImportFlags extends CommonOptions {
  readonly out: string;
  readonly path?: string;
  readonly ref: string;
  readonly firstParent: boolean;
  readonly allowMissing: boolean;
}

function defineImport(program: Command): void {
  addCommand(program, 'import', 'Import a registry from git with its history. Repeat it after new commits.', [
    'import ../reference-repository -o registry-data',
    'import inventory.bundle --path data/mygrid --ref main -o registry-data',
  ])
    .argument('<repository>', 'a clone, a bare repository, or a git bundle')
    .requiredOption('-o, --out <folder>', 'the registry to create or update', parseNonEmpty)
    .option(
      '--path <folder>',
      'the folder of the grid in the repository: data/GRID, not input/GRID, if a program generates data from input (default: the only one)',
    )
    .option('--ref <name>', 'the branch, tag or commit to import', 'HEAD')
    .option('--first-parent', 'import only the line of first parents', false)
    .option('--allow-missing', 'import a repository that lacks the contents of some files', false)
    .action(async (repository: string, options: ImportFlags) => {
      const { describeImport, importRegistry, warningsToShow } = await import('../features/import/import.ts');
      const result = await importRegistry({ ...options, repository, showsProgress: options.json !== true });
      const { warnings, isMergeDue, ...record } = result;
      const shown = options.json === true ? warnings : warningsToShow(result);
      await printDone(options, { ...record, is_merge_due: isMergeDue }, () => describeImport(result), shown);
    });
}

function defineCheck(program: Command): void {
  addRegistryCommand(program, 'check', 'Check the registry and its history.', [
    'check',
    'check --fleet',
    'check --fleet --strict --format github',
    'check --fleet --accept "Known since the first check"',
  ])
    .option('--fleet', 'compare nodes of the same type, and find duplicate and impossible values')
    .addOption(
      new Option(
        '--accept <reason>',
        'store the current findings of --fleet in fleet-accepted.yaml; later findings are errors',
      )
        .argParser(parseReason)
        .implies({ fleet: true }),
    )
    .option('--strict', 'exit with 1 for warnings too', false)
    .addOption(
      new Option('--format <name>', 'the format of findings; github annotates pull requests')
        .choices(['text', 'json', 'github'])
        .default('text'),
    )
    .action(async (options: CommonOptions & ReportOptions & { fleet?: boolean; accept?: string }) => {
      const { check, describeCheck } = await import('../features/check/check.ts');
      const { findings, ...result } = await check(options);
      await printReport(options, result, (isInOrder) => describeCheck(result, isInOrder), findings);
    });
}

function parseReason(text: string): string {
  if (!/\S/.test(text)) throw new InvalidArgumentError('It must contain a reason.');
  return text;
}

function defineSchemas(program: Command): void {
  addCommand(program, 'schemas', 'Write the JSON Schemas of registry files, for editors, and of API responses.', [
    'schemas schemas',
  ])
    .argument('<folder>', 'the folder to write to', parseNonEmpty)
    .action(async (folder: string, options: CommonOptions) => {
      const { writeApiSchemas, writeLockSchema, writeSchemas } = await import(
        '../features/sources/editor-schema-files.ts'
      );
      const files = [...writeSchemas(folder), ...writeLockSchema(folder), ...writeApiSchemas(folder)];
      await printDone(options, { folder, files }, () => `Wrote ${files.length} schemas into ${folder}.\n`);
    });
}
