/** Reading what may be replaced by another revision meanwhile, so that no two revisions are ever taken for one. */
import { Failure } from '../../core/diagnostics/failure.ts';
import type { FindingCode } from '../../core/diagnostics/finding.ts';

/** What says that something new was published while it was read. */
const REPLACED_CODES: readonly FindingCode[] = ['place-moved', 'site-moved', 'site-dead-link'];

/**
 * Reads a place, and all of it anew, once, when it was replaced meanwhile. That it was replaced again is told by the
 * failure of the second reading. `again` is called in between: from then on, caches must not answer.
 */
export async function rereadOnce<T>(read: () => Promise<T>, again: () => void): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isUnsteady = error instanceof Failure && error.findings.some(({ code }) => REPLACED_CODES.includes(code));
    if (!isUnsteady) throw error;
  }
  again();
  return await read();
}
