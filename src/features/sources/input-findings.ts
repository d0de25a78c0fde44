import { Failure, type Finding } from '../../core/diagnostics/finding.ts';

/** Returns the findings of a failure about invalid input. Throws all other errors again. */
export async function inputFindings(error: unknown): Promise<readonly Finding[]> {
  if (!(error instanceof Failure)) throw error;
  const { exitStatus } = await import('../../core/diagnostics/render.ts');
  if (exitStatus(error.findings) !== 1) throw error;
  return error.findings;
}
