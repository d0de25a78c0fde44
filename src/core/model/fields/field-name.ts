/**
 * A field name joins the parts of a path with dots: `storage_devices.size`. Array positions are omitted, so the name
 * means the field of any item. A part is quoted if it is empty, or if it contains a dot or a quotation mark. Quotation
 * marks inside a quoted part are doubled. A reserved name is also quoted if it is the first part.
 */

/** These names without quotes mean the place or the labels of a node. Body fields with these names need quotes. */
export const PLACE_NAMES = ['site', 'cluster'] as const;
export const LABEL_PREFIX = 'label';
/** The suffix of CSV columns that count the items of a list. */
export const LENGTH_SUFFIX = '_count';
export const RESERVED_NAMES: readonly string[] = [...PLACE_NAMES, LABEL_PREFIX];

const PLAIN = /^[^."]+$/;

export function fieldName(path: readonly string[]): string {
  return path
    .map((name, i) => (PLAIN.test(name) && !(i === 0 && RESERVED_NAMES.includes(name)) ? name : quoted(name)))
    .join('.');
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export const FIELD_NAME = /^(?:[^."]+|"(?:[^"]|"")*")(?:\.(?:[^."]+|"(?:[^"]|"")*"))*$/;

const SEGMENT = /(?:([^."]+)|"((?:[^"]|"")*)")(\.|$)/y;

/** Returns undefined if the text is not a field name. */
export function pathOfField(name: string): string[] | undefined {
  const path: string[] = [];
  for (let at = 0; ; ) {
    SEGMENT.lastIndex = at;
    const [whole, plain, quoted = '', end] = SEGMENT.exec(name) ?? [];
    if (whole === undefined) return undefined;
    path.push(plain ?? quoted.replaceAll('""', '"'));
    if (end === '') return path;
    at += whole.length;
  }
}
