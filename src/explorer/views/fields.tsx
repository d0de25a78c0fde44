/** The data dictionary: every field that nodes have, in words, with what stands in it. */

import { useState } from 'preact/hooks';
import type { AppState } from '../app-state.ts';
import type { Field } from '../data/registry.ts';
import { parameterOf } from '../fleet/filters.ts';
import { Notice } from '../parts/notice.tsx';
import { RevisionLink } from '../parts/revision.tsx';
import { Table } from '../parts/table.tsx';
import { counted, fieldTitle, valueText } from '../parts/value.tsx';
import { linkWithin } from '../state/place.ts';

export function Fields({ state }: { state: AppState }) {
  const { registry, fleet } = state;
  const [wanted, setWanted] = useState('');
  const words = wanted.toLowerCase();
  const found = registry.fields.filter((field) =>
    `${field.name} ${fieldTitle(field.name)} ${field.class} ${field.description ?? ''}`.toLowerCase().includes(words),
  );
  return (
    <>
      <h1 tabIndex={-1}>Fields</h1>
      <p>
        What the nodes of this registry have, field by field. A way through an array means any of its items; numbers are
        shown in units that make them short.
      </p>
      <p>
        <label>
          Search fields <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        </label>{' '}
        <span class="absent">{counted(found.length, 'field')}</span>
      </p>
      {found.length === 0 ? <Notice kind="info" title="No field is called so." /> : null}
      <Table
        kind="fields cards"
        label="Table of fields"
        heads={['Field', 'What it says', 'Class', 'Nodes', 'Values', 'Since']}
      >
        {found.map((field) => (
          <FieldRow key={field.name} field={field} state={state} total={fleet.table.total} />
        ))}
      </Table>
    </>
  );
}

function FieldRow({ field, state, total }: { field: Field; state: AppState; total: number }) {
  const { name, unit, types, nodes, since } = field;
  const share = total === 0 ? 0 : Math.round((100 * nodes) / total);
  return (
    <tr>
      <th scope="row" data-title="Field">
        <code>{name}</code>
      </th>
      <td data-title="What it says">
        {field.description?.replaceAll('`', '') ?? <span class="absent">–</span>}{' '}
        <span class="absent">
          {types.join(' or ')}
          {unit === undefined ? '' : `, in ${unit}`}
        </span>
      </td>
      <td data-title="Class">{field.class}</td>
      <td data-title="Nodes" class="number">
        {nodes} <span class="absent">({nodes > 0 && share === 0 ? '<1' : share} %)</span>
      </td>
      <td data-title="Values">
        <FieldValues field={field} state={state} />
      </td>
      <td data-title="Since">
        {since === undefined ? <span class="absent">–</span> : <RevisionLink reader={state.reader} id={since} />}
      </td>
    </tr>
  );
}

const FEW = 4;

/** The commonest values, each a way to the nodes that have it. */
function FieldValues({ field, state }: { field: Field; state: AppState }) {
  const { name, values, range, distinct } = field;
  if (range) {
    return (
      <>
        {valueText(range[0], name)} to {valueText(range[1], name)}
      </>
    );
  }
  const told = (values ?? []).filter(({ value }) => value !== null);
  if (told.length === 0 || distinct === 0)
    return <span class="absent">{distinct > 0 ? counted(distinct, 'value') : '–'}</span>;
  return (
    <ul class="inline">
      {told.slice(0, FEW).map(({ value, nodes }) => (
        <li key={String(value)}>
          <a href={linkWithin(state.place, 'nodes', { [parameterOf(name)]: String(value) })}>
            {valueText(value, name)}
          </a>{' '}
          <span class="absent">{nodes}</span>
        </li>
      ))}
      {distinct > FEW ? <li class="absent">{counted(distinct, 'value')} in all</li> : null}
    </ul>
  );
}
