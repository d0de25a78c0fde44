import { useState } from 'preact/hooks';
import { Failure } from '../../core/diagnostics/finding.ts';
import type { AppState } from '../app-state.ts';
import { ReadError } from '../data/reader.ts';
import { permalink } from './code-and-citations.ts';
import { csvText, documentTable, LOCK_OF_PAST, lockOfRows, ndjsonText, uidsText } from './exported-files.ts';
import { UseAndCite } from './use-and-cite.tsx';
import { counted, visible } from './value.tsx';

interface ExportMenuProps {
  readonly state: AppState;
  /** The nodes of the table in the displayed order, or only the picked nodes. */
  readonly rows: readonly number[];
  readonly columns: readonly string[];
}

interface Export {
  readonly label: string;
  readonly file: string;
  readonly type: string;
  readonly make: () => string | Promise<string>;
  readonly isOff?: boolean;
}

const NDJSON = 'application/x-ndjson';

export function ExportMenu({ state, rows: all, columns }: ExportMenuProps) {
  const { picked } = state;
  const isPicked = new Set(picked);
  const shown = new Set(all);
  const rows =
    picked.length === 0 ? all : [...all.filter((row) => isPicked.has(row)), ...picked.filter((row) => !shown.has(row))];
  const [problem, setProblem] = useState('');
  const { version, newest } = state.registry;
  const isPast = version !== newest;
  const start = version.slice(0, 8);
  const { omittedFields } = state.registry.table;
  const exports: readonly Export[] = [
    { label: 'CSV', file: `nodes-${start}.csv`, type: 'text/csv', make: () => csvText(state, rows, columns) },
    { label: 'NDJSON', file: `nodes-${start}.ndjson`, type: NDJSON, make: () => ndjsonText(state, rows) },
    { label: 'Uids', file: `uids-${start}.txt`, type: 'text/plain', make: () => uidsText(state, rows) },
    {
      label: 'Markdown',
      file: `nodes-${start}.md`,
      type: 'text/markdown',
      make: () => documentTable(state, rows, 'markdown'),
    },
    {
      label: 'LaTeX',
      file: `nodes-${start}.tex`,
      type: 'application/x-tex',
      make: () => documentTable(state, rows, 'latex'),
    },
    {
      label: 'Lock file',
      file: 'gridpress.lock',
      type: 'application/json',
      make: () => lockOfRows(state, rows),
      isOff: isPast,
    },
  ];
  const saveExport = async ({ file, type, make }: Export) => {
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
      <p class="absent">
        {picked.length === 0 ? counted(rows.length, 'node') : counted(rows.length, 'picked node')} as a file:
      </p>
      <p class="buttons">
        {exports.map((each) => (
          <button
            type="button"
            key={each.label}
            disabled={rows.length === 0 || each.isOff}
            onClick={() => void saveExport(each)}
          >
            {each.label}
          </button>
        ))}
      </p>
      {omittedFields.length === 0 ? null : (
        <p class="absent">CSV and NDJSON do not contain {omittedFields.map(visible).join(', ')}: see “Columns”.</p>
      )}
      {isPast ? <p class="absent">{LOCK_OF_PAST}</p> : null}
      {problem === '' ? null : <p role="alert">{problem}</p>}
      {/* The rows are sorted, because `gridpress find` reserves nodes in the order of the node table. */}
      <UseAndCite state={state} rows={rows.toSorted((a, b) => a - b)} columns={columns} />
      <p>
        <a href={permalink(state)}>Permalink</a> <span class="absent">to this view at this revision</span>
      </p>
    </>
  );
}

/** Downloads a text as a file. */
function save(file: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
