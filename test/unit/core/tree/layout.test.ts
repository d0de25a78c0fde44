import { describe, expect, test } from 'vitest';
import {
  fileOfUrl,
  isDocumentName,
  isTreeName,
  isWellKnown,
  namesOfUrl,
  variantFilesOf,
} from '../../../../src/core/tree/layout.ts';

const ALL = { names: ['{path}/index.json', '{path}.html'], pretty: true, precompressed: true };

/** The file of a URL, its other names, and what is made from it. */
function filesOf(url: string) {
  return [fileOfUrl(url), ...namesOfUrl(url, ALL), ...variantFilesOf(fileOfUrl(url), ALL)];
}

describe('the files of a document', () => {
  test('are its own, those of its other names, and its variants', () => {
    expect(filesOf('/sites/x')).toEqual([
      ...['sites/x.json', 'sites/x/index.json', 'sites/x.html', '_pretty/sites/x.json'],
      ...['sites/x.json.gz', 'sites/x.json.br', '_pretty/sites/x.json.gz', '_pretty/sites/x.json.br'],
    ]);
    expect(fileOfUrl('/')).toBe('index.json');
  });

  test.each(['versions/timemap.link', 'sites/x/versions/timemap.link', 'sites/x/changes/feed.atom'])(
    'are that of its path and the compressed ones, where it is raw: %s',
    (file) => {
      const own = [file, `${file}.gz`, `${file}.br`];
      expect(filesOf(`/${file}`)).toEqual(own);
      expect(own.filter(isDocumentName)).toEqual(own);
    },
  );

  test('stand in a folder of the host too, which others have files in', () => {
    const names = ['api-catalog', 'api-catalog.gz', 'security.txt', 'data.json', 'acme/api-catalog'];
    const own = names.filter((name) => isWellKnown(`.well-known/${name}`));
    expect(own).toEqual(['api-catalog', 'api-catalog.gz']);
    expect(filesOf('/.well-known/api-catalog')).toEqual(
      ['', '.gz', '.br'].map((ending) => `.well-known/api-catalog${ending}`),
    );
  });

  test('stand in folders of the tree', () => {
    const names = ['sites', 'sites.json', 'versions', 'index.html', '_pretty', 'changes', 'readme', 'timemap.link'];
    expect(names.filter(isTreeName)).toEqual([
      ...['sites', 'sites.json', 'versions', 'index.html', '_pretty', 'changes'],
    ]);
  });
});
