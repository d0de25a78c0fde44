/** A tree that our own server serves and that is swapped for another, and back, between the requests of its readers. */
import { cpSync, renameSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { serve } from '../../../src/features/serve/serve.ts';
import { newFolder } from '../folders.ts';
import { onBug } from './served.ts';

export interface Swapping {
  /** `http://127.0.0.1:PORT` of the proxy that stands before the server. */
  readonly origin: string;
  /** The paths that were asked for, in order. */
  readonly asked: readonly string[];
  /** Those that were answered, in the order of their ends. */
  readonly answered: readonly string[];
  readonly swaps: () => number;
}

/** Serves the first tree until the test is over; each time that `isTime` says so, the trees are swapped before the answer. */
export async function swapping(
  [first, second]: readonly [string, string],
  isTime: (path: string, n: number) => boolean | Promise<boolean>,
): Promise<Swapping> {
  const folder = newFolder();
  const places = { out: join(folder, 'dist'), next: join(folder, 'next'), old: join(folder, 'old') };
  cpSync(first, places.out, { recursive: true, preserveTimestamps: true });
  cpSync(second, places.next, { recursive: true, preserveTimestamps: true });
  const serving = await serve({ registry: folder, folder: places.out, port: 0, host: '127.0.0.1', onBug });
  const asked: string[] = [];
  const answered: string[] = [];
  let swaps = 0;
  const swap = () => {
    renameSync(places.out, places.old);
    renameSync(places.next, places.out);
    renameSync(places.old, places.next);
    swaps++;
  };
  const proxy = createServer(async ({ url: path = '', method, headers }, response) => {
    asked.push(path);
    response.on('finish', () => answered.push(path));
    const isNow = isTime(path, asked.length);
    if (isNow === true || (await isNow)) swap();
    const to = { host: '127.0.0.1', port: serving.port, path, method, headers };
    const asking = forward(to, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asking.on('error', () => response.destroy());
    asking.end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await serving.close();
  });
  const address = proxy.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { origin: `http://127.0.0.1:${port}`, asked, answered, swaps: () => swaps };
}
