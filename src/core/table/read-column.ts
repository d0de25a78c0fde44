/** A single column of bodies, which are read as the compact JSON texts that they are: of each, one field and no other. */
import { newBodyReader } from './body-reader.ts';
import { ABSENT, newDictionary } from './dictionary.ts';
import type { TableColumn } from './node-table.ts';
import { ownFields } from './own-fields.ts';

/** The column of a field at the top of bodies, with whole values; undefined where none has it. */
export function columnOfBodies(name: string, bodies: Iterable<string>): TableColumn | undefined {
  const { read } = newBodyReader(ownFields(undefined, []));
  const dictionary = newDictionary();
  const wanted = new Set([name]);
  const rows: number[] = [];
  for (const json of bodies) {
    let number = ABSENT;
    const tell = (_: unknown, text: string) => {
      number = dictionary.numberOf(text);
    };
    read(json, tell, tell, wanted);
    rows.push(number);
  }
  const { values } = dictionary;
  return values.length === 0 ? undefined : { name, values, rows };
}
