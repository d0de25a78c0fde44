/**
 * The rules that a registry must keep beyond the schemas of its files: names and places agree, nothing collides,
 * every parent is there, and each bare-metal site has its one cluster.
 */
import { type Finding, finding, type Place } from '../diagnostics/finding.ts';
import type { Configuration } from '../model/configuration.ts';
import { isJsonObject, type JsonObject } from '../model/json.ts';
import {
  GRID,
  lastSegment,
  parentItemPath,
  parsePath,
  pathAbove,
  type Subject,
} from '../model/resource-path.ts';
import { uidProblem } from '../model/uid.ts';
import { fileOfResource } from './layout.ts';

/** What the rules need to know of a file: where it is, whom it describes, and where its fields stand. */
export interface Described {
  readonly file: string;
  readonly item: Subject;
  readonly place: (field: string) => Place;
}

const UID_CODES = {
  reserved: 'uid-reserved',
  characters: 'uid-characters',
  length: 'uid-length',
  'not-a-uuid': 'uid-not-a-uuid',
} as const;

/** One file on its own: the uid that it states and the one that its place gives. */
export function uidFindings(body: JsonObject, described: Described, configuration: Configuration): Finding[] {
  const { item, place } = described;
  if (item === GRID) return [];
  const expected = lastSegment(item.path);
  const problem = uidProblem(expected, item.kind, configuration.node_uid);
  if (problem) return [finding(UID_CODES[problem], { uid: expected }, place('uid'))];
  if (typeof body['uid'] !== 'string' || body['uid'] === expected) return [];
  return [finding('uid-not-file-name', { uid: body['uid'], expected }, place('uid'))];
}

/** All files together. `bodyOf` gives a body by its resource path. */
export function registryFindings(
  described: ReadonlyMap<string, Described>,
  configuration: Configuration,
  bodyOf: (path: string) => JsonObject | undefined,
): Finding[] {
  return [
    ...missingParents(described),
    ...caseCollisions(described),
    ...clusterRule(described, configuration, bodyOf),
  ];
}

function missingParents(described: ReadonlyMap<string, Described>): Finding[] {
  const missing = new Map<string, Subject>();
  const parents = [...described.values()].map(({ item }) => parentItemPath(item));
  for (const path of ['', ...parents]) {
    const parent = parsePath(path);
    if (parent && !described.has(path)) missing.set(path, parent);
  }
  return [...missing].map(([path, item]) =>
    finding('file-missing', {
      file: fileOfResource(item),
      holds: path === '' ? 'the grid' : `${item.kind.name} ${lastSegment(path)}`,
    }),
  );
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
  const clusters = new Map<string, string[]>();
  for (const { item } of described.values()) {
    if (item.kind.name !== 'cluster') continue;
    const site = parentItemPath(item);
    clusters.set(site, [...(clusters.get(site) ?? []), lastSegment(item.path)]);
  }
  const findings: Finding[] = [];
  for (const { item, place } of described.values()) {
    const body = item.kind.name === 'site' ? bodyOf(item.path) : undefined;
    if (!isJsonObject(body) || body['site_class'] !== 'baremetal') continue;
    const found = clusters.get(item.path) ?? [];
    if (found.length === 1 && found[0] === expected) continue;
    findings.push(
      finding('cluster-count', { site: lastSegment(item.path), found, expected }, place('site_class')),
    );
  }
  return findings;
}
