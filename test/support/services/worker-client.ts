/** A client for the generated Worker in front of a tree, executed in this process. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { HostTree } from '../trees/host-tree.ts';
import type { Client } from './http.ts';

const workerSchema = z.object({
  default: z.object({
    fetch: z.function({ input: [z.unknown(), z.unknown()], output: z.promise(z.instanceof(Response)) }),
  }),
});

/** Returns a client for the Worker of a tree, with the tree's files as assets. */
export async function workerClient({ root, tree }: HostTree): Promise<Pick<Client, 'get'>> {
  const file = join(tree, '_hosts', 'cloudflare-worker', 'worker.js');
  const loaded: unknown = await import(`data:text/javascript,${encodeURIComponent(readFileSync(file, 'utf8'))}`);
  const { fetch } = workerSchema.parse(loaded).default;
  const ASSETS = {
    fetch: async ({ url }: Request) => {
      const asset = join(root, new URL(url).pathname);
      return existsSync(asset) ? new Response(readFileSync(asset)) : new Response(null, { status: 404 });
    },
  };
  return {
    get: async (path, { headers = {} } = {}) => {
      const answer = await fetch(new Request(`https://api.example.org${path}`, { headers }), { ASSETS });
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: String(bytes), bytes };
    },
  };
}
