#!/usr/bin/env node
/**
 * The command line: what can be called, with which options, and how results and failures are told. Each command's
 * work stands in commands/, and is loaded only when it is called.
 */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { VERSION } from './commands/version.ts';
import type { Finding } from './diagnostics/finding.ts';
import { exitStatus, findingRecord, renderFindings } from './diagnostics/render.ts';
import { Failure } from './io/failure.ts';
import { errPalette, outPalette, print, printError } from './io/terminal.ts';

const USAGE_ERROR = 2;

interface Common {
  readonly registry: string;
  readonly config?: string;
  readonly json?: boolean;
}

/** Prints a result: for people the text, for machines the record with its findings. */
function tell(
  options: { readonly json?: boolean },
  record: object,
  text: () => string,
  findings: readonly Finding[] = [],
): void {
  process.exitCode = exitStatus(findings);
  if (options.json === true) {
    print(JSON.stringify({ ok: process.exitCode === 0, ...record, findings: findings.map(findingRecord) }));
    return;
  }
  printError(renderFindings(findings, errPalette));
  print(text());
}

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return number;
}

function port(text: string): number {
  const number = Number(text);
  if (text === '' || !Number.isInteger(number) || number < 0 || number > 65_535) {
    throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  }
  return number;
}

function nameList(text: string): string[] {
  return text.split(',').filter(Boolean);
}

function snapshotChoice(text: string): 'all' | 'none' | string[] {
  return text === 'all' || text === 'none' ? text : text.split(',').filter(Boolean);
}

const program = new Command('gridpress')
  .description('Presses a testbed registry and its change history into a static, hypermedia JSON API.')
  .version(VERSION)
  .showHelpAfterError('(gridpress help COMMAND shows what it takes)')
  .exitOverride()
  .configureOutput({ writeErr: printError });

function command(name: string, description: string, examples: readonly string[]): Command {
  return program
    .command(name)
    .description(description)
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ gridpress ${example}`).join('\n')}`);
}

function onSources(name: string, description: string, examples: readonly string[]): Command {
  return command(name, description, examples)
    .option('--registry <folder>', 'the registry', 'registry-data')
    .option('--config <file>', 'the configuration (default: gridpress.yaml beside the registry)');
}

function onTree(name: string, description: string, examples: readonly string[]): Command {
  return onSources(name, description, examples)
    .option('--out <folder>', 'where the tree goes', 'dist')
    .addOption(
      new Option('--dialect <name>', 'the representation of responses').choices(['current', 'legacy']),
    )
    .option('--snapshots <which>', 'all, none, or revisions with commas between them', snapshotChoice);
}

command('init', 'Makes a small registry to start from.', ['init', 'init my-testbed'])
  .argument('[folder]', 'where', '.')
  .action(async (folder: string, options: Common) => {
    const { init } = await import('./commands/init.ts');
    const result = init(folder);
    const next = folder === '.' ? '' : `cd ${folder}, `;
    tell(
      options,
      result,
      () =>
        `Made ${result.files.map((file) => `\n  ${file}`).join('')}\nNext: ${next}edit them, then gridpress build.\n`,
    );
  });

command('import', 'Imports a registry that is kept in git, with its history; again after new commits.', [
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
      options: Common & { out: string; path?: string; ref: string; firstParent: boolean },
    ) => {
      const [{ importRegistry }, { describeImport }] = await Promise.all([
        import('./commands/import.ts'),
        import('./commands/describe.ts'),
      ]);
      const result = await importRegistry({ ...options, repository, showsProgress: options.json !== true });
      const { warnings, ...record } = result;
      tell(options, record, () => describeImport(result), warnings);
    },
  );

onSources('check', 'Checks the registry and its history.', [
  'check',
  'check --registry registry-data --json',
]).action(async (options: Common) => {
  const { check } = await import('./commands/check.ts');
  const { findings, ...result } = check(options);
  tell(
    options,
    result,
    () =>
      findings.length > 0 ? '' : `In order: ${result.resources} resources, ${result.revisions} revisions.\n`,
    findings,
  );
});

