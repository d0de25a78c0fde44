/** The facets, as the data dictionary and the nodes themselves have them: hardware first, the rest folded. */

import { useMemo, useState } from 'preact/hooks';
import { FIELD_CLASSES } from '../../core/model/fields/class-names.ts';
import { LABEL_PREFIX, PLACE_NAMES } from '../../core/model/fields/field-name.ts';
import type { Field } from '../data/registry.ts';
import {
  boundIn,
  byValue,
  countsIn,
  type FacetColumn,
  type Filter,
  facetColumn,
  type Range,
  type Selection,
} from '../fleet/filters.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { counted, fieldTitle, valueText } from './value.tsx';

interface FacetsProps {
  readonly fleet: Fleet;
  readonly fields: readonly Field[];
  readonly filters: readonly Filter[];
  readonly chosen: Selection;
  readonly change: (field: string, texts: readonly string[], range: Range | undefined) => void;
}

interface Group {
  readonly title: string;
  readonly fields: readonly Field[];
  readonly isOpen: boolean;
}

/** Where people begin, unfolded; the second half is there, and folded. */
const FIRST = ['site', 'label.gpu', 'label.cpu', 'label.ram'];
const NEXT = ['node_type', 'gpu.gpu_count', 'label.disk', 'label.network', 'architecture.smt_size'];

export function Facets({ fleet, fields, filters, chosen, change }: FacetsProps) {
  const groups = useMemo(() => groupsOf(fields, fleet.table.total), [fields, fleet]);
  const facet = (field: Field, isOpen: boolean) => (
    <FacetPanel
      key={field.name}
      fleet={fleet}
      field={field.name}
      chosen={chosen}
      isOpen={isOpen}
      description={field.description}
      filter={filters.find((filter) => filter.field === field.name)}
      change={(texts, range) => change(field.name, texts, range)}
    />
  );
  return (
    <>
      {groups.map(({ title, fields, isOpen }) =>
        title === '' ? (
          fields.map((field) => facet(field, FIRST.includes(field.name)))
        ) : (
          <details class="facet-group" key={title} open={isOpen}>
            <summary>{title}</summary>
            {fields.map((field) => facet(field, false))}
          </details>
        ),
      )}
    </>
  );
}

function groupsOf(fields: readonly Field[], total: number): Group[] {
  const useful = fields.filter((field) => isUseful(field, total));
  const foremost = [...FIRST, ...NEXT].flatMap((name) => useful.find((field) => field.name === name) ?? []);
  const rest = useful.filter(
    (field) =>
      !foremost.includes(field) &&
      !field.name.startsWith(`${LABEL_PREFIX}.`) &&
      !PLACE_NAMES.some((name) => name === field.name),
  );
  const byClass = FIELD_CLASSES.map((name) => ({
    title: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    fields: rest.filter((field) => field.class === name),
    isOpen: false,
  }));
  return [{ title: '', fields: foremost, isOpen: true }, ...byClass].filter(({ fields }) => fields.length > 0);
}

/** A field that tells nodes apart, but not each from every other; what only repeats another has its label. */
function isUseful({ name, class: about, distinct, nodes, values, range }: Field, total: number): boolean {
  if (about === 'component' || name === 'uid' || (about === 'derived' && !name.startsWith(LABEL_PREFIX))) return false;
  if (values === undefined && range === undefined) return false;
  return distinct > 1 ? distinct < nodes * 0.9 || distinct < 12 : distinct === 1 && nodes < total;
}

/** One facet: the values of a field with the nodes that have them under all other filters, and a range of numbers. */
interface FacetProps {
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

function FacetPanel(props: FacetProps) {
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

/** How numbers are spread, as bars; the numbers themselves stand beside it as text. */

const WIDTH = 200;
const HEIGHT = 32;
const GAP = 1;

interface Bin {
  readonly label: string;
  readonly all: number;
  readonly shown: number;
}

function Histogram({ bins, label }: { bins: readonly Bin[]; label: string }) {
  const most = Math.max(1, ...bins.map(({ all }) => all));
  const width = WIDTH / Math.max(1, bins.length);
  const bar = (i: number, nodes: number, kind: string) => {
    const height = nodes === 0 ? 0 : Math.max(1.5, (nodes / most) * HEIGHT);
    return <rect class={kind} x={i * width} y={HEIGHT - height} width={Math.max(1, width - GAP)} height={height} />;
  };
  return (
    <svg class="histogram" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {bins.map(({ label, all, shown }, i) => (
        <g key={label}>
          <title>{label}</title>
          {bar(i, all, 'all')}
          {bar(i, shown, 'shown')}
        </g>
      ))}
    </svg>
  );
}

/** From and to, in any unit that the field can be told in. */
interface RangeInputsProps {
  readonly field: string;
  readonly range: Range | undefined;
  readonly change: (range: Range | undefined) => void;
}

function RangeInputs({ field, range, change }: RangeInputsProps) {
  const [problem, setProblem] = useState('');
  const set = (side: 'from' | 'to', text: string) => {
    const bound = boundIn(text, field);
    if (bound === null) return setProblem(`${text} is no number that fits here.`);
    setProblem('');
    const next = { from: range?.from, to: range?.to, [side]: bound };
    return change(next.from === undefined && next.to === undefined ? undefined : next);
  };
  const input = (side: 'from' | 'to') => (
    <input
      type="text"
      size={8}
      placeholder={side}
      aria-label={`${fieldTitle(field)} ${side}`}
      aria-invalid={problem !== ''}
      value={range?.[side] === undefined ? '' : valueText(range[side], field)}
      onChange={(event) => set(side, event.currentTarget.value)}
    />
  );
  return (
    <div class="range">
      {input('from')} {input('to')}
      {problem === '' ? null : <p role="alert">{problem}</p>}
    </div>
  );
}
