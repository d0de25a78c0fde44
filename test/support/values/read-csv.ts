/** A strict reader of CSV (RFC 4180), and the decoder of escaped cells. */

/** The cells of each line. Every line ends with a line feed. */
export function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (let at = 0; at < text.length; ) {
    const [whole = '', quoted, plain = '', end] =
      /(?:"((?:[^"]|"")*)"|([^",\r\n]*))([,\n])/y[Symbol.match](text.slice(at)) ?? [];
    if (whole === '') throw new Error(`no cell at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

/** Returns the text of a cell; undefined for an empty cell. */
export function textOfCell(cell: string): string | undefined {
  if (cell === '') return undefined;
  if (cell.startsWith(`'"`)) return JSON.parse(cell.slice(1));
  return /^'(?:'*(?:[\s\0]*[=+\-@＝＋－＠]|[\t\r\n]|$)|'+")/u.test(cell) ? cell.slice(1) : cell;
}
