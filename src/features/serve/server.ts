import { createServer, type Server } from 'node:http';
import { Failure } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { reasonOf, systemCode } from '../../system/files/system-errors.ts';
import { respond } from './respond.ts';
import type { OpenTrees } from './served-tree.ts';

export interface ServeOptions {
  readonly trees: OpenTrees;
  readonly port: number;
  readonly host: string;
  /** Told of what should never have been thrown while a request was answered; serving goes on. */
  readonly onBug: (error: unknown) => void;
}

export interface Serving {
  readonly port: number;
  readonly basePath: string;
  readonly close: () => Promise<void>;
}

/** Serves until it is closed. A tree that is swapped for another while it is served is taken up at once. */
export async function serveTrees(options: ServeOptions): Promise<Serving> {
  const { trees, host, onBug } = options;
  const server = createServer((request, response) => {
    respond({ request, response, trees, host }).catch((error: unknown) => {
      // A disk that cannot be read: there is nothing to say but that it failed.
      const isOfSystem = error instanceof Failure || systemCode(error) !== undefined;
      if (!response.headersSent) {
        if (isOfSystem) response.writeHead(503, { 'Retry-After': '1' });
        else response.writeHead(500);
      }
      response.end();
      if (!isOfSystem) onBug(error);
    });
  });
  await listen(server, options);
  const address = server.address();
  return {
    basePath: trees.known().settings.basePath,
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
    server.once('error', (error) => reject(refusal(error, port)));
    server.listen(port, host, resolve);
  });
}

/** Why the port cannot be listened on; what is no system error is a bug, and stays as it is. */
function refusal(error: Error, port: number): Error {
  const code = systemCode(error);
  if (code === undefined) return error;
  if (code === 'EADDRINUSE') return new Failure([finding('port-taken', { port })]);
  return new Failure([finding('port-refused', { port, reason: reasonOf(error) })]);
}
