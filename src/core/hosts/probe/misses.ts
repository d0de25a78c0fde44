/** The checks of what is no document: a miss is 404 whatever its path, and only GET and HEAD are allowed. */
import { PROBLEM_MEDIA_TYPE } from '../../api/dialect.ts';
import { jsonOf, mediaTypeOf, type ProbeResponse, type SendRequest } from '../../api/http-exchange.ts';
import { isJsonObject } from '../../model/json.ts';
import { tombstoneFile } from '../../tree/layout.ts';
import { FORM_ENDS } from '../../tree/url-forms.ts';
import { type Check, expectNoCache, type Probing } from './probing.ts';

export const checkMisses: Check = async ({ ask, sample, fails }) => {
  const inSnapshot = sample.paths.find(({ endpoint }) => endpoint.inSnapshot)?.url;
  const noForms = sample.raw.flatMap(({ url }) => FORM_ENDS.filter(Boolean).map((end) => url + end));
  for (const path of [...missingPaths(inSnapshot), ...noForms]) {
    const shown = path.length > LONGEST_SHOWN ? `${path.slice(0, 40)}… (${path.length} characters)` : path;
    expectProblem(await ask({ path }), 404, shown, fails);
  }
  for (const path of sample.gone.map((url) => `/${tombstoneFile(url)}`))
    expectProblem(await ask({ path }), 404, path, fails);
  for (const path of MALFORMED) {
    const { status } = await ask({ path });
    if (status !== 400 && status !== 404) fails(path, `answers ${status}, not 404 or 400`);
  }
  await expectProblemHead(ask, 404, '/nope', fails);
};

/** Expects the status and media type of a problem document for HEAD. */
export async function expectProblemHead(
  ask: SendRequest,
  status: number,
  path: string,
  fails: Probing['fails'],
): Promise<void> {
  const head = await ask({ path, method: 'HEAD' });
  if (head.status !== status) fails(`HEAD ${path}`, `answers ${head.status}, not ${status}`);
  else if (mediaTypeOf(head) !== PROBLEM_MEDIA_TYPE)
    fails(`HEAD ${path}`, `is ${status} as ${mediaTypeOf(head) || 'no media type'}`);
}

export const checkMethods: Check = async ({ ask, sample, fails }) => {
  const sampled = [...sample.paths.slice(0, 3), ...sample.raw].map(({ url }) => url);
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    for (const path of [...sampled, ...sample.latest.slice(0, 1)]) {
      const response = await ask({ path, method });
      expectProblem(response, 405, `${method} ${path}`, fails);
      if (response.status === 405 && !response.headers['allow']?.includes('GET'))
        fails(`${method} ${path}`, 'is 405 without Allow');
    }
  }
};

/** Expects a problem document with this status, and nothing about caches. */
export function expectProblem(response: ProbeResponse, status: number, request: string, fails: Probing['fails']): void {
  const problem = jsonOf(response);
  if (response.status !== status) {
    fails(request, `answers ${response.status}, not ${status}`);
  } else if (mediaTypeOf(response) !== PROBLEM_MEDIA_TYPE) {
    fails(request, `is ${status} as ${mediaTypeOf(response) || 'no media type'}`);
  } else if (!isJsonObject(problem) || typeof problem['detail'] !== 'string') {
    fails(request, 'has no detail in its problem document');
  } else expectNoCache(response, request, fails);
}

/** Longer paths are told by their beginnings. */
const LONGEST_SHOWN = 160;

/** Names that no resource has: unknown, too long, escaped, with characters that mean something to a server. */
const ODD = [
  'nope',
  'nope/',
  'nope.json',
  'nope/index.json',
  'nope.json.json',
  'x'.repeat(300),
  `${'x'.repeat(300)}.json`,
  'a%2Fb',
  'a%20b',
  '%E2%82%AC',
  'site*',
  '%5Bs%5Dites',
];

/** Paths that a server may as well refuse as no paths at all. */
const MALFORMED = ['/nope%0A', '/sites%0A', '/sites%00', '/%zz', '/sites%'];

function missingPaths(snapshot: string | undefined): string[] {
  const prefixes = ['/', '/sites/', '/versions/', ...(snapshot === undefined ? [] : [`${snapshot}/`])];
  return [
    ...prefixes.flatMap((prefix) => ODD.map((name) => prefix + name)),
    '//nope',
    '/sites//nope',
    '/./nope',
    '/sites/../nope',
    `/versions/${'0'.repeat(40)}`,
    // What is near a document that there is.
    '/SITES',
    '/INDEX.JSON',
    '/versions/LATEST',
    '/sites.json/',
    '/sites.json.json',
    '/sites.json.gz',
    '/sites/.json',
    '/versions/latest/nope',
    // Files of the tree that are no documents, or could be taken for one.
    '/index',
    '/sites/index',
    '/404',
    '/404.json',
    '/405',
    '/405.json',
    '/_pretty',
    '/_pretty/sites',
    '/_pretty/sites.json',
    '/%5Fpretty/sites.json',
    '/_hosts',
    '/_hosts/',
    '/_gone',
    '/_gone/',
    '/.git/config',
  ];
}
