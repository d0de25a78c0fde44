/** `gridpress dev`: build, serve, and build again whenever a source changes. The last good tree stays served. */
import { once } from 'node:events';
import { watch } from 'chokidar';
import { Failure } from '../../core/diagnostics/failure.ts';
import type { Palette } from '../../core/diagnostics/palette.ts';
import { renderFindings } from '../../core/diagnostics/render.ts';
import { build } from '../build/build.ts';
import type { BuildOptions } from '../build/build-options.ts';
import { describeBuild } from '../build/describe-build.ts';
import { describeDifferences } from '../revisions/describe-history.ts';
import { previewOf } from '../revisions/preview.ts';
import { loadSources } from '../sources/load-sources.ts';
import { configurationFile } from '../sources/read-configuration.ts';
import { serve } from './serve.ts';
import type { Serving } from './server.ts';

export interface DevOptions extends BuildOptions {
  readonly port: number;
  readonly host: string;
  readonly onBug: (error: unknown) => void;
}

export interface DevOutput {
  readonly print: (text: string) => void;
  readonly palette: Palette;
}

/** Editors write a file in several steps: this long after the last one it is read. */
const SETTLED_MS = 150;

/** Ends only with the process. The first build must succeed, since there would be nothing to serve. */
export async function dev(options: DevOptions, { print, palette }: DevOutput): Promise<Serving> {
  const preview = { ...options, isPreview: true, fsync: false };
  print(describeBuild(await build(preview)));
  const serving = await serve({ ...options, folder: options.out });

  let isBroken = false;
  const rebuild = async () => {
    try {
      const result = await build(preview);
      // Sources that were mended to what they had been give the tree that is served already.
      if (!result.isWritten && !isBroken) return;
      isBroken = false;
      const pending = result.pending ?? previewOf(loadSources(options)).pending;
      const known =
        pending.length > 0
          ? `not recorded yet:\n${describeDifferences(pending, palette, { resources: 20, fields: 8 })}`
          : '';
      print(`${describeBuild(result)}${known}`);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      isBroken = true;
      print(`${renderFindings(error.findings, palette)}\nThe last good tree is still served.\n`);
    }
  };

  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const watcher = watch([options.registry, configurationFile(options)], { ignoreInitial: true });
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(rebuild);
    }, SETTLED_MS);
  });
  await once(watcher, 'ready');
  // What was changed since the first build, and before anything was watched, is taken up too.
  running = rebuild();
  await running;
  return {
    port: serving.port,
    basePath: serving.basePath,
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
      await running;
      await serving.close();
    },
  };
}
