/** Bodies side by side, a row for each field, with the classes as headings. */

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import { type Json, sameJson } from '../../core/model/json.ts';
import type { AppState } from '../app-state.ts';
import type { ComparedBody } from '../data/compared-bodies.ts';
import { compared } from '../fleet/comparison.ts';
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

/** What every node has of its own, or says twice: there, and hidden at first. */
const NOISE: readonly string[] = ['component', 'identity', 'derived', 'administrative', 'placement'];

export function ComparisonTable({ state, bodies, isWhole, heads }: ComparisonTableProps) {
  const comparison = useMemo(() => compared(bodies, isWhole), [bodies, isWhole]);
  const present = FIELD_CLASSES.filter((name) => comparison.fields.some((field) => field.class === name));
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(NOISE));
  const shown = comparison.fields.filter((field) => !hidden.has(field.class));
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  return (
    <>
      <fieldset class="classes">
        <legend>Classes of fields</legend>
        {present.map((name) => (
          <label key={name}>
            <input type="checkbox" checked={!hidden.has(name)} onChange={() => toggle(name)} /> {name}{' '}
            <span class="absent">{comparison.fields.filter((field) => field.class === name).length}</span>
          </label>
        ))}
      </fieldset>
      {shown.length === 0 ? (
        <Notice kind="info" title="Nothing differs here.">
          {present.length > 0 ? 'Other classes of fields differ: choose them above.' : 'All fields are the same.'}
        </Notice>
      ) : (
        <Table kind="comparison" label="Table of the comparison" heads={['Field', ...heads]}>
          {shown.map(({ label, name, class: about, cells }) => (
            <tr key={label}>
              <th scope="row">
                <FieldLabel label={label} /> <span class="tag">{about}</span>
              </th>
              {cells.map((cell, i) => (
                <td key={i} class={isOther(cell, cells[0]) ? 'other' : undefined}>
                  <Value value={cell} field={name} />
                  {isOther(cell, cells[0]) ? <span class="hidden"> (differs)</span> : null}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      )}
      {comparison.reordered.length > 0 ? (
        <p class="absent">In another order, and else the same: {comparison.reordered.join(', ')}</p>
      ) : null}
      <LeftOutFields state={state} bodies={bodies} />
    </>
  );
}

function isOther(cell: Json | undefined, first: Json | undefined): boolean {
  if (cell === undefined || first === undefined) return cell !== first;
  return !sameJson(cell, first);
}
