import { useState } from 'preact/hooks';
import type { Field } from '../data/registry.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { Checkbox } from './checkbox.tsx';

interface ColumnChoiceProps {
  readonly columns: readonly string[];
  readonly fields: readonly Field[];
  readonly choose: (names: readonly string[]) => void;
}

export function ColumnChoice({ columns, fields, choose }: ColumnChoiceProps) {
  const [wanted, setWanted] = useState('');
  // The chosen columns come first. The order of the columns does not change while the menu is open.
  const [first] = useState(columns);
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  const found = fields
    .filter(({ distinct, types }) => distinct > 0 || !types.includes('object'))
    .map(({ name }) => name)
    .sort((a, b) => rank(a) - rank(b))
    .filter((name) => `${name} ${fieldTitle(name)}`.toLowerCase().includes(wanted.toLowerCase()));
  const toggle = (name: string, isWanted: boolean) =>
    choose(isWanted ? [...columns, name] : columns.filter((other) => other !== name));
  return (
    <>
      <input
        type="search"
        aria-label="Fields"
        placeholder="Fields…"
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
      />
      <ul class="choices">
        {found.map((name) => (
          <li key={name}>
            <Checkbox checked={columns.includes(name)} change={(isChecked) => toggle(name, isChecked)}>
              <span class="text">
                {fieldTitle(name)}
                {fieldTitle(name) === name ? null : <span class="absent"> {name}</span>}
              </span>
            </Checkbox>
          </li>
        ))}
      </ul>
      <button type="button" class="link" onClick={() => choose([])}>
        Default columns
      </button>
    </>
  );
}
