/** HTTP requests with unmodified paths, because most clients normalize URLs. */
import { Agent, request } from 'node:http';
import type { CheckedResponse } from '../../../src/features/verify/check-response.ts';

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Client {
  readonly get: (path: string, ask?: Ask) => Promise<CheckedResponse & { readonly bytes: Buffer }>;
  readonly close: () => void;
}

/** A client that keeps its connections until it is closed. */
export function httpClient(port: number, connections = 16): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const get: Client['get'] = (path, { method = 'GET', headers = {} } = {}) =>
    new Promise<CheckedResponse & { readonly bytes: Buffer }>((resolve, reject) => {
      const asking = request({ host: '127.0.0.1', port, agent, path, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const body = bytes.toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: flat(response.headers), body, bytes });
        });
      });
      // The server may have closed an idle connection, because builds in the same process take longer than its timeout.
      // Clients then retry on another connection (RFC 9112, section 9.3.1).
      asking.on('error', (error: NodeJS.ErrnoException) => {
        if (asking.reusedSocket && error.code === 'ECONNRESET') resolve(get(path, { method, headers }));
        else reject(error);
      });
      asking.end();
    });
  return { get, close: () => agent.destroy() };
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): CheckedResponse['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
