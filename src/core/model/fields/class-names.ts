/** The classes of fields: their names alone, for who has no need of the table of fields. */

/**
 * `hardware` is what experiments run on; `firmware` runs on it; `component` says which specimen of a part it is, so
 * that a change means that the part was replaced; `placement` is where it stands; `identity` what it is called;
 * `derived` repeats another field in other words; `administrative` is up to the operators; the rest is `unknown`.
 */
export const FIELD_CLASSES = [
  ...(['hardware', 'firmware', 'component', 'placement'] as const),
  ...(['identity', 'derived', 'administrative', 'unknown'] as const),
] as const;

export type FieldClass = (typeof FIELD_CLASSES)[number];

/** The classes in which a node must not have changed to be the same hardware, unless others are asked for. */
export const SAME_HARDWARE: readonly FieldClass[] = ['hardware', 'component', 'firmware'];
