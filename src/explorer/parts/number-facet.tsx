/** Shows the distribution of a field's numbers, and lets the user enter a range. */

import { useState } from 'preact/hooks';
import { pathOfField } from '../../core/model/fields/field-name.ts';
import { unitOfField } from '../../core/model/units.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { type FacetColumn, parseBound, type Range } from '../fleet/filters.ts';
import { numberBins } from '../fleet/number-bins.ts';
import { useBrush } from '../state/use-brush.ts';
import { valueText } from './value.tsx';

interface NumberFacetProps extends HistogramProps {
  readonly range: Range | undefined;
}

export function NumberFacet({ column, rows, field, range, change }: NumberFacetProps) {
  const numbers = column.values.filter((value) => typeof value === 'number');
  return (
    <>
      <Histogram column={column} rows={rows} field={field} change={change} />
      <RangeInputs
        field={field}
        extent={{ from: Math.min(...numbers), to: Math.max(...numbers) }}
        range={range}
        change={change}
      />
    </>
  );
}

const MOST_BARS = 24;
const WIDTH = 200;
const HEIGHT = 32;

interface HistogramProps {
  readonly column: FacetColumn;
  /** The nodes to count. */
  readonly rows: readonly number[];
  readonly field: string;
  readonly change: (range: Range | undefined) => void;
}

/** Shows one bar for each number or range of numbers. The user clicks or drags over bars to choose a range. */
function Histogram({ column, rows, field, change }: HistogramProps) {
  const bins = numberBins(column, rows, MOST_BARS).map(({ from, to, nodes }) => {
    const [first, last] = [valueText(from, field), valueText(to, field)];
    return { from, to, nodes, label: `${from === to ? first : `${first} to ${last}`}: ${nodes}` };
  });
  const most = Math.max(1, ...bins.map(({ nodes }) => nodes));
  const width = WIDTH / bins.length;
  const choose = (first: number, last: number) => change({ from: bins[first]?.from, to: bins[last]?.to });
  const brush = useBrush(field, bins.length, choose);
  const label = `Distribution of ${fieldTitle(field)}`;
  return (
    <svg class="histogram" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {bins.map(({ label, nodes }, i) => {
        const height = nodes === 0 ? 0 : Math.max(1.5, (nodes / most) * HEIGHT);
        return (
          <g key={label} {...brush.bin(i, () => choose(i, i))}>
            <rect class="space" x={i * width} width={width} height={HEIGHT} />
            <rect x={i * width} y={HEIGHT - height} width={Math.max(1, width - 1)} height={height} />
            <title>{label}</title>
          </g>
        );
      })}
    </svg>
  );
}

type Side = 'from' | 'to';

interface RangeInputsProps {
  readonly field: string;
  readonly extent: Readonly<Record<Side, number>>;
  readonly range: Range | undefined;
  readonly change: (range: Range | undefined) => void;
}

/** The unit that the explorer suggests if the user types a number without a unit. */
const USUAL_UNITS = { B: 'GiB', Hz: 'GHz', 'bit/s': 'Gbps' } as const;

function RangeInputs({ field, extent, range, change }: RangeInputsProps) {
  const [problem, setProblem] = useState<{ readonly side: Side; readonly text: string; readonly message: string }>();
  const base = unitOfField(pathOfField(field) ?? [field]);
  const set = (side: Side, text: string) => {
    const bound = parseBound(text, field);
    const isPlain = Number(text) > 0;
    const message =
      bound === null
        ? `${text} is not a number in a unit of this field.`
        : base && isPlain
          ? `Add a unit, such as ${text.trim()} ${USUAL_UNITS[base]}.`
          : '';
    setProblem(message === '' ? undefined : { side, text, message });
    if (message !== '' || bound === null) return;
    const next = { from: range?.from, to: range?.to, [side]: bound };
    change(next.from === undefined && next.to === undefined ? undefined : next);
  };
  const input = (side: Side) => (
    <input
      type="text"
      size={8}
      placeholder={`${side} ${valueText(extent[side], field)}`}
      aria-label={`${fieldTitle(field)} ${side}`}
      aria-invalid={problem?.side === side}
      value={problem?.side === side ? problem.text : range?.[side] === undefined ? '' : valueText(range[side], field)}
      onChange={(event) => set(side, event.currentTarget.value)}
    />
  );
  return (
    <div class="range">
      {input('from')} {input('to')}
      {problem ? <p role="alert">{problem.message}</p> : null}
    </div>
  );
}
