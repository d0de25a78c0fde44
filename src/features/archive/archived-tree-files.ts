import { tooLarge } from '../../core/diagnostics/words.ts';
import { LISTING_BYTES } from '../../core/platform/limits.ts';
import type { TarIndex } from '../../system/tar/tar-reader.ts';
import type { NoFile, TreeFiles } from '../../system/trees/tree-files.ts';

const ABSENT: NoFile = { absent: 'the archive does not have it' };

/** `folder` is that of the tree, with a slash at its end. */
export function archivedTreeFiles(index: TarIndex, folder: string): TreeFiles {
  const entryOf = (name: string) => index.entries.get(folder + name);
  return {
    names: function* () {
      for (const name of index.entries.keys())
        if (name.startsWith(folder)) yield { name: name.slice(folder.length), isFile: true };
    },
    // Where contents stand is what only links have in common: an empty file has a header before it too.
    status: (name) => {
      const entry = entryOf(name);
      return entry ? { identity: entry.offset, size: entry.size } : ABSENT;
    },
    read: (name) => {
      const entry = entryOf(name);
      if (entry && entry.size > LISTING_BYTES) return { absent: tooLarge(entry.size, LISTING_BYTES) };
      const bytes = index.read(folder + name, LISTING_BYTES);
      return entry && bytes ? { identity: entry.offset, size: entry.size, bytes } : ABSENT;
    },
    chunk: (name, from, length) => {
      const entry = entryOf(name);
      if (!entry) return ABSENT;
      return { identity: entry.offset, size: entry.size, bytes: index.chunk(entry, from, length) };
    },
  };
}
