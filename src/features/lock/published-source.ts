import { fail, finding } from '../../core/diagnostics/finding.ts';
import type { Origin } from '../../core/lock/lock-format.ts';
import type { NodeSource } from '../../core/lock/node-source.ts';
import { publishedNodes } from '../../core/lock/published-nodes.ts';
import { apiInFolder } from '../../system/client/api-in-folder.ts';
import { apiOverHttp, type PublishedApi } from '../../system/client/api-over-http.ts';
import { rereadOnce } from '../../system/client/retry.ts';

export interface ReachOptions {
  /** The maximum time for a response, in seconds. */
  readonly timeout: number;
  readonly maxRequests: number;
  /** The pause before the first retry, in milliseconds. */
  readonly pauseMs?: number;
  /** The maximum size of a body, in bytes. */
  readonly largestBody?: number;
  /** The path of the configuration, if the file is not next to the registry. */
  readonly config?: string | undefined;
}

/**
 * Reads a tree or a service. If a new revision is published meanwhile, reads all data once more. Fails if `config` is
 * set.
 */
export async function readPublished<T>(
  { kind, place }: Origin,
  { timeout, config, ...rest }: ReachOptions,
  read: (api: PublishedApi) => Promise<T>,
): Promise<T> {
  if (config !== undefined) fail(finding('config-unused', { config, place }));
  const api = kind === 'tree' ? apiInFolder(place) : apiOverHttp({ ...rest, base: place, timeoutMs: timeout * 1000 });
  try {
    return await rereadOnce(() => read(api), api.refresh);
  } finally {
    api.close();
  }
}

/** Reads all data from one revision. */
export function readPublishedNodes<T>(
  origin: Origin,
  reach: ReachOptions,
  read: (source: NodeSource) => Promise<T>,
): Promise<T> {
  return readPublished(origin, reach, async (api) => {
    const source = await publishedNodes(api, api.rootPath);
    const result = await read(source);
    await source.settle();
    return result;
  });
}
