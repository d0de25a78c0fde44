/**
 * Verifies the history, using only version documents. The changes in a version, applied to its predecessor, must result
 * in the body of the version. Documents do not contain the parents of a revision. The changes of a merge refer to its
 * first parent, which can differ from the predecessor. So these changes may apply to any version of the resource.
 * Documents contain neither states nor time offsets, so revision identifiers cannot be computed.
 */

import { type Endpoint, endpointOf } from '../../core/api/endpoints.ts';
import { NODE_HISTORY_PATH } from '../../core/api/nodes/node-paths.ts';
import { versionUrl } from '../../core/api/urls.ts';
import { ANY_ROOT_FIELDS, ITEM_FIELDS, withoutFields } from '../../core/api/written-fields.ts';
import { linkOf } from '../../core/client/pinned-reader.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { fieldChangesFrom } from '../../core/model/differences/difference.ts';
import { patch } from '../../core/model/differences/patch.ts';
import { sha256 } from '../../core/model/digest.ts';
import { asText, isJsonObject, itemsIn, type JsonObject, objectsIn, sameJson } from '../../core/model/json.ts';
import { hasOwnFolder } from '../../core/model/kinds.ts';
import { lastSegment, pathAbove } from '../../core/model/resource-path.ts';
import { groupBy } from '../../core/platform/lookups.ts';
import { type Lazy, lazily } from '../../core/platform/on-demand.ts';
import { fileOfUrl } from '../../core/tree/layout.ts';

/**
 * `targetOf` returns the target of an alias. A version may lack its predecessor only if the predecessor is older than
 * `since`.
 */
export function historyCheck(targetOf: (path: string) => string | undefined, since: string | undefined) {
  const versions = new Map<string, Version>();
  const described = new Map<string, DescribedChange>();
  const recent = recentBodies();
  const items: { readonly path: string; readonly version: string; readonly shown: string }[] = [];

  /** Replaces the path by the equal string of the manifest, if there is one, to save memory. */
  const known = (path: string) => {
    const target = targetOf(path);
    return target === path ? target : path;
  };

  /** Compares each change with the first description of the same change. */
  const changeFindings = (path: string, changes: readonly JsonObject[]): Finding[] => {
    const findings: Finding[] = [];
    const isInAll = isRootVersion(path);
    for (const change of changes) {
      const href = known(asText(change['href']));
      // A link to a history instead of a version does not identify a change.
      if (targetOf(href) !== href || lastSegment(href) !== lastSegment(path)) continue;
      const digest = sha256(JSON.stringify(change));
      const first = described.get(href);
      if (!first) described.set(href, { digest, by: path, isInAll });
      else {
        first.isInAll ||= isInAll;
        if (first.digest !== digest)
          findings.push(historyFinding(`it describes the change of ${href} differently than ${first.by}`));
      }
    }
    return findings;
  };

  const version = (path: string, { subject }: Endpoint, body: JsonObject): Finding[] => {
    const changes = objectsIn(body['changes']);
    const findings = changeFindings(path, changes);
    if (subject === 'collection') return findings;
    const resource = body['resource'] ?? null;
    const own = changes.find(({ href }) => href === path);
    const linked = linkOf(body, 'predecessor-version');
    const predecessor = linked && known(linked);
    const former = predecessor === undefined ? undefined : recent.take(predecessor);
    versions.set(path, {
      path,
      predecessor,
      action: own === undefined ? undefined : asText(own['action']),
      omitsBefore: body['older_left_out'] === true ? asText(body['timestamp']) : undefined,
      isVerified: own !== undefined && isJsonObject(resource) && isResult(former, own, resource),
      digests: isJsonObject(resource) ? bodyDigests(resource, isRootVersion(path)) : undefined,
    });
    if (isJsonObject(resource)) recent.add(path, resource);
    return findings;
  };

  const item = (path: string, body: JsonObject, text: string) => {
    const target = targetOf(linkOf(body, 'version') ?? versionUrl('', asText(body['version'])));
    // The text of an item contains the fields of its body first, then the fields of the API.
    const end = text.lastIndexOf(`,"version":"${asText(body['version'])}"`);
    if (target !== undefined) items.push({ path: known(path), version: target, shown: sha256(text.slice(0, end)) });
  };

  const atEnd = async (read: ReadVersion): Promise<Finding[]> => {
    const findings: Finding[] = [];
    const report = (path: string, reason: string) =>
      findings.push({ ...historyFinding(reason), place: { file: fileOfUrl(path) } });
    for (const { path, version, shown } of items) {
      const recorded = versions.get(version);
      // Items of the head have the field order of the current registry files.
      if (recorded && recorded.digests?.shown !== shown && !(await equalsRecorded(path, recorded, read)))
        report(path, `its body differs from ${recorded.path}`);
    }
    for (const [href, { by, isInAll }] of described) {
      const all = versionUrl('', lastSegment(href));
      if (!isInAll && versions.has(all)) report(all, `it does not list the change of ${href}, unlike ${by}`);
    }
    for (const siblings of groupBy([...versions.values()], ({ path }) => pathAbove(path)).values()) {
      for (const each of siblings) {
        const others = lazily(() => siblings.filter((sibling) => sibling !== each));
        const body = lazily(async () => await read(each.path));
        const predecessor = each.predecessor === undefined ? undefined : versions.get(each.predecessor);
        const reason = await chainProblem(each, { predecessor, others, body, since, read });
        if (reason !== undefined) report(each.path, reason);
      }
    }
    return findings;
  };
  return { version, item, atEnd };
}

