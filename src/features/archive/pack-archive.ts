import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { writeAll } from '../../system/files/file-chunks.ts';
import { failToWrite } from '../../system/files/system-errors.ts';
import { gzipMember } from '../../system/tar/gzip.ts';
import { progress } from '../../system/terminal/progress.ts';
import type { ArchivedFile } from './archives-index.ts';
import { type Bag, writeBag } from './bag-writer.ts';

/** Writes `NAME.tar` and `NAME.tar.gz` into a folder that has neither. A system error ends the command with a finding. */
export function packArchive(
  stage: string,
  bag: Bag,
  showsProgress: boolean,
): { readonly tar: ArchivedFile; readonly gzip: ArchivedFile } {
  const shown = progress('Packing', bag.payload.length, showsProgress);
  const name = `${bag.name}.tar`;
  const files: DigestedFile[] = [];
  const add = (file: string) => {
    const added = digestedFile(stage, file);
    files.push(added);
    return added;
  };
  try {
    const [tar, gzip] = [add(name), add(`${name}.gz`)];
    const write = (chunk: Uint8Array) => {
      tar.write(chunk);
      gzip.write(gzipMember(chunk));
    };
    writeBag(bag, write, shown.at);
    return { tar: tar.end(), gzip: gzip.end() };
  } catch (error) {
    return failToWrite(name, error);
  } finally {
    for (const { close } of files) close();
    shown.end();
  }
}

type DigestedFile = ReturnType<typeof digestedFile>;

function digestedFile(folder: string, file: string) {
  const opened = openSync(join(folder, file), 'wx');
  const sha256 = createHash('sha256');
  let size = 0;
  return {
    write: (bytes: Uint8Array) => {
      writeAll(opened, bytes);
      sha256.update(bytes);
      size += bytes.length;
    },
    end: (): ArchivedFile => ({ file, size, sha256: sha256.digest('hex') }),
    close: () => closeSync(opened),
  };
}
