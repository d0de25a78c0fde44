/** The CLI of Azure Static Web Apps, which serves files with its own implementation of the rules. */
import { join } from 'node:path';
import type { SendRequest } from '../../src/core/api/http-exchange.ts';
import { azure } from '../../src/core/hosts/azure.ts';
import { BROKEN_PATH, type Emulator, ENDS_AT_BROKEN_PATHS, freePort, startProgram, without } from './emulator.ts';

const SWA = '@azure/static-web-apps-cli@2.0.10';

export const azureEmulator: Emulator = {
  host: azure,
  title: `${SWA} start`,
  packages: [SWA],
  asking: (ask) => without(BROKEN_PATH)(withoutSlashRedirects(ask)),
  differences: [
    {
      capability: 'url-forms',
      why: 'It redirects X to X/, here and elsewhere: that is followed. The service answers both, as documented.',
    },
    {
      capability: 'media-types',
      why: 'It goes by the ending of the path, not of the file, where a uid has a dot.',
      covers: /\/m1\.\S* is application\/octet-stream, /,
    },
    {
      capability: 'cache-classes',
      why: 'Its misses have a Cache-Control of its own.',
      covers: /^\/nope answers 404 with Cache-Control: public, max-age=0;/,
    },
    {
      capability: 'headers',
      why: 'Its misses and redirects are sent without the configured headers.',
      covers: /^(?:\/nope|\/versions\/latest) has /,
    },
    { capability: 'etag', why: 'All documents have the same ETag.' },
    { capability: 'last-modified', why: 'It sends the time of the local file.' },
    {
      capability: 'not-found',
      why: 'It takes no notice of mimeTypes for the page of a response override. What begins with two slashes is the root.',
      covers: / is 404 as application\/octet-stream$|^\/\/nope answers 200, /,
    },
    ENDS_AT_BROKEN_PATHS,
    {
      capability: 'method-not-allowed',
      why: 'It refuses other methods before it looks at the routes, but for OPTIONS.',
      covers: /^(?!OPTIONS ).* is 405 without Allow$/,
    },
  ],
  start: async ({ root }, tools) => {
    const port = await freePort();
    return await startProgram({
      command: [
        process.execPath,
        join(tools.folder, 'node_modules', '@azure', 'static-web-apps-cli', 'dist', 'cli', 'bin.js'),
        ...['start', root, '--swa-config-location', root, '--host', '127.0.0.1', '--port', String(port)],
      ],
      cwd: tools.scratch,
      url: `http://127.0.0.1:${port}`,
      ready: /emulator started|SWA CLI|available at/i,
    });
  },
};

/**
 * Without the setting `trailingSlash` the service answers both forms from `X/index.html`:
 * learn.microsoft.com/azure/static-web-apps/configuration, "Trailing slash".
 */
function withoutSlashRedirects(ask: SendRequest): SendRequest {
  return async (request) => {
    const response = await ask(request);
    const [path = '', query] = request.path.split('?');
    if (response.status !== 301 || !response.headers['location']?.replace(/\?.*/, '').endsWith(`${path}/`))
      return response;
    return await ask({ ...request, path: query === undefined ? `${path}/` : `${path}/?${query}` });
  };
}
