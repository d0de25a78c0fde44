/** serve-handler, as `gridpress serve` drives it: the manifest decides what answers, so that there is nothing to configure. */
import type { Host } from '../host.ts';
import { namesOnly } from '../plain-hosting.ts';

export const serveHandler: Host = {
  name: 'serve-handler',
  title: 'serve-handler (gridpress serve)',
  evidence: 'server',
  variants: namesOnly(),
  leadsBrowsers: true,
  shortcomings: [],
  limits: [],
  files: () => new Map(),
};
