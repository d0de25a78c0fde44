import { randomUUID } from 'node:crypto';
import { fail, failAll, finding, type Place } from '../../core/diagnostics/finding.ts';
import { asText, isJsonObject, type JsonObject } from '../../core/model/json.ts';
import { kindNamed } from '../../core/model/kinds.ts';
import { nodePlace } from '../../core/model/node-path.ts';
import { lastSegment } from '../../core/model/resource-path.ts';
import { isUuid, nodeNameOf, uidProblem } from '../../core/model/uid.ts';
import { getOrCreate } from '../../core/platform/lookups.ts';
import { UID_CODES } from '../../core/registry/rules.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import type { Worktree } from '../sources/load-worktree.ts';
import { applyEdits, type BodyEdit, type Edited } from './apply-edits.ts';
import { exportedCells, type TableCell } from './exported-cells.ts';
import { type FoundResource, findResource, findSite, isNodeAt, resourcesOf, siteUid } from './find-resource.ts';
import { type CellValue, templateOf, withCells } from './new-body.ts';
import { namesOf } from './node-names.ts';
import type { EditOptions } from './pending-edit.ts';
import { type Source, sourceAt } from './site-sources.ts';
import { type Row, SERIAL, tableRows } from './table-rows.ts';

export interface AddNodesOptions extends EditOptions {
  /** The site of the new nodes, unless the table names it. Optional if only one site of the registry has a cluster. */
  readonly site?: string | undefined;
  /** The cluster of the new nodes, unless the table names it. Optional if the site has only one cluster. */
  readonly cluster?: string | undefined;
  /** The path, uid or name of the node that new nodes are copied from. */
  readonly like?: string | undefined;
  readonly names?: readonly string[] | undefined;
  readonly count?: number | undefined;
  /** A CSV file with one node per row. */
  readonly from?: string | undefined;
  /** Whether to change an existing node if a row describes it. */
  readonly update?: boolean | undefined;
}

export function addNodes(options: AddNodesOptions): Edited {
  if (options.update === true && options.from === undefined)
    fail(finding('usage', { problem: '--update needs a table', hint: 'Name it with --from FILE.' }));
  return applyEdits(options, (sources) => {
    const rows = options.from === undefined ? namedRows(options) : tableRows(options.from);
    rejectOtherPlaces(rows, options);
    const changed = options.update === true ? rowEdits(rows, options, sources) : new Map<Row, BodyEdit>();
    const added = rows.filter((row) => !changed.has(row));
    const template =
      options.like === undefined
        ? { body: {}, left: [] }
        : templateOf(kindNamed('node'), findResource(options.like, ['node'], sources).body);
    const known = new Map<string, string>();
    const collectionAt: CollectionAt = ({ site = options.site, cluster = options.cluster }) =>
      getOrCreate(known, `${site} ${cluster}`, () => nodesAt(site, cluster, sources));
    const made = added.map((row) => nodeSource(row, template.body, collectionAt, sources));
    const renamed = [...changed].flatMap(([{ place }, edit]) => renaming(edit, place));
    rejectTaken(made, renamed, sources);
    // The table can set fields that are not copied from the template.
    const tableFields = rows.flatMap(({ cells }) => cells.map(({ field }) => withoutPositions(field)));
    const left = template.left.filter(
      (own) => made.length > 0 && !tableFields.some((field) => field === own || field.startsWith(`${own}.`)),
    );
    const names = made.map(({ name }) => name);
    return { sources: made.map(({ source }) => source), names, left, changed: [...changed.values()] };
  });
}

function rejectOtherPlaces(rows: readonly Row[], given: AddNodesOptions): void {
  for (const { site = given.site, cluster = given.cluster, place } of rows) {
    const wrong = (problem: string) => fail(finding('add-table', { problem }, place));
    if (given.site !== undefined && siteUid(`${site}`) !== siteUid(given.site))
      wrong(`the row is for the site ${site}, not for ${given.site}`);
    if (given.cluster !== undefined && cluster !== given.cluster)
      wrong(`the row is for the cluster ${cluster}, not for ${given.cluster}`);
  }
}

