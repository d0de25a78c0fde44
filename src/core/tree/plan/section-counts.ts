/**
 * How many entries the sections have that there are of each revision, without listing them: there can be thousands of
 * sections, with thousands of entries each, and states share what they have in common.
 */
import { hasDeep, idAt, type Publication, stateAt } from '../../api/publication.ts';
import { snapshotUrl, versionUrl } from '../../api/urls.ts';
import type { Kind } from '../../model/kinds.ts';
import { membersOf, type ResourceState } from '../../model/state.ts';
import { certain } from '../../platform/certain.ts';
import { versionLinkAliases } from './plan-histories.ts';
import type { AlikeUrls } from './planned.ts';

export interface SectionCounts {
  /** The documents of a revision's snapshot. */
  readonly snapshot: (index: number) => AlikeUrls;
  /** What `versionLinkAliases` lists of a revision. */
  readonly versionLinks: (index: number) => AlikeUrls;
}

/** `paths` are all subjects. */
export function sectionCounts(publication: Publication, paths: readonly string[]): SectionCounts {
  const { bound, deep, dialect, head, histories, history } = publication;
  const { grid } = history.kinds;
  const documents = counter({
    ofHolder: (kind) => (hasDeep(deep, true) ? 2 : 1) + dialect.emptyChildren(kind).length,
    hasCollection: (kind, members) => members > 0 || !kind.onlyIfAny || dialect.answersUnlinked(kind),
  });
  const living = counter({ ofHolder: () => 1, hasCollection: (kind, members) => members > 0 || !kind.onlyIfAny });
  const documentsAt = (index: number): number => {
    const state = stateAt(publication, index);
    return state ? documents(grid, state) : 0;
  };
  const linksAt = (index: number): number => {
    const state = stateAt(publication, index);
    if (!state || index === head) return 0;
    // Before a bound, histories know less than what a merge touched.
    if (bound?.isTold(index) === false) return [...versionLinkAliases(publication, index, paths)].length;
    const touched = histories.touchedBy(index).filter((path) => histories.isAlive(path, index));
    return living(grid, state) - touched.length;
  };
  return {
    snapshot: (index) => ({ url: snapshotUrl(idAt(publication, index)), count: documentsAt(index) }),
    versionLinks: (index) => ({ url: versionUrl('', idAt(publication, index)), count: linksAt(index) }),
  };
}

interface Counted {
  /** What there is of an item that can hold others, without those. */
  readonly ofHolder: (kind: Kind) => number;
  /** Whether a collection of so many members counts. */
  readonly hasCollection: (kind: Kind, members: number) => boolean;
}

/** Counts what there is of a resource and of all below it. Of one that holds nothing that is one. */
function counter({ ofHolder, hasCollection }: Counted): (kind: Kind, resource: ResourceState) => number {
  const known = new WeakMap<ResourceState, number>();
  const countOf = (holder: Kind, resource: ResourceState): number => {
    const found = known.get(resource);
    if (found !== undefined) return found;
    let count = ofHolder(holder);
    for (const kind of holder.children) {
      const members = membersOf(resource, certain(kind.collection));
      if (hasCollection(kind, members.size)) count++;
      if (kind.children.length === 0) count += members.size;
      else for (const member of members.values()) count += countOf(kind, member);
    }
    known.set(resource, count);
    return count;
  };
  return countOf;
}