async function equalsRecorded(item: string, version: Version, read: ReadVersion): Promise<boolean> {
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

/** The fields of a resource that has no file. */
const IDENTITY: ReadonlySet<string> = new Set(['type', 'uid']);

interface Chain {
  readonly predecessor: Version | undefined;
  readonly others: Lazy<readonly Version[]>;
  readonly body: Lazy<Promise<JsonObject | undefined>>;
  readonly since: string | undefined;
  readonly read: ReadVersion;
}

/** Returns the problem of a version, or undefined if its changes lead from another version to this version. */
async function chainProblem(version: Version, chain: Chain): Promise<string | undefined> {
  const { action, digests, omitsBefore } = version;
  const { predecessor, others } = chain;
  if (action === 'removed')
    return digests === undefined ? undefined : 'it contains the resource that its change removes';
  if (omitsBefore !== undefined)
    return omitsBefore < (chain.since ?? '')
      ? undefined
      : 'it omits a predecessor that is not older than the history start';
  const some = (fits: (before: Version) => boolean) =>
    (predecessor !== undefined && fits(predecessor)) || others().some(fits);
  if (action === undefined) {
    const isSame = some((each) => each.digests?.whole === digests?.whole) || (await equalsAnother(chain));
    return isSame ? undefined : 'the resource differs from its predecessor without a change';
  }
  if (!digests) return 'the resource is absent without a change that removes it';
  if (action === 'added') {
    const isNew =
      !predecessor ||
      some(({ digests: before }) => before === undefined) ||
      (await canBeAddedByMerge(version, chain)) ||
      (await isOnOtherLine(version, predecessor, chain));
    return isNew ? undefined : 'the added resource existed before';
  }
  if (predecessor && (version.isVerified || (await follows(version, predecessor, chain)))) return undefined;
  for (const candidate of others())
    if (candidate !== predecessor && (await follows(version, candidate, chain))) return undefined;
  return 'its changes, applied to the predecessor, do not give its resource';
}

/**
 * Whether a predecessor is not among the first parents of a version. A merge can then add the resource with changes. The
 * node table over time contains the first parents of all revisions. Without this table, the predecessor can be anywhere.
 */
async function isOnOtherLine(version: Version, predecessor: Version, { read }: Chain): Promise<boolean> {
  const revisions = objectsIn((await read(NODE_HISTORY_PATH))?.['revisions']);
  if (revisions.length === 0) return true;
  const [index, before] = [version, predecessor].map(({ path }) =>
    revisions.findIndex(({ uid }) => uid === lastSegment(path)),
  );
  // Each parent is listed before its children.
  for (let at = index ?? -1; at >= 0; ) {
    if (at === before) return false;
    const parent = revisions[at]?.['parent'];
    at = typeof parent === 'number' && parent < at ? parent : -1;
  }
  return true;
}

/** A merge can add a resource from another parent, or an empty resource above another resource. */
async function canBeAddedByMerge(version: Version, chain: Chain): Promise<boolean> {
  const resource = (await chain.body())?.['resource'];
  const kind = endpointOf(version.path)?.kind;
  const canHold = kind !== undefined && hasOwnFolder(kind);
  const isBare = isJsonObject(resource) && Object.keys(resource).every((field) => IDENTITY.has(field));
  return (canHold && isBare) || equalsAnother(chain);
}

/** Whether another version has an equal body, as parents of a merge can have. Ignores the order of fields. */
async function equalsAnother({ body, others, read }: Chain): Promise<boolean> {
  const resource = (await body())?.['resource'] ?? null;
  for (const { path } of others()) {
    const other = (await read(path))?.['resource'];
    if (other !== undefined && sameJson(other, resource)) return true;
  }
  return false;
}

async function follows({ path }: Version, before: Version, { body, read }: Chain): Promise<boolean> {
  if (!before.digests) return false;
  const [now, then] = [await body(), await read(before.path)];
  const own = objectsIn(now?.['changes']).find(({ href }) => href === path);
  const [resource, former] = [now?.['resource'], then?.['resource']];
  if (!own || !isJsonObject(resource) || !isJsonObject(former)) return false;
  return isResult(former, own, resource);
}

function isResult(former: JsonObject | undefined, change: JsonObject, resource: JsonObject): boolean {
  if (!former) return false;
  const patched = patch(former, itemsIn(change['fields']).flatMap(fieldChangesFrom));
  return patched.conflict === undefined && sameJson(patched.body, resource);
}

function historyFinding(reason: string): Finding {
  return finding('verify-history', { reason });
}

/** `shown` is the digest of the fields with which the text of an item begins. */
function bodyDigests(resource: JsonObject, isRoot: boolean): BodyDigests {
  const text = JSON.stringify(resource);
  const own = withoutFields(resource, isRoot ? ANY_ROOT_FIELDS : ITEM_FIELDS);
  const shown = own === resource ? text : JSON.stringify(own);
  return { whole: sha256(text), shown: sha256(shown.slice(0, -1)) };
}

interface Version {
  readonly path: string;
  readonly predecessor: string | undefined;
  /** The date of a version whose predecessor is omitted, in ISO 8601. */
  readonly omitsBefore: string | undefined;
  readonly action: string | undefined;
  /** Whether a check already applied the changes to the predecessor and got this body. */
  readonly isVerified: boolean;
  readonly digests: BodyDigests | undefined;
}

interface BodyDigests {
  readonly whole: string;
  readonly shown: string;
}

interface DescribedChange {
  readonly digest: string;
  readonly by: string;
  isInAll: boolean;
}

export type ReadVersion = (path: string) => Promise<JsonObject | undefined> | JsonObject | undefined;

const MOST_RECENT = 4_000;

function recentBodies() {
  const bodies = new Map<string, JsonObject>();
  return {
    add: (path: string, resource: JsonObject): void => {
      bodies.set(path, resource);
      const [oldest] = bodies.size > MOST_RECENT ? bodies.keys() : [];
      if (oldest !== undefined) bodies.delete(oldest);
    },
    /** Removes and returns a body, because few versions have two successors. */
    take: (path: string): JsonObject | undefined => {
      const body = bodies.get(path);
      bodies.delete(path);
      return body;
    },
  };
}
