import { once } from 'node:events';
import { statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { unlessRefused } from '../../system/files/system-errors.ts';

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
