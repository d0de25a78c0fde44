/**
 * The history of a registry for questions about single resources: all revision files are searched for the name of the
 * resource, and only those that contain it are parsed.
 */

import { excerpt, NotInOrder, placedOf } from '../../core/history/excerpt.ts';
import { type Graph, orderGraph, type Placed } from '../../core/history/graph.ts';
import type { History } from '../../core/history/replay.ts';
import { type ResourceChange, type RevisionFile, readRevisionText } from '../../core/history/revision-file.ts';
import { bodyAfter, subsetHistory } from '../../core/history/subset-history.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import { isAtOrBelow, itemPath, lastSegment, pathAbove, type Subject } from '../../core/model/resource-path.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import type { BodyStore } from '../../core/model/state.ts';
import { certain, itemAt, mustGet } from '../../core/platform/certain.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import type { SourceFolder } from '../../core/registry/registry.ts';
import { decodeText } from '../../core/registry/yaml/read-yaml.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { strayRevisions } from './read-history.ts';
import { revisionFiles } from './registry-files.ts';

/** A resource and its history. */
export interface NamedHistory {
  readonly path: string;
  readonly history: History;
}

/** A history that is asked about single resources. All answers throw `NotInOrder` where something that they read is not in order. */
export interface HistoryScan {
  readonly graph: Graph;
  readonly kinds: Kinds;
  /** The bodies of all answers. */
  readonly store: BodyStore;
  /** The history of a subject and of everything below it; of a collection, with the item that holds it. */
  readonly of: (subject: Subject) => History;
  /** All changes of a revision. */
  readonly changesOf: (index: number) => readonly ResourceChange[];
  /** Whether there ever was a resource at a path. */
  readonly hadEver: (path: string) => boolean;
  /** The history of a subject without what is below it; of a collection, its members and the item that holds it. */
  readonly ownOf: (subject: Subject) => History;
  /** The resources that ever had a uid or a node name, each with its own history. */
  readonly called: (name: string) => readonly NamedHistory[];
  /** The paths of the resources at or below a path that may differ between two revisions. */
  readonly changedBetween: (from: number, to: number, within: string) => ReadonlySet<string>;
  /** The bodies of resources after revisions, by their paths. Resources that are not there are left out. */
  readonly bodiesAt: (indexes: readonly number[], paths: ReadonlySet<string>) => ReadonlyMap<string, JsonObject>[];
}

/** For so many resources, the files are searched for each; for more, the layout of all files is read. */
const FEW = 4;

/** The bytes that `read` gives may hold only until it is called again. */
type ScannedFolder = Pick<SourceFolder, 'name' | 'files' | 'read'>;

/** `hint` is the path that most questions are about, if there is one. Throws `NotInOrder`. */
export function scanHistory(folder: ScannedFolder, kinds: Kinds, hint = ''): HistoryScan {
  const { graph, revisions } = readHeaders(folder, hint);
  const store = memoryStore();
  const search = (needle: string | undefined, isWanted: IsWanted) =>
    revisions.map((revision) => revision.changes(needle, isWanted));
  const subset = (root: string, isWanted: IsWanted) =>
    subsetHistory({ graph, kinds, store, root, changes: search(root, isWanted) });
  return {
    graph,
    kinds,
    store,
    of: (subject) => {
      const root = itemPath(subject);
      return subset(root, root === '' ? EVERYTHING : (path) => isAtOrBelow(path, root));
    },
    changesOf: (index) => itemAt(revisions, index).changes(undefined, EVERYTHING),
    hadEver: (path) => revisions.some((revision) => revision.changes(path, (each) => each === path).length > 0),
    ownOf: (subject) => {
      const root = itemPath(subject);
      const { path: own, isCollection } = subject;
      return subset(root, (path) => path === root || (isCollection && path !== '' && pathAbove(path) === own));
    },
    called: (name) => {
      const needle = plainPart(name);
      const isHit: IsWanted = (path, change) =>
        lastSegment(path) === name || needle === undefined || mayContain(change(), needle);
      const found = search(needle, isHit).flatMap((changes) => changes.filter((change) => isCalled(change, name)));
      const paths = [...new Set(found.map(({ path }) => path))];
      if (paths.length <= FEW) return paths.map((path) => ({ path, history: subset(path, (each) => each === path) }));
      const wanted = new Set(paths);
      const all = search(undefined, (path) => wanted.has(path));
      return paths.map((root) => {
        const changes = all.map((each) => each.filter(({ path }) => path === root));
        return { path: root, history: subsetHistory({ graph, kinds, store, root, changes }) };
      });
    },
    changedBetween: (from, to, within) => {
      const [old, now] = [new Set(lineOf(graph, from)), new Set(lineOf(graph, to))];
      const apart = [...old, ...now].filter((index) => !(old.has(index) && now.has(index)));
      const paths = new Set<string>();
      for (const index of apart)
        itemAt(revisions, index).changes(within, (path) => {
          if (isAtOrBelow(path, within)) paths.add(path);
          return false;
        });
      return paths;
    },
    bodiesAt: (indexes, paths) => {
      const [only] = paths;
      const needle = paths.size === 1 ? only : undefined;
      const known = new Map<number, ReadonlyMap<string, JsonObject>>();
      return indexes.map((index) => {
        const line = lineOf(graph, index);
        const from = line.findIndex((each) => known.has(each));
        const bodies = new Map(known.get(line[from] ?? -1));
        const rest = from < 0 ? line : line.slice(0, from);
        for (const each of rest.reverse()) {
          for (const change of itemAt(revisions, each).changes(needle, (path) => paths.has(path))) {
            const body = bodyAfter(change, bodies.get(change.path));
            if (body) bodies.set(change.path, body);
            else bodies.delete(change.path);
          }
        }
        known.set(index, bodies);
        return bodies;
      });
    },
  };
}

