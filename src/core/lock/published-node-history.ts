/** Reads the history of a node from an API. Version documents never change, so no revision is checked. */

import { versionsUrl } from '../api/urls.ts';
import { sourceFields } from '../api/written-fields.ts';
import type { Base } from '../client/base-url.ts';
import { linkOf, listVersions, type PinnedReader } from '../client/pinned-reader.ts';
import { ACTIONS } from '../history/revision-file.ts';
import { fieldChangesFrom } from '../model/differences/difference.ts';
import { FIELD_CLASSES } from '../model/field-classes.ts';
import { isJsonObject, itemsIn, type JsonObject, textOf } from '../model/json.ts';
import { isoTimestamp } from '../model/revision.ts';
import { type NodeHistory, type NodeHistoryQuery, type Step, versionsSince } from './node-source.ts';

/**
 * Returns undefined if the history does not contain the locked version of an existing node. Also undefined if an older
 * service reports no changes. The URL comes from the endpoint table, because no document links to the history of a
 * removed node.
 */
export async function publishedNodeHistory(
  pinned: PinnedReader,
  base: Base,
  asked: NodeHistoryQuery,
): Promise<NodeHistory | undefined> {
  const versions = await versionsOf(pinned, base, asked.path);
  const found = versions && versionsSince(versions, ({ uid }) => textOf(uid), asked);
  if (!found) return undefined;
  const wanted = found.since ? [...found.newest, found.since] : found.newest;
  const documents = await Promise.all(
    wanted.map(async (version) => {
      const self = linkOf(version, 'self');
      const read = self === undefined ? undefined : await pinned.getImmutable(base.resolve(self));
      return read?.body['uid'] === version['uid'] ? read?.body : undefined;
    }),
  );
  const steps = documents.slice(0, found.newest.length);
  if (steps.some((document) => !Array.isArray(document?.['changes']))) return undefined;
  const resource = found.since && documents.at(-1)?.['resource'];
  return {
    before: isJsonObject(resource) ? sourceFields(resource) : undefined,
    steps: steps.flatMap((document) => (document ? stepsOf(document) : [])),
    omitted: found.omitted,
  };
}

async function versionsOf(pinned: PinnedReader, base: Base, path: string): Promise<readonly JsonObject[] | undefined> {
  const read = base.isSnapshot ? pinned.findContinuing : pinned.findPinned;
  const listed = (path: string) => listVersions(base, base.pathOnServer(versionsUrl(path)), read, pinned.getImmutable);
  const versions = await listed(path);
  if (!versions || !base.isSnapshot) return versions;
  // A snapshot contains no histories. The histories of the whole API also contain revisions after the snapshot.
  const all = (await listed(''))?.map(({ uid }) => uid) ?? [];
  const until = new Set(all.slice(all.indexOf(pinned.revision)));
  return versions.filter(({ uid }) => until.has(uid ?? null));
}

function stepsOf(document: JsonObject): Step[] {
  const [change] = itemsIn(document['changes']);
  const { uid, timestamp, date, author, message } = document;
  const action = isJsonObject(change) ? ACTIONS.find((known) => known === change['action']) : undefined;
  if (!isJsonObject(change) || !action) return [];
  const seconds = Math.floor(Date.parse(textOf(timestamp) || textOf(date)) / 1000);
  const successor = change['successor'];
  return [
    {
      revision: textOf(uid),
      author: textOf(author),
      message: textOf(message),
      action,
      date: Number.isFinite(seconds) ? isoTimestamp(seconds) : '',
      classes: FIELD_CLASSES.filter((name) => itemsIn(change['classes']).includes(name)),
      fields: itemsIn(change['fields']).flatMap(fieldChangesFrom),
      ...(typeof successor === 'string' ? { successor } : {}),
    },
  ];
}