interface TreeOptions extends Common {
  readonly out: string;
  readonly dialect?: 'current' | 'legacy';
  readonly snapshots?: 'all' | 'none' | string[];
}

onTree('build', 'Builds the API tree.', [
  'build',
  'build --out public --snapshots none',
  'build --at 5da05904 --out as-it-was',
  'build --dialect legacy --out legacy',
  'build --host nginx,netlify',
])
  .option('--at <revision>', 'build the tree of an older revision, as if it were the head')
  .option('--host <names>', 'the hosts to write configuration for, with commas between them', nameList)
  .action(async ({ host: hosts, ...options }: TreeOptions & { at?: string; host?: string[] }) => {
    const [{ build }, { describeBuild }] = await Promise.all([
      import('./commands/build.ts'),
      import('./commands/describe.ts'),
    ]);
    const result = await build({ ...options, hosts, showsProgress: options.json !== true });
    tell(options, result, () => describeBuild(result));
  });

onSources('record', 'Records what changed in the registry as a revision.', [
  'record -m "Replace the failed disk of node-7"',
  'record -m "Add rack 4" --author "Ada Brown" --date 2026-03-01T12:00:00+01:00',
  'record --merge 8f0a7105 -m "Merge the storage nodes"',
])
  .requiredOption('-m, --message <text>', 'what happened')
  .option('--author <name>', "who did it (default: git's user.name)")
  .option('--date <date>', 'when, ISO 8601 with an offset (default: now)')
  .option('--merge <revision>', 'the head to bring in, when the history has two')
  .action(async (options: Common & { message: string; author?: string; date?: string; merge?: string }) => {
    const [{ record }, { describeChanges }] = await Promise.all([
      import('./commands/record.ts'),
      import('./commands/describe.ts'),
    ]);
    const result = record(options);
    tell(
      options,
      result,
      () => `Recorded ${result.id} in ${result.file}:\n${describeChanges(result.changes, outPalette)}`,
    );
  });

onSources('log', 'Lists the revisions, or those of one resource or collection.', [
  'log',
  'log sites/lyra -n 5',
  'log sites/lyra/clusters/main/nodes',
])
  .argument('[resource]', 'a path, or the uid or name of a node')
  .option('-n, --limit <number>', 'the most revisions to list', positive)
  .action(async (resource: string | undefined, options: Common & { limit?: number }) => {
    const [{ log }, { describeLog }] = await Promise.all([
      import('./commands/log.ts'),
      import('./commands/describe.ts'),
    ]);
    const result = log({ ...options, resource });
    tell(options, result, () => describeLog(result, outPalette));
  });

onSources('show', 'Shows a resource as it is, or as it was.', [
  'show sites/lyra',
  'show node-7 --at 2026-03-01',
  'show sites/lyra/clusters/main/nodes --at 8f0a7105',
])
  .argument('<resource>', 'a path, or the uid or name of a node')
  .option('--at <moment>', 'a revision or a date', 'head')
  .action(async (resource: string, options: Common & { at: string }) => {
    const [{ show }, { describeShow }] = await Promise.all([
      import('./commands/show.ts'),
      import('./commands/describe.ts'),
    ]);
    const result = show({ ...options, resource });
    tell(options, result, () => describeShow(result, outPalette));
  });

interface ServeFlags extends Common {
  readonly port: number;
  readonly host: string;
}

function withServer(given: Command): Command {
  return given
    .option('--port <number>', 'the port; 0 for any that is free', port, 8080)
    .option('--host <address>', 'the address to listen on', '127.0.0.1');
}

