/** Tar files for tests, written in memory and read from a file. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTar, type TarIndex } from '../../../src/system/tar/tar-reader.ts';
import { type TarWriter, tarWriter } from '../../../src/system/tar/tar-writer.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** 2026-01-01T00:00:00Z. */
export const NEW_YEAR = 1_767_225_600;

export function tarOf(write: (tar: TarWriter) => void): Buffer {
  const pieces: Buffer[] = [];
  const tar = tarWriter((bytes) => pieces.push(Buffer.from(bytes)));
  write(tar);
  tar.end();
  return Buffer.concat(pieces);
}

/** Reads these bytes as a tar file, which findings call `archive.tar`. */
export function indexed<T>(bytes: Uint8Array, look: (index: TarIndex) => T): T {
  const path = join(temporaryFolder(), 'archive.tar');
  writeFileSync(path, bytes);
  const file = openSync(path, 'r');
  try {
    return look(readTar(file, 'archive.tar'));
  } finally {
    closeSync(file);
  }
}

/** The findings for these bytes, as `place: reason at byte N`. */
export function problemsOf(bytes: Uint8Array): string[] {
  return indexed(bytes, ({ findings }) =>
    findings.map((found) =>
      found.code === 'tar-damaged' ? `${found.place?.file}: ${found.args.reason} at ${found.args.at}` : found.code,
    ),
  );
}
