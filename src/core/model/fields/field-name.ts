/**
 * The name of a field is its path as one text, with dots between the parts: `storage_devices.size`. It has no positions
 * in arrays, because it means the field of any item. A part is quoted if it is empty or contains a dot or a quotation
 * mark; a quotation mark inside is doubled. A first part that is a reserved name is quoted too.
 */

/** Reserved names at the beginning: the place of a node, and labels. */
export const PLACE_NAMES = ['site', 'cluster'] as const;
export const LABEL_PREFIX = 'label';
/** Columns of CSV that count the items of a list have this suffix. */
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

/** Returns the path that a name denotes; undefined if the text is no field name. */
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
