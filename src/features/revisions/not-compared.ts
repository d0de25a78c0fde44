/** What is wrong with the sources must not look like a difference: that is what the exit status 1 of `gridpress diff` says. */
import { Failure, failAll } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';

/** What `compare` answers; where it fails for what is wrong with the sources, it is said that nothing was compared. */
export async function orNotCompared<T>(compare: () => T | Promise<T>): Promise<T> {
  try {
    return await compare();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { exitStatus } = await import('../../core/diagnostics/render.ts');
    if (exitStatus(error.findings) !== 1) throw error;
    return failAll([...error.findings, finding('not-compared', {})]);
  }
}
