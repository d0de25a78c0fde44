import { describe, expect, test } from 'vitest';
import {
  fileOfUrl,
  isDocumentPath,
  isTreeName,
  isWellKnown,
  namesOfUrl,
  variantFilesOf,
} from '../../../../src/core/tree/layout.ts';

const ALL = { names: ['{path}/index.json', '{path}.html'], pretty: true, precompressed: true };

/** Returns the file of a URL with its aliases and variants. */
function filesOf(url: string) {
  return [fileOfUrl(url), ...namesOfUrl(url, ALL), ...variantFilesOf(fileOfUrl(url), ALL)];
}

describe('the files of a document', () => {
  test('are its file, its aliases and their variants', () => {
    expect(filesOf('/sites/x')).toEqual([
      ...['sites/x.json', 'sites/x/index.json', 'sites/x.html', '_pretty/sites/x.json'],
      ...['sites/x.json.gz', 'sites/x.json.br', '_pretty/sites/x.json.gz', '_pretty/sites/x.json.br'],
    ]);
    expect(fileOfUrl('/')).toBe('index.json');
  });

  test.each(['versions/timemap.link', 'sites/x/versions/timemap.link', 'sites/x/changes/feed.atom'])(
    'are one file and its compressed variants for a raw document: %s',
    (file) => {
      const own = [file, `${file}.gz`, `${file}.br`];
      expect(filesOf(`/${file}`)).toEqual(own);
      expect(own.filter(isDocumentPath)).toEqual(own);
    },
  );

  test('in a folder of the host are recognized among others', () => {
    const names = ['api-catalog', 'api-catalog.gz', 'security.txt', 'data.json', 'acme/api-catalog'];
    const own = names.filter((name) => isWellKnown(`.well-known/${name}`));
    expect(own).toEqual(['api-catalog', 'api-catalog.gz']);
    expect(filesOf('/.well-known/api-catalog')).toEqual(
      ['', '.gz', '.br'].map((ending) => `.well-known/api-catalog${ending}`),
    );
  });

  test('in folders of the tree are recognized', () => {
    const names = ['sites', 'sites.json', 'versions', 'index.html', '_pretty', 'changes', 'readme', 'timemap.link'];
    expect(names.filter(isTreeName)).toEqual([
      ...['sites', 'sites.json', 'versions', 'index.html', '_pretty', 'changes'],
    ]);
    const texts = ['llms.txt', 'llms.txt.gz', 'docs.md', 'notes.txt'];
    expect(texts.filter(isTreeName)).toEqual(['llms.txt', 'llms.txt.gz']);
  });
});
