/** Making the two files of an archive: the tar, which is its identity, and what is compressed of it meanwhile. */
import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { failToWrite } from '../../system/files/system-errors.ts';
import { chunksIn } from '../../system/tar/gzip.ts';
import { startCompression } from '../../system/tar/gzip-file.ts';
import { fileSink } from '../../system/tar/tar-writer.ts';
import { progress } from '../../system/terminal/progress.ts';
import type { ArchivedFile } from './archives-index.ts';
import { type Bag, packBag } from './bag-writer.ts';

/** Writes `NAME.tar` and `NAME.tar.gz` into a folder that has neither. A system error ends the command with a finding. */
export async function packArchive(
  stage: string,
  bag: Bag,
  showsProgress: boolean,
): Promise<{ readonly tar: ArchivedFile; readonly gzip: ArchivedFile }> {
  const { size, write } = packBag(bag);
  const shown = progress('Packing MiB', chunksIn(size), showsProgress);
  const [tar, gzip] = [`${bag.name}.tar`, `${bag.name}.tar.gz`];
  try {
    const file = openSync(join(stage, tar), 'wx');
    const compression = startCompression({ file: join(stage, tar), size, out: join(stage, gzip) });
    try {
      const [sink, digest] = [fileSink(file), createHash('sha256')];
      let written = 0;
      write((chunk) => {
        sink(chunk);
        written += chunk.length;
        compression.written(written);
        shown.at(compression.begun());
        digest.update(chunk);
      });
      const compressed = await whileTold(compression.end(), () => shown.at(compression.begun()));
      return {
        tar: { file: tar, size, sha256: digest.digest('hex') },
        gzip: { file: gzip, size: compressed.size, sha256: compressed.sha256 },
      };
    } finally {
      closeSync(file);
      await compression.stop();
    }
  } catch (error) {
    return failToWrite(tar, error);
  } finally {
    shown.end();
  }
}

const TOLD_EVERY_MS = 200;

/** Tells how far it is as long as something is awaited. */
async function whileTold<T>(awaited: Promise<T>, tell: () => void): Promise<T> {
  const telling = setInterval(tell, TOLD_EVERY_MS);
  try {
    return await awaited;
  } finally {
    clearInterval(telling);
  }
}
