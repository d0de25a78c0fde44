/** A row of the table: a node, or nodes of one profile. */
import type { Json } from '../../core/model/json.ts';
import type { AppState } from '../app-state.ts';
import type { Line } from '../fleet/table-lines.ts';
import { counted, fieldTitle, joinedValues } from '../format/values.ts';
import { linkWithin } from '../state/place.ts';
import { Values } from './value.tsx';

export interface ShownField {
  readonly name: string;
  readonly valuesOf: (row: number) => readonly Json[];
  /** How wide most of what stands in it is, in pixels. */
  readonly width: number;
}

interface LineRowProps {
  readonly state: AppState;
  readonly line: Line;
  readonly fields: readonly ShownField[];
  readonly isGrouped: boolean;
  readonly isPicked: boolean;
  /** Its place in the table, with the head as the first. */
  readonly index: number;
}

export function LineRow({ state, line, fields, isGrouped, isPicked, index }: LineRowProps) {
  const { fleet, place } = state;
  const [row] = line.members;
  const name = fleet.nameOf(row ?? line.row);
  return (
    <tr aria-rowindex={index} class={isPicked ? 'picked' : undefined}>
      <td class="pick">
        <input
          type="checkbox"
          checked={isPicked}
          aria-label={`Pick ${name}`}
          onChange={(event) => state.pick(line.row, event.currentTarget.checked)}
        />
      </td>
      {isGrouped ? <td data-title="Nodes">{counted(line.members.length, 'node')}</td> : null}
      {fields.map((field) => {
        const values = isGrouped ? valuesOfAll(line, field) : field.valuesOf(line.row);
        const isName = field.name === 'node_name';
        return (
          <td
            key={field.name}
            data-title={fieldTitle(field.name)}
            class={isName ? 'name' : values.every((value) => typeof value === 'number') ? 'number' : undefined}
            title={isName ? undefined : joinedValues(values, field.name)}
          >
            {isName ? (
              <a href={linkWithin(place, fleet.pathOf(line.row))}>{name}</a>
            ) : (
              <Values values={values} field={field.name} />
            )}
          </td>
        );
      })}
    </tr>
  );
}

const MOST = 3;

function valuesOfAll({ members }: Line, { valuesOf }: ShownField): readonly Json[] {
  const all = new Map(members.flatMap((row) => valuesOf(row)).map((value) => [String(value), value]));
  const values = [...all.values()];
  return values.length <= MOST ? values : [...values.slice(0, MOST), '…'];
}
