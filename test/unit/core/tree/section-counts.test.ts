import { expect, test } from 'vitest';
import { endpointOf, rawFormOf } from '../../../../src/core/api/endpoints.ts';
import type { Publication } from '../../../../src/core/api/publication.ts';
import { boundedHistories } from '../../../../src/core/history/bounded-histories.ts';
import { historyBound, revisionsTold } from '../../../../src/core/history/history-bound.ts';
import { resourceHistories } from '../../../../src/core/history/resource-history.ts';
import { epochSeconds } from '../../../../src/core/model/revision.ts';
import { planTree } from '../../../../src/core/tree/plan/plan-tree.ts';
import { EQUIPPED, publication as publicationOf } from '../../../support/values/publication.ts';
import { dayText, randomHistory } from '../../../support/values/random-history.ts';

/** With all snapshots that there can be, and the links of all revisions. */
function published(
  dialect: 'current' | 'legacy',
  made: Pick<Publication, 'history' | 'store'>,
  day?: number,
): Publication {
  const { history } = made;
  const histories = resourceHistories(history);
  const bound = day === undefined ? undefined : historyBound(history, epochSeconds(dayText(day)));
  const told = bound ? revisionsTold(bound, history) : [...history.revisions.keys()];
  return {
    ...publicationOf(dialect, made),
    schemas: () => new Map(),
    bound,
    histories: bound ? boundedHistories(histories, history, bound) : histories,
    snapshots: new Set(told.filter((index) => history.states[index] && index % 2 === 0).reverse()),
    linkedRevisions: new Set(told.filter((index) => index % 3 > 0)),
    deep: { maxItems: 100, inSnapshots: dialect === 'legacy' },
  };
}

const PUBLICATIONS: readonly (readonly [of: string, Publication])[] = [
  ...(['current', 'legacy'] as const).map((dialect) => [dialect, published(dialect, EQUIPPED)] as const),
  ...Array.from({ length: 40 }, (_, seed) => {
    const day = seed % 2 === 0 ? undefined : (seed * 5) % 14;
    return [`history ${seed}`, published('current', randomHistory(seed), day)] as const;
  }),
];

test.each(PUBLICATIONS)('%s: what is known of sections is what they list', (_, publication) => {
  const { documents, aliases } = planTree(publication);
  const known = [...documents, ...aliases].flatMap(({ list, alike }) =>
    alike ? [{ listed: [...list()].map(({ url }) => url), ...alike() }] : [],
  );
  const linked = new Set([...publication.linkedRevisions, ...publication.snapshots]);
  expect(known).toHaveLength(publication.snapshots.size + linked.size);
  expect(known.map(({ count }) => count)).toEqual(known.map(({ listed }) => listed.length));
  if (!publication.bound) expect(known.some(({ count }) => count > 0)).toBe(true);
  for (const { url, listed } of known) {
    expect(listed.filter((each) => each === '/' || rawFormOf(each) !== undefined)).toEqual([]);
    const contents = new Set(listed.map((each) => endpointOf(each)?.content));
    if (contents.has('version')) expect([...contents]).toEqual([endpointOf(url)?.content]);
  }
});
