import type { Json } from '../../core/model/json.ts';
import { surveyBodies } from '../../core/table/node-survey.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import { fleetOf } from '../fleet/fleet.ts';
import { wholeNodes } from './nodes.ts';
import { type DocumentReader, ReadError, RevisionChangedError } from './reader.ts';
import type { ShownRegistry } from './registry.ts';

export async function withAllFields(reader: DocumentReader, registry: ShownRegistry): Promise<ShownRegistry> {
  const { table, version } = registry;
  if (!(await reader.hasPast())) throw new ReadError('The offline copy does not include whole nodes.');
  const fleet = fleetOf(table);
  const nodes = await wholeNodes(reader, fleet, [...table.uids.keys()], version);
  if (nodes.length !== table.total) throw new RevisionChangedError('Another revision was published.');
  const whole = surveyBodies(
    nodes.map(({ row, body }) => ({ ...fleet.placeOf(row), uid: table.uids[row] ?? '', json: JSON.stringify(body) })),
    'nothing',
  ).table;
  // A label stores one value for each value of a column, so new column values need new label values.
  const labels = table.labels.map(({ name, of }) => ({
    name,
    of: of.map(({ column, values }) => {
      const before = table.columns.find((each) => each.name === column);
      const after = whole.columns.find((each) => each.name === column);
      const moved: Json[] = Array.from(after?.values ?? [], () => null);
      for (let row = 0; row < table.total; row++) {
        const number = after?.rows[row] ?? ABSENT;
        if (number !== ABSENT) moved[number] = values[before?.rows[row] ?? ABSENT] ?? null;
      }
      return { column, values: moved };
    }),
  }));
  return { ...registry, table: { ...whole, labels } };
}
