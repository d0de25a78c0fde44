/** What became of locked nodes, those that changed first. */
import type { FieldClass } from '../../core/model/field-classes.ts';
import type { AppState } from '../app-state.ts';
import { dayOf, visible } from '../format/values.ts';
import { fragmentOf } from '../state/place.ts';
import { RevisionLink, Tags } from './revision.tsx';
import { Table } from './table.tsx';

export interface VerdictRow {
  readonly path: string;
  readonly name: string;
  readonly status: string;
  readonly fails: boolean;
  readonly classes: readonly FieldClass[];
  /** With their labels: `storage_devices[sdc].serial`. */
  readonly fields: readonly string[];
  readonly steps: readonly {
    readonly revision: string;
    readonly date: string;
    readonly author: string;
    readonly message: string;
  }[];
}

export function LockVerdicts({ state, rows }: { state: AppState; rows: readonly VerdictRow[] }) {
  const sorted = rows.toSorted((a, b) => Number(b.fails) - Number(a.fails));
  return (
    <Table kind="cards" label="Table of locked nodes" heads={['Node', 'Verdict', 'What differs', 'When, and by whom']}>
      {sorted.map(({ path, name, status, classes, fields, steps, fails }) => (
        <tr key={path}>
          <th scope="row" data-title="Node">
            <a href={fragmentOf(path)}>{visible(name)}</a>
          </th>
          <td data-title="Verdict" class={fails ? 'failing' : undefined}>
            {status}
          </td>
          <td data-title="What differs">
            <Tags names={classes} /> {fields.map(visible).join(', ')}
          </td>
          <td data-title="When, and by whom">
            {steps.map(({ revision, date, author, message }) => (
              <div key={revision}>
                {dayOf(date)} {visible(author)}: {visible(message.split('\n')[0] ?? '')}{' '}
                <RevisionLink reader={state.reader} id={revision} />
              </div>
            ))}
          </td>
        </tr>
      ))}
    </Table>
  );
}
