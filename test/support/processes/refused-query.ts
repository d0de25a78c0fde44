/** What a query is refused with: the column, and what people read. */
import { Failure } from '../../../src/core/diagnostics/failure.ts';
import { findingRecord } from '../../../src/core/diagnostics/render.ts';

export function refused(ask: () => unknown): unknown {
  try {
    return { instead: ask() };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const [{ column, message: what, fix } = {}, ...more] = error.findings.map(findingRecord);
    return { ...(column === undefined ? {} : { column }), what, fix, ...(more.length > 0 ? { more } : {}) };
  }
}
