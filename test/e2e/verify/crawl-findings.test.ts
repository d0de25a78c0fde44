import { beforeAll, describe, expect, test } from 'vitest';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import type { CheckedResponse, FailedRequest } from '../../../src/features/verify/check-response.ts';
import { newFolder } from '../../support/folders.ts';
import { nodeUid, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { buildAndServe, type Served } from '../../support/trees/served.ts';

/** Returns the findings for a service with one altered response. */
async function findingsWith(
  served: Served,
  url: string,
  tampered: (answer: CheckedResponse) => CheckedResponse | FailedRequest | Promise<CheckedResponse>,
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
const MAKE_AGAIN = '  Rebuild the tree, and publish it completely. If that does not help, report a bug.\n';
const CATCHES = '  Check whether a rule of the host matches this path.\n';

describe('crawl', () => {
  test('reports a dead link with its source', async () => {
    expect(await findingsWith(current, '/sites/kit', (answer) => ({ ...answer, status: 404 }))).toBe(
      `error: /sites/kit, linked from /sites, answers 404 instead of 200. [link-status]
  Publish the whole tree. Check whether a rule of the host matches this path.
`,
    );
  });

  test('reports an unreachable service', async () => {
    const refuse = () => ({ unreachable: 'connect ECONNREFUSED 127.0.0.1:1' });
    expect(await findingsWith(current, '/', refuse)).toBe(
      `error: /, linked from the start, cannot be reached: connect ECONNREFUSED 127.0.0.1:1. [link-unreachable]
  Check that the service is running, and that nothing blocks the connection.
`,
    );
  });

  test('stops at a service that makes up links without end', async () => {
    let made = 0;
    const fetch = async () => {
      const links = Array.from({ length: 10 }, () => ({ rel: 'sites', href: `/sites/x${made++}` }));
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ links }) };
    };
    const { findings, asked } = await current.crawl({ fetch, linkBytes: 100_000 });
    expect(asked).toBeLessThan(200);
    expect(renderFindings(findings.slice(-1))).toBe(
      `error: The crawl stopped after ${asked} documents, because they have too many different links or too many problems. The findings are about the answers so far. [crawl-endless]
  Check that the service answers unknown paths with 404, and crawl a part with --under or --sample.
`,
    );
  });

  test('reports a link that matches no endpoint', async () => {
    const astray = body((text) => text.replace('"href":"/sites"', '"href":"/places"'));
    expect(await findingsWith(current, '/', astray)).toBe(
      `error: /places, linked from /, is not a path of the API. [link-no-endpoint]\n${MAKE_AGAIN}`,
    );
  });

  test('reports a latest version that redirects elsewhere', async () => {
    const url = '/versions/latest';
    const astray = (answer: CheckedResponse) => ({ ...answer, headers: { ...answer.headers, location: '/sites' } });
    expect(await findingsWith(current, url, astray)).toBe(
      `error: /versions/latest, linked from /versions, redirects to /sites, which is not a version of the same history. [link-redirect]
  Correct the redirects of the host. Each latest version must redirect to the newest version of the same history.
`,
    );
  });

  test('accepts the latest version itself instead of a redirect', async () => {
    const { id } = bed.revisions.joined;
    const direct = () => current.client.get(`/versions/${id}`);
    expect(await findingsWith(current, '/versions/latest', direct)).toBe('');
  });

  test('reports a media type of the other dialect', async () => {
    const html = (answer: CheckedResponse) => ({ ...answer, headers: { 'content-type': 'text/html' } });
    expect(await findingsWith(legacy, '/sites', html)).toBe(
      `error: /sites has the content type text/html instead of application/vnd.gridpress.collection+json; charset=utf-8. [answer-media-type]
  Check the dialect, the vendor, and the content type rules of the host.
`,
    );
  });

  test('accepts a charset that hosts add to application/json', async () => {
    const added = (answer: CheckedResponse) => ({
      ...answer,
      headers: { 'content-type': 'application/json; charset=UTF-8' },
    });
    expect(await findingsWith(current, '/sites', added)).toBe('');
  });

  test('reports a link with a wrong type', async () => {
    const mistyped = body((text) =>
      text.replace(
        '"href":"/sites","type":"application/vnd.gridpress.collection+json"',
        '"href":"/sites","type":"application/vnd.gridpress.item+json"',
      ),
    );
    expect(await findingsWith(legacy, '/', mistyped)).toBe(
      `error: / does not match its schema: "links.0.type": expected the media type of a collection. [answer-schema]
${MAKE_AGAIN}
error: The link to /sites in / has the type application/vnd.gridpress.item+json instead of application/vnd.gridpress.collection+json. [link-type]
${MAKE_AGAIN}`,
    );
  });

  test('reports a body that is not a JSON object', async () => {
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

  test('reports JSON that is not compact', async () => {
    const rewritten = body((text) => `${text}\n`);
    expect(await findingsWith(current, '/sites/kit', rewritten)).toBe(
      `error: /sites/kit answers with JSON that is not compact. [answer-not-compact]
  Configure the host so that it does not rewrite answers.
`,
    );
  });

  test('reports each field that violates the schema', async () => {
    const broken = body((text) => text.replace('"offset":0', '"offset":10').replace('"total":0,', ''));
    expect(await findingsWith(current, '/sites/kit/clusters', broken)).toBe(
      `error: /sites/kit/clusters does not match its schema: "total": missing; expected a number. [answer-schema]
${MAKE_AGAIN}
error: /sites/kit/clusters does not match its schema: "offset": expected "0", found 10. [answer-schema]
${MAKE_AGAIN}
error: /sites/kit/clusters does not end with the fields total, offset, items, version, links. [answer-field-order]
${MAKE_AGAIN}`,
    );
  });

  test('reports a total that differs from the number of items', async () => {
    const broken = body((text) => text.replace('"total":2', '"total":3'));
    expect(await findingsWith(current, NODES, broken)).toBe(
      `error: ${NODES} does not match its schema: total is not the number of items. [answer-schema]\n${MAKE_AGAIN}`,
    );
  });

  test('stops at a document with more problems than a crawl reports', async () => {
    const items = Array.from({ length: 200_000 }, () => '{}').join();
    const fetch = async (path: string) => {
      const answer = await current.client.get(path);
      return path === NODES
        ? { ...answer, body: answer.body.replace(/"items":\[.*\](?=,"version")/, `"items":[${items}]`) }
        : answer;
    };
    const { findings } = await current.crawl({ fetch });
    expect(findings.slice(-2).map(({ code }) => code)).toEqual(['answer-schema', 'crawl-endless']);
  });

  test('reports fields in the wrong order', async () => {
    const { id } = bed.revisions.joined;
    const moved = body((text) => text.replace(`,"version":"${id}"`, '').replace(/}$/, `,"version":"${id}"}`));
    expect(await findingsWith(current, '/sites/cirrus/clusters', moved)).toBe(
      `error: /sites/cirrus/clusters does not end with the fields total, offset, items, version, links. [answer-field-order]\n${MAKE_AGAIN}`,
    );
  });

  test('reports a document at the wrong path', async () => {
    const other = () => current.client.get('/sites/kit/clusters');
    expect(await findingsWith(current, '/sites/cirrus/clusters', other)).toBe(
      `error: /sites/cirrus/clusters has the self link /sites/kit/clusters. [answer-self]
  Check whether a rule of the host answers one path with the document of another.
`,
    );
  });

  test('reports a version at the path of another version', async () => {
    const { first, grown } = bed.revisions;
    const other = () => current.client.get(`/versions/${grown.id}`);
    // A current version also answers for later revisions, but not for revisions of its history.
    for (const url of [`/versions/${first.id}`, `/sites/lyra/versions/${first.id}`]) {
      expect(await findingsWith(current, url, other)).toBe(
        `error: ${url} has the self link /versions/${grown.id}. [answer-self]
  Check whether a rule of the host answers one path with the document of another.
`,
      );
    }
  });

  test('reports responses from two trees', async () => {
    const { joined, first } = bed.revisions;
    const stale = body((text) => text.replace(joined.id, first.id));
    const wait =
      '  Run the command again when the new tree is completely published and caches no longer serve the old one.\n';
    expect(await findingsWith(current, NODE, stale)).toBe(
      `error: ${NODE} has the revision ${first.id.slice(0, 8)} instead of ${joined.id.slice(0, 8)}. [answer-version]
${wait}
error: ${NODE} differs from the same item in its collection. [answer-item-differs]
${wait}`,
    );
  });

  test('counts endpoints and links', async () => {
    const seen: number[] = [];
    const { endpoints, links } = await current.crawl({
      starts: ['/sites/kit'],
      follows: (url) => url.startsWith('/sites/kit'),
      concurrency: 1,
      onProgress: (done) => seen.push(done),
    });
    // The site, its clusters, its history with one revision, that history's latest version and TimeMaps; the head's
    // version is the first.
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
    // The start; 5 links of the site, 2 of its clusters, 2 and 6 of its history, 1 redirect, 6 and 1 change of each
    // version, 6 and 1 memento of the TimeMap, and of its link format the memento and 2 more.
    expect(links).toBe(1 + 5 + 2 + 8 + 1 + 2 * 7 + 7 + 3);
  });
});
