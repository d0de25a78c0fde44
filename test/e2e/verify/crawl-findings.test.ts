import { beforeAll, describe, expect, test } from 'vitest';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import type { CheckedResponse, Unanswered } from '../../../src/features/verify/check-answer.ts';
import { newFolder } from '../../support/folders.ts';
import { nodeUid, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { buildAndServe, type Served } from '../../support/trees/served.ts';

/** A service that answers all but one URL as it should. */
async function findingsWith(
  served: Served,
  url: string,
  tampered: (answer: CheckedResponse) => CheckedResponse | Unanswered | Promise<CheckedResponse>,
): Promise<string> {
  const fetch = async (path: string) => {
    const answer = await served.client.get(path);
    return path === url ? tampered(answer) : answer;
  };
  const { findings } = await served.crawl({ fetch });
  return renderFindings(findings);
}

const body = (change: (text: string) => string) => (answer: CheckedResponse) => ({
  ...answer,
  body: change(answer.body),
});

let bed: Testbed;
let current: Served;
let legacy: Served;

beforeAll(async () => {
  bed = writeTestbed(newFolder());
  current = await buildAndServe(bed.registry, { snapshots: 'none' });
  legacy = await buildAndServe(bed.registry, { snapshots: 'none', dialect: 'legacy' });
});

const NODE = `/sites/lyra/clusters/main/nodes/${nodeUid(1)}`;
const NODES = '/sites/lyra/clusters/main/nodes';
const MAKE_AGAIN = '  Build the tree again and publish it whole; if that does not help, report it.\n';
const CATCHES = '  Look for rules of the host that catch this path.\n';

describe('crawl', () => {
  test('tells of a dead link and where it stands', async () => {
    expect(await findingsWith(current, '/sites/kit', (answer) => ({ ...answer, status: 404 }))).toBe(
      `error: /sites/kit, linked from /sites, answers 404 instead of 200. [link-status]
  Publish the whole tree, and look for rules of the host that catch this path.
`,
    );
  });

  test('tells of a service that cannot be reached', async () => {
    const refuse = () => ({ unreachable: 'connect ECONNREFUSED 127.0.0.1:1' });
    expect(await findingsWith(current, '/', refuse)).toBe(
      `error: /, linked from the start, cannot be reached: connect ECONNREFUSED 127.0.0.1:1. [link-unreachable]
  Check that the service runs and that nothing stands between.
`,
    );
  });

  test('tells of a link that no endpoint answers', async () => {
    const astray = body((text) => text.replace('"href":"/sites"', '"href":"/places"'));
    expect(await findingsWith(current, '/', astray)).toBe(
      `error: /places, linked from /, is no path of the API. [link-no-endpoint]\n${MAKE_AGAIN}`,
    );
  });

  test('tells of a latest version that redirects elsewhere', async () => {
    const url = '/versions/latest';
    const astray = (answer: CheckedResponse) => ({ ...answer, headers: { ...answer.headers, location: '/sites' } });
    expect(await findingsWith(current, url, astray)).toBe(
      `error: /versions/latest, linked from /versions, redirects to /sites, which is no version beside it. [link-redirect]
  Correct the host's redirects: each latest version leads to the newest version of the same history.
`,
    );
  });

  test('takes the latest version itself in place of a redirect', async () => {
    const { id } = bed.revisions.joined;
    const direct = () => current.client.get(`/versions/${id}`);
    expect(await findingsWith(current, '/versions/latest', direct)).toBe('');
  });

  test('tells of a media type that is not the dialect’s', async () => {
    const html = (answer: CheckedResponse) => ({ ...answer, headers: { 'content-type': 'text/html' } });
    expect(await findingsWith(legacy, '/sites', html)).toBe(
      `error: /sites has the content type text/html instead of application/vnd.gridpress.collection+json; charset=utf-8. [answer-media-type]
  Check the dialect and the vendor, and the rules of the host for content types.
`,
    );
  });

  test('takes a charset that hosts add to application/json', async () => {
    const added = (answer: CheckedResponse) => ({
      ...answer,
      headers: { 'content-type': 'application/json; charset=UTF-8' },
    });
    expect(await findingsWith(current, '/sites', added)).toBe('');
  });

  test('tells of a link whose type is not its target’s', async () => {
    const mistyped = body((text) =>
      text.replace(
        '"href":"/sites","type":"application/vnd.gridpress.collection+json"',
        '"href":"/sites","type":"application/vnd.gridpress.item+json"',
      ),
    );
    expect(await findingsWith(legacy, '/', mistyped)).toBe(
      `error: / is not what its schema says: "links.0.type": expected the media type of a collection. [answer-schema]
${MAKE_AGAIN}
error: The link to /sites in / has the type application/vnd.gridpress.item+json instead of application/vnd.gridpress.collection+json. [link-type]
${MAKE_AGAIN}`,
    );
  });

  test('tells of a body that is no JSON object', async () => {
    for (const text of ['<html>', '[]', '']) {
      expect(
        await findingsWith(
          current,
          '/sites/kit/clusters',
          body(() => text),
        ),
      ).toBe(`error: /sites/kit/clusters does not answer with a JSON object. [answer-not-json]\n${CATCHES}`);
    }
  });

  test('tells of JSON that is not compact', async () => {
    const rewritten = body((text) => `${text}\n`);
    expect(await findingsWith(current, '/sites/kit', rewritten)).toBe(
      `error: /sites/kit answers with JSON that is not compact. [answer-not-compact]
  Keep the host from rewriting what it sends.
`,
    );
  });

  test('tells of each field that breaks the schema', async () => {
    const broken = body((text) => text.replace('"offset":0', '"offset":10').replace('"total":0,', ''));
    expect(await findingsWith(current, '/sites/kit/clusters', broken)).toBe(
      `error: /sites/kit/clusters is not what its schema says: "total": missing; expected a number. [answer-schema]
${MAKE_AGAIN}
error: /sites/kit/clusters is not what its schema says: "offset": expected "0", found 10. [answer-schema]
${MAKE_AGAIN}
error: /sites/kit/clusters does not end in total, offset, items, version, links. [answer-field-order]
${MAKE_AGAIN}`,
    );
  });

  test('tells of a total that is not the number of items', async () => {
    const broken = body((text) => text.replace('"total":2', '"total":3'));
    expect(await findingsWith(current, NODES, broken)).toBe(
      `error: ${NODES} is not what its schema says: total is not the number of items. [answer-schema]\n${MAKE_AGAIN}`,
    );
  });

  test('tells of fields out of order', async () => {
    const { id } = bed.revisions.joined;
    const moved = body((text) => text.replace(`,"version":"${id}"`, '').replace(/}$/, `,"version":"${id}"}`));
    expect(await findingsWith(current, '/sites/cirrus/clusters', moved)).toBe(
      `error: /sites/cirrus/clusters does not end in total, offset, items, version, links. [answer-field-order]\n${MAKE_AGAIN}`,
    );
  });

  test('tells of a document that stands in another’s place', async () => {
    const other = () => current.client.get('/sites/kit/clusters');
    expect(await findingsWith(current, '/sites/cirrus/clusters', other)).toBe(
      `error: /sites/cirrus/clusters says that it is /sites/kit/clusters. [answer-self]
  Look for rules of the host that answer one path with the document of another.
`,
    );
  });

  test('tells of a version that answers in place of another', async () => {
    const { first, grown } = bed.revisions;
    const other = () => current.client.get(`/versions/${grown.id}`);
    // A version in force answers under the identifiers of later revisions, but not under those of its history.
    for (const url of [`/versions/${first.id}`, `/sites/lyra/versions/${first.id}`]) {
      expect(await findingsWith(current, url, other)).toBe(
        `error: ${url} says that it is /versions/${grown.id}. [answer-self]
  Look for rules of the host that answer one path with the document of another.
`,
      );
    }
  });

  test('tells of answers from two trees', async () => {
    const { joined, first } = bed.revisions;
    const stale = body((text) => text.replace(joined.id, first.id));
    const wait = '  Wait until the new tree is published as a whole, and until caches have let go of the old one.\n';
    expect(await findingsWith(current, NODE, stale)).toBe(
      `error: ${NODE} shows the revision ${first.id.slice(0, 8)} instead of ${joined.id.slice(0, 8)}. [answer-version]
${wait}
error: ${NODE} is not the same alone and in its collection. [answer-item-differs]
${wait}`,
    );
  });

  test('reports what it did', async () => {
    const seen: number[] = [];
    const { endpoints, links } = await current.crawl({
      starts: ['/sites/kit'],
      follows: (url) => url.startsWith('/sites/kit'),
      concurrency: 1,
      onProgress: (done) => seen.push(done),
    });
    // The site, its clusters, its history with one revision, that history's latest and TimeMaps; the head's version is the
    // first.
    expect(Object.fromEntries(endpoints)).toEqual({
      '/sites/{site_uid}': 1,
      '/sites/{site_uid}/clusters': 1,
      '/sites/{site_uid}/versions': 1,
      '/sites/{site_uid}/versions/latest': 1,
      '/sites/{site_uid}/versions/timemap': 1,
      '/sites/{site_uid}/versions/timemap.link': 1,
      '/sites/{site_uid}/versions/{version_id}': 2,
    });
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    // The start; 5 links of the site, 2 of its clusters, 2 and 6 of its history, 1 redirect, 6 and 1 change of each version,
    // 6 and 1 memento of the TimeMap, and of its link format the memento and 2 more.
    expect(links).toBe(1 + 5 + 2 + 8 + 1 + 2 * 7 + 7 + 3);
  });
});
