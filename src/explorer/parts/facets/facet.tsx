/** One facet: the values of a field with the nodes that have them under all other filters, and a range of numbers. */
import { useMemo, useState } from 'preact/hooks';
import { byValue, countsIn, type FacetColumn, facetColumn } from '../../fleet/facet-columns.ts';
import type { Filter, Range, Selection } from '../../fleet/filters.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { counted, fieldTitle, valueText } from '../../format/values.ts';
import { Histogram } from './histogram.tsx';
import { RangeInputs } from './range-inputs.tsx';

export interface FacetProps {
  readonly fleet: Fleet;
  readonly field: string;
  readonly description: string | undefined;
  readonly filter: Filter | undefined;
  readonly chosen: Selection;
  readonly isOpen: boolean;
  readonly change: (texts: readonly string[], range: Range | undefined) => void;
}

const FEW = 8;
const MANY_NUMBERS = 5;

export function FacetPanel(props: FacetProps) {
  const { field, description, filter, isOpen } = props;
  const [isUnfolded, setIsUnfolded] = useState(isOpen || filter !== undefined);
  const active = (filter?.texts.length ?? 0) + (filter?.range ? 1 : 0);
  return (
    <details class="facet" open={isUnfolded} onToggle={(event) => setIsUnfolded(event.currentTarget.open)}>
      <summary title={description}>
        {fieldTitle(field)}
        {active > 0 ? <span class="badge">{active}</span> : null}
      </summary>
      {isUnfolded ? <FacetBody {...props} /> : null}
    </details>
  );
}

interface Choice {
  readonly place: number;
  readonly text: string;
  readonly nodes: number;
  readonly isChosen: boolean;
}

function FacetBody({ fleet, field, filter, chosen, change }: FacetProps) {
  const column = facetColumn(fleet, field);
  const counts = useMemo(() => countsIn(column, chosen.rowsBut(field)), [column, chosen, field]);
  const [isWhole, setIsWhole] = useState(false);
  const [wanted, setWanted] = useState('');
  const choices = choicesOf(column, counts, new Set(filter?.texts ?? []));
  const isNumeric = column.values.filter((value) => typeof value === 'number').length >= MANY_NUMBERS;
  const named = choices.filter(({ place, text }) =>
    `${text} ${valueText(column.values[place], field)}`.toLowerCase().includes(wanted.toLowerCase()),
  );
  const shown = isWhole ? named : named.filter(({ isChosen }, i) => i < FEW || isChosen);
  const toggle = (text: string, isChosen: boolean) => {
    const others = (filter?.texts ?? []).filter((other) => other !== text);
    change(isChosen ? [...others, text] : others, filter?.range);
  };
  return (
    <fieldset>
      <legend class="hidden">{fieldTitle(field)}</legend>
      {isNumeric ? (
        <>
          <Spread column={column} counts={counts} field={field} />
          <RangeInputs field={field} range={filter?.range} change={(range) => change(filter?.texts ?? [], range)} />
        </>
      ) : null}
      {isWhole && choices.length > FEW * 2 ? (
        <input
          type="search"
          aria-label={`Values of ${fieldTitle(field)}`}
          placeholder="Values…"
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      ) : null}
      {choices.length === 0 ? <p class="absent">None of the nodes shown.</p> : null}
      <ul>
        {shown.map((choice) => (
          <li key={choice.text}>
            <label>
              <input
                type="checkbox"
                checked={choice.isChosen}
                onChange={(event) => toggle(choice.text, event.currentTarget.checked)}
              />
              <span class="text">{valueText(column.values[choice.place], field)}</span>
              <span class="count">{choice.nodes}</span>
            </label>
          </li>
        ))}
      </ul>
      {named.length > FEW ? (
        <button type="button" class="link" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Fewer' : `All ${counted(named.length, 'value')}`}
        </button>
      ) : null}
    </fieldset>
  );
}

/** What nothing would be found with is left out, unless it is chosen already. */
function choicesOf({ texts, values }: FacetColumn, counts: Uint32Array, wanted: ReadonlySet<string>): Choice[] {
  const choices = texts.map((text, place) => ({ place, text, nodes: counts[place] ?? 0, isChosen: wanted.has(text) }));
  return choices
    .filter(({ nodes, isChosen }) => nodes > 0 || isChosen)
    .sort(
      (a, b) =>
        Number(b.isChosen) - Number(a.isChosen) ||
        b.nodes - a.nodes ||
        byValue(values[a.place] ?? null, values[b.place] ?? null),
    );
}

/** Each number is a bar where they are few, else they are put into bins of a scale that suits them. */
const MOST_BARS = 24;

function Spread({ column, counts, field }: { column: FacetColumn; counts: Uint32Array; field: string }) {
  const points = column.values
    .flatMap((value, place) => (typeof value === 'number' ? [{ value, nodes: counts[place] ?? 0 }] : []))
    .sort((a, b) => a.value - b.value);
  const size = Math.ceil(points.length / MOST_BARS);
  const bins = [];
  for (let i = 0; i < points.length; i += size) {
    const some = points.slice(i, i + size);
    const nodes = some.reduce((sum, point) => sum + point.nodes, 0);
    const [first, last] = [some[0]?.value ?? 0, some.at(-1)?.value ?? 0];
    const from = valueText(first, field);
    const label = `${first === last ? from : `${from} to ${valueText(last, field)}`}: ${nodes}`;
    bins.push({ label, all: nodes, shown: nodes });
  }
  return <Histogram bins={bins} label={`How ${fieldTitle(field)} is spread over the nodes`} />;
}