function started(options: ServeFlags, folder: string, number: number): void {
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${number}/`;
  tell(options, { url, folder }, () => `Serving ${folder} at ${url} (stop with Ctrl-C)\n`);
}

withServer(onSources('serve', 'Serves a tree over HTTP.', ['serve', 'serve public --port 3000']))
  .argument('[folder]', 'the tree', 'dist')
  .action(async (folder: string, options: ServeFlags) => {
    const { serve } = await import('./commands/serve.ts');
    const { port: number } = await serve({ ...options, folder });
    started(options, folder, number);
  });

withServer(
  onTree('dev', 'Builds, serves, and builds again whenever a source changes.', ['dev', 'dev --port 3000']),
).action(async (options: ServeFlags & TreeOptions) => {
  const { dev } = await import('./commands/dev.ts');
  const { port: number } = await dev(
    { ...options, showsProgress: options.json !== true },
    { say: print, palette: outPalette },
  );
  started(options, options.out, number);
});

command('probe', 'Checks a deployment against the contract, over HTTP, without changing anything.', [
  'probe https://api.testbed.example.org/',
  'probe http://127.0.0.1:8080/ --host nginx',
])
  .argument('<url>', 'the base URL of the API')
  .option('--host <name>', 'the host it runs on, whose limits are then known')
  .option('--rate <number>', 'the most requests in a second', positive, 200)
  .option('--timeout <seconds>', 'how long an answer may take', positive, 10)
  .option('--limit <number>', 'the most requests in all', positive, 10_000)
  .action(
    async (
      url: string,
      options: Common & { host?: string; rate: number; timeout: number; limit: number },
    ) => {
      const { describeProbed, probeUrl } = await import('./commands/probe.ts');
      const result = await probeUrl({ ...options, url }, (probed) => {
        if (options.json !== true) print(describeProbed(probed, outPalette));
      });
      const wrong = result.results.filter(({ outcome }) => outcome === 'wrong').length;
      tell(
        options,
        result,
        () =>
          `${wrong === 0 ? 'Nothing is wrong' : `${wrong} of ${result.results.length} are wrong`}, after ${result.requests} requests.\n`,
      );
      process.exitCode = result.ok ? 0 : 1;
    },
  );

command('hosts', 'Shows what each host can do.', ['hosts', 'hosts --markdown > docs/hosts.md'])
  .option('--markdown', 'the whole document, with recipes and limits')
  .action(async (options: Common & { markdown?: boolean }) => {
    const [{ HOSTS }, { hostsDocument, matrix, matrixText }] = await Promise.all([
      import('./hosts/all.ts'),
      import('./hosts/matrix.ts'),
    ]);
    const text = () => (options.markdown === true ? hostsDocument(HOSTS) : matrixText(HOSTS));
    tell(
      options,
      {
        hosts: HOSTS.map(({ name, title, evidence }) => ({ name, title, evidence })),
        capabilities: matrix(HOSTS),
      },
      text,
    );
  });

command(
  'schemas',
  'Writes the JSON Schemas of the sources, for editors, and those of what the API answers.',
  ['schemas schemas'],
)
  .argument('<folder>', 'where')
  .action(async (folder: string, options: Common) => {
    const { writeApiSchemas, writeSchemas } = await import('./commands/schemas.ts');
    const files = [...writeSchemas(folder), ...writeApiSchemas(folder)];
    tell(options, { folder, files }, () => `Wrote ${files.length} schemas into ${folder}.\n`);
  });

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof Failure) {
    const isJson = process.argv.includes('--json');
    process.exitCode = exitStatus(error.findings);
    if (isJson) print(JSON.stringify({ ok: false, findings: error.findings.map(findingRecord) }));
    else printError(renderFindings(error.findings, errPalette));
  } else if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
  } else {
    const message = error instanceof Error ? error.message : String(error);
    printError(
      `gridpress has a bug: ${message}\nPlease report it with the command that you ran. GRIDPRESS_DEBUG=1 shows where.\n`,
    );
    if (process.env['GRIDPRESS_DEBUG'] !== undefined && error instanceof Error) printError(error.stack ?? '');
    process.exitCode = USAGE_ERROR;
  }
}
