/**
 * The check of what a query asks for: `?version={revision}` leads to the same path in that snapshot, `?deep=1` from an item
 * to all that is below it. Of a revision without such a document nobody is answered with the head.
 */

import { sameBytes } from '../../api/http-exchange.ts';
import { resourceUrl, snapshotAt, versionsUrl } from '../../api/urls.ts';
import { holdsOthers, isOfState } from '../queried-endpoints.ts';
import { DEEP_END } from '../query-redirects.ts';
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
