/** Serving a tree over HTTP; which file answers what, with which headers, comes from the tree's manifest. */
import { createServer, type Server } from 'node:http';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { reasonOf, systemCode } from '../../system/files/system-errors.ts';
import { respond } from './respond.ts';
import { openTrees } from './watched-tree.ts';

export interface ServeOptions {
  readonly folder: string;
  readonly port: number;
  readonly host: string;
  /** The value of Strict-Transport-Security, if it is to be sent. */
  readonly strictTransportSecurity?: string | undefined;
}

export interface Serving {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Serves a tree until it is closed. A tree that is swapped for another while it is served is taken up at once. */
export async function serveTree(options: ServeOptions): Promise<Serving> {
  const { folder, strictTransportSecurity } = options;
  const trees = openTrees(folder);
  const server = createServer((request, response) => {
    respond({ request, response, trees, folder, strictTransportSecurity }).catch(() => {
      // A disk that cannot be read: there is nothing to say but that it failed.
      if (!response.headersSent) response.writeHead(503, { 'Retry-After': '1' });
      response.end();
    });
  });
  await listen(server, options);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, { port, host }: ServeOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      try {
        if (systemCode(error) === 'EADDRINUSE') fail(finding('port-taken', { port }));
        fail(finding('port-refused', { port, reason: reasonOf(error) }));
      } catch (failure) {
        reject(failure);
      }
    });
    server.listen(port, host, resolve);
  });
}
