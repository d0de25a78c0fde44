/**
 * The name of a field is its path as one text, with dots between the parts: `storage_devices.size`. It has no positions
 * in arrays, because it means the field of any item. A part is quoted if it is empty, or contains a dot or a quotation
 * mark. Quotation marks in it are doubled. A reserved name as the first part is also quoted.
 */

/** Reserved first parts of field names: the place of a node, and labels. */
export const PLACE_NAMES = ['site', 'cluster'] as const;
export const LABEL_PREFIX = 'label';
/** The suffix of CSV columns that count the items of a list. */
export const LENGTH_SUFFIX = '_count';
const RESERVED_NAMES: readonly string[] = [...PLACE_NAMES, LABEL_PREFIX];

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

/** Returns the path for a field name. Returns undefined if the text is not a field name. */
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
