import { type Command, Option } from 'commander';
import type { CiService } from '../features/init/ci-files.ts';
import { type CommonOptions, command, nonEmpty, onSources, severalNames } from './options.ts';
import { printDone, printReport, type ReportOptions } from './results.ts';

interface InitFlags {
  readonly json?: boolean;
  readonly grid?: string;
  readonly site?: string[];
  readonly example: boolean;
  readonly ci?: CiService;
}

export function defineRegistryCommands(program: Command): void {
  command(program, 'init', 'Makes an empty registry, and a project around it; or an example.', [
    'init my-testbed --grid meridian --site lyra',
    'init --grid meridian --ci github',
    'init --ci gitlab',
    'init sample --example',
  ])
    .argument('[folder]', 'where', '.')
    .option('--grid <name>', 'the uid of the grid', nonEmpty)
    .option('--site <name>', 'the uid of a first site; again for each', severalNames)
    .option('--example', 'an invented site with a node, and its first revision', false)
    .addOption(
      new Option('--ci <service>', 'what makes a service check pull requests and deploy the main branch').choices([
        'github',
        'gitlab',
        'netlify',
        'cloudflare',
      ]),
    )
    .action(async (folder: string, { site: sites, ...flags }: InitFlags) => {
      const { describeInit, init } = await import('../features/init/init.ts');
      const options = { ...flags, folder, sites };
      const result = init(options);
      await printDone(flags, result, () => describeInit(result, options));
    });

  command(program, 'import', 'Imports a registry that is kept in git, with its history; again after new commits.', [
    'import ../reference-repository -o registry-data',
    'import inventory.bundle --path data/mygrid --ref main -o registry-data',
  ])
    .argument('<repository>', 'a clone, a bare repository, or a bundle')
    .requiredOption('-o, --out <folder>', 'the registry to make or to bring up to date')
    .option('--path <folder>', "the grid's folder in the repository (default: the only one that there is)")
    .option('--ref <name>', 'the branch, tag or commit to import', 'HEAD')
    .option('--first-parent', 'only the commits on the line of first parents', false)
    .action(
      async (
        repository: string,
        options: CommonOptions & { out: string; path?: string; ref: string; firstParent: boolean },
      ) => {
        const [{ importRegistry }, { describeImport, warningsToShow }] = await Promise.all([
          import('../features/import/import.ts'),
          import('../features/import/describe-import.ts'),
        ]);
        const result = await importRegistry({ ...options, repository, showsProgress: options.json !== true });
        const { warnings, isMergeDue, ...record } = result;
        const shown = options.json === true ? warnings : warningsToShow(result);
        await printDone(options, { ...record, is_merge_due: isMergeDue }, () => describeImport(result), shown);
      },
    );

  onSources(program, 'check', 'Checks the registry and its history.', [
    'check',
    'check --fleet',
    'check --fleet --strict --format github',
  ])
    .option('--fleet', 'compares nodes of a type and finds values that several share or that cannot be')
    .option('--strict', 'exit with 1 for warnings too', false)
    .addOption(
      new Option('--format <name>', 'how findings are printed; github annotates pull requests')
        .choices(['text', 'json', 'github'])
        .default('text'),
    )
    .action(async (options: CommonOptions & ReportOptions & { fleet?: boolean }) => {
      const { check, describeCheck } = await import('../features/check/check.ts');
      const { findings, ...result } = await check(options);
      await printReport(options, result, (isInOrder) => describeCheck(result, isInOrder), findings);
    });

  command(
    program,
    'schemas',
    'Writes the JSON Schemas of the sources, for editors, and those of what the API answers.',
    ['schemas schemas'],
  )
    .argument('<folder>', 'where')
    .action(async (folder: string, options: CommonOptions) => {
      const { writeApiSchemas, writeLockSchema, writeSchemas } = await import(
        '../features/init/editor-schema-files.ts'
      );
      const files = [...writeSchemas(folder), ...writeLockSchema(folder), ...writeApiSchemas(folder)];
      await printDone(options, { folder, files }, () => `Wrote ${files.length} schemas into ${folder}.\n`);
    });
}
