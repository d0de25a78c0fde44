import { describe, expect, test } from 'vitest';
import { provenanceClaimOf, provenanceProof } from '../../../../src/features/publish/prune-folder.ts';

const NAMES = ['{path}/index.json', '{path}.html', '{path}/index.html'];
const ID = 'a'.repeat(40);

describe('provenanceClaimOf a file name', () => {
  const plain = { isTombstone: false, isPretty: false, coding: undefined };
  test.each([
    ['index.json', { ...plain, urls: ['/'] }],
    ['sites.json', { ...plain, urls: ['/sites'] }],
    ['sites/index.json', { ...plain, urls: ['/sites'] }],
    ['sites/lyra.html', { ...plain, urls: ['/sites/lyra'] }],
    [`sites/lyra/versions/${ID}.json`, { ...plain, urls: [`/sites/lyra/versions/${ID}`] }],
    ['changes/feed.atom', { ...plain, urls: ['/changes/feed.atom'] }],
    ['sites/lyra/versions/timemap.link', { ...plain, urls: ['/sites/lyra/versions/timemap.link'] }],
    ['_pretty/sites.json', { ...plain, isPretty: true, urls: ['/sites'] }],
    ['_pretty/sites.json.br', { ...plain, isPretty: true, coding: 'br', urls: ['/sites'] }],
    ['sites.json.gz', { ...plain, coding: 'gzip', urls: ['/sites'] }],
    ['_gone/sites/lyra.json', { ...plain, isTombstone: true, urls: ['/sites/lyra'] }],
  ])('%s', (file, expected) => {
    expect(provenanceClaimOf(file, NAMES)).toEqual(expected);
  });

  test.each([
    'CNAME',
    'sites',
    'sites.txt',
    'sites.json.zip',
    'sites.html.gz',
    'sites/index.json.gz',
    'notes.json',
    'sites/lyra/photo-1.json',
    `sites/lyra/versions/${ID.slice(1)}.json`,
    'changes/pages/0.json',
    '.htaccess',
    '_manifest.json',
    '_hosts/nginx/http.conf',
    '_pretty/_gone/sites/lyra.json',
    '../sites.json',
  ])('is undefined for %s', (file) => {
    expect(provenanceClaimOf(file, NAMES)).toBeUndefined();
  });
});

describe('the contents of a document prove its origin', () => {
  const item = JSON.stringify({
    type: 'node',
    uid: 'n1',
    version: ID,
    links: [
      { rel: 'self', href: '/sites/lyra/clusters/main/nodes/n1' },
      { rel: 'parent', href: '/sites/lyra/clusters/main' },
      { rel: 'versions', href: '/sites/lyra/clusters/main/nodes/n1/versions' },
      { rel: 'version', href: `/sites/lyra/clusters/main/nodes/n1/versions/${ID}` },
      { rel: 'latest-version', href: `/sites/lyra/clusters/main/nodes/n1/versions/${ID}` },
    ],
  });
  const isOwn = (file: string, text: string) => {
    const claim = provenanceClaimOf(file, NAMES);
    return claim !== undefined && provenanceProof()(claim, text);
  };
  const file = 'sites/lyra/clusters/main/nodes/n1.json';

  test('only at its own path', () => {
    expect(isOwn(file, item)).toBe(true);
    expect(isOwn('sites/lyra/clusters/main/nodes/n2.json', item)).toBe(false);
    expect(isOwn('sites/vega/clusters/main/nodes/n1.json', item)).toBe(false);
  });

  test('in compact form there, and indented below _pretty', () => {
    const pretty = JSON.stringify(JSON.parse(item), null, 2);
    expect(isOwn(file, pretty)).toBe(false);
    expect(isOwn(`_pretty/${file}`, pretty)).toBe(true);
    expect(isOwn(`_pretty/${file}`, item)).toBe(false);
    expect(isOwn(`_pretty/${file}`, JSON.stringify(JSON.parse(item), null, 4))).toBe(false);
  });

  test.each([
    ['no version', item.replace(`,"version":"${ID}"`, '')],
    ['an invalid version', item.replace(`"version":"${ID}"`, '"version":"1.0"')],
    ['no links', item.replace(/"links":\[.*\]/, '"links":[]')],
    ['an additional byte', `${item}\n`],
    ['nothing', ''],
    ['a list', `[${item}]`],
  ])('but not with %s', (_, text) => {
    expect(isOwn(file, text)).toBe(false);
  });
});
