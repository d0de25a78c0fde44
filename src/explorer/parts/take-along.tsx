/** What can be taken along of a selection: files, commands, links. */
import { useState } from 'preact/hooks';
import { Failure } from '../../core/diagnostics/failure.ts';
import type { AppState } from '../app-state.ts';
import { csvText, lockOfRows, ndjsonText, permalink, uidsText } from '../data/exports.ts';
import { ReadError } from '../data/reader.ts';
import { UseAndCite } from './use-and-cite.tsx';

interface TakeAlongProps {
  readonly state: AppState;
  readonly rows: readonly number[];
  readonly columns: readonly string[];
}

interface Export {
  readonly label: string;
  readonly file: string;
  readonly type: string;
  readonly make: () => string | Promise<string>;
}

export function TakeAlong({ state, rows, columns }: TakeAlongProps) {
  const [problem, setProblem] = useState('');
  const start = state.registry.version.slice(0, 8);
  const exports: readonly Export[] = [
    { label: 'CSV', file: `nodes-${start}.csv`, type: 'text/csv', make: () => csvText(state, rows, columns) },
    {
      label: 'NDJSON',
      file: `nodes-${start}.ndjson`,
      type: 'application/x-ndjson',
      make: () => ndjsonText(state, rows),
    },
    { label: 'Uids', file: `uids-${start}.txt`, type: 'text/plain', make: () => uidsText(state, rows) },
    { label: 'Lock file', file: 'gridpress.lock', type: 'application/json', make: () => lockOfRows(state, rows) },
  ];
  const take = async ({ file, type, make }: Export) => {
    try {
      save(file, type, await make());
      setProblem('');
      state.announce(`${file} was saved.`);
    } catch (error) {
      if (!(error instanceof ReadError || error instanceof Failure)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <>
      <p class="absent">Of {rows.length} nodes, as files:</p>
      <p class="buttons">
        {exports.map((each) => (
          <button type="button" key={each.label} disabled={rows.length === 0} onClick={() => void take(each)}>
            {each.label}
          </button>
        ))}
      </p>
      {problem === '' ? null : <p role="alert">{problem}</p>}
      <UseAndCite state={state} rows={rows} />
      <p>
        <a href={permalink(state)}>Permalink</a> <span class="absent">of this view at this revision</span>
      </p>
    </>
  );
}

/** Downloads are navigations, which the page's policy says nothing of. */
function save(file: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
