import { describe, expect, test } from 'vitest';
import { renderAtom, renderFeed } from '../../../../../src/core/api/histories/changes.ts';
import type { Publication } from '../../../../../src/core/api/publication.ts';
import { RAW_FORMS } from '../../../../../src/core/api/raw-forms.ts';
import { type ChangeFeed, changeFeeds } from '../../../../../src/core/history/change-feed.ts';
import { resourceHistories } from '../../../../../src/core/history/resource-history.ts';
import type { RevisionHeader } from '../../../../../src/core/model/revision.ts';
import { headerOf } from '../../../../support/values/headers.ts';
import { added, historyOf, type Step, updated } from '../../../../support/values/history.ts';
import { C, CLUSTER_C, D, FLAVOR_F, NODE_N, publication } from '../../../../support/values/publication.ts';

function rendered(
  path: string,
  render: (publication: Publication, feed: ChangeFeed) => string,
  shown = publication('current'),
): string {
  const feed = changeFeeds(shown.history).get(path);
  return feed ? render(shown, feed) : '';
}

/** Publishes revisions with the given authors and messages. */
function published(steps: readonly Step[], header: (line: string) => RevisionHeader): Publication {
  const { history, store } = historyOf(steps, header);
  return {
    ...publication('current'),
    history,
    store,
    histories: resourceHistories(history),
    head: steps.length - 1,
    current: history.states.at(-1) ?? null,
    snapshots: new Set<number>(),
    linkedRevisions: new Set<number>(),
  };
}

const UUID = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('with a base URL, a JSON Feed contains absolute URLs, and an Atom feed refers to them', () => {
  const shown = { ...publication('current'), baseUrl: 'https://api.example.org/api/v1' };
  const { home_page_url, feed_url, items } = JSON.parse(rendered('', renderFeed, shown));
  expect([home_page_url, feed_url, items[0].url]).toEqual([
    'https://api.example.org/api/v1/changes',
    'https://api.example.org/api/v1/changes/feed',
    `https://api.example.org/api/v1/versions/${D}`,
  ]);
  expect(rendered('', renderAtom, shown)).toBe(rendered('', renderAtom));
});

describe('a JSON Feed', () => {
  test('lists each revision once, newest first, with links that begin with the base path', () => {
    const feed = JSON.parse(rendered('', renderFeed));
    const { items, ...rest } = feed;
    expect(rest).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Changes of g',
      home_page_url: '/api/v1/changes',
      feed_url: '/api/v1/changes/feed',
    });
    expect(items).toHaveLength(4);
    const [newest, second, , oldest] = items;
    expect(newest).toEqual({
      id: expect.stringMatching(UUID),
      url: `/api/v1/versions/${D}`,
      title: 'The "d"',
      content_text: 'revision\n\nremoved /sites/y (administrative)',
      date_published: '2026-03-02T00:00:00Z',
      authors: [{ name: 'Ada Brown' }],
      tags: ['administrative'],
    });
    expect(second).toMatchObject({
      content_text: `revision\n\nadded /${FLAVOR_F} (hardware)\nadded /sites/y (administrative)`,
      tags: ['hardware', 'administrative'],
    });
    expect(oldest.content_text).toBe(
      `revision\n\nadded / (administrative)\nadded /sites/x (administrative)\nadded /${CLUSTER_C} (administrative)\nadded /${NODE_N} (hardware)`,
    );
  });

  test('of a site lists the changes of the site, with its own identifiers', () => {
    const { items, title } = JSON.parse(rendered('sites/y', renderFeed));
    expect(title).toBe('Changes of y');
    expect(items.map(({ url }: { url: string }) => url)).toEqual([
      `/api/v1/sites/y/versions/${D}`,
      `/api/v1/sites/y/versions/${C}`,
    ]);
    const ids = [...items, ...JSON.parse(rendered('', renderFeed)).items].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(6);
  });

  test('contains the newest fifty revisions, and at most fifty changes of each', () => {
    const sites = Array.from({ length: 60 }, (_, i) => added(`sites/s${String(i).padStart(2, '0')}`));
    const letters = [...'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRS'];
    const steps = letters.map((letter, i): Step => {
      if (i === 0) return [`${letter}:`, added('', { n: 0 })];
      return [`${letter}: ${letters[i - 1]}`, ...(letter === 'S' ? sites : [updated('', i - 1, i)])];
    });
    const { items } = JSON.parse(rendered('', renderFeed, published(steps, headerOf)));
    expect(items.map(({ title }: { title: string }) => title)).toEqual(letters.slice(5).reverse());
    const lines = items[0].content_text.split('\n');
    expect([lines.length, lines[49], lines[50]]).toEqual([...[51, 'added /sites/s49 (administrative)', 'and 10 more']]);
  });
});

