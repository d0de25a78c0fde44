/**
 * A fake service of the older API, as far as locks need it: a path prefix in every link, a media type for every link,
 * collections with incomplete items, integers in the place of texts, and versions without changes.
 */
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import type { Handler } from './service.ts';

const BASE = '/3.0';
const SITE = `${BASE}/sites/lyra`;
const CLUSTER = `${SITE}/clusters/main`;

const link = (rel: string, href: string) => ({ rel, href, type: 'application/vnd.older.item+json' });

export interface OlderNode extends JsonObject {
  readonly uid: string;
}

/** Answers for the nodes at the time of a request. */
export function olderService(version: () => string, nodes: () => readonly OlderNode[]): Handler {
  const collection = (items: readonly Json[]) => ({
    total: items.length,
    offset: 0,
    items,
    version: version(),
    links: [],
  });
  const selfOf = (uid: string) => link('self', `${CLUSTER}/nodes/${uid}`);
  return (path) => {
    const documents = new Map<string, unknown>([
      [
        `${BASE}/`,
        {
          type: 'grid',
          uid: 'older',
          version: version(),
          release: '3.0',
          timestamp: 1_790_000_000,
          links: [link('self', BASE), link('sites', `${BASE}/sites`)],
        },
      ],
      [
        `${BASE}/sites`,
        collection([{ uid: 'lyra', links: [link('self', SITE), link('clusters', `${SITE}/clusters`)] }]),
      ],
      [
        `${SITE}/clusters`,
        collection([{ uid: 'main', links: [link('self', CLUSTER), link('nodes', `${CLUSTER}/nodes`)] }]),
      ],
      [
        `${CLUSTER}/nodes`,
        collection(nodes().map(({ uid, node_name = null }) => ({ uid, node_name, links: [selfOf(uid)] }))),
      ],
      ...nodes().flatMap((node): [string, unknown][] => [
        [
          `${CLUSTER}/nodes/${node.uid}`,
          {
            ...node,
            version: version(),
            links: [selfOf(node.uid), link('versions', `${CLUSTER}/nodes/${node.uid}/versions`)],
          },
        ],
        [
          `${CLUSTER}/nodes/${node.uid}/versions`,
          collection([{ uid: version(), date: 'Thu, 01 Jan 2026 12:00:00 GMT', author: 'Ada Brown', links: [] }]),
        ],
      ]),
    ]);
    const body = documents.get(path);
    return body === undefined ? { status: 404, body: 'Not found' } : { body };
  };
}
