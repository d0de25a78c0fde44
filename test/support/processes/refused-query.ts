/** The error of a rejected query: column, message and remedy. */
import { Failure } from '../../../src/core/diagnostics/finding.ts';
import { findingRecord } from '../../../src/core/diagnostics/render.ts';

export function queryError(ask: () => unknown): unknown {
  try {
    return { instead: ask() };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const [{ column, message: what, fix } = {}, ...more] = error.findings.map(findingRecord);
    return { ...(column === undefined ? {} : { column }), what, fix, ...(more.length > 0 ? { more } : {}) };
  }
}
