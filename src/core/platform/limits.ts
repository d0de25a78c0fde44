/** How much of what others made is read: whatever is larger is refused before memory is taken for it. */

/** A source: a file of a registry, or one in a git repository. The largest of real registries have some kilobytes. */
export const SOURCE_BYTES = 16_000_000;
