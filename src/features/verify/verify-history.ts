/**
 * The history chain, from the version documents alone. Each says what a revision changed and what its resource was
 * afterwards: what the resource was before, which its predecessor says, changed so, must give that. All versions of one
 * revision must tell of a change alike, and every item, of the head and of each snapshot, must be what its version says.
 *
 * Documents do not tell the parents of a revision. A merge's changes are against its first parent, which need not be the
 * predecessor: so any other version of the resource may be what it was before, if every former value fits. Neither do
 * they tell states and dates with their offsets, without which identifiers cannot be computed.
 */

import type { Endpoint } from '../../core/api/endpoints.ts';
import { versionUrl } from '../../core/api/urls.ts';
import { ANY_ROOT_FIELDS, ITEM_FIELDS, withoutFields } from '../../core/api/written-fields.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import type { FieldChange } from '../../core/model/difference.ts';
import { sha256 } from '../../core/model/digest.ts';
import { asText, isJsonObject, type Json, type JsonObject, sameJson } from '../../core/model/json.ts';
import { patch } from '../../core/model/patch.ts';
import { lastSegment, pathAbove } from '../../core/model/resource-path.ts';
import { fileOfUrl } from '../../core/tree/layout.ts';
import { keepingLastTwo, type ReadVersion, recentBodies } from './recent-bodies.ts';

export interface HistoryCheck {
  readonly version: (path: string, endpoint: Endpoint, body: JsonObject) => Finding[];
  readonly item: (path: string, body: JsonObject, text: string) => void;
  readonly atEnd: (read: ReadVersion) => Promise<Finding[]>;
}

/** A version of an item, in few bytes: digests of its body as recorded, and as items show it. */
interface Version {
  readonly path: string;
  readonly predecessor: string | undefined;
  /** When it was, where it says that what came before is left out; in ISO 8601, as `since` is. */
  readonly cutAt: string | undefined;
  readonly action: string | undefined;
  /** Whether its changes, applied to what its predecessor says, are known to give what it says. */
  readonly isProved: boolean;
  readonly whole: string;
  readonly shown: string;
}

interface Mentioned {
  readonly digest: string;
  readonly by: string;
  isInAll: boolean;
}

const GONE = 'gone';

/**
 * `targetOf` gives the path of the document that answers a path. `since` is from when on the history is in the tree: before it, and
 * there alone, versions may stand of which nothing says what was before.
 */
export function historyCheck(
  targetOf: (path: string) => string | undefined,
  since: string | undefined,
): HistoryCheck {
  const versions = new Map<string, Version>();
  const mentioned = new Map<string, Mentioned>();
  const recent = recentBodies();
  const items: { readonly path: string; readonly version: string; readonly shown: string }[] = [];

  const version = (path: string, { subject }: Endpoint, body: JsonObject): Finding[] => {
    const findings: Finding[] = [];
    const isOfAll = isRootVersion(path);
    const changes = objectsIn(body['changes']);
    for (const change of changes) {
      const href = asText(change['href']);
      // What no version of the resource is in force for is told by its history, which many revisions link to.
      if (targetOf(href) !== href || lastSegment(href) !== lastSegment(path)) continue;
      const digest = short(JSON.stringify(change));
      const known = mentioned.get(href) ?? { digest, by: path, isInAll: false };
      mentioned.set(href, known);
      if (isOfAll) known.isInAll = true;
      if (known.digest !== digest)
        findings.push(broken(`it tells of ${href} otherwise than ${known.by} does`));
    }
    if (subject === 'collection') return findings;
    const resource = body['resource'] ?? null;
    const own = changes.find(({ href }) => href === path);
    const predecessor = linkIn(body, 'predecessor-version');
    const former = predecessor === undefined ? undefined : recent.take(predecessor);
    versions.set(path, {
      ...{ path, predecessor, action: own === undefined ? undefined : asText(own['action']) },
      cutAt: body['older_left_out'] === true ? asText(body['timestamp']) : undefined,
      isProved: own !== undefined && isJsonObject(resource) && givesWhatIs(former, own, resource),
      ...(isJsonObject(resource) ? bodyDigests(resource, isOfAll) : { whole: GONE, shown: GONE }),
    });
    if (isJsonObject(resource)) recent.keep(path, resource);
    return findings;
  };

  const item = (path: string, body: JsonObject, text: string) => {
    const target = targetOf(linkIn(body, 'version') ?? versionUrl('', asText(body['version'])));
    // Items are compact, and end in what the API writes.
    const end = text.lastIndexOf(`,"version":"${asText(body['version'])}"`);
    // There are many: what is kept of their paths are the strings that the targets have.
    if (target !== undefined)
      items.push({ path: targetOf(path) ?? path, version: target, shown: short(text.slice(0, end)) });
  };

  const atEnd = async (read: ReadVersion): Promise<Finding[]> => {
    const findings: Finding[] = [];
    const report = (path: string, reason: string) =>
      findings.push({ ...broken(reason), place: { file: fileOfUrl(path) } });
    for (const { path, version, shown } of items) {
      const known = versions.get(version);
      // The head's items have the order of fields that the registry's files have now.
      if (known && known.shown !== shown && !(await saysSame(path, known, read)))
        report(path, `${known.path} says that the resource is another`);
    }
    for (const [href, { by, isInAll }] of mentioned) {
      const all = versionUrl('', lastSegment(href));
      if (!isInAll && versions.has(all)) report(all, `it does not tell of ${href}, of which ${by} tells`);
    }
    for (const siblings of historiesIn(versions)) {
      const chain = { versions, siblings, since, read: keepingLastTwo(read) };
      for (const each of siblings) {
        const reason = await chainProblem(each, chain);
        if (reason !== undefined) report(each.path, reason);
      }
    }
    return findings;
  };
  return { version, item, atEnd };
}

