/**
 * The name of a field in one text: the names on the way to it from the top of a body, with dots between them.
 * Positions in arrays are passed over, since a name means the field in any item: `storage_devices.size`. A name on the
 * way that is empty, or has a dot or a quotation mark itself, stands in quotation marks, in which one is written twice;
 * so does one at the top of a body that means something else without them.
 */

/** What names without quotation marks mean, that stand first: where a node is, and what is derived from its body. */
export const PLACE_NAMES = ['site', 'cluster'] as const;
export const LABEL_PREFIX = 'label';
/** What the columns of CSV that count the items of lists have after the names of these. */
export const LENGTH_ENDING = '_count';
const TAKEN: readonly string[] = [...PLACE_NAMES, LABEL_PREFIX];

const PLAIN = /^[^."]+$/;

export function fieldName(way: readonly string[]): string {
  return way.map((name, i) => (PLAIN.test(name) && !(i === 0 && TAKEN.includes(name)) ? name : quoted(name))).join('.');
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export const FIELD_NAME = /^(?:[^."]+|"(?:[^"]|"")*")(?:\.(?:[^."]+|"(?:[^"]|"")*"))*$/;

const SEGMENT = /(?:([^."]+)|"((?:[^"]|"")*)")(\.|$)/y;

/** The way that a name says; undefined where it is no name of a field. */
export function wayOfField(name: string): string[] | undefined {
  const way: string[] = [];
  for (let at = 0; ; ) {
    SEGMENT.lastIndex = at;
    const [whole, plain, quoted = '', end] = SEGMENT.exec(name) ?? [];
    if (whole === undefined) return undefined;
    way.push(plain ?? quoted.replaceAll('""', '"'));
    if (end === '') return way;
    at += whole.length;
  }
}
