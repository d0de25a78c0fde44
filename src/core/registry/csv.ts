/** Reading CSV (RFC 4180): records of cells, which commas separate, and in quotes anything can stand. */

export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The records but for empty lines; undefined where a quoted cell does not end. */
export function readCsv(text: string): CsvRecord[] | undefined {
  const records: CsvRecord[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  const body = text.replace(/^\ufeff/, '');
  let [line, cells]: [number, string[]] = [1, []];
  let begins = 1;
  while (cell.lastIndex < body.length || cells.length > 0) {
    const found = cell.exec(body);
    if (!found) return undefined;
    const [whole, quoted, plain = '', end] = found;
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += whole.split('\n').length - 1;
    if (end === ',') continue;
    if (cells.some((each) => each !== '')) records.push({ line: begins, cells });
    [cells, begins] = [[], line];
  }
  return records;
}
