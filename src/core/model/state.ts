/**
 * The state of the registry at a revision: a persistent tree of resources in which every revision shares with its
 * parent whatever it did not change, and a hash tree at the same time.
 *
 * The digest of a resource and all below it is SHA-256 over the digest of its body, then, for each of its collections
 * that has members (in code-unit order), a line with the collection's name and a line `uid digest` for each member
 * (in code-unit order). The digest of the grid is the `state` of the revision.
 */
import { sha256 } from './digest.ts';
import { byCodeUnit } from './json.ts';
import { SortedMap } from './sorted-map.ts';

/** A body that is kept elsewhere: a handle of the body store and its digest. */
export interface StoredBody {
  readonly handle: number;
  readonly digest: string;
}

/** Where the JSON texts of bodies are kept: compact, UTF-8, in the key order of the source. */
export interface BodyStore {
  put(json: string): number;
  get(handle: number): string;
}

export interface ResourceState {
  readonly body: StoredBody;
  readonly digest: string;
  readonly collections: ReadonlyMap<string, SortedMap<ResourceState>>;
}

/** The grid's state; null before anything is. */
export type RegistryState = ResourceState | null;

const NOTHING: SortedMap<ResourceState> = SortedMap.empty();
const NO_COLLECTIONS: ResourceState['collections'] = new Map();

export function membersOf(state: ResourceState, collection: string): SortedMap<ResourceState> {
  return state.collections.get(collection) ?? NOTHING;
}

/** The resource at a path of items, or the one that holds the collection at a path; undefined where there is none. */
export function resourceAt(state: RegistryState, path: string): ResourceState | undefined {
  let here: ResourceState | undefined = state ?? undefined;
  for (let from = 0; here && from < path.length; ) {
    const middle = path.indexOf('/', from);
    if (middle < 0) break;
    const slash = path.indexOf('/', middle + 1);
    const end = slash < 0 ? path.length : slash;
    here = here.collections.get(path.slice(from, middle))?.get(path.slice(middle + 1, end));
    from = end + 1;
  }
  return here;
}

/** One resource put in, given a new body, or taken out (`body` null). */
export interface StateEdit {
  readonly path: string;
  readonly body: StoredBody | null;
}

/** The state after some edits. The caller has made sure that every edit's parent exists when it is all done. */
export function editState(state: RegistryState, edits: readonly StateEdit[]): RegistryState {
  const branch = new Branch(state ?? undefined);
  for (const { path, body } of edits) branch.at(path === '' ? [] : path.split('/')).body = body;
  return branch.sealed(state ?? undefined) ?? null;
}

/** Every resource with its path, parents before children, in code-unit order. */
export function* resourcesIn(state: RegistryState, path = ''): Generator<[path: string, resource: ResourceState]> {
  if (!state) return;
  yield [path, state];
  for (const collection of [...state.collections.keys()].sort(byCodeUnit)) {
    const prefix = path === '' ? collection : `${path}/${collection}`;
    for (const [uid, member] of membersOf(state, collection).entries()) yield* resourcesIn(member, `${prefix}/${uid}`);
  }
}

export interface StateDifference {
  readonly path: string;
  readonly before: ResourceState | undefined;
  readonly after: ResourceState | undefined;
}

/** The resources whose own bodies differ between two states; what they share is passed over by its digest. */
export function* stateDifference(before: RegistryState, after: RegistryState, path = ''): Generator<StateDifference> {
  if (before === after || before?.digest === after?.digest) return;
  if (before?.body.digest !== after?.body.digest) {
    yield { path, before: before ?? undefined, after: after ?? undefined };
  }
  const names = new Set([...(before?.collections.keys() ?? []), ...(after?.collections.keys() ?? [])]);
  for (const name of [...names].sort(byCodeUnit)) {
    const old = before ? membersOf(before, name) : NOTHING;
    const now = after ? membersOf(after, name) : NOTHING;
    const prefix = path === '' ? name : `${path}/${name}`;
    for (const uid of [...new Set([...old.keys(), ...now.keys()])].sort(byCodeUnit)) {
      yield* stateDifference(old.get(uid) ?? null, now.get(uid) ?? null, `${prefix}/${uid}`);
    }
  }
}

