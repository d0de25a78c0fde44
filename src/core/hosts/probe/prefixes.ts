/**
 * The check of prefixes: clients that append links to their base put what stands before them twice, and clients of a
 * snapshot ask for histories in it. Each is answered as without.
 */

import { sameBytes } from '../../api/http-exchange.ts';
import { latestVersionUrl, resourceUrl, snapshotUrl, versionsUrl } from '../../api/urls.ts';
import type { Check } from './probing.ts';

const NO_SNAPSHOT = snapshotUrl('0'.repeat(40));

export const checkPrefixes: Check = async ({ ask, sample, fails }) => {
  const { basePath, snapshot } = sample;
  const same = async (path: string, wanted: string) => {
    const [found, single] = [await ask({ path }), await ask({ path: wanted })];
    if (found.status !== single.status) fails(path, `answers ${found.status}, not ${single.status} as ${wanted}`);
    else if (found.headers['location'] !== single.headers['location'] || !sameBytes(found, single))
      fails(path, `is not ${wanted}`);
  };
  if (basePath !== '') {
    for (const path of ['', '/', '/sites', '/sites.json', latestVersionUrl('')])
      await same(basePath + path, path === '' ? '/' : path);
  }
  if (snapshot === undefined) return;
  const sites = resourceUrl('sites', snapshot);
  for (const between of new Set(['', basePath])) {
    await same(snapshot + between + sites, sites);
    await same(`${snapshot}${between}${sites}.json`, sites);
    for (const history of [versionsUrl(''), versionsUrl('sites'), latestVersionUrl('sites')])
      await same(snapshot + between + history, history);
  }
  for (const path of [`${snapshot}${resourceUrl('sites', NO_SNAPSHOT)}`, NO_SNAPSHOT + versionsUrl('')]) {
    const { status } = await ask({ path });
    if (status !== 404) fails(path, `answers ${status}, not 404`);
  }
};
