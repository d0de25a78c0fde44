/**
 * A store that ignores or rejects conditional requests, as some stores do. It accepts dropped objects and
 * stores nothing or their first half.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listening } from './listening.ts';

export interface CarelessStore {
  readonly url: string;
  readonly objects: ReadonlyMap<string, Buffer>;
  /** The headers with which each object was sent. */
  readonly headers: ReadonlyMap<string, IncomingHttpHeaders>;
}

export async function carelessStore(
  onCondition: 'ignores' | 'refuses',
  isDropped: (key: string, body: Buffer) => boolean | 'half' = () => false,
): Promise<CarelessStore> {
  const objects = new Map<string, Buffer>();
  const headers = new Map<string, IncomingHttpHeaders>();
  const server = createServer((asked, answer) => {
    const [, , ...key] = new URL(asked.url ?? '/', 'http://store').pathname.split('/');
    const name = decodeURIComponent(key.join('/'));
    const chunks: Buffer[] = [];
    asked.on('data', (chunk) => chunks.push(chunk));
    asked.on('end', () => {
      const body = Buffer.concat(chunks);
      const isConditional = 'if-match' in asked.headers || 'if-none-match' in asked.headers;
      if (isConditional && onCondition === 'refuses') return void answer.writeHead(501).end();
      if (asked.method === 'POST') {
        const deleted = Array.from(body.toString().matchAll(/<Key>([^<]*)<\/Key>/g), ([key, gone = '']) => {
          objects.delete(gone);
          return `<Deleted>${key}</Deleted>`;
        });
        return void answer
          .writeHead(200, { 'Content-Type': 'application/xml' })
          .end(`<DeleteResult>${deleted.join('')}</DeleteResult>`);
      }
      if (asked.method === 'PUT') {
        const fate = isDropped(name, body);
        if (fate !== true) {
          headers.set(name, asked.headers);
          objects.set(name, fate === 'half' ? body.subarray(0, body.length / 2) : body);
        }
        return void answer.writeHead(200, { ETag: `"${createHash('md5').update(body).digest('hex')}"` }).end();
      }
      const object = objects.get(name);
      if (!object) return void answer.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
      const etag = createHash('md5').update(object).digest('hex');
      const said = Object.entries(headers.get(name) ?? {}).filter(([header]) => header.startsWith('x-amz-meta-'));
      const length = { 'Content-Length': object.length };
      answer.writeHead(200, { ...Object.fromEntries(said), ...length, ETag: `"${etag}"` }).end(object);
    });
  });
  return { url: await listening(server), objects, headers };
}
