/**
 * A proxy for a store. It logs requests and can delay them, cut their connection before or after the store handles
 * them, or answer itself.
 */

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

export interface LoggedRequest {
  readonly method: string;
  /** The object's key; empty for the bucket itself. */
  readonly key: string;
  /** The status of the response; 0 without a response. */
  status: number;
}

/**
 * What the proxy does with a request: forward it, cut the connection before or after the store handles it, or answer
 * with a status.
 */
export type Fate = 'pass' | 'cut-before' | 'cut-after' | 'half' | number;

export interface StoreProxy {
  readonly url: string;
  /** All requests except HEAD. */
  readonly asked: LoggedRequest[];
  readonly askedHeads: LoggedRequest[];
  /** Decides for each request, possibly after a pause. */
  decide: (asked: LoggedRequest) => Fate | Promise<Fate>;
}

export async function storeProxy(store: string): Promise<StoreProxy> {
  const proxy: { -readonly [K in keyof StoreProxy]: StoreProxy[K] } = {
    url: '',
    asked: [],
    askedHeads: [],
    decide: () => 'pass',
  };
  const server = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', store);
    const [, , ...key] = decodeURIComponent(pathname).split('/');
    const asked = { method: incoming.method ?? '', key: key.join('/'), status: 0 };
    (asked.method === 'HEAD' ? proxy.askedHeads : proxy.asked).push(asked);
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('error', () => {});
    incoming.on('end', async () => {
      const fate = await proxy.decide(asked);
      pass({ store, incoming, outgoing, body: Buffer.concat(chunks), fate, asked });
    });
  });
  proxy.url = await listening(server);
  return proxy;
}

interface Passing {
  readonly store: string;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly body: Buffer;
  readonly fate: Fate;
  readonly asked: LoggedRequest;
}

/** Forwards the Host header, which is part of the client's signature. */
function pass({ store, incoming, outgoing, body, fate, asked }: Passing): void {
  if (fate === 'cut-before') return void outgoing.destroy();
  if (typeof fate === 'number') {
    asked.status = fate;
    outgoing.writeHead(fate, fate === 503 ? { 'Retry-After': '0' } : {}).end(errorText(fate));
    return;
  }
  const { method, url, headers } = incoming;
  const { hostname, port } = new URL(store);
  const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk) => chunks.push(chunk));
    answer.on('end', () => {
      if (fate === 'cut-after') return void outgoing.destroy();
      const whole = Buffer.concat(chunks);
      asked.status = answer.statusCode ?? 0;
      const { 'transfer-encoding': _, ...kept } = answer.headers;
      const length = incoming.method === 'HEAD' ? {} : { 'content-length': whole.length };
      outgoing.writeHead(asked.status, { ...kept, ...length });
      if (fate !== 'half') return void outgoing.end(whole);
      outgoing.write(whole.subarray(0, whole.length / 2), () => outgoing.destroy());
    });
  });
  onward.on('error', () => outgoing.destroy());
  onward.end(body);
}

function errorText(status: number): string {
  const code = status === 503 ? 'SlowDown' : status === 501 ? 'NotImplemented' : 'InternalError';
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
}
