/** Writes one CSV line for each change, oldest first, so that new revisions only append lines. */
import type { ChangeFeed, PublishedFeedChange } from '../history/change-feed.ts';
import type { History } from '../history/replay.ts';
import type { FieldChange } from '../model/differences/difference.ts';
import { classNames, type FieldClass, ruleAt } from '../model/field-classes.ts';
import type { Json } from '../model/json.ts';
import type { Kind } from '../model/kinds.ts';
import { subjectAt } from '../model/resource-path.ts';
import { epochSeconds, isoTimestamp, type RevisionHeader } from '../model/revision.ts';
import type { BodyStore } from '../model/state.ts';
import { getOrCreate, itemAt } from '../platform/lookups.ts';
import { cellText, csvLine } from './csv.ts';

export interface ChangeColumn {
  readonly name: string;
  readonly description: string;
  readonly type: 'string' | 'datetime' | 'any';
}

export const CHANGE_COLUMNS: readonly ChangeColumn[] = [
  { name: 'revision', type: 'string', description: 'The identifier of the revision.' },
  { name: 'date', type: 'datetime', description: 'When it was made, in UTC.' },
  { name: 'kind', type: 'string', description: 'What was changed: a node, a cluster, a site, a flavor or the grid.' },
  { name: 'site', type: 'string', description: 'The uid of its site.' },
  { name: 'resource', type: 'string', description: 'Its path in the API.' },
  { name: 'action', type: 'string', description: 'added, updated, replaced or removed.' },
  { name: 'class', type: 'string', description: 'What the field is about; of what came or went, what that means.' },
  { name: 'field', type: 'string', description: 'The field as a JSON pointer (RFC 6901).' },
  { name: 'from', type: 'any', description: 'What was there. Empty where there was nothing, or null.' },
  { name: 'to', type: 'any', description: 'What is there now. Empty where there is nothing, or null.' },
  { name: 'successor', type: 'string', description: 'The uid of what took the place of what was removed.' },
];

export function* changeLines(
  { revisions, kinds }: History,
  feed: ChangeFeed | undefined,
  store: BodyStore,
): Generator<string> {
  yield csvLine(CHANGE_COLUMNS.map(({ name }) => name));
  let known = -1;
  let revision = '';
  const classes = new Map<string, FieldClass>();
  const classOf = (kind: Kind, at: string): FieldClass =>
    getOrCreate(classes, `${kind.name} ${at}`, () => ruleAt(kind, at).class);
  for (let n = 0; feed && n < feed.size; n++) {
    const { index, change } = feed.entryAt(n);
    if (index !== known) revision = revisionCells(itemAt(revisions, index));
    known = index;
    const { path, action, successor } = change;
    const { kind } = subjectAt(path, kinds);
    const resource = csvLine([kind.name, siteOf(path), `/${path}`, action].map(cellText));
    for (const cells of fieldCells(change, (at) => classOf(kind, at), store))
      yield `${revision},${resource},${csvLine([...cells, successor].map(cellText))}`;
  }
}

function revisionCells({ id, date }: RevisionHeader): string {
  return csvLine([id, isoTimestamp(epochSeconds(date))].map(cellText));
}

function siteOf(path: string): string | undefined {
  const [collection, uid] = path.split('/');
  return collection === 'sites' ? uid : undefined;
}

function fieldCells(
  { fields, classes }: PublishedFeedChange,
  classOf: (at: string) => FieldClass,
  store: BodyStore,
): (Json | undefined)[][] {
  if (fields === undefined) return [[classNames(classes).join(' '), undefined, undefined, undefined]];
  const changed: readonly FieldChange[] = JSON.parse(store.get(fields));
  // A change in the order of items is not a hardware change, so it has the class `derived`.
  return changed.map(({ at, from, to, order }) => [order === undefined ? classOf(at) : 'derived', ...[at, from, to]]);
}
