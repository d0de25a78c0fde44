/**
 * `hardware` is the equipment that runs experiments, and `firmware` runs on it. `component` identifies a single part,
 * so a change means that the part was replaced. `placement` is the position, `identity` the name. `derived` repeats
 * another field in another form. Operators maintain `administrative` fields. All other fields are `unknown`.
 */
export const FIELD_CLASSES = [
  ...(['hardware', 'firmware', 'component', 'placement'] as const),
  ...(['identity', 'derived', 'administrative', 'unknown'] as const),
] as const;

export type FieldClass = (typeof FIELD_CLASSES)[number];

/** A node is the same hardware if no field of these classes changed. Users can choose other classes. */
export const SAME_HARDWARE: readonly FieldClass[] = ['hardware', 'component', 'firmware'];
