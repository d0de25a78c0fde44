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
import { getOrCreate, groupBy } from '../platform/lookups.ts';
import { fileOfResource } from './layout.ts';

export interface Described {
  readonly file: string;
  readonly item: Subject;
  readonly uid: string | undefined;
  readonly place: (field: string) => Place;
}

type Resources = ReadonlyMap<string, Described>;
type Shown = (file: string) => string;

export const UID_CODES = {
  reserved: 'uid-reserved',
  characters: 'uid-characters',
  length: 'uid-length',
  'not-a-uuid': 'uid-not-a-uuid',
} as const;

/** `shown` converts the path of a file to the name that messages contain. */
export function registryFindings(
  described: Resources,
  configuration: Configuration,
  shown: Shown,
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

function uidFindings(described: Resources, configuration: Configuration, shown: Shown): Finding[] {
  const findings: Finding[] = [];
  const strays: { entry: Described; uid: string; claimed: string; name: string | undefined }[] = [];
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
  const claimants = groupBy(strays, ({ claimed }) => claimed);
  for (const { entry, uid, claimed, name } of strays) {
    const owner = described.get(claimed);
    const [first, second] = claimants.get(claimed) ?? [];
    const other = owner?.uid === uid ? owner : (first?.entry === entry ? second : first)?.entry;
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

/** Finds UUIDs that several nodes share. For example, a copied site folder contains the UUIDs of the original site. */
function sharedUuids(described: Resources, shown: Shown): Finding[] {
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

function missingParents(described: Resources, kinds: Kinds, shown: Shown): Finding[] {
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

function caseCollisions(described: Resources): Finding[] {
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
  described: Resources,
  { cluster_uid: expected }: Configuration,
  bodyOf: (path: string) => JsonObject | undefined,
): Finding[] {
  if (expected === ANY_CLUSTER) return [];
  const clusters = new Map<string, string[]>();
  for (const { item } of described.values()) {
    if (item.kind.name === 'cluster')
      getOrCreate(clusters, parentItemPath(item), () => []).push(lastSegment(item.path));
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
