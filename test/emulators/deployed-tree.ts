/** The tree of a host in the form of its deployment. With a prefix, some files are above the tree. */

import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE_CONTROL } from '../../src/core/api/endpoints.ts';
import type { Host } from '../../src/core/hosts/host.ts';
import { hostRules } from '../../src/core/hosts/rules.ts';
import { type Configuration, configurationSchema } from '../../src/core/model/configuration.ts';
import { HOSTS_FOLDER } from '../../src/core/tree/layout.ts';
import { type HostTree, hostTree } from '../support/trees/host-tree.ts';

export async function deployedTree(host: Host, dialect: Configuration['dialect'], prefix: string): Promise<HostTree> {
  const deployed = await hostTree(host, dialect, prefix);
  const { root, tree } = deployed;
  if (root !== tree) for (const file of rootFiles(host)) renameSync(join(tree, file), join(root, file));
  return deployed;
}

/** The files that a host reads from the root of a deployment. */
function rootFiles(host: Host): string[] {
  const configuration = configurationSchema().parse({ cluster_uid: 'main' });
  const rules = hostRules({
    configuration,
    cacheControl: CACHE_CONTROL,
    redirects: [],
    lastModified: 'Wed, 25 Feb 2026 08:00:00 GMT',
  });
  const files = host.files(rules);
  return [...files.keys()].filter((path) => !path.startsWith(`${HOSTS_FOLDER}/`));
}
