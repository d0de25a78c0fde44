/** Thrown at an index that is not what was written. It is dropped then, and the history itself is read. */
export class IndexDamaged extends Error {}

export function damaged(what: string): never {
  throw new IndexDamaged(what);
}
