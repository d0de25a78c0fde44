import { once } from 'node:events';
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { Failure, fail, finding } from '../../core/diagnostics/finding.ts';
import type { Palette } from '../../core/diagnostics/palette.ts';
import { renderFindings } from '../../core/diagnostics/render.ts';
import { shortId } from '../../core/diagnostics/words.ts';
import { systemFailure, undefinedOnSystemError } from '../../system/files/system-errors.ts';
import { readManifestSummary } from '../../system/trees/manifest-summary.ts';
import { checkOutput } from '../../system/trees/output-place.ts';
import { build } from '../build/build.ts';
import { describeBuild } from '../build/build-options.ts';
import { describeDifferences } from '../revisions/describe-history.ts';
import { configurationFile } from '../sources/registry-files.ts';
import { recoverRegistry } from '../sources/registry-stages.ts';
import { sourceCache } from '../sources/source-cache.ts';
import { type PreviewOptions, type PreviewTree, previewTree, yieldToRequests } from './preview-tree.ts';
import { type Serving, serveTrees } from './serve.ts';

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

/**
 * The delay before reading a changed file, because editors write a file in several steps. chokidar omits a second event
 * of a file within 50 ms, so a shorter delay could miss the last change.
 */
const DEBOUNCE_MS = 60;

/** The tree is written when no file has changed for this time. */
const WRITE_DELAY_MS = 1000;

/** Fails if the registry has findings at the start. If findings appear later, the server keeps the last valid state. */
export async function dev(asked: DevOptions, { print, palette }: DevOutput): Promise<Serving> {
  const options = { ...asked, sourceCache: sourceCache() };
  const { out, onBug } = options;
  if (out !== undefined) checkPreviewPlace(out, options.registry);
  let shown = previewTree(options);
  print(describePreview(shown, palette));
  const trees = { current: () => shown.tree, isCurrent: () => true, reload: () => {} };
  const serving = await serveTrees({ ...options, trees });

  let isBroken = false;
  const reportError = (error: unknown, more = '') => {
    const failure = systemFailure(error);
    if (failure instanceof Failure) print(renderFindings(failure.findings, palette) + more);
    else onBug(error);
  };
  let writing = Promise.resolve();
  let stillness: NodeJS.Timeout | undefined;
  const writeWhenStill = (folder: string) => {
    const preview = { ...options, out: folder, hosts: [], isPreview: true, fsync: false, pause: yieldToRequests };
    const write = () => build(preview).then((result) => print(describeBuild(result)), reportError);
    clearTimeout(stillness);
    stillness = setTimeout(() => {
      writing = writing.then(write);
    }, WRITE_DELAY_MS);
  };
  let settling: NodeJS.Timeout | undefined;
  const reload = (isSecondTry = false) => {
    try {
      recoverRegistry(options.registry);
      const next = previewTree(options);
      // The files were restored to the state that is already served.
      if (next.digest === shown.digest && !isBroken) return;
      shown = next;
      isBroken = false;
      print(describePreview(shown, palette));
      if (out !== undefined) writeWhenStill(out);
    } catch (error) {
      // An editor can remove a backup file after it was listed. chokidar reports no changes of backup files.
      if (!isSecondTry && isReadFailure(error)) {
        settling = setTimeout(() => reload(true), DEBOUNCE_MS);
        return;
      }
      isBroken = true;
      reportError(error, '\nThe last good state is still served.\n');
    }
  };

  const places = { registry: options.registry, configuration: configurationFile(options) };
  const onChange = () => {
    clearTimeout(settling);
    settling = setTimeout(reload, DEBOUNCE_MS);
  };
  const watched = await watchSources(places, onChange, reportError);
  // Reads changes that were made between the first reading and the start of the watch.
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

function isReadFailure(error: unknown): boolean {
  return error instanceof Failure && error.findings.some(({ code }) => code === 'read-failed');
}

/** A preview has no configuration files of hosts, so it must not replace a tree with hosts. */
function checkPreviewPlace(folder: string, registry: string): void {
  checkOutput(folder, registry);
  const hosts = readManifestSummary(folder)?.hosts ?? [];
  if (hosts.length > 0) fail(finding('dev-into-published', { folder, hosts }));
}

function describePreview({ revision, pending }: PreviewTree, palette: Palette): string {
  const id = shortId(revision);
  if (pending.length === 0) return `Shown: revision ${id}.\n`;
  const differences = describeDifferences(pending, palette, { resources: 20, fields: 8 });
  return `Shown: revision ${id} with unrecorded changes:\n${differences}`;
}

interface WatchedPlaces {
  readonly registry: string;
  readonly configuration: string;
}

const CHECK_INTERVAL_MS = 500;

/** The operating system watches folders by inode, so a replaced folder needs a new watch. */
async function watchSources(places: WatchedPlaces, onChange: () => void, onError: (error: unknown) => void) {
  const [registry, configuration] = [resolve(places.registry), resolve(places.configuration)];
  const folders = [registry, dirname(configuration)];
  let watched: string | undefined;
  let watcher: FSWatcher;
  const begin = async () => {
    watched = folderIdentity(folders);
    const real = folders.map(realPathOf);
    watcher = watcherOf(realPathOf(registry), [configuration, realPathOf(configuration)]);
    watcher.on('all', (event, path) => {
      if (event === 'unlinkDir' && real.includes(path)) watched = undefined;
      onChange();
    });
    await once(watcher, 'ready');
    // A file that cannot be watched, such as a symbolic link to itself, must not stop the server.
    watcher.on('error', (error) => {
      onError(error);
      onChange();
    });
  };
  await begin();
  const looking = setInterval(async () => {
    const found = folderIdentity(folders);
    if (found === undefined || found === watched) return;
    await Promise.all([watcher.close(), begin()]).catch(onError);
    // Reads changes that were made when no watch was active.
    onChange();
  }, CHECK_INTERVAL_MS);
  return {
    close: async () => {
      clearInterval(looking);
      await watcher.close();
    },
  };
}

/**
 * Watches the folders of the configuration, because a watch on the file ends when an editor replaces the file. Does not
 * follow links to folders, because two links to a parent folder lead to an endless number of paths.
 */
function watcherOf(registry: string, configurations: readonly string[]): FSWatcher {
  const files = configurations.map((file) => join(realPathOf(dirname(file)), basename(file)));
  const folders = [registry, ...files.map((file) => dirname(file))];
  const isSource = (path: string) => [...folders, ...files].includes(path) || path.startsWith(registry + sep);
  return watch([...new Set(folders)], {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => !isSource(resolve(path)),
  });
}

/** Returns the path itself if it is missing. */
function realPathOf(path: string): string {
  return undefinedOnSystemError(() => realpathSync(path)) ?? path;
}

/** Returns device and inode numbers, or undefined if a folder is missing. */
function folderIdentity(folders: readonly string[]): string | undefined {
  return undefinedOnSystemError(() =>
    folders
      .map((folder) => statSync(folder))
      .map(({ dev, ino }) => `${dev} ${ino}`)
      .join(),
  );
}
