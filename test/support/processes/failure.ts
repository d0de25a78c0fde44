/** The output of a failing command as users read it. */

import { Failure, type Finding } from '../../../src/core/diagnostics/finding.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';

/** Returns the rendered findings of a failing call; empty if it succeeds. */
export async function failureOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (error instanceof Failure) return renderFindings(error.findings);
    throw error;
  }
  return '';
}

/** Returns the findings of a failing call; none if it succeeds. */
export function findingsOf(call: () => unknown): readonly Finding[] {
  try {
    call();
  } catch (error) {
    if (error instanceof Failure) return error.findings;
    throw error;
  }
  return [];
}
