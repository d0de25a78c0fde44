import type { Command } from 'commander';
import { LONGEST_MAX_AGE } from '../core/model/configuration.ts';
import type { BuildOptions, SettingOptions } from '../features/build/build-options.ts';
import type { Serving } from '../features/serve/serve.ts';
import { errPalette, outPalette, print, printError } from '../system/terminal/terminal.ts';
import {
  addRegistryCommand,
  addTreeCommand,
  addTreeOptions,
  type CommonOptions,
  parseNames,
  parseNonEmpty,
  parseUpTo,
} from './options.ts';
import { printBug, printDone, printResult, writtenRecord } from './results.ts';

type TreeChoices = CommonOptions & Omit<SettingOptions, 'hosts' | 'maxAge'>;

type BuildFlags = TreeChoices &
  Pick<BuildOptions, 'out' | 'at' | 'maxAge' | 'force' | 'precompressed' | 'sign' | 'fsync'> & {
    readonly host?: string[];
  };

interface ServeFlags extends CommonOptions {
  readonly port: number;
  readonly address: string;
  readonly open: boolean;
}

type DevFlags = ServeFlags & TreeChoices & { readonly out?: string };

export function defineTreeCommands(program: Command): void {
  defineBuild(program);
  defineServe(program);
  defineDev(program);
}

function defineBuild(program: Command): void {
  addTreeCommand(program, 'build', 'Build the API tree.', [
    'build',
    'build --out public --snapshots none',
    'build --at 91a34824 --out as-it-was',
    'build --dialect legacy --out legacy',
    'build --sign ~/.ssh/id_ed25519',
  ])
    .option('--at <moment>', 'build the tree of an older revision or date, as if it were the head', parseNonEmpty)
    .option('--force', 'rewrite all files, even unchanged ones', false)
    .option('--host <names>', 'write configuration for these hosts (comma-separated)', parseNames)
    .option(
      '--max-age <seconds>',
      'how long caches may store documents that can change (default: max_age in gridpress.yaml)',
      parseUpTo(LONGEST_MAX_AGE),
    )
    .option('--no-precompressed', 'omit the .gz and .br files that hosts can serve, as in archives')
    .option('--sign <key>', 'sign the manifest with this SSH key, or with an agent that has it', parseNonEmpty)
    .option('--no-fsync', 'skip fsync (faster); a power failure right afterwards can lose the whole tree')
    .action(async ({ host: hosts, ...options }: BuildFlags) => {
      const [{ build }, { describeBuild }] = await Promise.all([
        import('../features/build/build.ts'),
        import('../features/build/build-options.ts'),
      ]);
      const result = await build({ ...options, hosts, showsProgress: options.json !== true });
      const { findings, pending: _, publishesAll: __, ...record } = result;
      await printDone(options, writtenRecord(record), () => describeBuild(result), findings);
    });
}

function defineServe(program: Command): void {
  addServerOptions(
    addRegistryCommand(program, 'serve', 'Serve a tree over HTTP.', [
      'serve',
      'serve --open',
      'serve public --port 3000',
    ]),
  )
    .argument('[folder]', 'the tree', parseNonEmpty, 'dist')
    .action(async (folder: string, options: ServeFlags) => {
      const { serve } = await import('../features/serve/serve.ts');
      await printServing(options, folder, await serve({ ...options, ...serverOptions(options), folder }));
    });
}

function defineDev(program: Command): void {
  const served = addRegistryCommand(
    program,
    'dev',
    'Serve the current registry files, including unrecorded changes, and reload when they change.',
    ['dev', 'dev --port 3000', 'dev --out preview'],
  );
  addServerOptions(
    addTreeOptions(
      served.option(
        '--out <folder>',
        'also write the tree to this folder whenever the registry has changed',
        parseNonEmpty,
      ),
    ),
  ).action(async (options: DevFlags) => {
    const { dev } = await import('../features/serve/dev.ts');
    const serving = await dev(
      { ...options, ...serverOptions(options) },
      // With --json, standard output contains only one JSON object, so messages go to standard error.
      options.json === true ? { print: printError, palette: errPalette } : { print, palette: outPalette },
    );
    await printServing(options, options.registry, serving);
  });
}

function serverOptions({ address, json }: ServeFlags) {
  return { host: address, showsProgress: json !== true, onBug: printBug };
}

function addServerOptions(given: Command): Command {
  return given
    .option('--port <number>', 'the port; 0 selects a free one', parseUpTo(65_535), 8080)
    .option('--address <address>', 'the address to listen on', parseNonEmpty, '127.0.0.1')
    .option('--open', 'open the explorer in the browser of this machine', false);
}

async function printServing(options: ServeFlags, folder: string, serving: Serving): Promise<void> {
  const { address } = options;
  const base = `http://${address.includes(':') ? `[${address}]` : address}:${serving.port}${serving.basePath}`;
  const url = `${base}/`;
  const explorer = serving.explorer && base + serving.explorer;
  await printResult(
    options,
    { url, explorer, folder },
    () => `Serving ${folder} at ${url} (stop with Ctrl-C)\n${explorer ? `Explorer: ${explorer}\n` : ''}`,
  );
  if (options.open) {
    const { openInBrowser } = await import('../system/terminal/browser.ts');
    openInBrowser(explorer ?? url);
  }
}
