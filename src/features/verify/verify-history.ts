/**
 * The history chain, from the version documents alone. Each says what a revision changed and what its resource was
 * afterwards: what the resource was before, which its predecessor says, changed so, must give that. All versions of one
 * revision must tell of a change alike, and every item, of the head and of each snapshot, must be what its version says.
 *
 * Documents do not tell the parents of a revision. A merge's changes are against its first parent, which need not be the
 * predecessor: so any other version of the resource may be what it was before, if every former value fits. A merge adds
 * what its first parent never had, and no version says that it was gone: so others may say the same. Neither do
 * they tell states and dates with their offsets, without which identifiers cannot be computed.
 */

import { type Endpoint, endpointOf } from '../../core/api/endpoints.ts';
import { versionUrl } from '../../core/api/urls.ts';
import { ANY_ROOT_FIELDS, ITEM_FIELDS, withoutFields } from '../../core/api/written-fields.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import type { FieldChange } from '../../core/model/differences/difference.ts';
import { patch } from '../../core/model/differences/patch.ts';
import { sha256 } from '../../core/model/digest.ts';
import { asText, isJsonObject, type Json, type JsonObject, sameJson } from '../../core/model/json.ts';
import { hasOwnFolder } from '../../core/model/kinds.ts';
import { lastSegment, pathAbove } from '../../core/model/resource-path.ts';
import { fileOfUrl } from '../../core/tree/layout.ts';

interface HistoryCheck {
  readonly version: (path: string, endpoint: Endpoint, body: JsonObject) => Finding[];
  readonly item: (path: string, body: JsonObject, text: string) => void;
  readonly atEnd: (read: ReadVersion) => Promise<Finding[]>;
}

/**
 * `targetOf` gives the path of the document that answers a path. `since` is from when on the history is in the tree: before it, and
 * there alone, versions may stand of which nothing says what was before.
 */
