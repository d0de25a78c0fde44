/** Which fields are columns. */
import { useState } from 'preact/hooks';
import type { Field } from '../data/registry.ts';
import { fieldTitle } from './value.tsx';

interface ColumnChoiceProps {
  readonly columns: readonly string[];
  readonly fields: readonly Field[];
  readonly choose: (names: readonly string[]) => void;
}

export function ColumnChoice({ columns, fields, choose }: ColumnChoiceProps) {
  const [wanted, setWanted] = useState('');
  const names = fields
    .filter(({ distinct, types }) => distinct > 0 || !types.includes('object'))
    .map(({ name }) => name);
  const found = names.filter((name) => `${name} ${fieldTitle(name)}`.toLowerCase().includes(wanted.toLowerCase()));
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
            <label>
              <input
                type="checkbox"
                checked={columns.includes(name)}
                onChange={(event) => toggle(name, event.currentTarget.checked)}
              />{' '}
              {fieldTitle(name)}
              {fieldTitle(name) === name ? null : <span class="absent"> {name}</span>}
            </label>
          </li>
        ))}
      </ul>
      <button type="button" class="link" onClick={() => choose([])}>
        The usual columns
      </button>
    </>
  );
}
