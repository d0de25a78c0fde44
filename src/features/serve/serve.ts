import { existsSync } from 'node:fs';
import { recover, stageOf } from '../../system/trees/staging.ts';
import { configurationFile } from '../sources/configuration-file.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import { readConfiguration } from '../sources/read-configuration.ts';
import { answerSettings } from './served-tree.ts';
import { type Serving, serveTrees } from './server.ts';
import { openTrees } from './watched-tree.ts';

export interface ServeCommandOptions extends SourceOptions {
  readonly folder: string;
  readonly port: number;
  readonly host: string;
  readonly onBug: (error: unknown) => void;
}

/** Serves until it is closed. A tree needs no sources beside it: without a configuration it is served all the same. */
export async function serve(options: ServeCommandOptions): Promise<Serving> {
  const { folder, port, host, onBug } = options;
  recover(stageOf(folder));
  const configuration = existsSync(configurationFile(options)) ? readConfiguration(options) : undefined;
  return serveTrees({ trees: openTrees(folder, answerSettings(configuration)), port, host, onBug });
}
