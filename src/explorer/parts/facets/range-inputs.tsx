/** From and to, in any unit that the field can be told in. */
import { useState } from 'preact/hooks';
import { boundIn, type Range } from '../../fleet/filters.ts';
import { fieldTitle, valueText } from '../../format/values.ts';

interface RangeInputsProps {
  readonly field: string;
  readonly range: Range | undefined;
  readonly change: (range: Range | undefined) => void;
}

export function RangeInputs({ field, range, change }: RangeInputsProps) {
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
