/**
 * A state is a persistent hash tree of resources. A state shares unchanged subtrees with the state of the parent
 * revision.
 *
 * The digest of a resource is the SHA-256 hash of several lines. The first line is the digest of the body. Each
 * collection with members adds a line with its name, and a line `uid digest` for each member. Collections and members
 * are in code-unit order. The digest of the grid is the `state` of the revision.
 */
import { getOrCreate } from '../platform/lookups.ts';
import { sha256 } from './digest.ts';
import { byCodeUnit } from './json.ts';
import { SortedMap } from './sorted-map.ts';

export interface StoredBody {
  readonly handle: number;
  readonly digest: string;
}

/** Stores bodies as compact JSON texts in UTF-8. Keys keep the order of the source file. */
export interface BodyStore {
  put(json: string): number;
  get(handle: number): string;
}

export interface ResourceState {
  readonly body: StoredBody;
  readonly digest: string;
  readonly collections: ReadonlyMap<string, SortedMap<ResourceState>>;
}

/** The state of the grid, or null before the first revision. */
export type RegistryState = ResourceState | null;

const NOTHING: SortedMap<ResourceState> = SortedMap.empty();
const NO_COLLECTIONS: ResourceState['collections'] = new Map();

export function membersOf(state: ResourceState, collection: string): SortedMap<ResourceState> {
  return state.collections.get(collection) ?? NOTHING;
}

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

export interface StateEdit {
  readonly path: string;
  readonly body: StoredBody | null;
}

/** Applies edits to a state. After all edits, every resource must have a parent. */
export function editState(state: RegistryState, edits: readonly StateEdit[]): RegistryState {
  const branch = new Branch(state ?? undefined);
  for (const { path, body } of edits) branch.at(path === '' ? [] : path.split('/')).body = body;
  return branch.sealed(state ?? undefined) ?? null;
}

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

/** Yields the resources whose bodies differ. Skips subtrees with equal digests. */
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

/** Replaces subtrees of `state` by equal subtrees of `other`, to save memory. Both states must use one store. */
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

/** Computes the digest of a resource on demand, because many callers do not need the digest. */
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

/** Collects the edits below one resource, so that each changed resource is hashed once. */
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
    const members = getOrCreate(this.#branches, collection, () => new Map<string, Branch>());
    const below = getOrCreate(members, uid, () => new Branch(this.#source?.collections.get(collection)?.get(uid)));
    return below.at(rest);
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