export function historyCheck(targetOf: (path: string) => string | undefined, since: string | undefined): HistoryCheck {
  const versions = new Map<string, Version>();
  const described = new Map<string, DescribedChange>();
  const recent = recentBodies();
  const items: { readonly path: string; readonly version: string; readonly shown: string }[] = [];

  /** There are many: what is kept of paths are the strings that are there already. */
  const known = (path: string) => {
    const target = targetOf(path);
    return target === path ? target : path;
  };

  const version = (path: string, { subject }: Endpoint, body: JsonObject): Finding[] => {
    const findings: Finding[] = [];
    const isOfAll = isRootVersion(path);
    const changes = objectsIn(body['changes']);
    for (const change of changes) {
      const href = known(asText(change['href']));
      // What no version of the resource is in force for is told by its history, which many revisions link to.
      if (targetOf(href) !== href || lastSegment(href) !== lastSegment(path)) continue;
      const digest = sha256(JSON.stringify(change));
      const first = described.get(href);
      if (!first) described.set(href, { digest, by: path, isInAll: isOfAll });
      else {
        first.isInAll ||= isOfAll;
        if (first.digest !== digest) findings.push(broken(`it tells of ${href} otherwise than ${first.by} does`));
      }
    }
    if (subject === 'collection') return findings;
    const resource = body['resource'] ?? null;
    const own = changes.find(({ href }) => href === path);
    const linked = linkIn(body, 'predecessor-version');
    const predecessor = linked && known(linked);
    const former = predecessor === undefined ? undefined : recent.take(predecessor);
    versions.set(path, {
      path,
      predecessor,
      action: own === undefined ? undefined : asText(own['action']),
      cutAt: body['older_left_out'] === true ? asText(body['timestamp']) : undefined,
      isProved: own !== undefined && isJsonObject(resource) && givesWhatIs(former, own, resource),
      digests: isJsonObject(resource) ? bodyDigests(resource, isOfAll) : undefined,
    });
    if (isJsonObject(resource)) recent.keep(path, resource);
    return findings;
  };

  const item = (path: string, body: JsonObject, text: string) => {
    const target = targetOf(linkIn(body, 'version') ?? versionUrl('', asText(body['version'])));
    // Items are compact, and end in what the API writes.
    const end = text.lastIndexOf(`,"version":"${asText(body['version'])}"`);
    if (target !== undefined) items.push({ path: known(path), version: target, shown: sha256(text.slice(0, end)) });
  };

  const atEnd = async (read: ReadVersion): Promise<Finding[]> => {
    const findings: Finding[] = [];
    const report = (path: string, reason: string) =>
      findings.push({ ...broken(reason), place: { file: fileOfUrl(path) } });
    for (const { path, version, shown } of items) {
      const recorded = versions.get(version);
      // The head's items have the order of fields that the registry's files have now.
      if (recorded && recorded.digests?.shown !== shown && !(await saysSame(path, recorded, read)))
        report(path, `${recorded.path} says that the resource is another`);
    }
    for (const [href, { by, isInAll }] of described) {
      const all = versionUrl('', lastSegment(href));
      if (!isInAll && versions.has(all)) report(all, `it does not tell of ${href}, of which ${by} tells`);
    }
    for (const siblings of historiesOf(versions.values())) {
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

/** All that a resource has which no file describes. */
const IDENTITY: ReadonlySet<string> = new Set(['type', 'uid']);

interface Chain {
  readonly versions: ReadonlyMap<string, Version>;
  readonly read: ReadVersion;
  readonly since: string | undefined;
  readonly siblings: readonly Version[];
}

/** Why a version does not follow from any before it; undefined when it does. */
async function chainProblem(version: Version, chain: Chain): Promise<string | undefined> {
  const { action, digests, cutAt } = version;
  const predecessor = version.predecessor === undefined ? undefined : chain.versions.get(version.predecessor);
  if (action === 'removed') return digests === undefined ? undefined : 'the removed resource is still there';
  if (cutAt !== undefined)
    return cutAt < (chain.since ?? '')
      ? undefined
      : 'it leaves out what came before, which is no older than the history in the tree';
  const some = (fits: (before: Version) => boolean) =>
    (predecessor !== undefined && fits(predecessor)) || others(version, chain.siblings).some(fits);
  if (action === undefined) {
    const isSame = some((each) => each.digests?.whole === digests?.whole) || (await isSaidByAny(version, chain));
    return isSame ? undefined : 'the resource is another than before, and no change says so';
  }
  if (!digests) return 'the resource is gone, and no change says so';
  if (action === 'added') {
    const isNew =
      !predecessor || some(({ digests: before }) => before === undefined) || (await canBeAddedByMerge(version, chain));
    return isNew ? undefined : 'the added resource was there before';
  }
  if (predecessor && (version.isProved || (await follows(version, predecessor, chain.read)))) return undefined;
  for (const candidate of others(version, chain.siblings)) {
    if (candidate.path !== predecessor?.path && (await follows(version, candidate, chain.read))) return undefined;
  }
  return 'its fields, applied to what the resource was, do not give what it is';
}

/** Whether a merge can have added the resource: as another parent says it, or as what an import puts above others. */
async function canBeAddedByMerge(version: Version, chain: Chain): Promise<boolean> {
  const resource = (await chain.read(version.path))?.['resource'];
  const kind = endpointOf(version.path)?.kind;
  const canHold = kind !== undefined && hasOwnFolder(kind);
  const isBare = isJsonObject(resource) && Object.keys(resource).every((field) => IDENTITY.has(field));
  return (canHold && isBare) || isSaidByAny(version, chain);
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
  return siblings.filter(({ path }) => path !== version.path);
}

async function follows({ path }: Version, before: Version, read: ReadVersion): Promise<boolean> {
  if (!before.digests) return false;
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

function broken(reason: string): Finding {
  return finding('verify-history', { reason });
}

/** The digests of a recorded body, and of it as its item begins. */
function bodyDigests(resource: JsonObject, isRoot: boolean): BodyDigests {
  const text = JSON.stringify(resource);
  const own = withoutFields(resource, isRoot ? ANY_ROOT_FIELDS : ITEM_FIELDS);
  const shown = own === resource ? text : JSON.stringify(own);
  return { whole: sha256(text), shown: sha256(shown.slice(0, -1)) };
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function linkIn(body: JsonObject, rel: string): string | undefined {
  const href = objectsIn(body['links']).find((link) => link['rel'] === rel)?.['href'];
  return typeof href === 'string' ? href : undefined;
}

interface Version {
  readonly path: string;
  readonly predecessor: string | undefined;
  /** When it was, where it says that what came before is left out; in ISO 8601. */
  readonly cutAt: string | undefined;
  readonly action: string | undefined;
  /** Whether its changes, applied to what its predecessor says, are known to give what it says. */
  readonly isProved: boolean;
  /** Undefined where the item is gone. */
  readonly digests: BodyDigests | undefined;
}

/** SHA-256, in hexadecimal digits. */
interface BodyDigests {
  readonly whole: string;
  readonly shown: string;
}

function historiesOf(versions: Iterable<Version>): Iterable<readonly Version[]> {
  const histories = new Map<string, Version[]>();
  for (const version of versions) {
    const path = pathAbove(version.path);
    const history = histories.get(path);
    if (history) history.push(version);
    else histories.set(path, [version]);
  }
  return histories.values();
}

interface DescribedChange {
  readonly digest: string;
  /** The path of the version that describes it first. */
  readonly by: string;
  /** Whether the version of the whole grid describes it too. */
  isInAll: boolean;
}

export type ReadVersion = (path: string) => Promise<JsonObject | undefined> | JsonObject | undefined;

/** How many bodies are kept: most are of nodes, of some kilobytes each. */
const MOST_RECENT = 4_000;

function recentBodies() {
  const bodies = new Map<string, JsonObject>();
  return {
    keep: (path: string, resource: JsonObject): void => {
      bodies.set(path, resource);
      const [oldest] = bodies.size > MOST_RECENT ? bodies.keys() : [];
      if (oldest !== undefined) bodies.delete(oldest);
    },
    /** Gives a body away: hardly any has two successors. */
    take: (path: string): JsonObject | undefined => {
      const body = bodies.get(path);
      bodies.delete(path);
      return body;
    },
  };
}

/** The same reader, which keeps the last two bodies: each version is read as itself and as the predecessor of another. */
function keepingLastTwo(read: ReadVersion): ReadVersion {
  let kept: readonly (readonly [path: string, body: JsonObject | undefined])[] = [];
  return async (path) => {
    const body = (kept.find((each) => each[0] === path) ?? [path, await read(path)])[1];
    kept = [[path, body], ...kept.filter((each) => each[0] !== path).slice(0, 1)];
    return body;
  };
}
