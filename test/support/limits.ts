/** Time limits that stop hanging tests. They hold on a machine that runs ten other jobs. */

/** One minute in milliseconds. */
export const MINUTES = 60_000;
