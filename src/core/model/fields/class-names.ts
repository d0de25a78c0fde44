/**
 * `hardware` is the equipment that runs experiments. `firmware` runs on the equipment. `component` identifies a single
 * part, such as by a serial number. `placement` is the position and `identity` is the name. A `derived` field repeats
 * another field in another form. Operators maintain `administrative` fields. All other fields are `unknown`.
 */
export const FIELD_CLASSES = [
  ...(['hardware', 'firmware', 'component', 'placement'] as const),
  ...(['identity', 'derived', 'administrative', 'unknown'] as const),
] as const;

export type FieldClass = (typeof FIELD_CLASSES)[number];

/** A node counts as the same hardware as long as no field of these classes changes. Users can choose other classes. */
export const SAME_HARDWARE: readonly FieldClass[] = ['hardware', 'component', 'firmware'];
