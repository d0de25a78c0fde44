/** What a command says when it fails, as a user would read it. */

import { Failure } from '../../../src/core/diagnostics/failure.ts';
import type { Finding } from '../../../src/core/diagnostics/finding.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';

/** The words of the failure that a call ends with; nothing when it does not fail. */
export async function failureOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (error instanceof Failure) return renderFindings(error.findings);
    throw error;
  }
  return '';
}

/** The findings that a call fails with; none when it does not fail. */
export function findingsOf(call: () => unknown): readonly Finding[] {
  try {
    call();
  } catch (error) {
    if (error instanceof Failure) return error.findings;
    throw error;
  }
  return [];
}
