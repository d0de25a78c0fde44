import { describe, expect, test } from 'vitest';
import { OPENAPI_PATH, REFERENCE_PATH } from '../../../../src/core/api/description/description-paths.ts';
import { endpointOf } from '../../../../src/core/api/endpoints.ts';
import { NODE_HISTORY_PATH } from '../../../../src/core/api/nodes/node-paths.ts';
import type { Publication } from '../../../../src/core/api/publication.ts';
import { resourceUrl, versionUrl } from '../../../../src/core/api/urls.ts';
import {
  type HistoryStart,
  historiesFromStart,
  historyStart,
  includedRevisions,
} from '../../../../src/core/history/history-start.ts';
import { resourceHistories } from '../../../../src/core/history/resource-history.ts';
import { parsedObject } from '../../../../src/core/model/json.ts';
import { epochSeconds } from '../../../../src/core/model/revision.ts';
import { planTree } from '../../../../src/core/tree/plan/plan-tree.ts';
import { historyCheck } from '../../../../src/features/verify/verify-history.ts';
import { pastFleets } from '../../../real/past-fleets.ts';
import { publication as publicationOf } from '../../../support/values/publication.ts';
import { dayText, randomHistory } from '../../../support/values/random-history.ts';

interface Made {
  readonly publication: Publication;
  readonly texts: ReadonlyMap<string, string>;
  /** The path of the document that is served for a path. */
  readonly targetOf: (path: string) => string | undefined;
}

interface Pair {
  readonly whole: Made;
  readonly bounded: Made;
  readonly bound: HistoryStart;
}

function made(publication: Publication): Made {
  const { documents, aliases } = planTree(publication);
  const texts = new Map(
    documents.flatMap(({ list }) =>
      Array.from(list(), ({ url, body }) => [url, isOfHistory(url) ? body() : ''] as const),
    ),
  );
  const targets = new Map(
    aliases.flatMap(({ list }) => Array.from(list(), ({ url, target }) => [url, target] as const)),
  );
  for (const target of targets.values()) expect(texts.has(target), target).toBe(true);
  return { publication, texts, targetOf: (path) => (texts.has(path) ? path : targets.get(path)) };
}

/** The descriptions of the API are the same for all histories. */
function isOfHistory(url: string): boolean {
  return ![OPENAPI_PATH, REFERENCE_PATH].includes(url);
}

/** Both trees have the snapshots of the limited one. Undefined if the limited tree includes the whole history. */
function pairOf(seed: number, day: number): Pair | undefined {
  const { history, store } = randomHistory(seed);
  const bound = historyStart(history, epochSeconds(dayText(day)));
  if (!bound) return undefined;
  const told = includedRevisions(bound, history);
  const whole: Publication = {
    ...publicationOf('current', { history, store }),
    schemas: () => new Map(),
    snapshots: new Set(told.filter((index) => history.states[index]).reverse()),
    linkedRevisions: new Set(told.slice(0, -1)),
  };
  const histories = historiesFromStart(resourceHistories(history), history, bound);
  const bounded = { ...whole, histories, bound };
  return { whole: made(whole), bounded: made(bounded), bound };
}

/** Pairs of trees for many histories, with early, middle and late history starts. */
const PAIRS = Array.from({ length: 40 }, (_, seed) => ({ seed, day: (seed * 5) % 14 }))
  .map(({ seed, day }) => [seed, pairOf(seed, day)] as const)
  .flatMap(([seed, pair]) => (pair ? [{ seed, ...pair }] : []));

const LINK = /"href":"([^"]+)"/g;

function withoutBound(text: string): string {
  return text.replace('"older_left_out":true,', '').replace(/,?\{"rel":"predecessor-version"[^}]*\}/, '');
}

