/**
 * The commits of a git registry -> revisions. Each commit's state is its first parent's with the files that it
 * changed read anew; what cannot be read keeps its last good contents, and is reported.
 */

import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { contentsDigest } from '../../core/history/contents-digest.ts';
import { stateDigest } from '../../core/history/replay.ts';
import type { ResourceChange, RevisionFile } from '../../core/history/revision-file.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import { lastSegment, type Subject, subjectAt } from '../../core/model/resource-path.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import {
  type BodyStore,
  editState,
  type RegistryState,
  resourceAt,
  type StateEdit,
  type StoredBody,
} from '../../core/model/state.ts';
import { mustGet } from '../../core/platform/certain.ts';
import type { SaidOfItem } from './file-reader.ts';
import {
  contentsKey,
  contentsKeyOf,
  type GitRegistry,
  isSameFile,
  type PlannedCommit,
  type SourceFile,
  sourceOf,
} from './import-plan.ts';
import { importedBodies } from './imported-bodies.ts';
import type { Oddity } from './json-oddities.ts';
import { bodiesIn, type LastUses } from './last-uses.ts';
import { completeParents } from './missing-parents.ts';

/** A file that was read for a commit. */
export interface ReadSource {
  readonly source: SourceFile;
  readonly said: readonly SaidOfItem[];
}

export interface Importer {
  /** A commit as a revision. Parents come before their children, each with the files that are needed from there on. */
  readonly revise: (planned: PlannedCommit, read: readonly ReadSource[]) => RevisedCommit;
  /** Tells of a commit that was imported before. */
  readonly know: (header: RevisionHeader, state: RegistryState) => void;
  readonly stateAt: (id: string) => RegistryState;
  /** Forgets what no later commit needs. */
  readonly forget: (used: LastUses) => void;
  /** The bodies that are not forgotten. */
  readonly bodies: () => Iterable<StoredBody>;
  /** Whether a body comes from a file that was read in this run. */
  readonly wasRead: (body: StoredBody) => boolean;
}