/** The state with the resources of another wherever they have the same bodies in the same store, so that these are kept once. */
export function sharedState(state: RegistryState, other: RegistryState): RegistryState {
  return state && other ? sharedResource(state, other) : state;
}

function sharedResource(resource: ResourceState, other: ResourceState): ResourceState {
  const { body, collections } = resource;
  let isSame = body.handle === other.body.handle && collections.size === other.collections.size;
  const shared = new Map<string, SortedMap<ResourceState>>();
  for (const [name, members] of collections) {
    const others = membersOf(other, name);
    const all = sharedMembers(members, others);
    isSame &&= all === others;
    shared.set(name, all);
  }
  return isSame ? other : new SealedResource(body, shared.size > 0 ? shared : NO_COLLECTIONS);
}

function sharedMembers(members: SortedMap<ResourceState>, others: SortedMap<ResourceState>): SortedMap<ResourceState> {
  let areSame = members.size === others.size;
  const shared = Array.from(members.entries(), ([uid, member]) => {
    const other = others.get(uid);
    const one = other ? sharedResource(member, other) : member;
    areSame &&= one === other;
    return [uid, one] as const;
  });
  return areSame ? others : SortedMap.from(shared);
}

/** A resource whose digest is worked out when it is asked for: who only looks around in a state needs none. */
class SealedResource implements ResourceState {
  readonly body: StoredBody;
  readonly collections: ReadonlyMap<string, SortedMap<ResourceState>>;
  #digest: string | undefined;

  constructor(body: StoredBody, collections: ReadonlyMap<string, SortedMap<ResourceState>>) {
    this.body = body;
    this.collections = collections;
  }

  get digest(): string {
    this.#digest ??= treeDigest(this.body, this.collections);
    return this.#digest;
  }
}

/** The edits gathered below one resource, so that each touched resource is rebuilt and hashed once. */
class Branch {
  body: StoredBody | null | undefined;
  readonly #source: ResourceState | undefined;
  #branches: Map<string, Map<string, Branch>> | undefined;

  constructor(source: ResourceState | undefined) {
    this.#source = source;
  }

  at(segments: readonly string[]): Branch {
    const [collection, uid, ...rest] = segments;
    if (collection === undefined || uid === undefined) return this;
    this.#branches ??= new Map();
    const members = this.#branches.get(collection) ?? new Map<string, Branch>();
    this.#branches.set(collection, members);
    const known = members.get(uid) ?? new Branch(this.#source?.collections.get(collection)?.get(uid));
    members.set(uid, known);
    return known.at(rest);
  }

  sealed(before: ResourceState | undefined): ResourceState | undefined {
    const body = this.body === undefined ? before?.body : this.body;
    if (!body) return undefined;
    if (!this.#branches) return new SealedResource(body, before?.collections ?? NO_COLLECTIONS);
    const collections = new Map(before?.collections);
    for (const [name, branches] of this.#branches) {
      const members = sealMembers(before?.collections.get(name) ?? NOTHING, branches);
      if (members.size > 0) collections.set(name, members);
      else collections.delete(name);
    }
    return new SealedResource(body, collections);
  }
}

function sealMembers(before: SortedMap<ResourceState>, branches: ReadonlyMap<string, Branch>) {
  const sealed = [...branches].map(([uid, branch]) => [uid, branch.sealed(before.get(uid))] as const);
  if (before.size === 0) {
    return SortedMap.from(sealed.flatMap(([uid, state]) => (state ? [[uid, state] as const] : [])));
  }
  return sealed.reduce((map, [uid, state]) => (state ? map.with(uid, state) : map.without(uid)), before);
}

function treeDigest(body: StoredBody, collections: ReadonlyMap<string, SortedMap<ResourceState>>): string {
  let text = body.digest;
  for (const name of [...collections.keys()].sort(byCodeUnit)) {
    text += `\n${name}${memberLines(collections.get(name) ?? NOTHING)}`;
  }
  return sha256(text);
}

function memberLines(members: SortedMap<ResourceState>): string {
  return members.text((uid, member) => `\n${uid} ${member.digest}`);
}
