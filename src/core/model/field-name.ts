/**
 * The name of a field in one text: the names on the way to it from the top of a body, with dots between them.
 * Positions in arrays are passed over, since a name means the field in any item: `storage_devices.size`. A name on the
 * way that is empty, or has a dot or a quotation mark itself, stands in quotation marks, in which one is written twice.
 */

const PLAIN = /^[^."]+$/;

export function fieldName(way: readonly string[]): string {
  return way.map((name) => (PLAIN.test(name) ? name : `"${name.replaceAll('"', '""')}"`)).join('.');
}

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
