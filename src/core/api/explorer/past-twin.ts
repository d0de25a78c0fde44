/**
 * `past.js` beside the explorer's page: what every revision did to every node, of which the page makes nodes, their
 * versions and the changes as the API has them.
 */
import { revisionsTold } from '../../history/history-bound.ts';
import type { RecordedChange } from '../../history/replay.ts';
import { classNames } from '../../model/field-classes.ts';
import { isNodePath } from '../../model/resource-path.ts';
import { epochSeconds, isoTimestamp } from '../../model/revision.ts';
import { resourceAt } from '../../model/state.ts';
import { mustGet } from '../../platform/certain.ts';
import type { View } from '../item.ts';
import { idAt, type Publication, revisionAt, stateAt } from '../publication.ts';
import { EXPLORER_PATHS } from './explorer-paths.ts';
import { script } from './twins.ts';

/** What is shown, while it is written. */
interface Shown {
  readonly publication: Publication;
  /** By the index of a revision in the whole history, its place among those that are shown. */
  readonly places: ReadonlyMap<number, number>;
  /** The texts that are told, each with its place. */
  readonly told: Map<string, number>;
}

/**
 * The history as the page replays it: `revisions` in order, each with the index of its first parent, and for each resource
 * `events`, lists of a revision's index, the action, the classes, and the place in `told` of what it did: the body of a node
 * that came, the fields of one that changed, the successor of what went. What many have in common is told once. `versions` are the revisions of a node's own history, the newest first.
 * Of a revision before which everything is left out, `began` has the index and the place of the node's body after it.
 */
export function renderPastTwin({ publication }: View): string {
  const most = publication.mostTwinnedHistory;
  const path = EXPLORER_PATHS.past;
  const indexes = shownRevisions(publication);
  const places = new Map(indexes.map((index, place) => [index, place]));
  const shown: Shown = { publication, places, told: new Map() };
  if (lengthOfPast(shown, most) > most) return script('past', path, '{}');
  const revisions = indexes.map((index) => {
    const { id: uid, date, author, message } = revisionAt(publication, index);
    const isBase = !isTold(publication, index);
    const parent = isBase ? undefined : places.get(publication.history.parents[index]?.[0] ?? -1);
    return {
      uid,
      timestamp: isoTimestamp(epochSeconds(date)),
      author,
      message,
      parent: parent ?? null,
      ...(isBase ? { older_left_out: true } : {}),
    };
  });
  const began = new Map(bodiesAtBound(shown));
  const resources = [...eventsOf(shown)].map(
    ([path, events]) =>
      `{"path":${JSON.stringify(path)},"events":[${events.join(',')}]${beganText(shown, path, began.get(path))}${versionsText(shown, path)}}`,
  );
  const version = JSON.stringify(idAt(publication, publication.head));
  const text = `{"version":${version},\n"revisions":${JSON.stringify(revisions)},\n"told":[\n${[...shown.told.keys()].join(',\n')}],\n"resources":[\n${resources.join(',\n')}]}`;
  return script('past', path, text);
}

function isTold({ bound }: Publication, index: number): boolean {
  return bound === undefined || bound.isTold(index);
}

/** What is told, what that stands on, and whatever else is a version of a node. */
function shownRevisions({ history, histories, bound }: Publication): readonly number[] {
  if (!bound) return [...history.revisions.keys()];
  const shown = new Set(revisionsTold(bound, history));
  for (const path of histories.subjects())
    if (isNodePath(path)) for (const index of histories.of(path).revisions) shown.add(index);
  return [...shown].sort((a, b) => a - b);
}

/** The changes of the revisions that are shown; before the bound, those of which there are versions. */
function* changesIn({ publication, places }: Shown): Generator<readonly [index: number, change: RecordedChange]> {
  const { history, histories } = publication;
  for (const index of places.keys()) {
    const versions = isTold(publication, index) ? undefined : new Set(histories.touchedBy(index));
    for (const change of history.changes[index] ?? [])
      if (!versions || versions.has(change.path)) yield [index, change];
  }
}

/** By the paths of resources; the grid is always among them. */
function eventsOf(shown: Shown): Map<string, string[]> {
  const events = new Map<string, string[]>([['', []]]);
  for (const [path] of bodiesAtBound(shown)) events.set(path, []);
  for (const [index, change] of changesIn(shown)) {
    if (change.action === 'touched') continue;
    if (!events.has(change.path)) events.set(change.path, []);
    mustGet(events, change.path).push(eventText(shown, index, change));
  }
  return events;
}

function eventText(shown: Shown, index: number, change: RecordedChange): string {
  const { action, classes, successor } = change;
  const text = successor === undefined ? toldOf(shown.publication, index, change) : JSON.stringify(successor);
  const place = text === undefined ? '' : `,${placeOf(shown, text)}`;
  return `[${shown.places.get(index)},"${action}",${JSON.stringify(classNames(classes))}${place}]`;
}

function placeOf({ told }: Shown, text: string): number {
  const place = told.get(text) ?? told.size;
  told.set(text, place);
  return place;
}

/** The JSON text of the body of a node that came, or of the fields that changed in it. */
function toldOf(publication: Publication, index: number, { path, fields }: RecordedChange): string | undefined {
  if (!isNodePath(path)) return undefined;
  return fields === undefined ? bodyOf(publication, index, path) : publication.store.get(fields);
}

function bodyOf(publication: Publication, index: number, path: string): string | undefined {
  const node = resourceAt(stateAt(publication, index), path);
  return node && publication.store.get(node.body.handle);
}

/** The revisions before which everything is left out, by the nodes of which they tell the bodies. */
function* bodiesAtBound({ publication }: Shown): Generator<readonly [path: string, indexes: readonly number[]]> {
  const { histories, bound } = publication;
  if (!bound) return;
  for (const path of histories.subjects()) {
    if (!isNodePath(path)) continue;
    const versions = histories.of(path).revisions.filter((index) => !bound.isTold(index));
    yield [path, [...new Set([...bound.bases, ...versions])]];
  }
}

function beganText(shown: Shown, path: string, indexes: readonly number[] = []): string {
  const began = indexes.flatMap((index) => {
    const body = bodyOf(shown.publication, index, path);
    return body === undefined ? [] : [[shown.places.get(index), placeOf(shown, body)]];
  });
  return began.length === 0 ? '' : `,"began":${JSON.stringify(began)}`;
}

function versionsText({ publication, places }: Shown, path: string): string {
  if (path !== '' && !isNodePath(path)) return '';
  const versions = publication.histories.of(path).revisions.map((index) => places.get(index));
  return `,"versions":${JSON.stringify(versions)}`;
}

/** What revisions and changes have besides bodies and fields, about. */
const REVISION_LENGTH = 200;
const EVENT_LENGTH = 40;

/** About how long it would be; no more is gone through than is needed to know that it is too long. */
function lengthOfPast(shown: Shown, most: number): number {
  const { publication, places } = shown;
  let length = places.size * REVISION_LENGTH;
  for (const [index, change] of changesIn(shown)) {
    length += EVENT_LENGTH + (toldOf(publication, index, change)?.length ?? 0);
    if (length > most) return length;
  }
  for (const [path, [index = 0]] of bodiesAtBound(shown)) {
    length += EVENT_LENGTH + (bodyOf(publication, index, path)?.length ?? 0);
    if (length > most) return length;
  }
  return length;
}
