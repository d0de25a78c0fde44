/** Cloudflare Workers with a small Worker in front of the assets, which can do nearly all of the contract. */
import { HOSTS_FOLDER } from '../../tree/layout.ts';
import type { Host } from '../host.ts';
import { NO_RULES } from '../plain-hosting.ts';
import { assetLimits, ignoreFile, wranglerFile } from './assets.ts';
import { workerFile } from './worker-file.ts';

const FOLDER = `${HOSTS_FOLDER}/cloudflare-worker`;

export const cloudflareWorker: Host = {
  name: 'cloudflare-worker',
  title: 'Cloudflare Workers, a Worker in front of assets',
  evidence: 'emulator',
  variants: { names: [], pretty: true, precompressed: false },
  leadsBrowsers: true,
  shortcomings: [
    ...NO_RULES.filter(({ capability }) => capability === 'refusals'),
    { capability: 'last-modified', extent: 'none', why: 'Assets are kept without file times.' },
    {
      capability: 'precompressed',
      extent: 'partly',
      why: 'The edge compresses the media types that it knows, and makes their ETags weak; it does not know vendor types.',
      covers: / comes as | has the ETag of /,
    },
  ],
  limits: assetLimits('workers'),
  files: (rules) =>
    new Map([
      [`${FOLDER}/worker.js`, workerFile(rules)],
      [
        `${FOLDER}/wrangler.jsonc`,
        wranglerFile(
          rules,
          { main: 'worker.js' },
          { binding: 'ASSETS', not_found_handling: 'none', run_worker_first: true },
        ),
      ],
      ['.assetsignore', ignoreFile(rules, [])],
    ]),
};
