/** The past of a node as its published history tells it. Version documents never change, so they need no pinning. */

import { versionsUrl } from '../api/urls.ts';
import { sourceFields } from '../api/written-fields.ts';
import type { Base } from '../client/base-url.ts';
import { listedVersions } from '../client/listed-versions.ts';
import { linkOf, type PinnedReader } from '../client/pinned-reader.ts';
import { ACTIONS } from '../history/actions.ts';
import { fieldOf } from '../model/differences/difference.ts';
import { FIELD_CLASSES } from '../model/field-classes.ts';
import { isJsonObject, itemsIn, type Json, type JsonObject } from '../model/json.ts';
import { isoTimestamp } from '../model/revision.ts';
import { type Past, type PastQuery, type Step, versionsSince } from './node-past.ts';

/**
 * Undefined where the service has no history that knows the version, or one that says nothing of changes, as older
 * services have. Nothing links to the history of what is gone: the endpoint table says where it is.
 */
export async function publishedPast(pinned: PinnedReader, base: Base, asked: PastQuery): Promise<Past | undefined> {
  const versions = await versionsOf(pinned, base, asked.path);
  const found = versions && versionsSince(versions, ({ uid }) => textOf(uid), asked);
  if (!found) return undefined;
  const wanted = found.since ? [...found.told, found.since] : found.told;
  const documents = await Promise.all(
    wanted.map(async (version) => {
      const self = linkOf(version, 'self');
      const read = self === undefined ? undefined : await pinned.lasting(base.resolve(self));
      return read?.body['uid'] === version['uid'] ? read?.body : undefined;
    }),
  );
  const told = documents.slice(0, found.told.length);
  if (told.some((document) => !Array.isArray(document?.['changes']))) return undefined;
  const resource = found.since && documents.at(-1)?.['resource'];
  return {
    before: isJsonObject(resource) ? sourceFields(resource) : undefined,
    steps: told.flatMap((document) => (document ? stepsOf(document) : [])),
    omitted: found.omitted,
  };
}

/** A node's versions up to the pinned revision, newest first; undefined where the service has none of it. */
async function versionsOf(pinned: PinnedReader, base: Base, path: string): Promise<readonly JsonObject[] | undefined> {
  const read = base.isSnapshot ? pinned.together : pinned.found;
  const listed = (path: string) => listedVersions(base, base.place(versionsUrl(path)), read, pinned.lasting);
  const versions = await listed(path);
  if (!versions || !base.isSnapshot) return versions;
  // A snapshot has no histories of its own: those of the whole API go on after it.
  const all = (await listed(''))?.map(({ uid }) => uid) ?? [];
  const until = new Set(all.slice(all.indexOf(pinned.revision)));
  return versions.filter(({ uid }) => until.has(uid ?? null));
}

/** What a version document says that its revision did to its own resource: nothing, or one thing. */
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
      fields: itemsIn(change['fields']).flatMap(fieldOf),
      ...(typeof successor === 'string' ? { successor } : {}),
    },
  ];
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
