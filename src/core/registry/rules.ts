/**
 * The rules that a registry must keep beyond the schemas of its files: names and places agree, nothing collides,
 * every parent is there, and each bare-metal site has its one cluster.
 */
import { type Finding, finding, type Place } from '../diagnostics/finding.ts';
import { ANY_CLUSTER, type Configuration } from '../model/configuration.ts';
import { isJsonObject, type JsonObject } from '../model/json.ts';
import { hasOwnFolder, type Kinds, kindsWith } from '../model/kinds.ts';
import {
  gridOf,
  joinPath,
  lastSegment,
  parentItemPath,
  pathAbove,
  type Subject,
  subjectAt,
} from '../model/resource-path.ts';
import { uidProblem } from '../model/uid.ts';
import { fileOfResource } from './layout.ts';

/** What the rules need to know of a file: where it is, whom it describes, and where its fields stand. */
export interface Described {
  readonly file: string;
  readonly item: Subject;
  /** The uid that the file states; undefined when it cannot be read. */
  readonly uid: string | undefined;
  readonly place: (field: string) => Place;
}

export const UID_CODES = {
  reserved: 'uid-reserved',
  characters: 'uid-characters',
  length: 'uid-length',
  'not-a-uuid': 'uid-not-a-uuid',
} as const;

/** All files together. `shown` is how messages name a file; `bodyOf` gives a body by its resource path. */
export function registryFindings(
  described: ReadonlyMap<string, Described>,
  configuration: Configuration,
  shown: (file: string) => string,
  bodyOf: (path: string) => JsonObject | undefined,
): Finding[] {
  return [
    ...missingParents(described, kindsWith(configuration.kinds), shown),
    ...uidFindings(described, configuration, shown),
    ...(configuration.node_uid === 'uuid' ? sharedUuids(described, shown) : []),
    ...caseCollisions(described),
    ...clusterRule(described, configuration, bodyOf),
  ];
}

/** The uids that the files state and those that their places give. */
function uidFindings(
  described: ReadonlyMap<string, Described>,
  configuration: Configuration,
  shown: (file: string) => string,
): Finding[] {
  const findings: Finding[] = [];
  const strays: {
    readonly entry: Described;
    readonly uid: string;
    readonly claimed: string;
    readonly name: string | undefined;
  }[] = [];
  for (const entry of described.values()) {
    const { item, uid, place } = entry;
    if (item.path === '') continue;
    const expected = lastSegment(item.path);
    const { node_uid: rule } = configuration;
    const problem = uidProblem(expected, item.kind, rule);
    const isRenamed = uid !== undefined && uid !== expected && uidProblem(uid, item.kind, rule) === undefined;
    if (problem && isRenamed)
      findings.push(finding('file-name', { uid, name: nameFor(item, uid) }, { file: shown(entry.file) }));
    else if (problem) findings.push(finding(UID_CODES[problem], { uid: expected }, place('uid')));
    else if (uid !== undefined && uid !== expected)
      strays.push({
        entry,
        uid,
        claimed: joinPath(pathAbove(item.path), uid),
        name: isRenamed ? nameFor(item, uid) : undefined,
      });
  }
  const claimants = new Map<string, Described[]>();
  for (const { entry, claimed } of strays) {
    const others = claimants.get(claimed) ?? [];
    others.push(entry);
    claimants.set(claimed, others);
  }
  for (const { entry, uid, claimed, name } of strays) {
    const owner = described.get(claimed);
    const [first, second] = claimants.get(claimed) ?? [];
    const other = owner?.uid === uid ? owner : first === entry ? second : first;
    const expected = lastSegment(entry.item.path);
    findings.push(
      other
        ? finding('uid-twice', { uid, expected, other: shown(other.file) }, entry.place('uid'))
        : finding('uid-not-file-name', { uid, expected, name }, entry.place('uid')),
    );
  }
  return findings;
}

function nameFor(item: Subject, uid: string): string {
  return hasOwnFolder(item.kind) ? `the folder ${uid}` : `the file ${uid}.yaml`;
}

/** A node that is known by a UUID stands in one place: a site's folder that was copied has nodes of another. */
function sharedUuids(described: ReadonlyMap<string, Described>, shown: (file: string) => string): Finding[] {
  const first = new Map<string, Described>();
  const findings: Finding[] = [];
  for (const entry of described.values()) {
    const { item, uid, place } = entry;
    if (item.kind.uidRule !== 'node' || uid === undefined || uid !== lastSegment(item.path)) continue;
    const other = first.get(uid);
    if (other) findings.push(finding('uuid-twice', { uid, other: shown(other.file) }, place('uid')));
    else first.set(uid, entry);
  }
  return findings;
}

function missingParents(
  described: ReadonlyMap<string, Described>,
  kinds: Kinds,
  shown: (file: string) => string,
): Finding[] {
  const missing: Subject[] = [];
  const seen = new Set<string>();
  const look = (item: Subject) => {
    seen.add(item.path);
    if (!described.has(item.path)) missing.push(item);
    const parent = parentItemPath(item);
    if (!seen.has(parent)) look(subjectAt(parent, kinds));
  };
  look(gridOf(kinds));
  for (const { item } of described.values()) if (!seen.has(parentItemPath(item))) look(item);
  return missing.map((item) => {
    const holds = item.path === '' ? 'the grid' : `the ${item.kind.name} ${lastSegment(item.path)}`;
    return finding('file-missing', { holds }, { file: shown(fileOfResource(item)) });
  });
}

function caseCollisions(described: ReadonlyMap<string, Described>): Finding[] {
  const seen = new Map<string, string>();
  const findings: Finding[] = [];
  for (const { item, place } of described.values()) {
    const folded = `${pathAbove(item.path)}/${lastSegment(item.path).toLowerCase()}`;
    const other = seen.get(folded);
    if (other === undefined) seen.set(folded, lastSegment(item.path));
    else findings.push(finding('uid-case-collision', { uid: lastSegment(item.path), other }, place('uid')));
  }
  return findings;
}

function clusterRule(
  described: ReadonlyMap<string, Described>,
  { cluster_uid: expected }: Configuration,
  bodyOf: (path: string) => JsonObject | undefined,
): Finding[] {
  if (expected === ANY_CLUSTER) return [];
  const clusters = new Map<string, string[]>();
  for (const { item } of described.values()) {
    if (item.kind.name !== 'cluster') continue;
    const site = parentItemPath(item);
    const found = clusters.get(site) ?? [];
    found.push(lastSegment(item.path));
    clusters.set(site, found);
  }
  const findings: Finding[] = [];
  for (const { item, place } of described.values()) {
    const body = item.kind.name === 'site' ? bodyOf(item.path) : undefined;
    if (!isJsonObject(body) || body['site_class'] !== 'baremetal') continue;
    const found = clusters.get(item.path) ?? [];
    if (found.length === 1 && found[0] === expected) continue;
    findings.push(finding('cluster-count', { site: lastSegment(item.path), found, expected }, place('site_class')));
  }
  return findings;
}
