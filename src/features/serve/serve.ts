/** `gridpress serve`: the tree over HTTP. */
import { existsSync } from 'node:fs';
import { redirectsBrowsers } from '../../core/model/configuration.ts';
import { recover, stageOf } from '../../system/trees/staging.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import { configurationFile, readConfiguration } from '../sources/read-configuration.ts';
import { type Serving, serveTree } from './server.ts';

export interface ServeCommandOptions extends SourceOptions {
  readonly folder: string;
  readonly port: number;
  readonly host: string;
  readonly onBug: (error: unknown) => void;
}

/** Serves until it is closed. A tree needs no sources beside it: without a configuration it is served all the same. */
export function serve(options: ServeCommandOptions): Promise<Serving> {
  const { folder, port, host, onBug } = options;
  recover(stageOf(folder));
  const configuration = existsSync(configurationFile(options)) ? readConfiguration(options) : undefined;
  return serveTree({
    ...{ folder, port, host, onBug },
    strictTransportSecurity: configuration?.headers.strict_transport_security,
    basePath: configuration?.base_path,
    redirectsBrowsers: configuration !== undefined && redirectsBrowsers(configuration),
  });
}