describe('a tree with a history start', () => {
  test('is tested with merges, decreasing dates, and starts at which several revisions meet', () => {
    expect(PAIRS.length).toBeGreaterThan(25);
    expect(PAIRS.some(({ bound }) => bound.bases.length > 2)).toBe(true);
    const isLate = ({ bound, whole }: Pair) =>
      whole.publication.history.revisions.some(
        ({ date }, index) => bound.isIncluded(index) && epochSeconds(date) < bound.since,
      );
    expect(PAIRS.some(isLate)).toBe(true);
    expect(PAIRS.some(({ bound, whole }) => !bound.isIncluded(whole.publication.head))).toBe(true);
  });

  test('has no dead links', () => {
    for (const { seed, bounded } of PAIRS) {
      for (const [url, text] of bounded.texts)
        for (const [, href = ''] of text.matchAll(LINK))
          if (href.startsWith('/') && !href.startsWith('/api/v1') && bounded.targetOf(href) === undefined)
            expect.fail(`${seed}: ${url} leads to ${href}`);
      for (const [url, text] of bounded.texts)
        if (url.endsWith('timemap.link'))
          for (const [, path = '', rel = ''] of text.matchAll(/<\/api\/v1([^>]*)>;rel="([^"]*)"/g))
            if (rel !== 'original') expect(bounded.targetOf(path), `${seed}: ${url}`).toBeDefined();
    }
  });

  test('has the same resources, snapshots and versions as the full tree, byte for byte', () => {
    for (const { seed, whole, bounded, bound } of PAIRS) {
      const { indexOf } = whole.publication.history;
      for (const [url, text] of bounded.texts) {
        const endpoint = endpointOf(url);
        if (endpoint?.content !== 'version' && endpoint?.content !== 'resource' && endpoint?.content !== 'resources')
          continue;
        const expected = whole.texts.get(url) ?? '';
        const isOlder =
          endpoint.content === 'version' && !bound.isIncluded(indexOf.get(url.split('/').at(-1) ?? '') ?? -1);
        const [shown, wanted] = isOlder ? [withoutBound(text), withoutBound(expected)] : [text, expected];
        if (shown !== wanted) expect(shown, `${seed}: ${url}`).toBe(wanted);
      }
    }
  });

  test('answers for every resource at each of its revisions like the full tree', () => {
    for (const { seed, whole, bounded, bound } of PAIRS) {
      const { history, histories } = whole.publication;
      for (const index of includedRevisions(bound, history)) {
        const { id = '' } = history.revisions[index] ?? {};
        for (const path of histories.subjects()) {
          if (!histories.isAlive(path, index)) continue;
          const url = versionUrl(path, id);
          expect(bounded.targetOf(url), `${seed}: ${url}`).toBe(whole.targetOf(url));
        }
      }
      for (const path of histories.subjects())
        if (histories.isAlive(path, whole.publication.head))
          expect(bounded.targetOf(resourceUrl(path))).toBe(whole.targetOf(resourceUrl(path)));
    }
  });

  test('lists the versions of its revisions and of the start', () => {
    for (const { seed, whole, bounded, bound } of PAIRS) {
      for (const path of bounded.publication.histories.subjects()) {
        const all = whole.publication.histories.of(path).revisions;
        const { revisions } = bounded.publication.histories.of(path);
        expect(revisions.filter(bound.isIncluded), `${seed}: ${path}`).toEqual(all.filter(bound.isIncluded));
        const isVersion = (index: number) => bounded.texts.has(versionUrl(path, idOf(whole, index)));
        expect(revisions).toEqual(all.filter(isVersion));
        expect(revisions.length).toBeGreaterThan(0);
        const [base = -1, ...others] = bound.bases;
        const isOne = others.length === 0 && !path.includes('/nodes/');
        if (isOne && whole.publication.histories.isAlive(path, base))
          expect(revisions.filter((index) => !bound.isIncluded(index))).toHaveLength(1);
      }
    }
  });

  test('has a valid history, which would be invalid with another start', async () => {
    for (const { seed, whole, bounded, bound } of PAIRS) {
      const since = new Date(bound.since * 1000).toISOString().replace('.000Z', 'Z');
      // Both trees have the same findings about merges.
      const odd = await reasonsIn(whole, undefined);
      const found = async (said: string | undefined) =>
        (await reasonsIn(bounded, said)).filter((reason) => !odd.includes(reason));
      expect(await found(since), `${seed}`).toEqual([]);
      expect((await found(undefined)).length > 0).toBe([...bounded.texts.values()].some(isCut));
    }
  });

  test('has the nodes of each revision in the table over time', () => {
    for (const { seed, whole, bounded } of PAIRS) {
      const [all, told] = [whole, bounded].map(fleetsOf);
      expect(told?.size).toBeGreaterThan(0);
      for (const [id, fleet] of told ?? []) expect(fleet, `${seed}: ${id}`).toEqual(all?.get(id));
    }
  });
});

function idOf({ publication }: Made, index: number): string {
  return publication.history.revisions[index]?.id ?? '';
}

function isCut(text: string): boolean {
  return text.includes('"older_left_out":true') && text.includes('"type":"version"');
}

async function reasonsIn({ texts, targetOf }: Made, since: string | undefined): Promise<string[]> {
  const history = historyCheck(targetOf, since);
  const findings = [...texts].flatMap(([path, text]) => {
    const [endpoint, body] = [endpointOf(path), parsedObject(text)];
    if (!endpoint || !body) return [];
    if (endpoint.content === 'resource') history.item(path, body, text);
    return endpoint.content === 'version' ? history.version(path, endpoint, body) : [];
  });
  findings.push(...(await history.atEnd(async (path) => parsedObject(texts.get(path) ?? ''))));
  return findings.map(({ args, place }) => `${place?.file}: ${JSON.stringify(args)}`);
}

/** The bodies of the nodes by revision. */
function fleetsOf({ texts }: Made): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const history = JSON.parse(texts.get(NODE_HISTORY_PATH) ?? '');
  const fleetAt = pastFleets(history);
  return new Map(history.revisions.map(({ uid }: { uid: string }, index: number) => [uid, fleetAt(index)]));
}
