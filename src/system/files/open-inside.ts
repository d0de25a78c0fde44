/** Opening files of a folder that others filled: plain ones alone, and none to which a symbolic link leads outside. */
import { closeSync, constants, fstatSync, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isInside } from './read-folder.ts';
import { unlessRefused } from './system-errors.ts';

/** A file that is open for reading; undefined where there is none inside the folder. The folder may be a link itself. */
export function openInside(folder: string, file: string): number | undefined {
  return unlessRefused(() => {
    const path = realpathSync.native(join(folder, file));
    if (!isInside(path, realpathSync.native(folder))) return undefined;
    const opened = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (fstatSync(opened).isFile()) return opened;
    closeSync(opened);
    return undefined;
  });
}
