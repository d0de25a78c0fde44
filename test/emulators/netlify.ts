/** `netlify dev`, which applies rules with Netlify's own engine in its own server. */
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { netlify } from '../../src/core/hosts/netlify.ts';
import {
  BROKEN_PATH,
  type Emulator,
  ENDS_AT_BROKEN_PATHS,
  freePort,
  type Running,
  startProgram,
  without,
} from './emulator.ts';

const NETLIFY = 'netlify-cli@27.10.2';

export const netlifyEmulator: Emulator = {
  host: netlify,
  title: `${NETLIFY} dev`,
  packages: ['node@22', NETLIFY],
  asking: without(BROKEN_PATH),
  differences: [
    { capability: 'media-types', why: 'It does not apply rules for Content-Type.' },
    { capability: 'cache-classes', why: 'It sends a Cache-Control of its own, whatever the rules say.' },
    { capability: 'etag', why: 'Its ETags are made up by the server behind it.' },
    { capability: 'head', why: 'The ETag of HEAD is that of an empty body.', covers: / has another etag than GET$/ },
    {
      capability: 'not-found',
      why: 'What begins with two slashes is the root. Paths that are no file names are 403: it looks for files.',
      covers: /^\/\/nope answers 200, |(?: \(3\d\d characters\)|%00) answers 403, /,
    },
    ENDS_AT_BROKEN_PATHS,
    { capability: 'precompressed', why: 'It compresses nothing.' },
    {
      capability: 'gone',
      why: 'It does not apply rules for Content-Type.',
      covers: / is 410 as application\/json;charset=utf-8$/,
    },
  ],
  start: async ({ root }, tools) => {
    const node = join(tools.folder, 'node_modules', '.bin', 'node');
    const [port, socket] = [await freePort(), join(tools.scratch, 'bridge')];
    const netlifyDev = [
      join(tools.folder, 'node_modules', 'netlify-cli', 'bin', 'run.js'),
      ...['dev', '--offline', '--internal-disable-edge-functions', '--no-open', '--framework', '#static'],
      ...['--dir', root, '--port', String(port)],
    ];
    // It always listens on all interfaces, so it runs in a network namespace with only the loopback interface.
    const bridge = `net.createServer((client) => {
      const inner = net.connect(${port}, "127.0.0.1");
      inner.once("error", () => client.destroy());
      client.once("error", () => inner.destroy());
      client.pipe(inner).pipe(client);
    }).listen(${JSON.stringify(socket)})`;
    const script = `ip link set lo up && { "$0" -e '${bridge}' & } && exec "$0" "$@"`;
    const running = await startProgram({
      command: ['unshare', '--map-root-user', '--net', 'sh', '-c', script, node, ...netlifyDev],
      cwd: root,
      url: `http://127.0.0.1:${port}`,
      ready: /Local dev server ready/,
    });
    return await bridged(running, socket);
  },
};

/** Forwards loopback connections to a Unix socket. */
async function bridged(running: Running, socket: string): Promise<Running> {
  const server = createServer((client) => {
    const inner = connect(socket);
    inner.once('error', () => client.destroy());
    client.once('error', () => inner.destroy());
    client.pipe(inner).pipe(client);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await running.stop();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
