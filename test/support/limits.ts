/** Limits of tests: against hanging, not for speed. They hold on a machine that does ten other things at a time. */

/** In milliseconds. */
export const MINUTES = 60_000;
