/** The commands that make, check, record and show registries. */
import type { Command } from 'commander';
import { plural } from '../diagnostics/messages.ts';
import { outPalette } from '../io/terminal.ts';
import { type Common, command, onSources, positive, tell } from './line.ts';

export function defineRegistryCommands(program: Command): void {
  command(program, 'init', 'Makes a small registry to start from.', ['init', 'init my-testbed'])
    .argument('[folder]', 'where', '.')
    .action(async (folder: string, options: Common) => {
      const { init } = await import('./init.ts');
      const result = init(folder);
      const next = folder === '.' ? '' : `cd ${folder}, `;
      tell(
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
        options: Common & { out: string; path?: string; ref: string; firstParent: boolean },
      ) => {
        const [{ importRegistry }, { describeImport }] = await Promise.all([
          import('./import.ts'),
          import('./describe.ts'),
        ]);
        const result = await importRegistry({ ...options, repository, showsProgress: options.json !== true });
        const { warnings, ...record } = result;
        tell(options, record, () => describeImport(result), warnings);
      },
    );

  onSources(program, 'check', 'Checks the registry and its history.', [
    'check',
    'check --registry registry-data --json',
  ]).action(async (options: Common) => {
    const { check } = await import('./check.ts');
    const { findings, ...result } = check(options);
    tell(
      options,
      result,
      () =>
        findings.length > 0
          ? ''
          : `In order: ${plural(result.resources, 'resource')}, ${plural(result.revisions, 'revision')}.\n`,
      findings,
    );
  });

  onSources(program, 'record', 'Records what changed in the registry as a revision.', [
    'record -m "Replace the failed disk of node-7"',
    'record -m "Add rack 4" --author "Ada Brown" --date 2026-03-01T12:00:00+01:00',
    'record --merge 46455c8c -m "Merge the storage nodes"',
  ])
    .requiredOption('-m, --message <text>', 'what happened')
    .option('--author <name>', "who did it (default: git's user.name)")
    .option('--date <date>', 'when, ISO 8601 with an offset (default: now)')
    .option('--merge <revision>', 'the head to bring in, when the history has two')
    .action(async (options: Common & { message: string; author?: string; date?: string; merge?: string }) => {
      const [{ record }, { describeChanges }] = await Promise.all([
        import('./record.ts'),
        import('./describe.ts'),
      ]);
      const result = record(options);
      tell(
        options,
        result,
        () => `Recorded ${result.id} in ${result.file}:\n${describeChanges(result.changes, outPalette)}`,
      );
    });

  onSources(program, 'log', 'Lists the revisions, or those of one resource or collection.', [
    'log',
    'log sites/lyra -n 5',
    'log sites/lyra/clusters/main/nodes',
  ])
    .argument('[resource]', 'a path, or the uid or name of a node')
    .option('-n, --limit <number>', 'the most revisions to list', positive)
    .action(async (resource: string | undefined, options: Common & { limit?: number }) => {
      const [{ log }, { describeLog }] = await Promise.all([import('./log.ts'), import('./describe.ts')]);
      const result = log({ ...options, resource });
      tell(options, result, () => describeLog(result, outPalette));
    });

  onSources(program, 'show', 'Shows a resource as it is, or as it was.', [
    'show sites/lyra',
    'show node-7 --at 2026-03-01',
    'show sites/lyra/clusters/main/nodes --at 46455c8c',
  ])
    .argument('<resource>', 'a path, or the uid or name of a node')
    .option('--at <moment>', 'a revision or a date', 'head')
    .action(async (resource: string, options: Common & { at: string }) => {
      const [{ show }, { describeShow }] = await Promise.all([import('./show.ts'), import('./describe.ts')]);
      const result = show({ ...options, resource });
      tell(options, result, () => describeShow(result, outPalette));
    });

  command(
    program,
    'schemas',
    'Writes the JSON Schemas of the sources, for editors, and those of what the API answers.',
    ['schemas schemas'],
  )
    .argument('<folder>', 'where')
    .action(async (folder: string, options: Common) => {
      const { writeApiSchemas, writeSchemas } = await import('./schemas.ts');
      const files = [...writeSchemas(folder), ...writeApiSchemas(folder)];
      tell(options, { folder, files }, () => `Wrote ${files.length} schemas into ${folder}.\n`);
    });
}
