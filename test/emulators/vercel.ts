/** Vercel's own route compiler, and a server that follows its output. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import { vercel } from '../../src/core/hosts/vercel.ts';
import { type Route, routeRequest } from '../support/services/vercel-routes.ts';
import type { Emulator } from './emulator.ts';

const ROUTING = '@vercel/routing-utils@6.6.0';

const condition = z.object({ type: z.string(), key: z.string(), value: z.string().exactOptional() });
const compiledSchema = z.object({
  error: z.null(),
  routes: z.array(
    z.strictObject({
      handle: z.string().exactOptional(),
      src: z.string().exactOptional(),
      dest: z.string().exactOptional(),
      status: z.number().exactOptional(),
      headers: z.record(z.string(), z.string()).exactOptional(),
      methods: z.array(z.string()).exactOptional(),
      has: z.array(condition).exactOptional(),
      missing: z.array(condition).exactOptional(),
      continue: z.boolean().exactOptional(),
    }),
  ),
});

const compilerSchema = z.object({ getTransformedRoutes: z.function({ input: [z.unknown()], output: z.unknown() }) });

export const vercelEmulator: Emulator = {
  host: vercel,
  title: `${ROUTING} and a simulation of the routing`,
  packages: [ROUTING],
  differences: [
    { capability: 'etag', why: 'The server behind the routes is our own.' },
    { capability: 'head', why: 'The server behind the routes is our own.' },
    { capability: 'precompressed', why: 'The server behind the routes is our own, and compresses nothing.' },
  ],
  start: async ({ root }, tools) => {
    const compile: unknown = createRequire(join(tools.folder, 'package.json'))('@vercel/routing-utils');
    const { getTransformedRoutes } = compilerSchema.parse(compile);
    const configuration: unknown = JSON.parse(readFileSync(join(root, 'vercel.json'), 'utf8'));
    const { routes } = compiledSchema.parse(getTransformedRoutes(configuration));
    const server = createServer((request, response) => answer(request, response, root, routes));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return {
      url: `http://127.0.0.1:${port}`,
      stop: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    };
  },
};

function answer(request: IncomingMessage, response: ServerResponse, folder: string, routes: readonly Route[]): void {
  const [path = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const { method = 'GET' } = request;
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const routed = routeRequest(routes, { method, path, query: new URLSearchParams(query), headers }, (file) =>
    isFile(join(folder, file)),
  );
  const body =
    routed.file !== undefined && isFile(join(folder, routed.file))
      ? readFileSync(join(folder, routed.file))
      : Buffer.alloc(0);
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const isKnown = routed.status === 200 && known.includes(etag);
  const type = routed.file?.endsWith('.json') ? { 'content-type': 'application/json; charset=utf-8' } : {};
  const sent = routed.status === 200 ? { ...type, etag, ...routed.headers } : { ...type, ...routed.headers };
  response.writeHead(isKnown ? 304 : routed.status, sent);
  response.end(isKnown || method === 'HEAD' ? undefined : body);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
