/** The commands that make and check registries. */
import type { Command } from 'commander';
import { type CommonOptions, command, onSources } from './options.ts';
import { printResult } from './results.ts';

export function defineRegistryCommands(program: Command): void {
  command(program, 'init', 'Makes a small registry to start from.', ['init', 'init my-testbed'])
    .argument('[folder]', 'where', '.')
    .action(async (folder: string, options: CommonOptions) => {
      const { init } = await import('../features/init/init.ts');
      const result = init(folder);
      const next = folder === '.' ? '' : `cd ${folder}, `;
      printResult(
        options,
        result,
        () =>
          `Made ${result.files.map((file) => `\n  ${file}`).join('')}\nNext: ${next}look at them with gridpress dev; after an edit, gridpress record and gridpress build.\n`,
      );
    });

  command(
    program,
    'import',
    'Imports a registry that is kept in git, with its history; again after new commits.',
    [
      'import ../reference-repository -o registry-data',
      'import inventory.bundle --path data/mygrid --ref main -o registry-data',
    ],
  )
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
        const [{ importRegistry }, { describeImport }] = await Promise.all([
          import('../features/import/import.ts'),
          import('../features/import/describe-import.ts'),
        ]);
        const result = await importRegistry({ ...options, repository, showsProgress: options.json !== true });
        const { warnings, ...record } = result;
        printResult(options, record, () => describeImport(result), warnings);
      },
    );

  onSources(program, 'check', 'Checks the registry and its history.', [
    'check',
    'check --fleet',
    'check --fleet --json',
  ])
    .option('--fleet', 'compares nodes of a type and finds values that several share or that cannot be')
    .action(async (options: CommonOptions & { fleet?: boolean }) => {
      const { check, describeCheck } = await import('../features/check/check.ts');
      const { findings, ...result } = await check(options);
      printResult(options, result, () => describeCheck({ ...result, findings }), findings);
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
      printResult(options, { folder, files }, () => `Wrote ${files.length} schemas into ${folder}.\n`);
    });
}
