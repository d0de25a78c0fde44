/** A uid must be valid in URLs, and in file names on every operating system, without escapes. */

import type { JsonObject } from './json.ts';
import type { Kind } from './kinds.ts';

type NodeUidRule = 'uuid' | 'name';

type UidProblem = 'reserved' | 'characters' | 'length' | 'not-a-uuid';

const RESERVED = new Set(['versions', 'snapshots', 'latest', 'index']);
/** Matches reserved device names of Windows, with or without an extension. */
const DEVICES = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i;
/** Matches the endings of documents and of compressed files. */
const ENDINGS = /\.(json|gz|br)$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const REVISION_ID = /^[0-9a-f]{40}$/;
/** The unreserved characters of RFC 3986 need no escaping in a URL. */
const UNRESERVED = /^[A-Za-z0-9_.~-]+$/;
const LONGEST = 128;

export function uidProblem(uid: string, kind: Kind, nodeUid: NodeUidRule): UidProblem | undefined {
  if (uid.length > LONGEST) return 'length';
  if (RESERVED.has(uid) || /^[_.]/.test(uid) || ENDINGS.test(uid) || DEVICES.test(uid)) return 'reserved';
  if (!UNRESERVED.test(uid) || uid.endsWith('.')) return 'characters';
  if (kind.uidRule === 'node' && nodeUid === 'uuid' && !UUID.test(uid)) return 'not-a-uuid';
  return undefined;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export function isRevisionId(text: string): boolean {
  return REVISION_ID.test(text);
}

/** People use the `node_name` of a node instead of the uid. */
export function nodeNameOf(body: JsonObject): string | undefined {
  const name = Object.hasOwn(body, 'node_name') ? body['node_name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