/**
 * Finds the node of each row by its uid, else by its name, else by its serial number. Ignores nodes of other sites and
 * clusters, if the row or the options name a site or a cluster.
 */
function rowEdits(
  rows: readonly Row[],
  { site: givenSite, cluster: givenCluster }: AddNodesOptions,
  sources: Worktree,
): Map<Row, BodyEdit> {
  const byKey = new Map<string, FoundResource[]>();
  for (const node of resourcesOf(['node'], sources)) {
    const { path } = node.subject;
    const { serial } = isJsonObject(node.body['chassis']) ? node.body['chassis'] : {};
    const keys = [`uid ${lastSegment(path)}`, `name ${node.name}`, ...(serial ? [`serial ${asText(serial)}`] : [])];
    for (const key of keys) getOrCreate(byKey, key, () => []).push(node);
  }
  const { isExported, isComputed } = exportedCells(sources);
  const edits = new Map<Row, BodyEdit>();
  const seen = new Set<string>();
  for (const row of rows) {
    const { site = givenSite, cluster = givenCluster } = row;
    const named = byKey.get(keyOf(row)) ?? [];
    const [node, ...others] = named.filter(({ subject }) => isNodeAt(subject.path, site, cluster));
    if (!node) {
      rejectMove(row, named);
      continue;
    }
    const { path } = node.subject;
    const paths = [node, ...others].map(({ subject }) => subject.path);
    if (others.length > 0) fail(finding('several-resources', { given: row.name ?? keyOf(row), paths }, row.place));
    if (seen.has(path)) fail(finding('add-table', { problem: `another row is about ${node.name} too` }, row.place));
    seen.add(path);
    const isRenamed = row.name !== undefined && row.name !== node.name;
    const changed = row.cells.filter((cell) => !isExported(node, cell));
    const computed = changed.find(({ field, text }) => text !== '' && isComputed(field));
    if (computed) rejectComputed(computed, row.place);
    const cells = isRenamed ? [{ field: 'node_name', text: row.name }, ...changed] : changed;
    edits.set(row, {
      subject: node.subject,
      before: node.body,
      after: filledBody(node.body, cells, node.name, row.place),
    });
  }
  return edits;
}

function rejectComputed({ field }: TableCell, place: Row['place']): never {
  const problem = `the column "${field}" is computed from other fields; change these fields`;
  return fail(finding('add-table', { problem }, place));
}

/** Fails if the row has the UUID of a node at another place. A node with this UUID cannot be added either. */
function rejectMove({ uid, place }: Row, elsewhere: readonly FoundResource[]): void {
  const [node] = elsewhere;
  if (!node || uid === undefined || !isUuid(uid)) return;
  const { site, cluster } = nodePlace(node.subject.path);
  const problem = `${node.name} is in the cluster ${cluster} of the site ${site}, and a table cannot move it`;
  fail(finding('add-table', { problem }, place));
}

function keyOf({ uid, name, cells }: Row): string {
  if (uid !== undefined) return `uid ${uid}`;
  return name === undefined ? `serial ${cells.find(({ field }) => field === SERIAL)?.text ?? ''}` : `name ${name}`;
}

function filledBody(body: JsonObject, cells: readonly CellValue[], name: string, place: Place | undefined): JsonObject {
  const { body: filled, problems } = withCells(body, cells);
  if (problems.length > 0)
    failAll(problems.map(({ field, problem }) => finding('set-value', { name, field, problem }, place)));
  return filled;
}

function withoutPositions(field: string): string {
  return field
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .join('.');
}

