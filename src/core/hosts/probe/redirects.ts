/**
 * The check of what a query asks for: `?version={revision}` leads to the same path in that snapshot, `?deep=1` from an item
 * to all that is below it. Of a revision without such a document nobody is answered with the head.
 */

import { sameBytes } from '../../api/http-exchange.ts';
import { latestVersionUrl, resourceUrl, snapshotAt, snapshotUrl, versionsUrl } from '../../api/urls.ts';
import { DEEP_END } from '../request-redirects.ts';
import { holdsOthers, isOfState } from '../rules.ts';
import { type Check, expectNoCache, type Probing } from './probing.ts';

const NO_REVISION = '0'.repeat(40);

export const checkVersionQuery: Check = async (probing) => {
  const { sample } = probing;
  const paths = sample.paths.filter(({ endpoint }) => isOfState(endpoint) && !endpoint.inSnapshot);
  for (const { url, endpoint } of paths) {
    const place = url === '/' ? '' : url;
    await expectMiss(probing, `${url}?version=${NO_REVISION}`);
    const revision = sample.snapshot && snapshotAt(sample.snapshot);
    if (revision !== undefined) {
      const query = `?version=${revision}`;
      await expectLead(probing, url + query, sample.snapshot + place);
      if (place !== '') await expectLead(probing, `${url}.json${query}`, `${sample.snapshot}${url}.json`);
      if (sample.basePath !== '') await expectLead(probing, sample.basePath + url + query, sample.snapshot + place);
      await expectMiss(probing, `${url}?version=${revision.slice(1)}A`);
    }
    if (holdsOthers(endpoint)) await expectDeep(probing, url, place + DEEP_END);
    else await expectSame(probing, `${url}?deep=1`, url);
  }
  for (const query of ['?version=1', `?versions=${NO_REVISION}`, '?version=', '?deep=0'])
    await expectSame(probing, resourceUrl('sites') + query, resourceUrl('sites'));
  const history = versionsUrl('sites');
  await expectSame(probing, `${history}?version=${NO_REVISION}&deep=1`, history);
};

/** What leads nowhere that is there is a miss. */
async function expectLead(probing: Probing, path: string, target: string): Promise<void> {
  const { ask, sample, fails } = probing;
  const [answer, there] = [await ask({ path }), await ask({ path: target })];
  if (there.status !== 200) return expectMiss(probing, path);
  const location = (answer.headers['location'] ?? 'nowhere').replace(/^https?:\/\/[^/]+/, '');
  if (answer.status !== 302) fails(path, `answers ${answer.status}, not 302`);
  else if (location !== sample.basePath + target) fails(path, `leads to ${location}, not ${target}`);
  else expectNoCache(answer, path, fails);
}

async function expectMiss({ ask, fails }: Probing, path: string): Promise<void> {
  const answer = await ask({ path });
  if (answer.status !== 404 && answer.status !== 410) fails(path, `answers ${answer.status}, not 404`);
  else expectNoCache(answer, path, fails);
}

async function expectDeep(probing: Probing, url: string, deep: string): Promise<void> {
  const there = await probing.ask({ path: deep });
  if (there.status === 200) await expectLead(probing, `${url}?deep=1`, deep);
  else await expectSame(probing, `${url}?deep=1`, url);
}

async function expectSame({ ask, fails }: Probing, path: string, wanted: string): Promise<void> {
  const [found, plain] = [await ask({ path }), await ask({ path: wanted })];
  if (found.status !== plain.status || !sameBytes(found, plain)) fails(path, `is not ${wanted}`);
}

/**
 * The check of prefixes: clients that append links to their base put what stands before them twice, and clients of a
 * snapshot ask for histories in it. Each is answered as without.
 */
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
