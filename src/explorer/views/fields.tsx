import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ViewProps } from '../app-state.ts';
import { versionsOf } from '../data/nodes.ts';
import type { Field } from '../data/registry.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { parameterOf } from '../fleet/filters.ts';
import { ValueLinks } from '../parts/links.tsx';
import { Notice } from '../parts/notice.tsx';
import { FieldLabel, Table } from '../parts/table.tsx';
import { counted, dayOf, shortRevision, valueText } from '../parts/value.tsx';
import { linkWithin } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';

export function Fields({ state }: ViewProps) {
  const { fields } = state.registry;
  const asked = state.place.params.get('q') ?? '';
  const [wanted, setWanted] = useState(asked);
  useEffect(() => setWanted(asked), [asked]);
  const versions = useLoaded('versions', () => versionsOf(state.reader, ''));
  const dates = useMemo(
    () => new Map((versions.kind === 'done' ? versions.value : [])?.map(({ id, date }) => [id, dayOf(date)])),
    [versions],
  );
  const found = fields.filter((field) =>
    `${field.name} ${fieldTitle(field.name)} ${field.class} ${field.description ?? ''}`
      .toLowerCase()
      .includes(wanted.toLowerCase()),
  );
  return (
    <>
      <h1 tabIndex={-1}>Fields</h1>
      <p>
        All fields of the nodes in this registry. A path through an array matches any of its items. Numbers are shown in
        readable units.
      </p>
      <p>
        <label>
          Search fields <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        </label>{' '}
        <span class="absent">{counted(found.length, 'field')}</span>
      </p>
      {found.length === 0 ? <Notice kind="info" title="No matching fields." /> : null}
      <Table
        kind="fields cards"
        label="Table of fields"
        heads={['Field', 'Description', 'Class', 'Nodes', 'Values', 'Since']}
        numbers={[3]}
      >
        {found.map((field) => (
          <FieldRow key={field.name} field={field} state={state} since={dates.get(field.since ?? '')} />
        ))}
      </Table>
    </>
  );
}

type FieldProps = ViewProps & { readonly field: Field };

/** Shows a field. `since` is the date of the first revision with the field, or undefined while the date loads. */
function FieldRow({ field, state, since }: FieldProps & { readonly since: string | undefined }) {
  const { name, unit, types, nodes, since: revision } = field;
  const { total } = state.fleet.table;
  const share = total === 0 ? 0 : Math.round((100 * nodes) / total);
  return (
    <tr>
      <th scope="row" data-title="Field">
        <code>
          <FieldLabel label={name} />
        </code>
      </th>
      <td data-title="Description">
        {field.description?.replaceAll('`', '')}{' '}
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
        {revision === undefined ? null : (
          <a href={linkWithin(state.place, `versions/${revision}`)}>
            <time dateTime={since}>{since ?? shortRevision(revision)}</time>
          </a>
        )}
      </td>
    </tr>
  );
}

const FEW = 4;

function FieldValues({ field, state }: FieldProps) {
  const { name, values = [], range, distinct } = field;
  if (range) return `${valueText(range[0], name)} to ${valueText(range[1], name)}`;
  const frequent = values.filter(({ value }) => value !== null).slice(0, FEW);
  if (frequent.length === 0 || distinct === 0)
    return distinct === 0 ? null : <span class="absent">{counted(distinct, 'value')}</span>;
  const links = frequent.map(({ value, nodes }) => ({
    nodes,
    text: valueText(value, name),
    href: linkWithin(state.place, 'nodes', { [parameterOf(name)]: String(value) }),
  }));
  return <ValueLinks values={links} total={distinct > FEW ? counted(distinct, 'value') : undefined} />;
}
