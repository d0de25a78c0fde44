import type { Command } from 'commander';
import type { Serving } from '../features/serve/server.ts';
import { errPalette, outPalette, print, printError } from '../system/terminal/terminal.ts';
import { type CommonOptions, choosingTree, nameList, nonEmpty, onSources, onTree, port } from './options.ts';
import { printBug, printDone, printResult, writtenRecord } from './results.ts';

interface TreeChoices extends CommonOptions {
  readonly dialect?: 'current' | 'legacy';
  readonly snapshots?: 'all' | 'none' | string[];
  readonly versionLinks?: 'all' | 'none' | number;
  readonly since?: string;
}

interface BuildFlags extends TreeChoices {
  readonly out: string;
  readonly at?: string;
  readonly force: boolean;
  readonly host?: string[];
  readonly precompressed: boolean;
  readonly sign?: string;
  readonly fsync: boolean;
}

interface ServeFlags extends CommonOptions {
  readonly port: number;
  readonly host: string;
  readonly open: boolean;
}

interface DevFlags extends ServeFlags, TreeChoices {
  readonly out?: string;
}

export function defineTreeCommands(program: Command): void {
  onTree(program, 'build', 'Builds the API tree.', [
    'build',
    'build --out public --snapshots none',
    'build --at 91a34824 --out as-it-was',
    'build --dialect legacy --out legacy',
    'build --host nginx,netlify',
    'build --sign ~/.ssh/id_ed25519',
  ])
    .option('--at <revision>', 'build the tree of an older revision, as if it were the head', nonEmpty)
    .option('--force', 'write everything anew, even where nothing has changed', false)
    .option('--host <names>', 'the hosts to write configuration for, with commas between them', nameList)
    .option('--no-precompressed', 'leave out the .gz and .br files that hosts can serve, as archives do')
    .option('--sign <key>', 'sign the manifest, with a key or agent of ssh-keygen', nonEmpty)
    .option('--no-fsync', 'do not wait for the disk: after a power cut, nothing may be left of the tree')
    .action(async ({ host: hosts, ...options }: BuildFlags) => {
      const [{ build }, { describeBuild }] = await Promise.all([
        import('../features/build/build.ts'),
        import('../features/build/build-options.ts'),
      ]);
      const result = await build({ ...options, hosts, showsProgress: options.json !== true });
      const { findings, pending: _, ...record } = result;
      await printDone(options, writtenRecord(record), () => describeBuild(result), findings);
    });

  withServer(
    onSources(program, 'serve', 'Serves a tree over HTTP.', ['serve', 'serve --open', 'serve public --port 3000']),
  )
    .argument('[folder]', 'the tree', 'dist')
    .action(async (folder: string, options: ServeFlags) => {
      const { serve } = await import('../features/serve/serve.ts');
      await started(options, folder, await serve({ ...options, folder, onBug: printBug }));
    });

  const served = onSources(
    program,
    'dev',
    'Serves what stands in the sources, recorded or not, and what they say whenever they change.',
    ['dev', 'dev --port 3000', 'dev --out preview'],
  );
  withServer(
    choosingTree(
      served.option('--out <folder>', 'write the tree there, too, whenever the sources are still', nonEmpty),
    ),
  ).action(async (options: DevFlags) => {
    const { dev } = await import('../features/serve/dev.ts');
    const serving = await dev(
      { ...options, showsProgress: options.json !== true, onBug: printBug },
      // What is said on the way is for people; a machine reads one object.
      options.json === true ? { print: printError, palette: errPalette } : { print, palette: outPalette },
    );
    await started(options, options.registry, serving);
  });
}

function withServer(given: Command): Command {
  return given
    .option('--port <number>', 'the port; 0 for any that is free', port, 8080)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--open', 'show it in the browser of this machine', false);
}

async function started(options: ServeFlags, folder: string, { port: number, basePath }: Serving): Promise<void> {
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${number}${basePath}/`;
  await printResult(options, { url, folder }, () => `Serving ${folder} at ${url} (stop with Ctrl-C)\n`);
  if (options.open) {
    const { openInBrowser } = await import('../system/terminal/browser.ts');
    openInBrowser(url);
  }
}
