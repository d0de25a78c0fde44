/** Builds trees and serves them over real HTTP like the commands, until the tests of a file end. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type Dialect, dialectOf } from '../../../src/core/api/dialect.ts';
import { MANIFEST_FILE } from '../../../src/core/tree/layout.ts';
import { type ManifestJson, manifestSchema } from '../../../src/core/tree/manifest/manifest.ts';
import { build } from '../../../src/features/build/build.ts';
import type { PlanOptions, SettingOptions } from '../../../src/features/build/build-options.ts';
import { serve } from '../../../src/features/serve/serve.ts';
import { readConfiguration } from '../../../src/features/sources/read-configuration.ts';
import { type CrawlOptions, type CrawlReport, crawl } from '../../../src/features/verify/crawl.ts';
import { newFolder } from '../folders.ts';
import { type Client, httpClient } from '../services/http.ts';

interface Crawled extends CrawlReport {
  /** The requested URLs. */
  readonly urls: ReadonlySet<string>;
}

export interface Served {
  readonly out: string;
  readonly manifest: ManifestJson;
  readonly dialect: Dialect;
  readonly port: number;
  readonly client: Client;
  readonly crawl: (options?: Partial<CrawlOptions>) => Promise<Crawled>;
}

const closing: (() => void | Promise<void>)[] = [];

afterAll(async () => {
  for (const close of closing) await close();
});

/** Closes something after the tests of the file. */
export function closeAtEnd(close: () => void | Promise<void>): void {
  closing.unshift(close);
}

/** Ends the test run if a tested server has a bug. */
export function onBug(error: unknown): never {
  throw error;
}

/** A client of a server on this machine. */
export function clientOf(port: number): Client {
  const client = httpClient(port);
  closeAtEnd(client.close);
  return client;
}

/** Builds a registry's tree and serves it on a free port. */
export async function buildAndServe(registry: string, options: SettingOptions & PlanOptions = {}): Promise<Served> {
  const out = join(newFolder(), 'dist');
  await build({ ...options, registry, out, showsProgress: false });
  return await serveTree(registry, out);
}

/** Serves a tree of a registry on a free port. */
export async function serveTree(registry: string, out: string): Promise<Served> {
  const manifest = manifestOf(out);
  const serving = await serve({ registry, folder: out, port: 0, host: '127.0.0.1', onBug });
  closeAtEnd(serving.close);
  const client = clientOf(serving.port);
  const dialect = dialectOf({ ...readConfiguration({ registry }), dialect: manifest.dialect });
  return {
    out,
    manifest,
    dialect,
    port: serving.port,
    client,
    crawl: async (more = {}) => {
      const urls = new Set<string>();
      const fetch: CrawlOptions['fetch'] = (url) => {
        urls.add(url);
        return (more.fetch ?? client.get)(url);
      };
      return { ...(await crawl({ dialect, ...more, fetch })), urls };
    },
  };
}

/** The manifest of a tree as JSON, validated by its schema instead of the program's reader. */
export function manifestOf(out: string): ManifestJson {
  return manifestSchema().parse(JSON.parse(readFileSync(join(out, MANIFEST_FILE), 'utf8')));
}