/** Whether an item shows what a version recorded, in whatever order. */
async function saysSame(item: string, version: Version, read: ReadVersion): Promise<boolean> {
  const [shown, recorded] = [await read(item), (await read(version.path))?.['resource']];
  const written = isRootVersion(version.path) ? ANY_ROOT_FIELDS : ITEM_FIELDS;
  return (
    shown !== undefined &&
    isJsonObject(recorded) &&
    sameJson(withoutFields(shown, written), withoutFields(recorded, written))
  );
}

function isRootVersion(path: string): boolean {
  return path === versionUrl('', lastSegment(path));
}

interface Chain {
  readonly versions: ReadonlyMap<string, Version>;
  readonly read: ReadVersion;
  readonly since: string | undefined;
  /** All versions of the resource. */
  readonly siblings: readonly Version[];
}

/** Why a version does not follow from any before it; undefined when it does. */
async function chainProblem(version: Version, chain: Chain): Promise<string | undefined> {
  const { action, whole, cutAt } = version;
  const predecessor = version.predecessor === undefined ? undefined : chain.versions.get(version.predecessor);
  if (action === 'removed') return whole === GONE ? undefined : 'the removed resource is still there';
  if (cutAt !== undefined)
    return cutAt < (chain.since ?? '')
      ? undefined
      : 'it leaves out what came before, which is no older than the history in the tree';
  const some = (fits: (before: Version) => boolean) =>
    (predecessor !== undefined && fits(predecessor)) || others(version, chain.siblings).some(fits);
  if (action === undefined) {
    const isSame = some((each) => each.whole === whole) || (await isSaidByAny(version, chain));
    return isSame ? undefined : 'the resource is another than before, and no change says so';
  }
  if (whole === GONE) return 'the resource is gone, and no change says so';
  if (action === 'added') {
    const isNew = !predecessor || some((each) => each.whole === GONE);
    return isNew ? undefined : 'the added resource was there before';
  }
  if (predecessor && (version.isProved || (await follows(version, predecessor, chain.read))))
    return undefined;
  for (const candidate of others(version, chain.siblings)) {
    if (candidate !== predecessor && (await follows(version, candidate, chain.read))) return undefined;
  }
  return 'its fields, applied to what the resource was, do not give what it is';
}

/**
 * Whether any other version says the same in another order: a merge takes the body of its first parent, and another
 * parent, which says it too, can have come to it by other changes.
 */
async function isSaidByAny(version: Version, { siblings, read }: Chain): Promise<boolean> {
  const resource = (await read(version.path))?.['resource'] ?? null;
  for (const { path } of others(version, siblings)) {
    const other = (await read(path))?.['resource'];
    if (other !== undefined && sameJson(other, resource)) return true;
  }
  return false;
}

function others(version: Version, siblings: readonly Version[]): Version[] {
  return siblings.filter((each) => each !== version);
}

async function follows({ path }: Version, before: Version, read: ReadVersion): Promise<boolean> {
  if (before.whole === GONE) return false;
  const [now, then] = [await read(path), await read(before.path)];
  const own = objectsIn(now?.['changes']).find(({ href }) => href === path);
  const [resource, former] = [now?.['resource'], then?.['resource']];
  if (!own || !isJsonObject(resource) || !isJsonObject(former)) return false;
  return givesWhatIs(former, own, resource);
}

/** Whether the fields of a change, applied to what a resource was, give what it is. */
function givesWhatIs(former: JsonObject | undefined, change: JsonObject, resource: JsonObject): boolean {
  if (!former) return false;
  const patched = patch(former, objectsIn(change['fields']).map(fieldChange));
  return patched.conflict === undefined && sameJson(patched.body, resource);
}

function fieldChange(field: JsonObject): FieldChange {
  const { at, from, to, order } = field;
  return {
    at: asText(at),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(Array.isArray(order) ? { order: order.map(Number) } : {}),
  };
}

/** The versions of each resource, in the order in which they came: the oldest first. */
function historiesIn(versions: ReadonlyMap<string, Version>): Iterable<readonly Version[]> {
  const histories = new Map<string, Version[]>();
  for (const version of versions.values()) {
    const history = pathAbove(version.path);
    const known = histories.get(history);
    if (known) known.push(version);
    else histories.set(history, [version]);
  }
  return histories.values();
}

function broken(reason: string): Finding {
  return finding('verify-history', { reason });
}

/** A digest of 128 bits: many are kept. */
function short(text: string): string {
  return sha256(text).slice(0, 32);
}

/** The digests of a recorded body, and of it as its item begins. */
function bodyDigests(resource: JsonObject, isRoot: boolean): Pick<Version, 'whole' | 'shown'> {
  const text = JSON.stringify(resource);
  const own = withoutFields(resource, isRoot ? ANY_ROOT_FIELDS : ITEM_FIELDS);
  const shown = own === resource ? text : JSON.stringify(own);
  return { whole: short(text), shown: short(shown.slice(0, -1)) };
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function linkIn(body: JsonObject, rel: string): string | undefined {
  const href = objectsIn(body['links']).find((link) => link['rel'] === rel)?.['href'];
  return typeof href === 'string' ? href : undefined;
}
