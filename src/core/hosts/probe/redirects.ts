import { canBeDeep, isInSnapshots } from '../../api/endpoints.ts';
import { sameBytes } from '../../api/http-exchange.ts';
import { latestVersionUrl, resourceUrl, snapshotAt, snapshotUrl, versionsUrl } from '../../api/urls.ts';
import { DEEP_END } from '../request-redirects.ts';
import { type Check, expectNoCache, type Probing } from './probing.ts';

const NO_REVISION = '0'.repeat(40);
const NO_SNAPSHOT = snapshotUrl(NO_REVISION);

export const checkVersionQuery: Check = async (probing) => {
  const { sample } = probing;
  const paths = sample.paths.filter(({ endpoint }) => isInSnapshots(endpoint) && !endpoint.inSnapshot);
  for (const { url, endpoint } of paths) {
    const path = url === '/' ? '' : url;
    await expectMiss(probing, `${url}?version=${NO_REVISION}`);
    const revision = sample.snapshot && snapshotAt(sample.snapshot);
    if (revision !== undefined) {
      const query = `?version=${revision}`;
      await expectRedirect(probing, url + query, sample.snapshot + path);
      await expectRedirect(probing, `${url}${query}&pretty`, `${sample.snapshot}${path}?pretty`);
      if (path !== '') await expectRedirect(probing, `${url}.json${query}`, `${sample.snapshot}${url}.json`);
      if (sample.basePath !== '') await expectRedirect(probing, sample.basePath + url + query, sample.snapshot + path);
      await expectMiss(probing, `${url}?version=${revision.slice(1)}A`);
    }
    const deep = path + DEEP_END;
    const hasDeep = canBeDeep(endpoint) && (await probing.ask({ path: deep })).status === 200;
    if (hasDeep) await expectRedirect(probing, `${url}?deep=1`, deep);
    else await expectSame(probing, `${url}?deep=1`, url);
  }
  for (const query of ['?version=1', `?versions=${NO_REVISION}`, '?version=', '?deep=0'])
    await expectSame(probing, resourceUrl('sites') + query, resourceUrl('sites'));
  const history = versionsUrl('sites');
  await expectSame(probing, `${history}?version=${NO_REVISION}&deep=1`, history);
};

/** Expects a redirect to the target, or a 404 if the target does not exist. */
async function expectRedirect(probing: Probing, path: string, target: string): Promise<void> {
  const { ask, sample, report } = probing;
  if ((await ask({ path: target })).status !== 200) return expectMiss(probing, path);
  const answer = await ask({ path });
  const location = (answer.headers['location'] ?? 'nowhere').replace(/^https?:\/\/[^/]+/, '');
  if (answer.status !== 302) report(path, `answers ${answer.status}, not 302`);
  else if (location !== sample.basePath + target) report(path, `leads to ${location}, not ${target}`);
  else expectNoCache(answer, path, report);
}

async function expectMiss({ ask, report }: Probing, path: string): Promise<void> {
  const answer = await ask({ path });
  if (answer.status !== 404 && answer.status !== 410) report(path, `answers ${answer.status}, not 404`);
  else expectNoCache(answer, path, report);
}

async function expectSame({ ask, report }: Probing, path: string, wanted: string): Promise<void> {
  const [found, plain] = [await ask({ path }), await ask({ path: wanted })];
  if (found.status !== plain.status) report(path, `answers ${found.status}, not ${plain.status} as ${wanted}`);
  else if (found.headers['location'] !== plain.headers['location'] || !sameBytes(found, plain))
    report(path, `is not ${wanted}`);
}

/** Tests repeated base paths, because clients append links to their base URL. Also tests histories below snapshots. */
export const checkPrefixes: Check = async (probing) => {
  const { ask, sample, report } = probing;
  const { basePath, snapshot } = sample;
  if (basePath !== '') {
    for (const path of ['', '/', '/sites', '/sites.json', latestVersionUrl('')])
      await expectSame(probing, basePath + path, path === '' ? '/' : path);
  }
  if (snapshot === undefined) return;
  const sites = resourceUrl('sites', snapshot);
  for (const between of new Set(['', basePath])) {
    await expectSame(probing, snapshot + between + sites, sites);
    await expectSame(probing, `${snapshot}${between}${sites}.json`, sites);
    for (const history of [versionsUrl(''), versionsUrl('sites'), latestVersionUrl('sites')])
      await expectSame(probing, snapshot + between + history, history);
  }
  for (const path of [`${snapshot}${resourceUrl('sites', NO_SNAPSHOT)}`, NO_SNAPSHOT + versionsUrl('')]) {
    const { status } = await ask({ path });
    if (status !== 404) report(path, `answers ${status}, not 404`);
  }
};
