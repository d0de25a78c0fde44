import { createHash } from 'node:crypto';
import { closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { contentsOf, headTime, type TreeContent } from '../../core/tree/tree-contents.ts';
import { putInPlace } from '../../system/files/disk-sync.ts';
import { chunkReader, writeAll } from '../../system/files/file-chunks.ts';
import { failToRead, failToWrite, reading } from '../../system/files/system-errors.ts';
import { type TarWriter, tarWriter } from '../../system/tar/tar-writer.ts';
import { dropStage, openStage } from '../../system/trees/staging.ts';
import { BUNDLE_FILE, type BundleHead, bundleText, contentsInBundle } from './bundle-head.ts';

export interface BundleJob {
  readonly file: string;
  readonly tree: string;
  readonly manifest: Manifest;
  readonly head: BundleHead;
  readonly onProgress: (files: number, bytes: number) => void;
}

export interface WrittenBundle {
  /** Without bundle.json and the manifest. */
  readonly files: number;
  readonly bytes: number;
}

/** Fails when a file of the tree is not what the manifest says. */
export function writeBundle(job: BundleJob): WrittenBundle {
  const stage = openStage(job.file);
  const fresh = join(stage.next, 'bundle');
  try {
    const target = openSync(fresh, 'wx');
    let written: WrittenBundle;
    try {
      written = writeInto(target, job);
    } finally {
      closeSync(target);
    }
    putInPlace([{ from: fresh, to: job.file }]);
    return written;
  } catch (error) {
    return failToWrite(job.file, error);
  } finally {
    dropStage(stage);
  }
}

function writeInto(target: number, { tree, manifest, head, onProgress }: BundleJob): WrittenBundle {
  const tar = tarWriter((bytes) => writeAll(target, bytes));
  const time = headTime(manifest);
  tar.file(BUNDLE_FILE, Buffer.from(bundleText(head)), time);
  const add = fileAdder(tree, tar);
  add({ file: MANIFEST_FILE, sha256: manifest.sha256, modified: time });
  let files = 0;
  let bytes = 0;
  for (const content of contentsInBundle(head, contentsOf(manifest))) {
    bytes += add(content);
    onProgress(++files, bytes);
  }
  return { files, bytes: tar.end() };
}

function fileAdder(tree: string, tar: TarWriter): (content: Omit<TreeContent, 'size'>) => number {
  const read = chunkReader();
  return ({ file, sha256, modified }) => {
    const path = join(tree, file);
    const { size } = reading(path, () => statSync(path));
    const digest = createHash('sha256');
    function* digested() {
      try {
        for (const chunk of read(path)) {
          digest.update(chunk);
          yield chunk;
        }
      } catch (error) {
        failToRead(path, error);
      }
    }
    tar.chunks(file, digested(), size, modified);
    const computed = digest.digest('hex');
    if (computed !== sha256) fail(finding('verify-differs', { stated: sha256, computed }, { file }));
    return size;
  };
}