export interface RevisedCommit {
  readonly revision: RevisionFile;
  /** The states after its first parent and after itself. Each body that it gives a resource is an object of its own. */
  readonly before: RegistryState;
  readonly after: RegistryState;
  /** The paths of the resources that it updates, where a replay makes of the text before what the file says now. */
  readonly inPlace: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/** What a file says: a body, or why there is none. */
type Contents =
  | { readonly body: StoredBody; readonly oddities: readonly Oddity[]; readonly broken?: undefined }
  | Broken;
type Broken = { readonly body?: undefined; readonly broken: string | undefined };

export function importer(registry: GitRegistry, store: BodyStore): Importer {
  const states = new Map<string, RegistryState>();
  const digests = new Map<string, string | undefined>();
  /** Those that were imported before. */
  const earlier = new Set<string>();
  /** Of the present commit. */
  const findings: Finding[] = [];
  const inPlace: string[] = [];
  const known = new Map<string, Contents>();
  const bodies = importedBodies(store);

  const keep = ({ source, said }: ReadSource): void => {
    for (const { item: path, read, broken } of said) {
      const key = contentsKeyOf(source, { path });
      known.set(key, read ? { body: bodies.put(path, read), oddities: read.oddities } : { broken });
    }
  };

  const contentsOf = (source: SourceFile, item: Subject): Contents =>
    known.get(contentsKeyOf(source, item)) ?? mustGet(known, contentsKeyOf(source, source.collection ?? item));

  const editOf = (planned: PlannedCommit, item: Subject): StateEdit => {
    const { id } = planned.commit;
    const [source, other] = planned.files.get(item.path) ?? [];
    if (!source) return { path: item.path, body: null };
    const { path } = source;
    if (other) findings.push(finding('import-two-files', { id, path: other.path, other: path }));
    const contents = contentsOf(source, item);
    if (contents.body) {
      findings.push(...contents.oddities.map((oddity) => oddityFinding(oddity, id, path, item)));
      return { path: item.path, body: contents.body };
    }
    const body = lastGoodBody(planned, source, item.path, states);
    const { broken: reason } = contents;
    const kept = body !== null;
    if (reason === undefined) findings.push(finding('import-missing-blob', { id, path, kept }));
    else findings.push(finding('import-broken-file', { id, path, reason, kept }));
    return { path: item.path, body };
  };

  const standIn = ({ path, kind }: Subject): StateEdit => {
    const uid = path === '' ? registry.gridName : lastSegment(path);
    return { path, body: bodies.putOwn({ type: kind.name, uid }) };
  };

  /** What a resource was, as its file said it: what was imported before is known as it is replayed. */
  const bodyBefore = (planned: PlannedCommit, path: string): StoredBody | undefined => {
    const [parent] = planned.commit.parents;
    const held = parent === undefined ? undefined : resourceAt(mustGet(states, parent), path)?.body;
    const source = sourceOf(planned.parentFiles[0], path);
    if (!held || !source || parent === undefined || !earlier.has(parent)) return held;
    const { body } = contentsOf(source, subjectAt(path, registry.kinds));
    return body?.digest === held.digest ? body : held;
  };

  const changeOf = ({ path, body }: StateEdit, held: StoredBody | undefined, hasNewFile: boolean): ResourceChange[] => {
    if (!held) return body ? [{ action: 'added', path, value: bodies.of(body) }] : [];
    if (!body) return [{ action: 'removed', path }];
    if (body.digest === held.digest) return hasNewFile ? [{ action: 'touched', path }] : [];
    const { fields, isInPlace } = bodies.update(held, body, subjectAt(path, registry.kinds));
    if (isInPlace) inPlace.push(path);
    return [{ action: 'updated', path, fields }];
  };

  const revise = (planned: PlannedCommit, read: readonly ReadSource[]): RevisedCommit => {
    read.forEach(keep);
    const { commit, files, parentFiles } = planned;
    const { id, parents, date, author, message } = commit;
    findings.push(...planned.findings);
    const [parent] = parents;
    const before = parent === undefined ? null : mustGet(states, parent);
    const edits = new Map(planned.items.map((item) => [item.path, editOf(planned, item)]));
    const hasFile = (path: string) => sourceOf(files, path) !== undefined;
    const orphans = completeParents(edits, { before, kinds: registry.kinds, hasFile, standIn });
    findings.push(...orphans.map((orphan) => finding('import-no-parent', { id, ...orphan })));

    const effective: StateEdit[] = [];
    const changes: ResourceChange[] = [];
    for (const edit of edits.values()) {
      const hasNewFile = isRewritten(sourceOf(parentFiles[0], edit.path), sourceOf(files, edit.path));
      const [change] = changeOf(edit, bodyBefore(planned, edit.path), hasNewFile);
      if (!change) continue;
      changes.push(change);
      effective.push({ path: edit.path, body: edit.body && ofItsOwn(edit.body) });
    }
    bodies.endCommit();
    const state = editState(before, effective);
    states.set(id, state);
    changes.sort((a, b) => byCodeUnit(a.path, b.path));
    const header = { id, parents, date, author, message, origin: 'git', state: stateDigest(state) } as const;
    const past = parents.map((of) => digests.get(of));
    const contents = contentsDigest(header, changes, past);
    digests.set(id, contents);
    const revision = { header: { ...header, contents }, changes };
    return { revision, before, after: state, inPlace: new Set(inPlace.splice(0)), findings: findings.splice(0) };
  };

  return {
    revise,
    know: ({ id, contents }, state) => {
      earlier.add(id);
      states.set(id, state);
      digests.set(id, contents);
    },
    stateAt: (id) => mustGet(states, id),
    forget: (used) => {
      for (const id of used.states) states.delete(id);
      for (const key of used.contents) known.delete(key);
    },
    bodies: function* () {
      for (const { body } of known.values()) if (body) yield body;
      yield* bodiesIn(states.values());
    },
    wasRead: bodies.has,
  };
}

/** A body as another object: that of an index has a digest that cannot be copied with it. */
function ofItsOwn({ handle, digest }: StoredBody): StoredBody {
  return { handle, digest };
}

/** Whether an item's own file is another; one that is in the file of its collection has none. */
function isRewritten(was: SourceFile | undefined, is: SourceFile | undefined): boolean {
  return !isSameFile(was, is) && !was?.collection && !is?.collection;
}

/** What a file that cannot be read said last: to a merge, on the side that the file comes from. */
function lastGoodBody(
  { commit, parentFiles }: PlannedCommit,
  source: SourceFile,
  path: string,
  states: ReadonlyMap<string, RegistryState>,
): StoredBody | null {
  const side = parentFiles.findIndex((files) => {
    const held = sourceOf(files, path);
    return held !== undefined && contentsKey(held) === contentsKey(source);
  });
  const parent = commit.parents[Math.max(side, 0)];
  return (parent !== undefined && resourceAt(mustGet(states, parent), path)?.body) || null;
}

function oddityFinding(oddity: Oddity, id: string, path: string, item: Subject): Finding {
  switch (oddity.code) {
    case 'duplicate-key':
      return finding('import-duplicate-key', { id, path, key: oddity.key });
    case 'large-number':
      return finding('import-large-number', { id, path, field: oddity.field, text: oddity.text });
    case 'uid':
      return finding('import-uid', { id, path, uid: oddity.uid, expected: lastSegment(item.path) });
    case 'identity':
      return finding('import-identity', { id, path, fields: oddity.fields });
    case 'type':
      return finding('import-type', { id, path, type: oddity.type, expected: item.kind.name });
    default:
      return oddity satisfies never;
  }
}