/** A revision and its first parents, the newest first. */
function lineOf({ parents }: Graph, index: number): number[] {
  const line: number[] = [];
  for (let here: number | undefined = index; here !== undefined; here = itemAt(parents, here)[0]) line.push(here);
  return line;
}

function isCalled(change: ResourceChange, name: string): boolean {
  if (lastSegment(change.path) === name) return true;
  if (change.action === 'added') return change.value['node_name'] === name;
  return change.action === 'updated' && change.fields.some(({ at, to }) => at === '/node_name' && to === name);
}

/** Whether a change is needed, by its path and its text. */
type IsWanted = (path: string, change: () => string) => boolean;

const EVERYTHING: IsWanted = () => true;

interface ScannedRevision {
  readonly header: RevisionHeader;
  /**
   * The changes that are wanted, all of which contain a needle where one is given. Of a file in another layout than that
   * of `writeRevisionFile`, `isWanted` gets changes as JSON.
   */
  readonly changes: (needle: string | undefined, isWanted: IsWanted) => readonly ResourceChange[];
}

function readHeaders(folder: ScannedFolder, hint: string) {
  const read = (file: string): Buffer => {
    const { buffer, byteOffset, length } = folder.read(file);
    return Buffer.from(buffer, byteOffset, length);
  };
  const check = packagedChecks()('revision');
  if (strayRevisions(folder).length > 0) throw new NotInOrder();
  const parsed = (text: string): RevisionFile => {
    const revision = readRevisionText('', text, check);
    if (revision.findings) throw new NotInOrder();
    return revision.value;
  };
  const scanned = revisionFiles(folder).map((file): ScannedRevision => {
    const bytes = read(file);
    const placed = placedOf(bytes.toString('latin1', 0, HEAD_BYTES));
    const whole = placed ? undefined : parsed(textOf(bytes));
    const isHinted = hint !== '' && mayContain(bytes, hint);
    const kept = isHinted ? Buffer.from(bytes) : undefined;
    const rest = () => {
      const bytes = read(file);
      const end = bytes.indexOf(CHANGES);
      return parsed(textOf(end < 0 ? bytes : bytes.subarray(0, end + 1))).header;
    };
    return {
      header: placed ? new ScannedHeader(placed, rest) : certain(whole).header,
      changes: (needle, isWanted) => {
        if (!whole && hint !== '' && needle === hint && !isHinted) return [];
        const bytes = whole ? undefined : (kept ?? read(file));
        if (bytes && needle !== undefined && needle !== '' && !mayContain(bytes, needle)) return [];
        // In Latin-1, which has a character for each byte, the layout is the same.
        const cut = bytes && isWanted !== EVERYTHING ? excerpt(bytes.toString('latin1'), isWanted) : undefined;
        const { changes } = whole ?? parsed(textOf(cut === undefined ? read(file) : Buffer.from(cut, 'latin1')));
        return changes.filter((change) => isWanted(change.path, () => JSON.stringify(change)));
      },
    };
  });
  const headers = scanned.map(({ header }) => header);
  const ids = new Set(headers.map(({ id }) => id));
  const ordered = orderGraph(headers, () => ({ file: '' }));
  if (ordered.findings || ids.size < headers.length || headers.length === 0) throw new NotInOrder();
  const byId = new Map(scanned.map((revision) => [revision.header.id, revision]));
  return { graph: ordered.graph, revisions: ordered.graph.revisions.map(({ id }) => mustGet(byId, id)) };
}

/** Bytes that hold the first fields of a revision file. */
const HEAD_BYTES = 1024;
/** Ends the header: a revision file may have no changes. */
const CHANGES = '\nchanges:';

/** A header of which the first fields are known, and the others are parsed when they are needed. */
class ScannedHeader implements RevisionHeader {
  readonly id: string;
  readonly parents: readonly string[];
  readonly date: string;
  readonly #rest: () => RevisionHeader;

  constructor({ id, parents, date }: Placed, read: () => RevisionHeader) {
    this.id = id;
    this.parents = parents;
    this.date = date;
    this.#rest = lazily(read);
  }

  get author(): string {
    return this.#rest().author;
  }

  get message(): string {
    return this.#rest().message;
  }

  get origin(): RevisionHeader['origin'] {
    return this.#rest().origin;
  }

  get state(): string {
    return this.#rest().state;
  }

  get contents(): string | undefined {
    return this.#rest().contents;
  }
}

function textOf(bytes: Buffer): string {
  const text = decodeText('', bytes);
  if (text.findings) throw new NotInOrder();
  return text.value;
}

/** The longest part of a name that stands in YAML as it is, unless an escape in quotes spells it. */
function plainPart(name: string): string | undefined {
  const parts = name.match(/[\w.~-]+/g) ?? [];
  return parts.toSorted((a, b) => b.length - a.length)[0];
}

const BACKSLASH = '\\';
/** What follows a backslash where an escape spells a letter, a digit or a slash, or joins two lines. */
const ESCAPES = 'xuU/\n';

/** Whether YAML may contain a plain text in one of its values: as it is, or spelled with escapes. */
function mayContain(yaml: Buffer | string, needle: string): boolean {
  if (yaml.includes(needle)) return true;
  for (let at = yaml.indexOf(BACKSLASH); at >= 0; at = yaml.indexOf(BACKSLASH, at + 1)) {
    const next = typeof yaml === 'string' ? yaml.charAt(at + 1) : String.fromCharCode(yaml[at + 1] ?? 0);
    if (ESCAPES.includes(next)) return true;
  }
  return false;
}
