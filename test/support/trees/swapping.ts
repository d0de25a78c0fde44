/** A served tree that is swapped for another, and back, between requests. */
import { cpSync, renameSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { serve } from '../../../src/features/serve/serve.ts';
import { newFolder } from '../folders.ts';
import { onBug } from './served.ts';

export interface Swapping {
  /** `http://127.0.0.1:PORT` of the proxy in front of the server. */
  readonly origin: string;
  /** The requested paths in order. */
  readonly asked: readonly string[];
  /** The answered paths in order of completion. */
  readonly answered: readonly string[];
  readonly swaps: () => number;
}

/**
 * Serves the first tree until the end of the test. Whenever `isTime` returns true, it swaps the trees before it
 * answers.
 */
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
