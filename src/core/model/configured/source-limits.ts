/** The part of a configuration that says how much is read of what others made. */
import type { z } from 'zod';
import { HIGHEST_SOURCE_LIMITS, SOURCE_LIMITS, type SourceLimits } from '../../platform/limits.ts';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';

export const limitsSchema = lazily(() => {
  const z = zod();
  const bytes = (limit: keyof SourceLimits, of: string) => {
    const [most, highest] = [SOURCE_LIMITS[limit], HIGHEST_SOURCE_LIMITS[limit]];
    return z
      .int()
      .positive('expected a number of bytes from 1 on')
      .max(highest, `expected at most ${highest} bytes`)
      .optional()
      .describe(`How many bytes ${of} may have, by default ${most}, at most ${highest}.`);
  };
  return z.strictObject({
    source_bytes: bytes('source_bytes', 'a source, or a file that is imported,'),
    revision_bytes: bytes('revision_bytes', 'the file of a revision'),
  });
});

export function sourceLimits({
  limits,
}: {
  readonly limits?: z.output<ReturnType<typeof limitsSchema>> | undefined;
}): SourceLimits {
  const { source_bytes, revision_bytes } = SOURCE_LIMITS;
  return {
    source_bytes: limits?.source_bytes ?? source_bytes,
    revision_bytes: limits?.revision_bytes ?? revision_bytes,
  };
}
