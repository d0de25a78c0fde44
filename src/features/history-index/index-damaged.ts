import { systemCode } from '../../system/files/system-errors.ts';

/** Thrown at an index that is not what was written. It is dropped then, and what it was made of is read. */
export class IndexDamaged extends Error {}

export function damaged(what: string): never {
  throw new IndexDamaged(what);
}

/** Undefined where an index is damaged, or the system does not let it be read or written, which is no reason to say anything. */
export function unlessUnusable<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    if (error instanceof IndexDamaged || systemCode(error) !== undefined) return undefined;
    throw error;
  }
}
