/** Fake HTTP services: a function from requests to responses, with a log of requests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, other values as JSON. */
  readonly body?: unknown;
}

export interface Service {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly origin: string;
  /** The requested paths in order. */
  readonly asked: readonly string[];
  readonly headersOf: (n: number) => IncomingHttpHeaders;
}

/** Returns a response, or writes the response itself and returns undefined. */
export type Handler = (path: string, response: ServerResponse, n: number) => Given | undefined;

/** Serves until the end of the test. */
export async function serviceOf(handler: Handler): Promise<Service> {
  const asked: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    headers.push(request.headers);
    const given = handler(path, response, asked.length);
    if (!given) return;
    const { status = 200, headers: sent = {}, body = '' } = given;
    response.writeHead(status, { 'Content-Type': 'application/json', ...sent });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { origin: `http://127.0.0.1:${port}`, asked, headersOf: (n) => headers[n] ?? {} };
}
