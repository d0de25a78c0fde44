/** Cloudflare's workerd, the runtime of the real service, started by wrangler. */
import { join } from 'node:path';
import { cloudflarePages, cloudflareWorkers } from '../../src/core/hosts/cloudflare-assets.ts';
import { cloudflareWorker } from '../../src/core/hosts/cloudflare-worker.ts';
import type { Host } from '../../src/core/hosts/host.ts';
import type { HostTree } from '../support/trees/host-tree.ts';
import { type Emulator, freePort, type Running, startProgram, type Tools } from './emulator.ts';

const WRANGLER = 'wrangler@4.164.0';
const PACKAGES = ['node@22', WRANGLER];
const READY = /Ready on http/;

export const pagesEmulator: Emulator = {
  host: cloudflarePages,
  title: `${WRANGLER} pages dev`,
  packages: PACKAGES,
  differences: [
    {
      capability: 'not-found',
      why: 'Paths that are no file names, or go on behind one, end in 502: it looks for files, where the service looks into a list.',
      covers: /(?: \(3\d\d characters\)|%00|(?:\.\w+|api-catalog)\/index\.json) answers 502, /,
    },
  ],
  start: ({ root }, tools) => startWrangler(tools, ['pages', 'dev', root, '--compatibility-date', '2026-11-01']),
};

export const workersEmulator = workersOf(cloudflareWorkers);
export const workerEmulator = workersOf(cloudflareWorker);

function workersOf(host: Host): Emulator {
  return {
    host,
    title: `${WRANGLER} dev`,
    packages: PACKAGES,
    differences: [],
    start: ({ tree }: HostTree, tools) =>
      startWrangler(tools, ['dev', '--config', join(tree, '_hosts', host.name, 'wrangler.jsonc')]),
  };
}

async function startWrangler({ folder, scratch }: Tools, words: readonly [string, ...string[]]): Promise<Running> {
  const [port, inspector] = [await freePort(), await freePort()];
  const bin = join(folder, 'node_modules');
  return await startProgram({
    command: [
      join(bin, '.bin', 'node'),
      join(bin, 'wrangler', 'bin', 'wrangler.js'),
      ...words,
      ...['--ip', '127.0.0.1', '--port', String(port), '--inspector-port', String(inspector)],
    ],
    cwd: scratch,
    url: `http://127.0.0.1:${port}`,
    ready: READY,
  });
}
