/** An S3 server in memory, on a free port. It supports GET, PUT and DELETE with conditions, and counts requests. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface ObjectStore {
  readonly url: string;
  /** The number of requests, and of objects with changed bytes, since the last call. */
  readonly sinceLast: () => { readonly requests: number; readonly changed: number };
  readonly close: () => void;
}

interface Stored {
  readonly bytes: Buffer;
  readonly etag: string;
  /** Metadata of an object. */
  readonly metadata: Readonly<Record<string, string>>;
}

export async function objectStore(): Promise<ObjectStore> {
  const objects = new Map<string, Stored>();
  let before = new Map<string, Stored>();
  let requests = 0;
  const server = createServer(async (asked, answer) => {
    requests++;
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk);
    answered(objects, asked, answer, Buffer.concat(chunks));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the store does not listen');
  return {
    url: `http://127.0.0.1:${address.port}`,
    sinceLast: () => {
      const keys = [...new Set([...objects.keys(), ...before.keys()])];
      const changed = keys.filter((key) => objects.get(key)?.etag !== before.get(key)?.etag).length;
      const told = { requests, changed };
      before = new Map(objects);
      requests = 0;
      return told;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answered(
  objects: Map<string, Stored>,
  { method, url = '/', headers }: IncomingMessage,
  answer: ServerResponse,
  bytes: Buffer,
): void {
  const key = decodeURIComponent(new URL(url, 'http://store').pathname);
  const known = objects.get(key);
  const { 'if-match': match, 'if-none-match': none } = headers;
  if ((none !== undefined && known) || (match !== undefined && match !== known?.etag))
    return void answer.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>');
  if (method === 'PUT') {
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    const kept = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'));
    objects.set(key, { bytes, etag, metadata: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])) });
    return void answer.writeHead(200, { ETag: etag }).end();
  }
  if (method === 'POST') {
    // One request can delete many objects, as <Key> elements in the body.
    const bucket = key.replace(/\/$/, '');
    for (const [, gone = ''] of bytes.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) objects.delete(`${bucket}/${gone}`);
    return void answer.writeHead(200, { 'Content-Type': 'application/xml' }).end('<DeleteResult/>');
  }
  if (method === 'DELETE') {
    objects.delete(key);
    return void answer.writeHead(204).end();
  }
  if (!known) return void answer.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  answer.writeHead(200, { ...known.metadata, ETag: known.etag }).end(known.bytes);
}
