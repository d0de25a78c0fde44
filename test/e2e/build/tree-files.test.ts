import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/core/model/digest.ts';
import { digestOfSource } from '../../../src/core/tree/manifest/manifest-frame.ts';
import { manifestSourceIn } from '../../../src/system/trees/manifest-file.ts';
import { folderFiles, isMissingFile, type TreeFiles } from '../../../src/system/trees/tree-files.ts';
import { newFolder } from '../../support/folders.ts';
import { needs } from '../../support/processes/programs.ts';

function treeOf(files: Readonly<Record<string, string | Uint8Array>>): { root: string; tree: TreeFiles } {
  const root = newFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return { root, tree: folderFiles(root) };
}

const textOf = (tree: TreeFiles, name: string) => {
  const file = tree.read(name);
  return isMissingFile(file) ? file : Buffer.from(file.bytes).toString();
};
const identityOf = (tree: TreeFiles, name: string) => {
  const status = tree.status(name);
  return isMissingFile(status) ? undefined : status.identity;
};

describe('the files of a folder', () => {
  test('exclude files of the publisher', () => {
    const { root, tree } = treeOf({ 'index.json': '{}', 'sites/x.json': '{}', '.git/config': '', 'sites/.y/z': '' });
    symlinkSync('index.json', join(root, 'link'));
    const names = [...tree.names()].map(({ name, isFile }) => `${name} ${isFile}`);
    expect(names.sort()).toEqual(['index.json true', 'link false', 'sites/.y/z true', 'sites/x.json true']);
  });

  test('are read completely and in chunks', () => {
    const large = Buffer.alloc(200_000, 'abcdefg');
    const { tree } = treeOf({ 'small.json': '{"a":1}', 'empty.json': '', large });
    expect([textOf(tree, 'small.json'), textOf(tree, 'empty.json')]).toEqual(['{"a":1}', '']);
    expect(textOf(tree, 'large')).toBe(large.toString());
    const piece = tree.chunk('large', 199_998, 10);
    expect(isMissingFile(piece) ? piece : [Buffer.from(piece.bytes).toString(), piece.size]).toEqual([
      large.subarray(199_998).toString(),
      200_000,
    ]);
  });

  test('share an identity as links, and differ as copies', () => {
    const { root, tree } = treeOf({ 'a.json': '{}', 'copy.json': '{}' });
    linkSync(join(root, 'a.json'), join(root, 'link.json'));
    expect(identityOf(tree, 'link.json')).toBe(identityOf(tree, 'a.json'));
    expect(identityOf(tree, 'copy.json')).not.toBe(identityOf(tree, 'a.json'));
  });

  const { isMissing, because } = needs('mkfifo');
  test.skipIf(isMissing)(`do not exist where a folder, a link, a pipe or nothing has the name${because}`, () => {
    const { root, tree } = treeOf({ 'sites/x.json': '{}' });
    symlinkSync('sites/x.json', join(root, 'link.json'));
    execFileSync('mkfifo', [join(root, 'pipe.json')]);
    for (const name of ['sites', 'link.json', 'pipe.json']) {
      expect([tree.status(name), tree.read(name), tree.chunk(name, 0, 1)], name).toEqual([
        ...[{ absent: undefined }, { absent: undefined }, { absent: undefined }],
      ]);
    }
    const reason = { absent: 'no such file or folder' };
    expect([tree.status('y'), tree.read('y')]).toEqual([reason, reason]);
  });

  test('are empty for a missing folder', () => {
    const tree = folderFiles(join(newFolder(), 'gone'));
    expect([...tree.names()]).toEqual([]);
    expect(tree.read('index.json')).toEqual({ absent: 'no such file or folder' });
  });
});

describe('the manifest of a folder', () => {
  const large = Buffer.alloc(2_500_000, '0123456789abc');
  const digestIn = (tree: TreeFiles) => {
    const source = manifestSourceIn(tree);
    return source && digestOfSource(source);
  };

  test('is read in chunks, as of that moment', () => {
    const { root, tree } = treeOf({ '_manifest.json': large });
    expect(digestIn(tree)).toBe(sha256(large));
    const changed = Buffer.from(large);
    changed[2_499_999] = 0;
    writeFileSync(join(root, '_manifest.json'), changed);
    expect(digestIn(tree)).toBe(sha256(changed));
    writeFileSync(join(root, '_manifest.json'), large.subarray(1));
    expect(digestIn(tree)).toBe(sha256(large.subarray(1)));
  });

  test('is undefined if it is missing', () => {
    expect(manifestSourceIn(treeOf({}).tree)).toBeUndefined();
  });
});
