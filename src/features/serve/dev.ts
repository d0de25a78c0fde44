/** `gridpress dev`: shows what stands in the sources, and what they say whenever they change. The last good state stays. */

import { once } from 'node:events';
import { statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { Failure } from '../../core/diagnostics/failure.ts';
import type { Palette } from '../../core/diagnostics/palette.ts';
import { renderFindings } from '../../core/diagnostics/render.ts';
import { shortId } from '../../core/diagnostics/words.ts';
import { unlessRefused } from '../../system/files/system-errors.ts';
import { checkOutput } from '../../system/trees/output-place.ts';
import { build } from '../build/build.ts';
import { describeBuild } from '../build/build-options.ts';
import { describeDifferences } from '../revisions/describe-history.ts';
import { configurationFile } from '../sources/configuration-file.ts';
import { keptSources } from '../sources/kept-sources.ts';
import { recoverRegistry } from '../sources/registry-stages.ts';
import { answerOthers, type PreviewOptions, type PreviewTree, previewTree } from './preview-tree.ts';
import { type Serving, serveTrees } from './server.ts';

export interface DevOptions extends PreviewOptions {
  readonly port: number;
  readonly host: string;
  readonly out?: string | undefined;
  readonly onBug: (error: unknown) => void;
}

export interface DevOutput {
  readonly print: (text: string) => void;
  readonly palette: Palette;
}

/** Editors write a file in several steps: this long after the last one it is read. */
const SETTLED_MS = 40;

/** This long after the last change the tree is written, where it is. */
const STILL_MS = 1000;

/** Ends only with the process. The sources must be in order at first, since there would be nothing to serve. */
export async function dev(asked: DevOptions, { print, palette }: DevOutput): Promise<Serving> {
  const options = { ...asked, kept: keptSources() };
  const { out, onBug } = options;
  if (out !== undefined) checkOutput(out, options.registry);
  let shown = previewTree(options);
  print(describePreview(shown, palette));
  const trees = { known: () => shown.tree, isStill: () => true, renew: () => {} };
  const serving = await serveTrees({ ...options, trees });

  let isBroken = false;
  const tell = (error: unknown, more = '') => {
    if (error instanceof Failure) print(renderFindings(error.findings, palette) + more);
    else onBug(error);
  };
  let writing = Promise.resolve();
  let stillness: NodeJS.Timeout | undefined;
  const writeWhenStill = (folder: string) => {
    const preview = { ...options, out: folder, isPreview: true, fsync: false, pause: answerOthers };
    const write = () => build(preview).then((result) => print(describeBuild(result)), tell);
    clearTimeout(stillness);
    stillness = setTimeout(() => {
      writing = writing.then(write);
    }, STILL_MS);
  };
  const reload = () => {
    try {
      recoverRegistry(options.registry);
      const next = previewTree(options);
      // Sources that were mended to what they had been are what is shown already.
      if (next.digest === shown.digest && !isBroken) return;
      shown = next;
      isBroken = false;
      print(describePreview(shown, palette));
      if (out !== undefined) writeWhenStill(out);
    } catch (error) {
      isBroken = true;
      tell(error, '\nThe last good state is still served.\n');
    }
  };

  let settling: NodeJS.Timeout | undefined;
  const places = { registry: options.registry, configuration: configurationFile(options) };
  const watched = await watchSources(places, () => {
    clearTimeout(settling);
    settling = setTimeout(reload, SETTLED_MS);
  });
  // What was changed since the first reading, and before anything was watched, is taken up too.
  reload();
  if (out !== undefined) writeWhenStill(out);
  return {
    ...serving,
    close: async () => {
      clearTimeout(settling);
      clearTimeout(stillness);
      await watched.close();
      await writing;
      await serving.close();
    },
  };
}

function describePreview({ revision, pending }: PreviewTree, palette: Palette): string {
  const id = shortId(revision);
  if (pending.length === 0) return `Shown: revision ${id}.\n`;
  const differences = describeDifferences(pending, palette, { resources: 20, fields: 8 });
  return `Shown: revision ${id}, of what is not recorded yet:\n${differences}`;
}

export interface WatchedSources {
  readonly close: () => Promise<void>;
}

export interface WatchedPlaces {
  readonly registry: string;
  readonly configuration: string;
}

/** How often it is looked whether a folder that is watched is still the one at its path. */
const LOOK_MS = 500;

/** Watches from when it returns on. A system watches folders and no paths: those that were moved or switched are watched anew. */
export async function watchSources(places: WatchedPlaces, onChange: () => void): Promise<WatchedSources> {
  const registry = resolve(places.registry);
  const configuration = resolve(places.configuration);
  const folders = [registry, dirname(configuration)];
  let watched: string | undefined;
  let watcher: FSWatcher;
  const begin = () => {
    watched = identityOf(folders);
    watcher = watcherOf(registry, configuration);
    watcher.on('all', (event, path) => {
      if (event === 'unlinkDir' && folders.includes(path)) watched = undefined;
      onChange();
    });
    return once(watcher, 'ready');
  };
  await begin();
  const looking = setInterval(async () => {
    const found = identityOf(folders);
    if (found === undefined || found === watched) return;
    await Promise.all([watcher.close(), begin()]);
    // What was changed before anything was watched again is taken up, too.
    onChange();
  }, LOOK_MS);
  return {
    close: async () => {
      clearInterval(looking);
      await watcher.close();
    },
  };
}

/** The folder of the configuration is watched, since a file that was gone for a moment is not watched any more. */
function watcherOf(registry: string, configuration: string): FSWatcher {
  const folder = dirname(configuration);
  const isSource = (path: string) =>
    [folder, configuration, registry].includes(path) || path.startsWith(registry + sep);
  return watch([registry, folder], { ignoreInitial: true, ignored: (path) => !isSource(resolve(path)) });
}

/** Which folders stand at these paths now, whatever links lead there; undefined while one is missing. */
function identityOf(folders: readonly string[]): string | undefined {
  return unlessRefused(() =>
    folders
      .map((folder) => statSync(folder))
      .map(({ dev, ino }) => `${dev} ${ino}`)
      .join(),
  );
}
