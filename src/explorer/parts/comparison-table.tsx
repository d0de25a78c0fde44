import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import { type Json, sameJson } from '../../core/model/json.ts';
import type { AppState } from '../app-state.ts';
import type { ComparedBody } from '../data/compared-bodies.ts';
import { compared } from '../fleet/comparison.ts';
import { Checkbox } from './checkbox.tsx';
import { Notice } from './notice.tsx';
import { LeftOutFields } from './read.tsx';
import { FieldLabel, Table } from './table.tsx';
import { Value } from './value.tsx';

interface ComparisonTableProps {
  readonly state: AppState;
  readonly bodies: readonly ComparedBody[];
  readonly isWhole: boolean;
  readonly heads: readonly ComponentChildren[];
}

/** Classes that are hidden at first, because they differ between most nodes. */
const HIDDEN_CLASSES: readonly string[] = ['component', 'identity', 'derived', 'administrative', 'placement'];

export function ComparisonTable({ state, bodies, isWhole, heads }: ComparisonTableProps) {
  const comparison = useMemo(() => compared(bodies, isWhole), [bodies, isWhole]);
  const counts = FIELD_CLASSES.map((name) => ({
    name,
    count: comparison.fields.filter((field) => field.class === name).length,
  })).filter(({ count }) => count > 0);
  const [hidden, setHidden] = useState(HIDDEN_CLASSES);
  const shown = comparison.fields.filter((field) => !hidden.includes(field.class));
  const toggle = (name: string, isShown: boolean) =>
    setHidden(isShown ? hidden.filter((other) => other !== name) : [...hidden, name]);
  return (
    <>
      <fieldset class="classes">
        <legend>Field classes</legend>
        {counts.map(({ name, count }) => (
          <Checkbox key={name} checked={!hidden.includes(name)} change={(isShown) => toggle(name, isShown)}>
            {name} <span class="absent">{count}</span>
          </Checkbox>
        ))}
      </fieldset>
      {shown.length === 0 ? (
        <Notice kind="info" title="No differences.">
          {counts.length > 0 ? 'Fields of other classes differ. Select these classes above.' : 'All fields are equal.'}
        </Notice>
      ) : (
        <Table kind="comparison" label="Table of the comparison" heads={['Field', ...heads]}>
          {shown.map(({ label, name, class: about, cells }) => (
            <tr key={label}>
              <th scope="row">
                <FieldLabel label={label} /> <span class="tag">{about}</span>
              </th>
              {cells.map((cell, i) => (
                <td key={i} class={isDifferent(cell, cells[0]) ? 'other' : undefined}>
                  <Value value={cell} field={name} />
                  {isDifferent(cell, cells[0]) ? <span class="hidden"> (differs)</span> : null}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      )}
      {comparison.reordered.length > 0 ? (
        <p class="absent">Same items in a different order: {comparison.reordered.join(', ')}</p>
      ) : null}
      <LeftOutFields state={state} bodies={bodies} />
    </>
  );
}

function isDifferent(cell: Json | undefined, first: Json | undefined): boolean {
  if (cell === undefined || first === undefined) return cell !== first;
  return !sameJson(cell, first);
}
