/** HTTP services made up for a test: a function from requests to answers, and what was asked. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text goes out as it is, anything else as JSON. */
  readonly body?: unknown;
}

export interface Service {
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  readonly origin: string;
  /** The paths that were asked for, in order. */
  readonly asked: readonly string[];
  readonly headersOf: (n: number) => IncomingHttpHeaders;
}

/** The handler gives an answer, or takes the response into its own hands and gives undefined. */
export type Handler = (path: string, response: ServerResponse, n: number) => Given | undefined;

/** Serves until the test is over. */
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
