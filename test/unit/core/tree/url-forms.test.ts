import { describe, expect, test } from 'vitest';
import {
  answeredForms,
  isPlainJsonForm,
  otherForms,
  urlForms,
  urlOfRequest,
} from '../../../../src/core/tree/url-forms.ts';

const VERSION = '/sites/lyra/versions/0123456789abcdef0123456789abcdef01234567';

describe('the forms of a URL', () => {
  test('are four, and every host serves three of them', () => {
    expect(urlForms('/sites/x')).toEqual(['/sites/x', '/sites/x/', '/sites/x/index.json', '/sites/x.json']);
    expect(answeredForms('/sites/x')).toEqual(['/sites/x', '/sites/x/', '/sites/x.json']);
    expect(otherForms('/sites/x')).toEqual(['/sites/x/', '/sites/x.json']);
  });

  test('are those of the prefix for the root, and every host serves one of them', () => {
    expect(urlForms('/')).toEqual(['', '/', '/index.json']);
    expect(answeredForms('/')).toEqual(['/']);
    expect(otherForms('/')).toEqual([]);
  });

  test.each(['/versions/timemap.link', '/sites/x/changes/feed.atom'])('of a raw document are one: %s', (url) => {
    expect([urlForms(url), answeredForms(url), otherForms(url)]).toEqual([[url], [url], []]);
  });

  test('can be filtered by suffix', () => {
    expect(urlForms('/sites', ['/index.json', '.json'])).toEqual(['/sites/index.json', '/sites.json']);
  });

  test('are plain JSON only with the plain suffix', () => {
    expect(urlForms(VERSION).filter(isPlainJsonForm)).toEqual([`${VERSION}.json`]);
    expect(urlForms('/').filter(isPlainJsonForm)).toEqual([]);
  });

  test.each(['/', '/sites', VERSION, '/versions/timemap.link', '/changes/feed'])(
    'are all requests for it: %s',
    (url) => {
      const requests = urlForms(url).filter((form) => form !== '');
      expect(requests.map(urlOfRequest)).toEqual(requests.map(() => url));
    },
  );
});

test.each([
  ['/', '/'],
  ['/index.json', '/'],
  ['//', '/'],
  ['//sites//lyra', '/sites/lyra'],
  ['/%73ites', '/sites'],
  ['/sites%2Flyra', undefined],
  ['/sites.json/', undefined],
  ['/%zz', undefined],
  ['/sites/', '/sites'],
  ['/sites.json', '/sites'],
  ['/sites/index.json', '/sites'],
  ['/sites/timemap.link/', '/sites/timemap.link'],
  ['/versions/timemap.link', '/versions/timemap.link'],
  ['/changes/feed.json', '/changes/feed'],
  ['/changes/feed.atom', '/changes/feed.atom'],
  // A raw document has one path.
  ['/versions/timemap.link/', undefined],
  ['/versions/timemap.link.json', undefined],
  ['/versions/timemap.link/index.json', undefined],
])('the request %s is for %s', (pathname, url) => {
  expect(urlOfRequest(pathname)).toBe(url);
});