describe('an Atom feed', () => {
  test('has the expected text', () => {
    const [feedId, first, second] = [...rendered('sites/y', renderAtom).matchAll(/<id>(.*)<\/id>/g)].map(
      ([, id = '']) => id,
    );
    for (const id of [feedId, first, second]) expect(id).toMatch(UUID);
    expect(new Set([feedId, first, second]).size).toBe(3);
    expect(rendered('sites/y', renderAtom)).toBe(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${feedId}</id>
<title>Changes of y</title>
<updated>2026-03-02T00:00:00Z</updated>
<link rel="self" type="application/atom+xml" href="/api/v1/sites/y/changes/feed.atom"/>
<link rel="alternate" type="application/json" href="/api/v1/sites/y/changes"/>
<entry>
<id>${first}</id>
<title>The "d"</title>
<updated>2026-03-02T00:00:00Z</updated>
<author><name>Ada Brown</name></author>
<link rel="alternate" type="application/json" href="/api/v1/sites/y/versions/${D}"/>
<category term="administrative"/>
<content type="text">revision

removed /sites/y (administrative)</content>
</entry>
<entry>
<id>${second}</id>
<title>The "c"</title>
<updated>2026-02-28T00:00:00Z</updated>
<author><name>Ada Brown</name></author>
<link rel="alternate" type="application/json" href="/api/v1/sites/y/versions/${C}"/>
<category term="administrative"/>
<content type="text">revision

added /sites/y (administrative)</content>
</entry>
</feed>
`);
  });

  test('links to the view of the explorer first, because feed readers open the first HTML link', () => {
    const files = { page: '', script: '', more: '', exports: '', style: '', icon: '' };
    const atom = rendered('sites/y', renderAtom, { ...publication('current'), explorer: files });
    const links = Array.from(atom.matchAll(/<link rel="alternate" type="(.*)" href="(.*)"\/>/g), ([, ...link]) => link);
    expect(links).toEqual([
      ['text/html', '/api/v1/explorer/index.htm#/changes'],
      ['application/json', '/api/v1/sites/y/changes'],
      ['text/html', `/api/v1/explorer/index.htm#/changes?at=${D}`],
      ['application/json', `/api/v1/sites/y/versions/${D}`],
      ['text/html', `/api/v1/explorer/index.htm#/changes?at=${C}`],
      ['application/json', `/api/v1/sites/y/versions/${C}`],
    ]);
    expect(RAW_FORMS.atom.referencesIn(atom).slice(0, 3)).toEqual([
      '/api/v1/sites/y/changes/feed.atom',
      '/api/v1/explorer/index.htm',
      '/api/v1/sites/y/changes',
    ]);
  });

  test('has the same identifiers as the JSON Feed, and the media types of the dialect', () => {
    const ids = JSON.parse(rendered('', renderFeed)).items.map(({ id }: { id: string }) => id);
    const atom = rendered('', renderAtom, publication('legacy'));
    expect([...atom.matchAll(/<id>(.*)<\/id>/g)].map(([, id]) => id).slice(1)).toEqual(ids);
    expect(atom).toContain(
      '<link rel="alternate" type="application/vnd.acme.collection+json" href="/api/v1/changes"/>',
    );
    expect(atom).toContain(`type="application/vnd.acme.item+json" href="/api/v1/versions/${D}"/>`);
  });

  test('is well-formed for any revision text, and uses a fallback for missing authors', () => {
    const header = (line: string) => ({
      ...headerOf(line),
      author: line === 'a:' ? '' : 'A & <B>',
      message: line === 'a:' ? '\n\u0000' : 'x < y && z > \u0007\ud800\uffff]]>\r\nä \ud83d\ude00 "q"',
    });
    const atom = rendered(
      '',
      renderAtom,
      published(
        [
          ['a:', added('')],
          ['b: a', added('sites/x')],
        ],
        header,
      ),
    );
    expect(atom).toContain('<title>x &lt; y &amp;&amp; z &gt; \ufffd\ufffd\ufffd]]&gt;</title>');
    expect(atom).toContain('<author><name>A &amp; &lt;B&gt;</name></author>');
    expect(atom).toContain('<content type="text">ä \ud83d\ude00 "q"\n\nadded /sites/x');
    expect(atom).toContain(`<title>Revision ${'a'.repeat(40)}</title>`);
    expect(atom).toContain('<author><name>unknown</name></author>');
  });
});
