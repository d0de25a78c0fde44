import { describe, expect, test } from 'vitest';
import { baseOf } from '../../../../src/core/client/base-url.ts';

const V = 'a'.repeat(40);

describe('resolve maps a link', () => {
  test.each([
    ['of a service at the root of its server', '/', '/', '/sites', '/sites'],
    ['of a service below a path', '/api/v1/', '/', '/sites', '/api/v1/sites'],
    ['of an older service whose links contain its path', '/3.0/', '/3.0', '/3.0/sites', '/3.0/sites'],
    ['of an older service whose own path ends with a slash', '/3.0', '/3.0/', '/3.0/sites', '/3.0/sites'],
    ['of an older service behind a proxy', '/proxy/3.0/', '/3.0', '/3.0/sites', '/proxy/3.0/sites'],
    ['of an older service at another path than its own', '/stable/', '/3.0', '/3.0/sites', '/3.0/sites'],
    ['of a service without a self link', '/api/', undefined, '/sites', '/api/sites'],
    [
      'inside a snapshot',
      `/api/snapshots/${V}/`,
      `/snapshots/${V}`,
      `/snapshots/${V}/sites`,
      `/api/snapshots/${V}/sites`,
    ],
    ['from a snapshot to the head', `/api/snapshots/${V}/`, `/snapshots/${V}`, '/versions', '/api/versions'],
    [
      'that is an absolute URL',
      '/api/',
      'https://x.example/api/',
      'https://x.example/api/sites',
      'https://x.example/api/sites',
    ],
    ['to another server', '/api/', '/', '//x.example/sites', '//x.example/sites'],
    ['without a leading slash', '/api/', '/', 'sites', '/api/sites'],
  ])('%s', (_, rootPath, self, href, resolved) => {
    expect(baseOf(rootPath, self).resolve(href)).toBe(resolved);
  });
});

describe('place maps a path of the endpoint table', () => {
  test.each([
    ['below the base', '/api/', '/', '/api/versions'],
    ["below an older service's own path", '/3.0/', '/3.0', '/3.0/versions'],
    ['outside of a snapshot', `/api/snapshots/${V}/`, `/snapshots/${V}`, '/api/versions'],
  ])('%s', (_, rootPath, self, place) => {
    expect(baseOf(rootPath, self).pathOnServer('/versions')).toBe(place);
  });
});