function namedRows({ names = [], count }: AddNodesOptions): Row[] {
  const all = names.flatMap((pattern) => namesOf(pattern) ?? fail(finding('add-too-many', { pattern })));
  if (all.length === 0 || all.some((name) => name.trim() === '')) fail(finding('add-no-names', {}));
  const unread = all.find((name) => /[[\]{},=]/.test(name));
  if (unread !== undefined) {
    const hint =
      "Nothing was written. Separate names by spaces. Write ranges as 'c-{01..20}' or 'c-[01-20,25]', and lists as 'c-{a,b}'.";
    fail(finding('usage', { problem: `--names has no valid name or range in "${unread}"`, hint }));
  }
  if (count !== undefined && count !== all.length) fail(finding('add-count', { count, names: all }));
  return all.map((name) => ({ name, uid: undefined, site: undefined, cluster: undefined, cells: [] }));
}

interface MadeNode {
  readonly name: string;
  readonly path: string;
  readonly source: Source;
  readonly place: Place | undefined;
}

/** Returns the path of the collection of the new nodes at a site and in a cluster. */
type CollectionAt = (place: Pick<Row, 'site' | 'cluster'>) => string;

function nodeSource(
  row: Row,
  template: JsonObject,
  collectionAt: CollectionAt,
  { configuration: { node_uid: rule } }: Worktree,
): MadeNode {
  const name = row.name ?? fail(finding('add-table', { problem: 'the new node has no name' }, row.place));
  const uid = row.uid ?? (rule === 'uuid' ? randomUUID() : name);
  const problem = uidProblem(uid, kindNamed('node'), rule);
  if (problem) fail(finding(UID_CODES[problem], { uid }, row.place));
  const identity = { type: 'node', uid, ...(uid === name ? {} : { node_name: name }) };
  const body = filledBody({ ...identity, ...template }, row.cells, name, row.place);
  const path = `${collectionAt(row)}/${uid}`;
  return { name, path, place: row.place, source: sourceAt(path, encodeYaml(body)) };
}

/** Fails if no cluster or several clusters match. */
export function nodesAt(site: string | undefined, cluster: string | undefined, sources: Worktree): string {
  const above = site === undefined ? 'sites' : findSite(site, sources).subject.path;
  const clusters = resourcesOf(['cluster'], sources).map(({ subject }) => subject.path);
  const inSite = clusters.filter((path) => path.startsWith(`${above}/`));
  const [only, ...others] = inSite.filter((path) => cluster === undefined || lastSegment(path) === cluster);
  if (only !== undefined && others.length === 0) return `${only}/nodes`;
  return fail(finding('add-where', { site, cluster, clusters }));
}

type NamedNode = Omit<MadeNode, 'source'>;

/** Returns an empty list if the edit does not change the name of a node. */
export function renaming({ subject, before, after }: BodyEdit, place?: Place): NamedNode[] {
  const [old, name] = [before, after].map((body) => nodeNameOf(body) ?? lastSegment(subject.path));
  return name === undefined || name === old ? [] : [{ name, path: subject.path, place }];
}

/** Fails if two nodes would have the same name or uid. New nodes can get the old names of renamed nodes. */
export function rejectTaken(made: readonly NamedNode[], renamed: readonly NamedNode[], sources: Worktree): void {
  // A uid that is not a UUID is unique only within its cluster.
  const uniqueOf = (path: string) => (isUuid(lastSegment(path)) ? lastSegment(path) : path);
  const keysOf = (path: string, name: string | undefined) => [`${nodePlace(path).site} ${name}`, uniqueOf(path)];
  const paths = new Set(renamed.map(({ path }) => path));
  const others = resourcesOf(['node'], sources).filter(({ subject }) => !paths.has(subject.path));
  const seen = new Set(others.flatMap(({ subject, name }) => keysOf(subject.path, name)));
  const findings = [...renamed, ...made].flatMap(({ name, path, place }) => {
    const keys = keysOf(path, name);
    const isTaken = keys.some((key) => seen.has(key));
    for (const key of keys) seen.add(key);
    return isTaken ? [finding('add-taken', { name, site: nodePlace(path).site }, place)] : [];
  });
  if (findings.length > 0) failAll(findings);
}
